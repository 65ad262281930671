import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import LinearRegex

// Reports conditions on one text that exclude each other, where the prover does not read them:
// patterns, and the elements of loops.

extension FilterLinter {
  /// A test of a text in a chain.
  private struct TextCondition {
    let operand: NodeID
    let pattern: String
    let isPattern: Bool
  }

  /// The largest number of conditions on one text that are compared in pairs.
  private static let comparedTexts = 6

  /// Reports `x.matches("^17") && x.matches("^18")` and `t == "a" && t == "b"`, and the opposites
  /// joined by `||`: `!x.endsWith(".de") || !x.endsWith(".at")`.
  mutating func checkExclusion(_ operands: [NodeID], isAnd: Bool) {
    var conditions: [String: [TextCondition]] = [:]
    var order: [String] = []
    for operand in operands {
      guard let (subject, condition) = isAnd ? textCondition(operand) : negatedText(operand) else {
        continue
      }
      let key = text(subject)
      // The prover knows equalities of attributes.
      if !condition.isPattern, freePath(subject) != nil, conditions[key] == nil {
        conditions[key] = [condition]
        order.append(key)
        continue
      }
      if conditions[key] == nil { order.append(key) }
      if conditions[key, default: []].count < Self.comparedTexts {
        conditions[key, default: []].append(condition)
      }
    }
    for key in order {
      let all = conditions[key] ?? []
      for (index, first) in all.enumerated() {
        for second in all.dropFirst(index + 1) where excludes(first, second) {
          return isAnd
            ? reportTexts(first.operand, second.operand, key)
            : reportCover(first.operand, second.operand, key)
        }
      }
    }
  }

  /// Returns the test of which a condition is the opposite.
  private func negatedText(_ id: NodeID) -> (subject: NodeID, condition: TextCondition)? {
    let node = tree[id]
    if node.isUnary(.not) {
      return textCondition(node.operand).map { subject, condition in
        let pattern = condition.pattern
        return (
          subject, TextCondition(operand: id, pattern: pattern, isPattern: condition.isPattern)
        )
      }
    }
    guard let comparison = ConstantComparison(node, in: tree), comparison.op == .notEqual,
      freePath(comparison.subject) == nil, case .string(let text) = comparison.value
    else { return nil }
    let pattern = AttributeSchema.Attribute.TextTest.equals(text).pattern
    return (comparison.subject, TextCondition(operand: id, pattern: pattern, isPattern: false))
  }

  private func textCondition(_ id: NodeID) -> (subject: NodeID, condition: TextCondition)? {
    let node = tree[id]
    if let comparison = ConstantComparison(node, in: tree), comparison.op == .equal,
      case .string(let text) = comparison.value
    {
      let test = AttributeSchema.Attribute.TextTest.equals(text)
      return (
        comparison.subject, TextCondition(operand: id, pattern: test.pattern, isPattern: false)
      )
    }
    switch outline.shape(of: id) {
    case .call("matches", let arguments)
    where arguments.count == 2 && tree[arguments[1]].kind == .stringLiteral:
      let pattern = String(decoding: tree.text(of: tree[arguments[1]]), as: UTF8.self)
      return (arguments[0], TextCondition(operand: id, pattern: pattern, isPattern: true))
    case .search(let name, in: let subject, for: let argument):
      guard case .string(let text)? = tree.constant(of: argument) else { return nil }
      let test: AttributeSchema.Attribute.TextTest
      switch name {
      case "startsWith": test = .startsWith(text)
      case "endsWith": test = .endsWith(text)
      // Of two capitals in a locale there is only one place.
      case "contains"
      where text.utf8.count == 2 && text.allSatisfy({ $0.isUppercase })
        && knownAttribute(subject)?.format == .locale:
        test = .endsWith(text)
      default: return nil
      }
      return (subject, TextCondition(operand: id, pattern: test.pattern, isPattern: false))
    default: return nil
    }
  }

  private func excludes(_ first: TextCondition, _ second: TextCondition) -> Bool {
    PatternRelation.between(
      Array(first.pattern.utf8), Array(second.pattern.utf8), syntax: tree.dialect.name.regexSyntax)
      == .disjoint
  }

  private mutating func reportCover(_ first: NodeID, _ second: NodeID, _ subject: String) {
    report(
      .always(
        true, "every `\(subject)` passes one of these, so this is always true",
        at: tree[second].span, label: "true whenever the other is not",
        secondary: [Diagnostic.Label(tree[first].span, "this one")],
        helps: ["to exclude both, join them with `&&`"]))
  }

  private mutating func reportTexts(_ first: NodeID, _ second: NodeID, _ subject: String) {
    let isElement = textCondition(first).map { freePath($0.subject) == nil } ?? false
    reportExclusion(
      "no text passes both of these tests of `\(subject)`", first, second,
      help: isElement
        ? "for one of them, join them as `(… || …)`; for both, write an `exists` for each"
        : FilterProver.helpForExclusion)
  }

  /// Reports two conditions that no user meets together, at the second one.
  mutating func reportExclusion(
    _ message: String, _ first: NodeID, _ second: NodeID, help: String
  ) {
    report(
      .always(
        false, message, at: tree[second].span, label: "excludes the other",
        secondary: [Diagnostic.Label(tree[first].span, "this one")],
        notes: [Self.neverTogether], helps: [help]))
  }

  /// A note about conditions that exclude each other.
  static let neverTogether = "so these conditions are never true together"
}
