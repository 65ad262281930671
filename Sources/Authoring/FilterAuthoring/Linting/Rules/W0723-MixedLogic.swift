import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports `&&` and `||` that are mixed without parentheses.

extension FilterLinter {
  /// Reports `a || b && c`, which people read from the left, as `(a || b) && c`.
  mutating func checkMixedLogic(_ node: SyntaxNode, _ operands: [NodeID]) {
    guard node.op == .or, let index = operands.firstIndex(where: isBareConjunction), index > 0,
      // With conjunctions on both sides there is only one way to read it.
      operands[..<index].contains(where: { !isConjunction($0) }),
      operands.allSatisfy({ tree.constant(of: $0) == nil })
    else { return }
    let operand = operands[index]
    let span = tree[operand].span
    report(
      Diagnostic(
        .mixedLogic, "`&&` binds tighter than `||`, and the two are mixed without parentheses",
        at: tree.operatorSpan(of: tree[operand]), label: "joins these two first",
        secondary: [Diagnostic.Label(span, "")],
        helps: ["write `… || (… && …)` if that is meant, or else `(… || …) && …`"]))
  }

  /// Reports `a && b == 1 || b == 2`, whose last two conditions are on one attribute and look like
  /// a pair.
  mutating func checkSplitPair(_ node: SyntaxNode, _ operands: [NodeID]) {
    guard node.op == .or, operands.count >= 2, isBareConjunction(operands[0]),
      !isConjunction(operands[1]), let path = equalityPath(operands[1]),
      operands.dropFirst(2).allSatisfy({ equalityPath($0) == path })
    else { return }
    let joined = outline.operands(of: operands[0], .and)
    guard let last = joined.last, equalityPath(last) == path,
      joined.dropLast().allSatisfy({ equalityPath($0) != path })
    else { return }
    let first = SourceSpan(
      start: tree[joined[0]].span.start, end: tree[joined[joined.count - 2]].span.end)
    let pair = ([last] + operands.dropFirst()).map { text($0) }.joined(separator: " || ")
    report(
      Diagnostic(
        .mixedLogic, "`&&` binds tighter than `||`, and the two are mixed without parentheses",
        at: tree.operatorSpan(of: tree[operands[0]]), label: "joins these two first",
        secondary: [Diagnostic.Label(tree[operands[0]].span, "")],
        helps: [
          "write `\(tree.source.text(of: first).shortened(to: 60)) && (\(pair))`, or else `(… && …) || …` if that is meant"
        ]))
  }

  /// Returns the attribute that a condition compares for equality with a constant.
  private func equalityPath(_ id: NodeID) -> AttributePath? {
    guard let comparison = ConstantComparison(tree[id], in: tree), comparison.op == .equal else {
      return nil
    }
    return freePath(comparison.subject)
  }

  private func isConjunction(_ id: NodeID) -> Bool {
    tree[id].isBinary(.and)
  }

  private func isBareConjunction(_ id: NodeID) -> Bool {
    isConjunction(id) && !tree[id].flags.contains(.parenthesized)
  }
}
