import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports comparisons of attributes that are false where one is missing.

extension FilterLinter {
  /// Reports a comparison of two attributes of which the left one may be missing.
  mutating func checkAttributes(_ node: SyntaxNode, _ left: NodeID, _ right: NodeID) {
    guard ConstantComparison(node, in: tree) == nil, !checkForms(node, left, right) else { return }
    let a = staticType(left)
    let b = staticType(right)
    if node.op != .in, (a.isNumeric && b == .string) || (a == .string && b.isNumeric) {
      report(
        Diagnostic(
          .typeMismatch, "`\(node.op.spelling)` compares \(a.name) with \(b.name)",
          at: tree.operatorSpan(of: node), label: "these are never equal, and have no order",
          secondary: [
            Diagnostic.Label(tree[left].span, a.name), Diagnostic.Label(tree[right].span, b.name),
          ]))
      return
    }
    // Of an attribute that no schema lists, it is not known whether some users lack it.
    guard isSuperscript, node.op == .notEqual, let path = freePath(left), freePath(right) != nil,
      knownAttribute(left)?.isOptional == true, !isGuarded(parent(of: left), path)
    else { return }
    report(
      Diagnostic(
        .missingAgainstAttribute, "this is false when `\(path)` is missing, although it is `!=`",
        at: tree.operatorSpan(of: node), label: "false without a left side",
        secondary: [Diagnostic.Label(tree[left].span, "may be missing")],
        notes: [
          "a missing attribute on the left of a comparison with anything but a literal makes it false"
        ],
        helps: ["write `!(\(text(left)) == \(text(right)))`, which is true then"]))
  }
}
