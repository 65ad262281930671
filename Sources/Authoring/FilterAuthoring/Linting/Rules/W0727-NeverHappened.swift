import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports conditions that fail for users to whom an event never happened.

extension FilterLinter {
  /// Reports `device.daysSince("x") > 7 || …`, whose first operand fails if the event never
  /// happened, so that the others are not asked.
  mutating func checkNeverHappened(_ operands: [NodeID]) {
    guard isSuperscript else { return }
    var known: [String] = []
    for operand in operands.dropLast() {
      if let call = timeComparedWithNull(operand) { known.append(call) }
      guard let comparison = ConstantComparison(tree[operand], in: tree), comparison.isOrdering,
        isTimeSince(comparison.subject), !known.contains(text(comparison.subject))
      else { continue }
      let call = text(comparison.subject)
      report(
        Diagnostic(
          .failsWhenMissing, "this fails if the event never happened", at: tree[operand].span,
          label: "null has no order",
          notes: ["the rest of `||` is not evaluated then, and the filter does not match"],
          helps: [
            "let it come last, or write `(\(call) != null ? \(text(operand)) : false)`",
            "to let in users to whom it never happened, write `(\(call) == null || \(text(operand)))`",
          ]))
    }
  }

  /// Reports `!(device.daysSince("x") < 3)`, which fails if the event never happened.
  mutating func checkNegatedTime(_ id: NodeID, _ comparison: ConstantComparison) {
    guard isSuperscript, comparison.isOrdering, isTimeSince(comparison.subject), isNegated(id)
    else {
      return
    }
    let call = text(comparison.subject)
    let known =
      timesComparedWithNull
      ?? Set(tree.nodes.indices.compactMap { timeComparedWithNull(NodeID(UInt32($0))) })
    timesComparedWithNull = known
    guard !known.contains(call) else { return }
    let opposite = "\(call) \(comparison.op.negated.spelling) \(text(comparison.constant))"
    report(
      Diagnostic(
        .failsWhenMissing, "`\(text(id))` fails if the event never happened", at: tree[id].span,
        label: "an error then, and not false",
        notes: ["`!` does not turn an error around, so the filter does not match"],
        helps: ["if these users are meant, too, write `(\(call) == null || \(opposite))`"]))
  }

  private func isTimeSince(_ id: NodeID) -> Bool {
    historyFunction(tree[id])?.isTime == true
  }

  /// Returns the call that a condition compares with null.
  private func timeComparedWithNull(_ id: NodeID) -> String? {
    guard let comparison = ConstantComparison(tree[id], in: tree), comparison.value == .null,
      isTimeSince(comparison.subject)
    else { return nil }
    return text(comparison.subject)
  }
}
