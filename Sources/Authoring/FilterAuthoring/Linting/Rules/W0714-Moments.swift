import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports dates and times that no attribute has.

extension FilterLinter {
  /// Reports a date or a time in another notation, whose order as text means nothing, and a date
  /// that does not exist.
  ///
  /// - Parameter isBeginning: Whether the text is the beginning of a value.
  /// - Returns: Whether it did.
  @discardableResult
  mutating func checkMoment(
    _ value: Value, at id: NodeID, _ attribute: AttributeSchema.Attribute,
    isBeginning: Bool = false
  ) -> Bool {
    guard case .string(let text) = value, !text.isEmpty, let format = attribute.format,
      let sample = format.sample, [.date, .time, .dateTime].contains(format)
    else { return false }
    let otherNotation = "`\"\(text)\"` is not written like `\(attribute.path)`"
    let looks = "its values look like \"\(sample)\", and texts are compared letter by letter"
    // "2026-11-2" is the beginning of ten days.
    let isOpen = isBeginning && format.isBeginning(text) && CalendarDate.exists(text)
    if format != .time, !isOpen, let right = CalendarDate.padded(text) {
      return reportMoment(
        otherNotation, at: id, label: "without a zero before a single digit", note: looks,
        fix: right)
    }
    if !format.isBeginning(text) {
      return reportMoment(
        otherNotation, at: id, label: format == .time ? "not such a time" : "not such a date",
        note: looks,
        help: helpForBoundWithoutYear(text, at: id, attribute)
          ?? helpForDate(of: attribute, isBeginning ? .startsWith(text) : .equals(text))
          ?? helpForOtherMoment(text, attribute),
        // `7:` is the beginning of an hour.
        fix: isBeginning && format == .time && text.prefix(2).utf8.last == UInt8(ascii: ":")
          && format.isBeginning("0\(text)") ? "0\(text)" : momentMeant(by: text, format))
    }
    if format == .time {
      // The end of a range that begins in the evening.
      let place = parent(of: id)
      if text.hasPrefix("24:00"), let comparison = ConstantComparison(tree[place], in: tree),
        comparison.isOrdering, hasOtherBound(place, comparison)
      {
        return false
      }
      return !CalendarDate.isTime(text)
        && reportMoment(
          "there is no time `\(text)`", at: id, label: "not on a clock", note: Self.timesOfDay,
          help: helpForNextDay(text, at: id),
          fix: text.utf8.count == 1 ? "0\(text)" : nil)
    }
    if !CalendarDate.exists(text) {
      return reportMoment(
        "there is no date `\(text.prefix(10))`", at: id, label: "not in the calendar",
        note: "months are 01 to 12, and have 28 to 31 days",
        help: CalendarDate.lastDay(ofMonthOf: text).map { last in
          let next = isLowerBound(id) ? CalendarDate.nextDay(after: last) : nil
          return "the last day is `\"\(last)\"`" + (next.map { ", and the next `\"\($0)\"`" } ?? "")
        })
    }
    guard format == .dateTime else { return false }
    if let right = CalendarDate.utc(from: text) {
      let isLocal = attribute.path.nameWords.contains("local")
      return reportMoment(
        "`\(attribute.path)` is not in this time zone", at: id, label: "with an offset",
        note: "texts are compared letter by letter, and the offset does not count",
        help: isLocal ? "write the local time, without an offset" : nil,
        fix: isLocal ? nil : right)
    }
    guard let mark = text.firstIndex(of: "T") else { return false }
    let time = text[text.index(after: mark)...]
    return !CalendarDate.isTime(String(time.prefix(8)))
      && reportMoment(
        "there is no time `\(time)`", at: id, label: "not on a clock", note: Self.timesOfDay)
  }

  /// Returns advice for a date where times are, and for a time where dates are: the attribute that
  /// has it.
  private func helpForOtherMoment(
    _ text: String, _ attribute: AttributeSchema.Attribute
  ) -> String? {
    let formats: [AttributeSchema.Attribute.Format] = [.date, .time, .dateTime]
    guard let format = formats.first(where: { $0.accepts(text) }), format != attribute.format,
      let name = attribute.path.split(separator: ".").last?.description.nameWords.first
    else { return nil }
    let root = attribute.path.prefix { $0 != "." }
    let other = schema.attributes(under: String(root)).first { other in
      other.format == format && other.path.dropFirst(root.count + 1).hasPrefix(name)
    }
    return other.map { "\(format == .time ? "times" : "dates") are in `\($0.path)`" }
  }

  /// Returns advice for `device.localDate >= "11-20"`.
  private func helpForBoundWithoutYear(
    _ text: String, at id: NodeID, _ attribute: AttributeSchema.Attribute
  ) -> String? {
    guard attribute.format != .time, text.utf8.count == 5, CalendarDate.isDay("2024-\(text)"),
      ConstantComparison(tree[parent(of: id)], in: tree)?.isOrdering == true
    else { return nil }
    return "a date begins with its year: `\"…-\(text)\"`"
  }

