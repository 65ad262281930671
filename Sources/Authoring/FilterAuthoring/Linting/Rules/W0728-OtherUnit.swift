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
    guard let reading = unit.otherReading(of: number) else {
      return checkFraction(number, unit, comparison)
    }
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

  /// Reports a fraction of a unit that is counted in whole numbers. Returns whether it did.
  private mutating func checkFraction(
    _ number: Double, _ unit: AttributeSchema.Attribute.Unit, _ comparison: ConstantComparison
  ) -> Bool {
    guard number != number.rounded(), comparison.isOrdering, unit.shorter != nil || unit == .minutes
    else { return false }
    var helps: [String] = []
    var (smaller, count) = (unit, number)
    while helps.isEmpty, let next = smaller.shorter {
      (smaller, count) = (next.unit, count * next.count)
      if count == count.rounded(), let subject = counted(comparison.subject, in: unit, as: smaller)
      {
        helps = ["write `\(subject) \(comparison.op.spelling) \(Int64(count))`"]
      }
    }
    report(
      Diagnostic(
        .otherUnit, "`\(text(comparison.subject))` is never between two whole numbers",
        at: tree[comparison.constant].span, label: "not whole",
        notes: ["it is in \(unit.meaning)"], helps: helps))
    return true
  }

  /// Returns the part that counts the same time in another unit, if there is one.
  private func counted(
    _ subject: NodeID, in unit: AttributeSchema.Attribute.Unit,
    as other: AttributeSchema.Attribute.Unit
  ) -> String? {
    let written = text(subject)
    let (from, to) = ("\(unit.rawValue)Since", "\(other.rawValue)Since")
    guard let range = written.firstOccurrence(of: from) else { return nil }
    let result = written[..<range.lowerBound] + to + written[range.upperBound...]
    if historyFunction(tree[subject]) != nil { return String(result) }
    return schema[String(result)] == nil ? nil : String(result)
  }
}
