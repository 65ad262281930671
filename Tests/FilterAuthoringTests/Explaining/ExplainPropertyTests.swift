import AudienceFilters
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import FilterCorpus
import TestSupport
import Testing

@Suite("Explanations agree with the engine") struct ExplainPropertyTests {
  /// Checks what must hold for every explanation.
  static func check(_ filter: Filter, _ context: Context) {
    let explanation = filter.explain(context)
    switch (answer(filter, context), explanation.outcome) {
    case (.success(let wanted), .value(let value)):
      #expect(
        wanted.literal == value.literal, "the root of \(filter.text) is not what the filter answers"
      )
    case (.failure(let wanted), .failure(let got)):
      #expect(wanted.diagnostic.id == got.id, "\(filter.text)")
    default: Issue.record("\(filter.text): explained as \(explanation.outcome)")
    }
    #expect(explanation.matches == filter.matches(context), "\(filter.text)")
    #expect((explanation.decidingID == nil) == explanation.matches, "\(filter.text)")
    if explanation.decidingID != nil { #expect(explanation.deciding != nil, "\(filter.text)") }
    checkNode(explanation.root, isRoot: true, filter)
    checkChanges(explanation, filter, context)
    _ = explanation.text
    #expect((try? Value(json: explanation.jsonText())) != nil, "\(filter.text)")
  }

  private static func answer(
    _ filter: Filter, _ context: Context
  ) -> Result<Value, EvaluationError> {
    do throws(EvaluationError) {
      return .success(try evaluate(filter, context))
    } catch {
      return .failure(error)
    }
  }

