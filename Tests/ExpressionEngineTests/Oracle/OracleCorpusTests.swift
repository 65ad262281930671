import ExpressionCoding
import ExpressionSyntax
import FilterCorpus
import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("The machine and the reference evaluator agree on the cases")
struct OracleCorpusTests {
  @Test("every second case of the superscript dialect, and every one with more effort")
  func corpus() throws {
    let cases = try CaseFile.cases(at: TestFiles.path("corpus/superscript"))
    let step = Effort.factor > 1 ? 1 : 2
    try check(stride(from: 0, to: cases.count, by: step).map { cases[$0] }, atLeast: 1_500)
    try check(CaseFile.cases(at: TestFiles.path("corpus/fuzz-finds")), atLeast: 4)
  }

  @Test("a case calls every function of the superscript dialect in every style it has")
  func everyFunctionIsCalled() throws {
    let cases = try CaseFile.cases(at: TestFiles.path("corpus/superscript"))
    var plain: Set<String> = []
    var methods: Set<String> = []
    for item in cases {
      guard case .expression(let text) = item.request.question,
        let tree = try? parse(SourceText(text), dialect: .superscript)
      else { continue }
      for node in tree.nodes where node.kind == .call {
        if node.first == SyntaxNode.none {
          plain.insert(tree.name(of: node))
        } else {
          methods.insert(tree.name(of: node))
        }
      }
    }
    for definition in FunctionLibrary.superscript.definitions {
      #expect(!definition.summary.isEmpty && !definition.examples.isEmpty, "\(definition.name)")
      for signature in definition.signatures {
        let isPlain = signature.hasPrefix("\(definition.name)(")
        #expect(
          (isPlain ? plain : methods).contains(definition.name), "no case calls `\(signature)`")
      }
    }
  }

  @Test(
    "the open conformance cases",
    .enabled(
      if: TestFiles.sharedPath("conformance/superscript-open.jsonl") != nil,
      "needs the conformance cases; set SWEXPR_SHARED to the folder that has them"))
  func conformance() throws {
    for name in ["superscript-open", "superscript-crashes"] {
      try check(
        CaseFile.cases(at: #require(TestFiles.sharedPath("conformance/\(name).jsonl"))),
        atLeast: 40)
    }
  }

  /// Compares both evaluators with each other, and the reference with the case's answer.
  private func check(_ cases: [ConformanceCase], atLeast count: Int) throws {
    let superscript = cases.filter { $0.request.dialect == .superscript }
    #expect(superscript.count >= count)
    // Chains make deep trees, which the reference walks by recursion.
    for failure in try onThread(stack: 512 << 20, { superscript.flatMap(failures) }) {
      Issue.record("\(failure)")
    }
  }

  private func failures(_ item: ConformanceCase) -> [String] {
    guard item.skipReason == nil, case .expression(let expression) = item.request.question
    else { return [] }
    let environment = FilterEnvironment(item.request)
    let agreement = Agreement(
      environment: environment, contexts: [OracleContext(item.id, item.request.variables)])
    switch agreement.check(expression) {
    case .disagrees(let disagreement): return ["\(item.id): \(disagreement)"]
    case .refused(let error):
      let outcome = CaseOutcome(
        .error(CaseError(message: error.diagnostics.first?.message ?? "")))
      return item.expectation.isMet(by: outcome, dialect: .superscript)
        ? [] : ["\(item.id): `\(expression)` is refused"]
    case .unspecified: return []
    case .agrees:
      guard let tree = try? parse(SourceText(expression), dialect: .superscript) else {
        return ["\(item.id): does not parse"]
      }
      var reference = ReferenceEvaluator(
        tree, environment: environment, variables: item.request.variables)
      let outcome = reference.run()
      let answer: CaseOutcome.Answer =
        switch outcome {
        case .value(let value): .value(value)
        case .error: .error(CaseError(message: ""))
        }
      // The specification's errors have no identifiers or places.
      if case .error = item.expectation, case .error = outcome { return [] }
      return item.expectation.isMet(by: CaseOutcome(answer), dialect: .superscript)
        ? [] : ["\(item.id): `\(expression)` is \(outcome), not \(item.expectation.summary)"]
    }
  }
}

extension FilterEnvironment {
  /// The host of a case.
  init(_ request: CaseRequest) {
    self.init()
    for name in request.deviceFunctions.keys { deviceFunctions[name] = Self.host(name, request) }
    for name in request.computedFunctions.keys {
      computedFunctions[name] = Self.host(name, request)
    }
    for (name, examples) in request.deviceFunctions {
      hostFunctionArguments["device.\(name)"] = examples
    }
    for (name, examples) in request.computedFunctions {
      hostFunctionArguments["computed.\(name)"] = examples
    }
  }

  /// A host function that returns what the case says; null if that cannot be read.
  private static func host(_ name: String, _ request: CaseRequest) -> HostFunction {
    { arguments, _ in
      guard let answer = request.hostAnswer(to: name, arguments: arguments) else { return .null }
      return (try? PassableValue.read(answer.text, as: .input)) ?? .null
    }
  }
}
