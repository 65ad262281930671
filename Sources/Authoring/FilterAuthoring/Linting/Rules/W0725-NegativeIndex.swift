import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports negative indexes.

extension FilterLinter {
  /// Reports `user.tags[-1]`, which is never there.
  mutating func checkIndex(_ node: SyntaxNode) {
    if staticType(NodeID(node.first)) == .string,
      case .int? = tree.constant(of: NodeID(node.second))
    {
      let owner = text(NodeID(node.first))
      return report(
        Diagnostic(
          .typeMismatch, "a text has no elements", at: tree.nodes[Int(node.second)].span,
          label: "not there",
          secondary: [Diagnostic.Label(tree.nodes[Int(node.first)].span, "a text")],
          helps: ["look for a part of it: `\(owner).contains(\"…\")`"]))
    }
    guard isSuperscript, case .int(let index)? = tree.constant(of: NodeID(node.second)), index < 0,
      staticType(NodeID(node.first)) != .map
    else { return }
    let list = text(NodeID(node.first))
    report(
      Diagnostic(
        .negativeIndex, "there is no element before the first one",
        at: tree.nodes[Int(node.second)].span,
        label: "counted from 0", notes: ["so this is always null"],
        helps: ["the last element is `\(list)[size(\(list)) - 1]`"]))
  }
}
