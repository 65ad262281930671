import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports alternatives whose value is not a bool.

extension FilterLinter {
  /// Reports `user.seed < 50 || device.totalPaywallViews`: where the others are false, the last
  /// operand of `||` is the result, and only `true` matches.
  mutating func checkLastAlternative(_ chain: LintedChain) {
    guard isSuperscript, chain.node.op == .or, chain.id == tree.root,
      let last = chain.operands.last, !tree.isLiteral(last)
    else { return }
    let type = staticType(last)
    let written = text(last)
    let help: String
    switch type {
    case .int, .number: help = "compare it: `\(written) > 0`"
    case .string: help = "compare it: `\(written) == \"…\"`"
    case .list: help = "ask for its size: `size(\(written)) > 0`"
    default: return
    }
    report(
      Diagnostic(
        .resultNotBool, "this side is \(type.withArticle), and only `true` matches",
        at: tree[last].span, label: "not a bool", helps: [help]))
  }

  /// Reports `-user.isMember && …`, whose sign was meant as `!`, and `x.map(e, …) && …`, which is
  /// true if there is an element.
  mutating func checkNumberOrList(_ id: NodeID, _ node: SyntaxNode) {
    guard isSuperscript else { return }
    if node.kind == .unary, node.op == .negate, tree.constant(of: id) == nil,
      !wasReported(node.span)
    {
      return report(
        Diagnostic(
          .operandNotCondition, "`-` gives a number, and a number is not a condition",
          at: node.span, label: "a number",
          helps: ["for the opposite, write `!\(text(node.operand))`"]))
    }
    guard id != tree.root, node.kind == .call, tree.name(of: node) == "map",
      let loop = ScopedCall(node, tree, environment), let range = loop.outside.first,
      let variable = loop.variables.first, let body = loop.inside.first
    else { return }
    report(
      Diagnostic(
        .operandNotCondition, "a list is true if it has an element, whatever the element is",
        at: node.span, label: "a list",
        helps: [
          "to ask whether there is one, write "
            + "`\(text(range)).exists(\(text(variable)), \(text(body)))`"
        ]))
  }
}
