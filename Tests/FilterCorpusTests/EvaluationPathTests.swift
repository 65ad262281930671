import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterCorpus
import Testing

@Suite("Every path of the engine")
struct EvaluationPathTests {
  /// Cases of one context; one has an error, and one is no filter.
  private static let cases: [ConformanceCase] = [
    item("true", "user.age >= 18", .bool(true)),
    item("false", "user.age < 18 && user.plan == \"pro\"", .bool(false)),
    item("text", "user.plan", .string("pro")),
    ConformanceCase(
      id: "error", request: request("1 / (user.age - 20)"), expectation: .anyError(advice: "")),
    ConformanceCase(id: "no filter", request: request("user."), expectation: .anyError(advice: "")),
  ]

  private static func request(_ text: String) -> CaseRequest {
    CaseRequest(
      .expression(text), dialect: .superscript,
      variables: ["user": .map([.string("age"): .int(20), .string("plan"): .string("pro")])])
  }

  private static func item(_ id: String, _ text: String, _ value: Value) -> ConformanceCase {
    ConformanceCase(id: id, request: request(text), expectation: .value(value, type: nil))
  }

  private func report(_ paths: [EvaluationPath]) -> CorpusReport {
    CaseRunner(evaluator: EngineEvaluator(paths: paths)).run(Self.cases)
  }

  @Test("all paths of the engine agree")
  func agree() async {
    let report = report(EvaluationPath.all)
    #expect(report.failures == [])
    #expect(report.passed == 5)
    let runner = CaseRunner(evaluator: EngineEvaluator(paths: EvaluationPath.all))
    #expect(await runner.runConcurrently(Self.cases) == report)
  }

  @Test("there is a path for each way to evaluate, and the shared one gets all filters")
  func names() {
    #expect(EvaluationPath.all.map(\.name) == ["machine", "filter", "set of one", "batch", "set"])
    #expect(EvaluationPath.all.map(\.scope) == [.single, .single, .single, .single, .shared])
  }

  @Test("each path reports every filter that it is given", arguments: EvaluationPath.all.indices)
  func reports(_ index: Int) throws {
    let filters = [try Filter("user.age > 3"), try Filter("user.age < 3"), try Filter("user.age")]
    let context = Context(variables: Self.request("").variables)
    var reported: Set<Int> = []
    EvaluationPath.all[index].evaluate(filters, context) { filter, step, result in
      reported.insert(filter)
      switch result {
      case .truth(let truth): #expect(truth == (filter == 0), "\(step)")
      case .value(let value):
        let wanted: [Value] = [.bool(true), .bool(false), .int(20)]
        #expect((try? value.get()) == wanted[filter], "\(step)")
      }
    }
    #expect(reported == [0, 1, 2])
  }

  /// A path that gives a wrong result in one step of the path that it stands for.
  private static func wrong(
    _ path: EvaluationPath, step: String, from first: Int
  ) -> EvaluationPath {
    EvaluationPath(path.name, path.scope) { filters, context, report in
      path.evaluate(filters, context) { filter, name, result in
        guard name == step, filter >= first else { return report(filter, name, result) }
        switch result {
        case .truth(let truth): report(filter, name, .truth(!truth))
        case .value: report(filter, name, .value(.success(.int(-1))))
        }
      }
    }
  }

  static let steps: [(path: Int, step: String, shown: String)] = [
    (0, "evaluate", "machine, evaluate"), (1, "matches", "filter, matches"),
    (2, "indexOfFirstMatch", "set of one, indexOfFirstMatch"),
    (2, "matches", "set of one, matches"),
    (2, "matchingIndices", "set of one, matchingIndices"),
    (2, "evaluate", "set of one, evaluate"), (3, "matches", "batch, matches"),
    (4, "matches", "set of 4, matches"), (4, "matchingIndices", "set of 4, matchingIndices"),
    (4, "evaluate", "set of 4, evaluate"),
  ]

  @Test("a path that gives something else fails the cases and is named", arguments: steps)
  func wrongPath(_ item: (path: Int, step: String, shown: String)) throws {
    var paths = EvaluationPath.all
    paths[item.path] = Self.wrong(paths[item.path], step: item.step, from: 0)
    let report = report(paths)
    // A text that does not compile has nothing to compare.
    #expect(report.failures.map(\.id) == ["true", "false", "text", "error"])
    #expect(report.passed == 1)
    for failure in report.failures {
      #expect(failure.got.contains("; \(item.shown): "), "\(failure.line)")
      #expect(failure.want.hasSuffix(", on every path"))
    }
    let first = try #require(report.failures.first)
    let got = item.step == "evaluate" ? "-1 : int" : "false"
    #expect(first.got.hasPrefix("true : bool; \(item.shown): \(got)"))
  }

  @Test("only the case whose result differs fails")
  func oneWrongCase() {
    let set = Self.wrong(EvaluationPath.all[4], step: "matches", from: 2)
    #expect(report([set]).failures.map(\.id) == ["text", "error"])
  }

  @Test("cases are evaluated together only if nothing but the question differs")
  func settings() {
    var cases = Self.cases
    cases[1].request.variables = [:]
    cases[1].expectation = .any
    cases[2].request.deviceFunctions = ["f": []]
    let sizes = Sizes()
    let path = EvaluationPath("set", .shared) { filters, _, _ in sizes.add(filters.count) }
    let report = CaseRunner(evaluator: EngineEvaluator(paths: [path])).run(cases)
    #expect(report.failures == [])
    #expect(sizes.all == [2])
  }

  @Test("contexts that differ in the sign of a zero are not evaluated together")
  func zeros() {
    let zeros: [Double] = [-0.0, 0.0]
    let cases = zeros.map { zero in
      var request = Self.request("user.balance - 0.0")
      request.variables = ["user": .map([.string("balance"): .double(zero)])]
      return ConformanceCase(
        id: "\(zero)", request: request, expectation: .value(.double(zero), type: nil))
    }
    let report = CaseRunner(evaluator: EngineEvaluator(paths: EvaluationPath.all)).run(cases)
    #expect(report.failures == [])
    #expect(report.passed == 2)
  }

  @Test("a context that differs from itself keeps no other case away")
  func notANumber() {
    var cases = Self.cases
    cases[0].request.variables["x"] = .double(.nan)
    cases[1].request.variables["x"] = .double(.nan)
    let report = CaseRunner(evaluator: EngineEvaluator(paths: EvaluationPath.all)).run(cases)
    #expect(report.failures == [])
    #expect(report.passed == 5)
  }
}

/// Collects numbers.
private final class Sizes: Sendable {
  private let storage = Locked<[Int]>([])

  var all: [Int] { storage.withLock { $0 } }

  func add(_ size: Int) { storage.withLock { $0.append(size) } }
}
