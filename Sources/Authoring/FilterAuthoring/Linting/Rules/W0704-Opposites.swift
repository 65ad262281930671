import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports a condition beside its opposite.

extension FilterLinter {
  /// Reports `a && !a`, which is never true, and `a || !a`, which always is.
  mutating func checkOpposites(_ node: SyntaxNode, _ operands: [NodeID]) {
    var seen: [String: NodeID] = [:]
    for operand in operands {
      let (text, isTrue) = polarity(operand)
      if let first = seen["\(!isTrue)\(text)"] {
        let isAnd = node.op == .and
        // One of the two may fail, and so may the operands before them.
        let isCertain = isAnd || (operands.count == 2 && neverFails(operand))
        report(
          Diagnostic(
            isAnd ? .alwaysFalse : isCertain ? .alwaysTrue : .redundantCondition,
            "a condition and its opposite"
              + (isCertain ? ", so this is always \(!isAnd)" : ", of which one holds"),
            at: tree[operand].span,
            label: "the opposite", secondary: [Diagnostic.Label(tree[first].span, "of this")],
            helps: ["remove one of the two, or correct it"]))
      }
      if seen["\(isTrue)\(text)"] == nil { seen["\(isTrue)\(text)"] = operand }
    }
  }

  /// Returns whether a condition has a value for every attribute: in the superscript dialect an
  /// attribute alone, and one that equals a constant.
  private func neverFails(_ id: NodeID) -> Bool {
    guard isSuperscript else { return false }
    var node = id
    while tree[node].kind == .unary { node = tree[node].operand }
    if freePath(node) != nil { return true }
    guard let comparison = ConstantComparison(tree[node], in: tree), comparison.isEquality else {
      return false
    }
    return freePath(comparison.subject) != nil
  }

  /// Returns a condition without its `!`, and whether it must hold.
  private func polarity(_ id: NodeID) -> (text: String, isTrue: Bool) {
    var node = id
    var isTrue = true
    while tree[node].kind == .unary, tree[node].op == .not || tree[node].op == .doubleNot {
      if tree[node].op == .not { isTrue.toggle() }
      node = tree[node].operand
    }
    if let comparison = ConstantComparison(tree[node], in: tree), comparison.isEquality,
      case .bool(let truth) = comparison.value, staticType(comparison.subject) == .bool
    {
      if truth != (comparison.op == .equal) { isTrue.toggle() }
      node = comparison.subject
    }
    return (tree.text(ofNode: node), isTrue)
  }
}
