import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports constants that decide a chain or a conditional alone.

extension FilterLinter {
  /// Reports `… || true` and `… && false`, in which the other conditions do not matter.
  mutating func checkDecided(_ node: SyntaxNode, _ operands: [NodeID]) {
    let decides = node.op == .or
    guard let constant = operands.first(where: { tree.constant(of: $0) == .bool(decides) }) else {
      return
    }
    report(
      Diagnostic(
        decides ? .alwaysTrue : .alwaysFalse,
        "`\(node.op.spelling) \(decides)` makes this always \(decides)", at: tree[constant].span,
        label: "decides alone", helps: ["remove it, or the other conditions"]))
  }

  /// Reports `a ? b : b` and `true ? a : b`.
  mutating func checkBranches(_ node: SyntaxNode) {
    let condition = NodeID(node.first)
    if case .bool(let truth)? = tree.constant(of: condition) {
      let branch = NodeID(truth ? node.second : node.third)
      return report(
        Diagnostic(
          truth ? .alwaysTrue : .alwaysFalse,
          "this condition is always \(truth), and so the result is always `\(text(branch))`",
          at: tree[condition].span, label: "decides alone",
          helps: ["write `\(text(branch))` alone, or another condition"]))
    }
    // A long chain of conditionals must not be read again at each of them.
    guard tree.nodes[Int(node.third)].kind != .conditional,
      tree.text(ofNode: NodeID(node.second)) == tree.text(ofNode: NodeID(node.third))
    else { return }
    report(
      Diagnostic(
        .repeatedCondition, "both branches are the same",
        at: tree.nodes[Int(node.third)].span, label: "again",
        secondary: [Diagnostic.Label(tree.nodes[Int(node.second)].span, "here first")],
        helps: ["write the branch alone, or correct one of the two"]))
  }
}