  /// Returns advice for a time after midnight, such as `24:30:00`.
  private func helpForNextDay(_ text: String, at id: NodeID) -> String? {
    guard CalendarDate.timeOfNextDay(text) != nil else { return nil }
    if isLowerBound(id) { return "a day ends at 23:59:59, and no time is later" }
    return text.hasPrefix("24:00")
      ? "a day ends at 23:59:59: for all of it, remove the condition"
      : "a day ends at 23:59:59; what goes on after midnight is a condition of its own, joined by "
        + "`||`"
  }

  /// Returns whether a constant is the lower bound of what it is compared with.
  private func isLowerBound(_ id: NodeID) -> Bool {
    ConstantComparison(tree[parent(of: id)], in: tree)?.isLowerBound == true
  }

  private static let timesOfDay = "times are \"00:00:00\" to \"23:59:59\""

  /// Reports a text that no date or time is.
  ///
  /// - Parameter fix: The text to write instead.
  /// - Returns: `true`.
  private mutating func reportMoment(
    _ message: String, at id: NodeID, label: String, note: String, help: String? = nil,
    fix: String? = nil
  ) -> Bool {
    let span = tree[id].span
    report(
      Diagnostic(
        .impossibleValue, message, at: span, label: label, notes: [note],
        helps: help.map { [$0] } ?? [],
        fixIts: fix.map { [Diagnostic.FixIt(write: "\"\($0)\"", at: span)] } ?? []))
    return true
  }

  /// Returns the text in the form of an attribute that another notation of a moment means.
  private func momentMeant(
    by text: String, _ format: AttributeSchema.Attribute.Format
  ) -> String? {
    switch format {
    case .time:
      // "09." is the beginning of an hour.
      if text.last == ".", text.utf8.count == 3 { return "\(text.dropLast()):" }
      return CalendarDate.timeOfDay(from: text)
    case .date: return CalendarDate.date(from: text)
    default:
      let parts = text.split(separator: " ")
      guard parts.count == 2, let time = CalendarDate.time(from: String(parts[1])) else {
        return CalendarDate.date(from: text)
      }
      let day = String(parts[0])
      let isDay = AttributeSchema.Attribute.Format.formats(of: day).contains(.date)
      return (isDay ? day : CalendarDate.date(from: day)).map { "\($0)T\(time)" }
    }
  }

  /// Reports a date or a time that is shorter or longer than those of the attribute, as far as the
  /// result depends on it.
  mutating func checkWholeMoment(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute
  ) {
    guard case .string(let text) = comparison.value, let format = attribute.format else { return }
    if format == .dateTime {
      return checkZone(text, comparison, attribute)
        ? () : checkDay(text, comparison, attribute)
    }
    guard format == .date || format == .time, let sample = format.sample else { return }
    let (count, whole) = (text.utf8.count, sample.utf8.count)
    // The beginning of a date orders as the date does, but equals none.
    guard count > whole || count < whole && comparison.isEquality else { return }
    var right: String?
    var helps: [String] = []
    if count > whole, format == .time {
      let isUniversal = attribute.path.nameWords.contains("utc")
      right = isUniversal || text.hasSuffix("Z") ? CalendarDate.utc(from: text) : nil
      if isUniversal, text.hasSuffix("Z") { right = String(text.prefix(whole)) }
      if text.lowercased().hasSuffix("pm") || text.lowercased().hasSuffix("am") {
        right = CalendarDate.timeOfDay(from: text)
      }
      helps = ["write the time alone, without a zone"]
    } else if count > whole {
      let time = text.dropFirst(whole + 1)
      let isMidnight = time.allSatisfy { "0:Z.".contains($0) }
      let isEnd = time.hasPrefix("23:59") && comparison.op == .lessEqual
      let sibling = attribute.path + "Time"
      // From the first moment of a day on is from this day on.
      let op = isMidnight && comparison.op == .greater ? .greaterEqual : comparison.op
      let subject = self.text(comparison.subject)
      right =
        op == comparison.op && (isMidnight || isEnd || schema[sibling] == nil)
        ? String(text.prefix(whole)) : nil
      helps = [
        isMidnight
          ? "write `\(subject) \(op.spelling) \"\(text.prefix(whole))\"`"
          : "compare moments: \(comparedMoment(sibling, op, text.prefix(whole), time))"
      ]
    } else if format == .time, count == "18:30".utf8.count, !comparison.isEquality {
      right = text + ":00"
    }
    let span = tree[comparison.constant].span
    let fixes = right.map { right in
      [Diagnostic.FixIt(write: "\"\(right)\"", at: span)]
    }
    report(
      Diagnostic(
        .impossibleValue,
        count > whole
          ? "`\"\(text)\"` is longer than the values of `\(attribute.path)`"
          : "`\(attribute.path)` is never `\"\(text)\"`", at: span,
        label: count > whole ? "with more than a \(format.rawValue)" : "only the beginning",
        notes: ["its values look like \"\(sample)\", and texts are compared letter by letter"],
        helps: fixes != nil
          ? []
          : helps.isEmpty
            ? [helpForBeginning(text, comparison, format)] : helps,
        fixIts: fixes ?? []))
  }

