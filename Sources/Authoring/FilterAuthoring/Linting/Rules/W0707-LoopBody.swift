import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports loops whose body is not a condition.

extension FilterLinter {
  /// Reports `user.tags.exists(t, "vip")`, whose condition is a text.
  mutating func checkLoopBody(_ node: SyntaxNode) {
    guard ["all", "exists", "exists_one", "filter"].contains(tree.name(of: node)),
      let scoped = ScopedCall(node, tree, environment), let body = scoped.inside.first,
      scoped.inside.count == 1, let range = scoped.outside.first
    else { return }
    var type = staticType(NodeID(body))
    let variable = scoped.variables.first.map { tree.name(of: tree.nodes[Int($0)]) }
    if tree.nodes[Int(body)].kind == .identifier, tree.name(of: tree.nodes[Int(body)]) == variable,
      case .list(let element) = staticType(NodeID(range))
    {
      type = element
    }
    guard type != .any, type != .bool else { return }
    let name = variable ?? "x"
    report(
      Diagnostic(
        .operandNotCondition,
        "the condition of `\(tree.name(of: node))` is \(type.withArticle)",
        at: tree.nodes[Int(body)].span, label: "not a bool",
        helps: [
          tree.isLiteral(NodeID(body))
            ? "compare the element with it: `\(name) == \(text(NodeID(body)))`"
            : "compare it with something: `\(text(NodeID(body))) == …`"
        ]))
  }
}
