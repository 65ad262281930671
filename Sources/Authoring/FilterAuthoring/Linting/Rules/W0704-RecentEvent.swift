import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports the time since events that have just happened whenever a filter is evaluated.

extension FilterLinter {
  /// Reports `device.daysSince("app_open") >= 7`: the app has just been opened.
  ///
  /// - Returns: Whether it did.
  mutating func checkRecentEvent(_ node: SyntaxNode, _ comparison: ConstantComparison) -> Bool {
    let call = tree[comparison.subject]
    guard case .time(let unit)? = historyFunction(call)?.subject,
      [.days, .months, .years].contains(unit), let argument = tree.arguments(of: call).first,
      case .string(let event)? = tree.constant(of: argument),
      EventVocabulary.recent.contains(event),
      comparison.op != .in, comparison.value.plainNumber != nil,
      let truth = Value.int(0).compared(
        comparison.op, with: comparison.value, in: tree.dialect.name)
    else { return false }
    let subject = text(comparison.subject)
    let earlier = tree.source.text(
      of: SourceSpan(start: call.span.start, end: tree[argument].span.start))
    report(
      Diagnostic(
        truth ? .alwaysTrue : .alwaysFalse, "`\(subject)` is always 0", at: node.span,
        label: "always \(truth)",
        notes: ["`\(event)` has just happened whenever a filter is evaluated"],
        helps: [
          "for the time since the last visit, ask for its end: `\(earlier)\"app_close\")`"
        ]))
    return true
  }
}
