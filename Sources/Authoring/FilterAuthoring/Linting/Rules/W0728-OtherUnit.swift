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
    if checkDifferenceOfDates(subject, comparison) { return true }
    guard comparison.op != .in, let unit = attribute?.unit ?? historyFunction(subject)?.unit else {
      return comparison.op != .in && checkWholeNumber(comparison, attribute)
    }
    let number: Double
    switch comparison.value {
    case .int(let int): number = Double(int)
    case .double(let double): number = double
    default: return false
    }
    if checkClockOffset(unit, comparison) || checkMomentAsLength(number, unit, comparison) {
      return true
    }
    if unit == .offset, number != number.rounded(), abs(number) <= 14 {
      reportUnit(
        of: comparison.subject, unit, at: comparison.constant, "hours", number * 3_600)
      return true
    }
    guard let reading = unit.otherReading(of: number) else {
      return checkFraction(number, unit, comparison)
    }
    reportUnit(
      of: comparison.subject, unit, at: comparison.constant, "\(reading.unit)", reading.number)
    return true
  }

  /// Reports `s.expirationDate - s.purchaseDate > 300`, which counts seconds. Returns whether it
  /// did.
  private mutating func checkDifferenceOfDates(
    _ subject: SyntaxNode, _ comparison: ConstantComparison
  ) -> Bool {
    guard subject.isBinary(.subtract), case .int(let number) = comparison.value,
      (1...3_660).contains(number), knownAttribute(subject.left)?.unit == .referenceDate,
      knownAttribute(subject.right)?.unit == .referenceDate
    else { return false }
    report(
      Diagnostic(
        .otherUnit, "the difference of these dates is in seconds",
        at: tree[comparison.constant].span, label: "looks like days",
        helps: ["for days, write `\(number * 86_400)`"]))
    return true
  }

  /// Reports `device.timezoneOffset >= 0300`, written as clocks write offsets. Returns whether it
  /// did.
  private mutating func checkClockOffset(
    _ unit: AttributeSchema.Attribute.Unit, _ comparison: ConstantComparison
  ) -> Bool {
    let written = text(comparison.constant)
    let digits = written.drop { $0 == "-" }
    guard unit == .offset, digits.utf8.count == 4, digits.first == "0",
      let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)), minutes < 60
    else { return false }
    let seconds = (hours * 3_600 + minutes * 60) * (written.first == "-" ? -1 : 1)
    reportUnit(
      of: comparison.subject, unit, at: comparison.constant, "hours and minutes", Double(seconds))
    return true
  }

  /// Reports a number in another unit, with the number that it is in the right one as fix.
  private mutating func reportUnit(
    of subject: NodeID, _ unit: AttributeSchema.Attribute.Unit, at constant: NodeID,
    _ other: String, _ right: Double
  ) {
    let literal = right.formatted
    let span = tree[constant].span
    // Equal to 25 is one of a hundred, and up to 25 are 26.
    if unit == .points, [.equal, .lessEqual].contains(tree[parent(of: constant)].op) {
      return report(
        Diagnostic(
          .otherUnit, "`\(text(subject))` is not compared in its unit", at: span,
          label: "looks like \(other)", notes: ["it is in \(unit.meaning)"],
          helps: ["for this share of all, write `\(text(subject)) < \(literal)`"]))
    }
    report(
      Diagnostic(
        .otherUnit, "`\(text(subject))` is not compared in its unit", at: span,
        label: "looks like \(other)", notes: ["it is in \(unit.meaning)"],
        fixIts: [Diagnostic.FixIt(write: literal, at: span)]))
  }

  /// Reports `device.daysSinceInstall > 1767225600`, a moment in place of a length of time. Returns
  /// whether it did.
  private mutating func checkMomentAsLength(
    _ number: Double, _ unit: AttributeSchema.Attribute.Unit, _ comparison: ConstantComparison
  ) -> Bool {
    if unit == .years || unit == .months, (1_990...2_100).contains(number) {
      report(
        Diagnostic(
          .otherUnit, "`\(text(comparison.subject))` is a length of time, not a year",
          at: tree[comparison.constant].span, label: "looks like a year",
          notes: ["it is in \(unit.meaning)"],
          helps: [
            "compare it with a number of \(unit.rawValue)"
              + (schema["device.appInstallDate"] == nil
                ? "" : "; the date of the installation is `device.appInstallDate`")
          ]))
      return true
    }
    // Seconds, or milliseconds, from 1970 to a moment between 2001 and 2100.
    let isMoment = (1e9..<4.2e9).contains(number) || (1e12..<4.2e12).contains(number)
    guard isMoment, [.minutes, .hours, .days, .months, .years].contains(unit) else { return false }
    report(
      Diagnostic(
        .otherUnit, "`\(text(comparison.subject))` is a length of time, not a moment",
        at: tree[comparison.constant].span, label: "looks like seconds since 1970",
        notes: ["it is in \(unit.meaning)"],
        helps: [
          helpForMoment(number, comparison) ?? "compare it with a number of \(unit.rawValue)"
        ]))
    return true
  }

  /// Returns advice for a moment that the time since the installation is compared with.
  private func helpForMoment(_ number: Double, _ comparison: ConstantComparison) -> String? {
    let seconds = number < 1e12 ? number : number / 1_000
    guard freePath(comparison.subject)?.names.last?.hasSuffix("SinceInstall") == true,
      schema["device.appInstallDate"] != nil,
      seconds < 1e11, let date = CalendarDate.text(ofSecondsSince1970: Int64(seconds))
    else { return nil }
    let condition = "device.appInstallDate \(comparison.op.spelling) \"\(date.prefix(10))\""
    return "for a date, write `\(condition)`"
  }

  /// Reports `device.daysSince("x") > 30 * 24 * 60 * 60`, a product in another unit. Returns
  /// whether it did.
  mutating func checkProduct(_ node: SyntaxNode, _ left: NodeID, _ right: NodeID) -> Bool {
    let (subject, other) = tree[right].isBinary(.multiply) ? (left, right) : (right, left)
    if historyFunction(tree[subject])?.isTime == false, let number = product(other, 0),
      number >= 1_440, number.truncatingRemainder(dividingBy: 60) == 0
    {
      report(
        Diagnostic(
          .otherUnit, "`\(text(subject).shortened(to: 60))` counts events, not time",
          at: tree[other].span, label: "looks like a length of time",
          notes: ["its window is a part of its name"],
          helps: [
            "compare it with a number of events, or ask for a time: `device.hoursSince(\"…\")`"
          ]
        ))
      return true
    }
    guard let unit = knownAttribute(subject)?.unit ?? historyFunction(tree[subject])?.unit,
      let number = product(other, 0)
    else { return false }
    // `7 * 24` hours are a week.
    if unit == .days, number > 0, number < 1e15,
      [tree[other].left, tree[other].right].contains(where: { tree.constant(of: $0) == .int(24) })
    {
      reportUnit(of: subject, unit, at: other, "hours", (number / 24).rounded(.up))
      return true
    }
    guard let reading = unit.otherReading(of: number)
    else { return false }
    reportUnit(of: subject, unit, at: other, "\(reading.unit)", reading.number)
    return true
  }

  /// Returns the product of whole numbers.
  private func product(_ id: NodeID, _ depth: Int) -> Double? {
    let node = tree[id]
    if case .int(let number)? = tree.constant(of: id) { return Double(number) }
    guard node.isBinary(.multiply), depth < 8, let left = product(node.left, depth + 1),
      let right = product(node.right, depth + 1)
    else { return nil }
    return left * right
  }

  /// Reports a fraction that a whole number is compared with. Returns whether it did.
  private mutating func checkWholeNumber(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) -> Bool {
    guard attribute?.type == .int, comparison.isOrdering,
      case .double(let number) = comparison.value,
      number != number.rounded(), number > 0, number < 2
    else { return false }
    report(
      Diagnostic(
        .otherUnit, "`\(text(comparison.subject))` is never between two whole numbers",
        at: tree[comparison.constant].span, label: "not whole",
        notes: attribute.map { ["it is \($0.summary)"] } ?? []))
    return true
  }

  /// Reports `device.localTime < "00:00:00"`: no time comes before midnight.
  mutating func checkClockEnd(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) {
    guard attribute?.format == .time, case .string(let text) = comparison.value,
      comparison.op == .less && text.allSatisfy({ $0 == "0" || $0 == ":" })
        || comparison.op == .greater && text == "23:59:59"
    else { return }
    report(
      .always(
        false, "no time comes \(comparison.op == .less ? "before" : "after") this one",
        at: tree[comparison.constant].span, label: "always false",
        notes: [
          "times are \"00:00:00\" to \"23:59:59\"; a night is `… >= \"22:00:00\" || … < \"06:00:00\"`"
        ]))
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
        // More than half a year is six whole months or more.
        let op: Operator =
          switch comparison.op {
          case .greater: .greaterEqual
          case .lessEqual: .less
          default: comparison.op
          }
        helps = ["write `\(subject) \(op.spelling) \(count.formatted)`"]
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
