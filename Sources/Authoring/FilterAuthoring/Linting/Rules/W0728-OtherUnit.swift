import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports numbers that are in another unit than the attribute.

extension FilterLinter {
  /// Reports a number that is round in another unit and implausible in that of the attribute or of
  /// the time since an event. Returns whether it did.
  mutating func checkUnit(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) -> Bool {
    let subject = tree[comparison.subject]
    guard comparison.op != .in, let unit = attribute?.unit ?? historyFunction(subject)?.unit else {
      return false
    }
    let number: Double
    switch comparison.value {
    case .int(let int): number = Double(int)
    case .double(let double): number = double
    default: return false
    }
    guard let reading = unit.otherReading(of: number) else { return false }
    let right = reading.number
    let literal = right == right.rounded() ? String(Int64(right)) : String(right)
    let span = tree[comparison.constant].span
    report(
      Diagnostic(
        .otherUnit, "`\(text(comparison.subject))` is not compared in its unit", at: span,
        label: "looks like \(reading.unit)",
        notes: ["it is in \(unit.meaning)"],
        fixIts: [Diagnostic.FixIt("write `\(literal)`", [Diagnostic.Edit(span, literal)])]))
    return true
  }
}
