import ExpressionPrinting
import ExpressionSyntax
import FilterCorpus
import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("No filter is too deep or too long for an answer or a clear error", .serialized)
struct LimitTests {
  /// What the deepest filters that are accepted may take of the stack.
  private static let smallStack = StageStackTests.budget
  #if DEBUG
    private static let shortSource = 10_000
    private static let links = 20_000
  #else
    private static let shortSource = 100_000
    private static let links = 100_000
  #endif

  private static let environment = FilterEnvironment(
    deviceFunctions: ["echo": { arguments, _ in arguments.first ?? .null }],
    parserLimits: ParserLimits(sourceLength: 8 << 20))

  private static let context = Context(variables: [
    "user": ["age": 25], "l": [0], "s": "a", "n": 1, "ring": ["next": 1],
  ])

  /// Everything that is done with a filter, from its text to its end.
  private static func use(_ text: String) -> Result<ReferenceEvaluator.Outcome, FilterError> {
    do {
      let filter = try Filter(SourceText(text), environment: environment)
      _ = filter.matches(context)
      return .success(
        ReferenceEvaluator.Outcome { () throws(EvaluationError) in try filter.evaluate(context) })
    } catch {
      return .failure(error)
    }
  }

  @Test("parser and compiler accept the same nesting")
  func sameNesting() {
    #expect(ParserLimits.standard.nesting == Lowering.maximumDepth)
  }

  @Test("nesting takes a bounded piece of the stack, or is refused", arguments: NestedShape.nests)
  func nesting(shape: NestedShape) throws {
    var deepest = 0
    var used = 0
    for depth in [10, 20, 50, 107, 108, 214, 215, 428, 429, 430, 431, 20_000] {
      let text = shape.text(depth)
      var error: FilterError?
      let use = try stackUse {
        if case .failure(let failure) = Self.use(text) { error = failure }
      }
      if let error {
        #expect(!error.diagnostics.isEmpty)
        #expect(error.diagnostics[0].message.utf8.count > 10)
      } else {
        deepest = depth
      }
      used = max(used, use)
    }
    #expect(deepest >= 10, "no real filter repeats any of this so often")
    #expect(deepest < 20_000)
    #expect(used < Self.smallStack)
  }

  @Test("long chains have an answer or a clear error", arguments: NestedShape.chains)
  func chains(shape: NestedShape) throws {
    let text = shape.text(Self.links)
    var result: Result<ReferenceEvaluator.Outcome, FilterError>?
    let used = try stackUse { result = Self.use(text) }
    #expect(used < Self.smallStack)
    guard let result else { return }
    if case .failure(let error) = result {
      #expect(error.diagnostics[0].message.utf8.count > 10)
    }
  }

  @Test("ten times the source takes about ten times as long", arguments: NestedShape.chains)
  func linearTime(shape: NestedShape) throws {
    let perLevel = max(1, shape.text(1_000).utf8.count / 1_000)
    let small = shape.text(Self.shortSource / perLevel)
    let large = shape.text(10 * Self.shortSource / perLevel)
    let clock = ContinuousClock()
    func time(_ text: String) -> Duration { clock.measure { _ = Self.use(text) } }
    let short = min(time(small), time(small))
    // A quadratic pass would take a hundred times as long.
    let bound = max(short, .milliseconds(20)) * 50
    var long = time(large)
    // Something else may have run at the same time.
    if long >= bound { long = min(long, time(large)) }
    #expect(long < bound)
    #expect(long < .seconds(20))
  }

  @Test("twenty levels of members take no time")
  func members() {
    let filter = "ring" + String(repeating: ".next", count: 20)
    let time = ContinuousClock().measure { _ = Self.use(filter) }
    #expect(time < .milliseconds(100))
  }

  @Test("as many arguments as a filter has room for", arguments: [253, 254, 255, 256, 257, 1_000])
  func arguments(count: Int) {
    let list = (1...count).map(String.init).joined(separator: ", ")
    guard case .success(.value(let value)) = Self.use("max(\(list), n)") else {
      Issue.record("no value")
      return
    }
    #expect(value == .int(Int64(count)))
  }

