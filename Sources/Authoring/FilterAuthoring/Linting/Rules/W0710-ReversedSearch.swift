import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports searches that are true for users without the attribute.

extension FilterLinter {
  /// Reports `"@acme.com".endsWith(user.email)`, whose sides are the wrong way round: every text
  /// ends with the empty text. Also notes the attribute of `!user.email.contains("x")`, which is
  /// true without an address.
  mutating func checkReversedSearch(_ id: NodeID, _ node: SyntaxNode, _ name: String) {
    let operands = tree.operands(of: node)
    guard isSuperscript, Self.searches.contains(name),
      operands.count == 2, !isHostCall(node)
    else { return }
    let (receiver, argument) = (operands[0], operands[1])
    if name == "contains", let path = freePath(receiver), isNegated(id),
      schema.attribute(at: path) == nil, makesMatch(id, without: .unknown)
    {
      openAttributes[path] = node.span
    }
    guard case .string? = tree.constant(of: receiver), let path = freePath(argument) else { return }
    if case .list = staticType(argument) { return }
    let right = "\(text(argument)).\(name)(\(text(receiver)))"
    report(
      Diagnostic(
        .missingCountsAsZero,
        name == "matches"
          ? "this takes `\(path)` for a pattern" : "this looks for `\(path)` in a constant",
        at: node.span,
        label: "the sides are the wrong way round",
        notes: name == "contains"
          ? ["it is true when `\(path)` is missing: every text contains the empty text"] : [],
        helps: ["write `\(right)`"]))
  }
}
