import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports arithmetic and conversions in the place of a range or a number.

extension FilterLinter {
  /// Reports `user.age == 18 - 25`, which compares with -7.
  mutating func checkRangeAsDifference(_ comparison: SyntaxNode) {
    let node = tree[comparison.right]
    guard comparison.op == .equal || comparison.op == .notEqual, node.isBinary(.subtract),
      case .int(let low)? = tree.constant(of: node.left),
      case .int(let high)? = tree.constant(of: node.right), 0 <= low, low < high
    else { return }
    let subject = text(comparison.left)
    let range = "\(subject) >= \(low) && \(subject) <= \(high)"
    report(
      Diagnostic(
        .typeMismatch, "`-` subtracts: this is \(low - high)", at: node.span,
        label: "not a range",
        helps: ["write `\(comparison.op == .equal ? "(\(range))" : "!(\(range))")`"]))
  }

  /// Reports `string(device.daysSinceInstall) > "7"`, which compares letter by letter.
  mutating func checkOrderOfDigits(_ comparison: ConstantComparison) {
    let call = tree[comparison.subject]
    guard comparison.isOrdering, case .string(let digits) = comparison.value,
      Double(digits) != nil, call.kind == .call,
      ["string", "toString", "intToString", "uintToString"].contains(tree.name(of: call)),
      let argument = call.receiver ?? tree.arguments(of: call).first,
      staticType(argument).isNumeric
    else { return }
    report(
      Diagnostic(
        .typeMismatch, "texts are ordered letter by letter", at: tree[comparison.constant].span,
        label: "as text, \"10\" comes before \"9\"",
        secondary: [Diagnostic.Label(call.span, "a text")],
        helps: ["compare the number: `\(text(argument)) \(comparison.op.spelling) \(digits)`"]))
  }

  /// Reports `"Level " + user.level == "Level 5"`: what ends the text is a number, and `+` does not
  /// join a text and a number.
  mutating func checkNumberInText(_ comparison: ConstantComparison) {
    let sum = tree[comparison.subject]
    guard comparison.isEquality, case .string(let whole) = comparison.value, sum.isBinary(.add),
      freePath(sum.right) != nil, staticType(sum.right) == .any || staticType(sum.right).isNumeric,
      case let digits = String(whole.reversed().prefix { $0.isNumber }.reversed()),
      Int(digits) != nil, digits.utf8.count < whole.utf8.count, hasText(sum.left)
    else { return }
    let attribute = text(sum.right)
    let isWhole = tree.constant(of: sum.left) == .string(String(whole.dropLast(digits.count)))
    report(
      Diagnostic(
        .typeMismatch, "`+` does not join a text and a number", at: sum.span,
        label: "an error if `\(attribute)` is a number", notes: [Self.failsAtRunTime],
        helps: [
          isWhole
            ? "compare the number: `\(attribute) \(comparison.op.spelling) \(digits)`"
            : "make it a text: `string(\(attribute))`"
        ]))
  }

  /// Returns whether a text is among the operands of a sum.
  private func hasText(_ id: NodeID) -> Bool {
    var node = tree[id]
    while node.isBinary(.add) {
      if tree[node.right].kind == .stringLiteral { return true }
      node = tree[node.left]
    }
    return node.kind == .stringLiteral
  }
}
