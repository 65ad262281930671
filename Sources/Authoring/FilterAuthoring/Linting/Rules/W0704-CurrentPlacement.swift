import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports what the history says of an event at the moment at which it happens.

extension FilterLinter {
  /// Reports `params.event_name == "run_done" && device.daysSince("run_done") > 7` and
  /// `… && device.placementsInDay("run_done") == 0`: the placement is in the history before its
  /// filter is evaluated.
  mutating func checkCurrentPlacement(_ operands: [NodeID]) {
    guard let (pin, names) = operands.compactMap({ placements(of: $0) }).first, names.count == 1,
      let event = names.first
    else { return }
    for operand in operands where operand != pin {
      guard let (comparison, function) = historyComparison(operand, of: event),
        isNeverTrueNow(comparison, function)
      else { continue }
      let call = text(comparison.subject)
      report(
        Diagnostic(
          .alwaysFalse, "no user passes both of these", at: tree[operand].span,
          label: function.isTime ? "it has just happened" : "this one is counted, too",
          secondary: [Diagnostic.Label(tree[pin].span, "this one")],
          notes: ["a placement is in the history before its filter is evaluated"],
          helps: [
            function.isTime
              ? "the older spelling leaves this one out: `device.\(function.name)_\(event)`"
              : "for the first time, write `\(call) == 1`"
          ]))
    }
  }

  /// Returns the comparison of what the history says of an event.
  private func historyComparison(
    _ id: NodeID, of event: String
  ) -> (ConstantComparison, HistoryFunctionInfo)? {
    guard let comparison = ConstantComparison(tree[id], in: tree),
      let function = historyFunction(tree[comparison.subject]),
      let argument = tree.arguments(of: tree[comparison.subject]).first,
      tree.constant(of: argument) == .string(event)
    else { return nil }
    return (comparison, function)
  }

  /// Returns whether a comparison holds neither for a time of zero nor for a count of one or more.
  private func isNeverTrueNow(
    _ comparison: ConstantComparison, _ function: HistoryFunctionInfo
  ) -> Bool {
    guard let constant = comparison.value.plainNumber else { return false }
    let greatest: Double? = function.isTime ? 0 : nil
    return comparison.op.truth(from: function.isTime ? 0 : 1, to: greatest, constant) == false
  }
}
