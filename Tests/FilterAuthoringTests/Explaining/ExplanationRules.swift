import AudienceFilters
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring

/// What holds for every explanation, whatever the filter and the context.
struct ExplanationRules {
  private let filter: Filter
  private let context: Context
  private var faults: [String] = []

  /// Returns what is wrong with the explanation of a filter, in sentences.
  static func faults(of filter: Filter, over context: Context) -> [String] {
    var rules = ExplanationRules(filter: filter, context: context)
    rules.check()
    return rules.faults
  }

  private init(filter: Filter, context: Context) {
    self.filter = filter
    self.context = context
  }

  private mutating func expect(_ condition: Bool, _ fault: @autoclosure () -> String) {
    if !condition { faults.append("\(filter.text): \(fault())") }
  }

  private mutating func check() {
    let explanation = filter.explain(context)
    let answer = answer
    switch (answer, explanation.outcome) {
    case (.success(let wanted), .value(let value)):
      expect(wanted.literal == value.literal, "the root is \(value.literal), not \(wanted.literal)")
    case (.failure(let wanted), .failure(let got)):
      expect(wanted.diagnostic.id == got.id, "fails with \(wanted), explained by \(got.id)")
    default: expect(false, "explained as \(explanation.outcome), not \(answer)")
    }
    expect(explanation.matches == filter.matches(context), "another match than the engine's")
    expect(
      (explanation.decidingID == nil) == explanation.matches, "a match that was decided against")
    expect(
      explanation.decidingID == nil || explanation.deciding != nil,
      "no condition has the number of what decided")
    check(explanation.root, isRoot: true)
    checkChanges(explanation)
    expect(!explanation.text.isEmpty, "a text without words")
    expect((try? Value(json: explanation.jsonText())) != nil, "JSON that cannot be read")
  }

  private var answer: Result<Value, EvaluationError> {
    do throws(EvaluationError) {
      return .success(try filter.evaluate(context))
    } catch {
      return .failure(error)
    }
  }

  /// Checks that the value of a group follows from the values of its parts, by the rules of the
  /// dialect.
  private mutating func check(_ node: Explanation.Condition, isRoot: Bool) {
    for child in node.children {
      expect(child.id > node.id, "the numbers are not those of the order of the text")
      check(child, isRoot: false)
    }
    if node.outcome == .notEvaluated {
      expect(
        node.children.allSatisfy { $0.outcome == .notEvaluated },
        "\(node.text) is not evaluated, but a part of it is")
      return
    }
    guard !node.children.isEmpty else { return }
    let first = node.children.first { if case .failure = $0.outcome { true } else { false } }
    let absorbs = filter.environment.dialect.name == .cel && [.all, .any].contains(node.kind)
    if absorbs, first != nil { return }
    if let first, node.kind != .loop {
      if case .failure(let diagnostic) = first.outcome {
        let isNull = isRoot && node.outcome == .value(.null)
        expect(
          node.outcome == .failure(diagnostic) || isNull
            || Self.isSameFailure(node.outcome, diagnostic),
          "\(node.text) hides the error of \(first.text)")
      }
      return
    }
    guard case .value(let value) = node.outcome else { return }
    let holds = node.children.map(\.holds)
    switch node.kind {
    case .all:
      expect(value == .bool(holds.allSatisfy { $0 == true }), "\(node.text) is \(value.literal)")
    case .any:
      expect(node.holds == holds.contains(true), "\(node.text) is \(value.literal)")
    case .not:
      // In cel `!!x` is two operators, the second of which is the operand of the first.
      let isDouble = node.text.hasPrefix("!!") && filter.environment.dialect.name == .superscript
      let inverted = !isDouble
      expect(
        value == .bool((holds.first == true) != inverted), "\(node.text) is \(value.literal)")
    case .conditional:
      let chosen = node.children[holds.first == true ? 1 : 2]
      expect(
        chosen.outcome == node.outcome || Self.areSameValue(chosen.outcome, node.outcome),
        "\(node.text) is \(value.literal)")
    case .comparison, .loop, .call, .value: break
    }
  }

  private static func isSameFailure(
    _ outcome: Explanation.Outcome, _ diagnostic: Diagnostic
  ) -> Bool {
    if case .failure(let own) = outcome { own.id == diagnostic.id } else { false }
  }

  /// Whether two outcomes are the same value, also where that does not equal itself.
  private static func areSameValue(_ a: Explanation.Outcome, _ b: Explanation.Outcome) -> Bool {
    guard case .value(let a) = a, case .value(let b) = b else { return false }
    return a.literal == b.literal
  }

  private mutating func checkChanges(_ explanation: Explanation) {
    guard !explanation.matches else {
      return expect(explanation.changes?.isEmpty == true, "changes of what matches")
    }
    guard let changes = explanation.changes else { return }
    expect(!changes.isEmpty, "a set of changes without a change")
    // The results of the app's functions are not in the context.
    guard changes.allSatisfy({ $0.call == nil }) else { return }
    let changed = changes.reduce(context) { $0.setting($1.path, to: $1.example) }
    expect(
      filter.matches(changed),
      "no match after \(changes.map(\.text)) with "
        + "\(changes.map { $0.example?.literal ?? "nothing" })")
    // No change of the set can be left out.
    for index in changes.indices {
      let others = changes.enumerated().filter { $0.offset != index }.map(\.element)
      let fewer = others.reduce(context) { $0.setting($1.path, to: $1.example) }
      expect(!filter.matches(fewer), "matches without \(changes[index].text) already")
    }
  }
}
