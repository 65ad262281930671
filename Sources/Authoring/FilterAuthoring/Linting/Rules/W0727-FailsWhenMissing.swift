import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports negated conditions that fail where an attribute is missing.

extension FilterLinter {
  /// Reports `!user.email.endsWith("a")`, which fails for users without an e-mail address.
  mutating func reportFailureWhenMissing(
    _ condition: SampledCondition, _ id: NodeID, _ node: SyntaxNode
  ) {
    guard isNegated(id), let path = condition.failingWhenMissing, !isGuarded(id, path) else {
      return
    }
    report(
      Diagnostic(
        .failsWhenMissing, "`\(text(id))` fails when `\(path)` is missing", at: node.span,
        label: "an error then, and not false",
        notes: ["`!` does not turn an error around, so the filter does not match"],
        helps: ["write `(has(\(path)) ? \(text(id)) : false)` in its place"]))
  }

  /// Reports `size(user.appUserId) == 0`, which fails for the users who are meant.
  mutating func checkSizeOfMissing(
    _ id: NodeID, _ node: SyntaxNode, _ comparison: ConstantComparison
  ) {
    let call = tree[comparison.subject]
    guard isSuperscript, call.kind == .call, tree.name(of: call) == "size",
      let subject = tree.operands(of: call).first, let path = freePath(subject),
      knownAttribute(subject)?.isOptional == true, comparison.op == .equal,
      comparison.value == .int(0), !isNegated(id), !isGuarded(id, path), !wasReported(node.span)
    else { return }
    report(
      Diagnostic(
        .failsWhenMissing, "`\(text(comparison.subject))` fails when `\(path)` is missing",
        at: call.span, label: "nothing has no size",
        notes: [Self.failsAtRunTime],
        helps: ["for users without one, write `!has(\(path))`"]))
  }

  /// Returns whether a condition must not hold, by the number of `!` around it.
  mutating func isNegated(_ id: NodeID) -> Bool {
    if negations.isEmpty {
      negations = [Bool](repeating: false, count: tree.nodes.count)
      // Parents come after their children.
      for (index, node) in tree.nodes.enumerated().reversed() {
        let isNegated = negations[index] != node.isUnary(.not)
        tree.forEachChild(of: node) { negations[Int($0)] = isNegated }
      }
    }
    return negations[Int(id.index)]
  }
}