  /// The value of a group must follow from the values of its parts, by the rules of the dialect.
  private static func checkNode(
    _ node: Explanation.Condition, isRoot: Bool, _ filter: Filter
  ) {
    for child in node.children {
      #expect(child.id > node.id)
      checkNode(child, isRoot: false, filter)
    }
    if node.outcome == .notEvaluated {
      #expect(node.children.allSatisfy { $0.outcome == .notEvaluated }, "\(filter.text)")
      return
    }
    guard !node.children.isEmpty else { return }
    let first = node.children.first { if case .failure = $0.outcome { true } else { false } }
    let absorbs = filter.environment.dialect.name == .cel && [.all, .any].contains(node.kind)
    if absorbs, first != nil { return }
    if let first, node.kind != .loop {
      if case .failure(let diagnostic) = first.outcome {
        let isNull = isRoot && node.outcome == .value(.null)
        #expect(
          node.outcome == .failure(diagnostic) || isNull || isSameFailure(node.outcome, diagnostic),
          "\(filter.text): \(node.text) hides the error of \(first.text)")
      }
      return
    }
    guard case .value(let value) = node.outcome else { return }
    let holds = node.children.map(\.holds)
    switch node.kind {
    case .all:
      #expect(value == .bool(holds.allSatisfy { $0 == true }), "\(filter.text): \(node.text)")
    case .any:
      #expect(node.holds == holds.contains(true), "\(filter.text): \(node.text)")
    case .not:
      // In cel `!!x` is two operators, the second of which is the operand of the first.
      let isDouble = node.text.hasPrefix("!!") && filter.environment.dialect.name == .superscript
      let inverted = !isDouble
      #expect(value == .bool((holds.first == true) != inverted), "\(filter.text): \(node.text)")
    case .conditional:
      let chosen = node.children[holds.first == true ? 1 : 2]
      #expect(chosen.outcome == node.outcome, "\(filter.text): \(node.text)")
    case .comparison, .loop, .call, .value: break
    }
  }

  private static func isSameFailure(
    _ outcome: Explanation.Outcome, _ diagnostic: Diagnostic
  ) -> Bool {
    if case .failure(let own) = outcome { own.id == diagnostic.id } else { false }
  }

  private static func checkChanges(
    _ explanation: Explanation, _ filter: Filter, _ context: Context
  ) {
    guard !explanation.matches else {
      #expect(explanation.changes?.isEmpty == true)
      return
    }
    guard let changes = explanation.changes else { return }
    #expect(!changes.isEmpty, "\(filter.text)")
    // The results of the app's functions are not in the context.
    guard changes.allSatisfy({ $0.call == nil }) else { return }
    let changed = changes.reduce(context) { $0.setting($1.path, to: $1.example) }
    #expect(
      filter.matches(changed),
      "\(filter.text) does not match after \(changes.map(\.text)) with \(changes.map(\.example))")
    // No change of the set can be left out.
    for index in changes.indices {
      let others = changes.enumerated().filter { $0.offset != index }.map(\.element)
      let fewer = others.reduce(context) { $0.setting($1.path, to: $1.example) }
      #expect(
        !filter.matches(fewer), "\(filter.text) matches without \(changes[index].text) already")
    }
  }

  @Test("over generated filters", arguments: 0..<Effort.times(2))
  func generated(seed: Int) throws {
    var generator = FilterGenerator(seed: UInt64(seed))
    var suggested = 0
    for _ in 0..<60 {
      let text = generator.filter()
      let context = generator.context()
      let filter = try Filter(text, environment: generator.environment)
      Self.check(filter, context)
      if filter.explain(context).changes?.isEmpty == false { suggested += 1 }
    }
    // Most generated filters are made of plain comparisons, so that many non-matches can be mended.
    #expect(suggested > 8)
  }

  /// Values of every kind that the generated filters tell apart, made without a look at a filter.
  private static let pool: [Value?] =
    (-5...62).map { .int(Int64($0)) }
    + ["", "a", "o", "pro", "iOS", "25", "Oslo", "x", .bool(true), .bool(false), .null, nil]
    + [[], ["a"], ["o"], ["b"], [1], [11], [30], ["gold", "vip"], ["gold"], [1, 2], [1, 2, 3]]
    + [[1, 2, 3, 4], .double(0.5), .map(["city": "Oslo"])]

  private static let attributes = [
    "user.age", "user.seed", "device.count", "params.pages", "user.gone", "user.plan",
    "device.platform", "user.email", "params.city", "user.no", "user.isMember",
    "device.isSandbox", "params.flag", "user.absent", "user.tags", "device.activeEntitlements",
    "user.scores", "user.address.city",
  ].compactMap { AttributePath($0) }

  /// The number of non-matches.
  private static let count = Effort.times(40)

  @Test("no change is missing where one attribute suffices", arguments: 0..<4)
  func complete(seed: Int) throws {
    var generator = FilterGenerator(seed: 4_711 + UInt64(seed))
    var mendable = 0
    var tried = 0
    while tried < Self.count / 4 {
      let filter = try Filter(generator.filter(), environment: generator.environment)
      let context = generator.context()
      guard !filter.matches(context) else { continue }
      tried += 1
      let explanation = filter.explain(context)
      Self.checkChanges(explanation, filter, context)
      let read = Self.attributes.filter { filter.text.contains($0.description) }
      let one = read.lazy.compactMap { path in
        Self.pool.first { filter.matches(context.setting(path, to: $0)) }.map { (path, $0) }
      }.first
      if explanation.neverMatches { #expect(one == nil, "\(filter.text)") }
      guard let one else { continue }
      mendable += 1
      #expect(
        explanation.changes?.count == 1,
        "\(filter.text) over \(context): \(one), found \(explanation.changes.map { $0.map(\.text) } ?? [])"
      )
    }
    #expect(mendable > tried / 4)
  }

  @Test("over every case of the corpus", arguments: ["superscript", "cel"])
  func corpus(folder: String) throws {
    var count = 0
    for item in try CaseFile.cases(at: TestFiles.path("corpus/\(folder)")) {
      guard case .expression(let text) = item.request.question,
        let filter = try? Filter(text, environment: item.request.environment)
      else { continue }
      Self.check(filter, Context(variables: item.request.variables))
      count += 1
    }
    #expect(count > 1_000)
  }
}