  @Test("many registers are used or refused", arguments: [30_000, 65_530, 65_536, 70_000])
  func registers(count: Int) {
    let text = "max(" + String(repeating: "n,", count: count) + "7)"
    switch Self.use(text) {
    case .success(let outcome): #expect(outcome.isIdentical(to: .value(7)))
    case .failure(let error): #expect(error.diagnostics[0].id == .filterTooLarge)
    }
  }

  @Test("a source longer than the limit is refused")
  func sourceLength() {
    let limits = ParserLimits(sourceLength: 1_000)
    let fits = String(repeating: " ", count: 999) + "1"
    let environment = FilterEnvironment(parserLimits: limits)
    #expect(throws: Never.self) {
      try Filter(SourceText(fits), environment: environment)
    }
    #expect(throws: FilterError.self) {
      try Filter(SourceText(" " + fits), environment: environment)
    }
  }

  @Test("hostile texts end in an error with a position, at once")
  func hostileTexts() throws {
    let texts = [
      String(repeating: "(", count: 2_000_000), String(repeating: "[", count: 1_000_000),
      String(repeating: "!", count: 1_000_000), String(repeating: "-", count: 1_000_000),
      String(repeating: "a.", count: 500_000), String(repeating: "1+", count: 500_000),
      String(repeating: "a?", count: 500_000), String(repeating: "a?b:", count: 250_000),
      String(repeating: "{", count: 1_000_000), String(repeating: "f(", count: 500_000),
      "\"" + String(repeating: "x", count: 1_000_000), String(repeating: "\\", count: 100_000),
      "\u{0}", "1 \u{0}", String(repeating: "9", count: 100_000),
    ]
    for text in texts {
      var result: Result<ReferenceEvaluator.Outcome, FilterError>?
      let time = try ContinuousClock().measure {
        let used = try stackUse { result = Self.use(text) }
        #expect(used < Self.smallStack)
      }
      guard case .failure(let error)? = result else {
        Issue.record("\(text.prefix(10))… was accepted")
        continue
      }
      #expect(!error.diagnostics.isEmpty)
      #expect(time < .seconds(5))
    }
  }

  @Test("every limit has a case on either side")
  func corpus() throws {
    let cases = try CaseFile.cases(at: TestFiles.path("corpus/limits"))
    #expect(cases.count >= 12)
    let evaluator = EngineEvaluator()
    for item in cases {
      let outcome = evaluator.evaluate(item.request)
      #expect(
        item.expectation.isMet(by: outcome, dialect: item.request.dialect),
        "\(item.id): \(outcome.summary), not \(item.expectation.summary)")
    }
  }

  @Test("lists are built element by element, so that long ones need no register for each")
  func longList() throws {
    let text = "[" + (0..<70_000).map { "user.a\($0)" }.joined(separator: ",") + "]"
    #expect(try Filter(text).requirements.attributes.count == 70_000)
  }

  @Test("a filter with more values at once than the machine has registers is refused")
  func tooLarge() throws {
    // Each value of a block has two registers for as long as the block lasts.
    func block(_ count: Int) -> String {
      "cel.block([" + String(repeating: "n, ", count: count - 1) + "n], cel.index(0))"
    }
    #expect(throws: Never.self) { try Filter(block(32_000), environment: .cel) }
    do throws(FilterError) {
      _ = try Filter(block(33_000), environment: .cel)
      Issue.record("it compiles")
    } catch {
      #expect(error.diagnostics.map(\.id) == [.filterTooLarge])
      #expect(error.diagnostics.map(\.message) == ["the filter nests too many values"])
    }
    // A set compiles few of its filters, and these at once.
    do throws(FilterError) {
      let small = (0..<100).map { "user.a == \($0)" }
      _ = try FilterSet(texts: small + [block(33_000)], environment: .cel)
      Issue.record("it compiles in a set")
    } catch {
      #expect(error.diagnostics.map(\.id) == [.filterTooLarge])
    }
  }
}
