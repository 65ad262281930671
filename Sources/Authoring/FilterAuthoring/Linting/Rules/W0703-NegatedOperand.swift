import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports a `!` that applies to less than was meant.

extension FilterLinter {
  /// Reports `!a in b`, in which the `!` was meant for the whole condition.
  mutating func checkNegatedIn(_ node: SyntaxNode) -> Bool {
    let left = tree[node.left]
    guard node.op == .in, left.isUnary(.not),
      !left.flags.contains(.parenthesized)
    else { return false }
    let subject = text(left.operand)
    let container = text(node.right)
    report(
      Diagnostic(
        .typeMismatch, "`!` applies to `\(subject)` alone", at: left.span,
        label: "a bool is looked for",
        fixIts: [
          Diagnostic.FixIt(
            "write `!(\(subject) in \(container))`",
            [
              Diagnostic.Edit(SourceSpan(start: left.span.start, length: 1), "!("),
              Diagnostic.Edit(SourceSpan(start: node.span.end, length: 0), ")"),
            ])
        ]))
    return true
  }

  /// Reports `!user.isMember != true`, whose two negations cancel each other out.
  mutating func checkDoubleNegation(_ node: SyntaxNode) {
    guard let comparison = ConstantComparison(node, in: tree), comparison.isEquality,
      case .bool(let truth) = comparison.value, truth == (comparison.op == .notEqual),
      tree[comparison.subject].isUnary(.not)
    else { return }
    let condition = text(tree[comparison.subject].operand)
    report(
      Diagnostic(
        .redundantCondition, "this says twice that `\(condition)` does not hold", at: node.span,
        label: "so it must hold",
        helps: ["write `\(condition)`, or `!\(condition)` for the opposite"]))
  }
}