  /// Returns the comparison of a moment with a day and a time, which may be without seconds.
  private func comparedMoment(
    _ path: String, _ op: Operator, _ day: Substring, _ time: Substring
  ) -> String {
    let moment = "\(day)T\(time.prefix(8))"
    return time.utf8.count < 8 && op == .equal
      ? "`\(path).startsWith(\"\(moment)\")`" : "`\(path) \(op.spelling) \"\(moment)\"`"
  }

  /// Returns advice for the beginning of a date or a time. `18:00` may mean the hour.
  private func helpForBeginning(
    _ text: String, _ comparison: ConstantComparison, _ format: AttributeSchema.Attribute.Format
  ) -> String {
    let subject = self.text(comparison.subject)
    guard format == .time, text.utf8.count == 5, text.hasSuffix(":00") else {
      return "write `\(subject).startsWith(\"\(text)\")`"
    }
    return
      "for the hour, write `\(subject).startsWith(\"\(text.prefix(3))\")`; for its first minute, "
      + "`\(subject).startsWith(\"\(text)\")`"
  }

  /// Reports `device.localDateTime < "2026-03-31T09:00:00Z"`: local moments have no zone.
  private mutating func checkZone(
    _ text: String, _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute
  ) -> Bool {
    guard text.hasSuffix("Z"), attribute.path.nameWords.contains("local") else { return false }
    if comparison.isOrdering {
      let universal = attribute.path.replacingFirst("local", by: "utc")
      report(
        Diagnostic(
          .seldomMeant, "`\(attribute.path)` is the clock of the user, without a zone",
          at: tree[comparison.constant].span, label: "in Greenwich",
          helps: [
            "for one moment everywhere, write `\(universal) \(comparison.op.spelling) \"\(text)\"`; "
              + "for the clock of each user, leave the `Z` out"
          ]))
      return true
    }
    return reportMoment(
      "`\(attribute.path)` is never `\"\(text)\"`", at: comparison.constant, label: "with a zone",
      note: "the local time is sent without one, as \"2026-03-01T18:30:00\"",
      help: comparison.op == .equal
        ? "for the day, write `\(self.text(comparison.subject)).startsWith(\"\(text.prefix(10))\")`"
        : nil,
      fix: comparison.op == .equal ? nil : String(text.dropLast()))
  }

  /// Reports `device.localDateTime <= "2026-03-31"`, which leaves that day out: its moments are
  /// longer texts, and so come after it.
  private mutating func checkDay(
    _ text: String, _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute
  ) {
    guard AttributeSchema.Attribute.Format.formats(of: text).contains(.date),
      comparison.isEquality || comparison.op == .lessEqual
    else { return }
    let subject = self.text(comparison.subject)
    let literal = self.text(comparison.constant)
    let isEquality = comparison.isEquality
    let message =
      isEquality
      ? "`\(subject)` has a time, too"
      : "every moment of \(text) comes after `\(literal)`"
    let sibling = attribute.path.hasSuffix("DateTime") ? String(attribute.path.dropLast(4)) : ""
    let isNegated = comparison.op == .notEqual
    let starts = "\(isNegated ? "!" : "")\(subject).startsWith(\(literal))"
    report(
      Diagnostic(
        .impossibleValue, message, at: tree[comparison.constant].span, label: "only a day",
        notes: [
          isEquality
            ? "so this is always \(isNegated)"
            : "so the day itself does not count"
        ],
        helps: [
          schema[sibling] != nil
            ? "compare days: `\(sibling) \(comparison.op.spelling) \(literal)`"
            : isEquality
              ? "write `\(starts)`"
              : "compare with the day after: "
                + "`\(subject) < \"\(CalendarDate.nextDay(after: text) ?? "…")\"`"
        ]))
  }

  /// Reports an element of a list that is outside the attribute's range.
  mutating func checkElementRange(
    _ value: Value, at id: NodeID, _ attribute: AttributeSchema.Attribute
  ) {
    guard let low = attribute.minimum, let number = value.plainNumber,
      number < Double(low) || attribute.maximum.map({ number > Double($0) }) ?? false
    else { return }
    let range = attribute.maximum.map { "from \(low) to \($0)" } ?? "at least \(low)"
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` is never `\(text(id))`", at: tree[id].span,
        label: "it is \(range)", notes: ["so this element never counts"]))
  }
}
