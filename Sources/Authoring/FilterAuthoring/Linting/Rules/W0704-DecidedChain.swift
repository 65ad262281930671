import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports constants that decide a chain or a conditional alone.

extension FilterLinter {
  /// Reports `x != "US" && x in ["US", "CA"]`, one of whose elements is excluded.
  mutating func checkExcludedElement(_ operands: [NodeID]) {
    let comparisons = comparisons(among: operands)
    for excluding in comparisons where excluding.comparison.op == .notEqual {
      guard let path = freePath(excluding.comparison.subject),
        let list = comparisons.first(where: {
          $0.comparison.op == .in && freePath($0.comparison.subject) == path
        }),
        let element = tree.arguments(of: tree[list.comparison.constant]).first(where: {
          tree.constant(of: $0) == excluding.comparison.value
        })
      else { continue }
      report(
        Diagnostic(
          .redundantCondition, "the other condition excludes this element", at: tree[element].span,
          label: "never found",
          secondary: [Diagnostic.Label(tree[excluding.id].span, "excludes it")],
          helps: ["remove one of the two"]))
    }
  }

  /// Reports `… || true` and `… && false`, in which the other conditions do not matter.
  mutating func checkDecided(_ node: SyntaxNode, _ operands: [NodeID]) {
    let decides = node.op == .or
    guard let constant = operands.first(where: { tree.constant(of: $0) == .bool(decides) }) else {
      return
    }
    report(
      .always(
        decides,
        "`\(node.op.spelling) \(decides)` makes this always \(decides)", at: tree[constant].span,
        label: "decides alone", helps: ["remove it, or the other conditions"]))
  }

  /// Reports `a ? b : b` and `true ? a : b`.
  mutating func checkBranches(_ node: SyntaxNode) {
    let condition = node.condition
    if case .bool(let truth)? = tree.constant(of: condition) {
      let branch = truth ? node.consequence : node.alternative
      return report(
        .always(
          truth,
          "this condition is always \(truth), and so the result is always `\(text(branch))`",
          at: tree[condition].span, label: "decides alone",
          helps: ["write the condition before the `?` that is meant"]))
    }
    // A long chain of conditionals must not be read again at each of them.
    guard tree[node.alternative].kind != .conditional,
      tree.text(ofNode: node.consequence) == tree.text(ofNode: node.alternative)
    else { return }
    report(
      Diagnostic(
        .repeatedCondition, "both branches are the same",
        at: tree[node.alternative].span, label: "again",
        secondary: [Diagnostic.Label(tree[node.consequence].span, "here first")],
        helps: [
          tree.constant(of: node.consequence) == .bool(true)
            ? "write `\(text(node.condition))` alone, or correct one of the two"
            : "write the branch alone, or correct one of the two"
        ]))
  }
}
