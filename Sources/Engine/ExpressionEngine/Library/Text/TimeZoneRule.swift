/// The rule for the times after the last transition of a time zone file: a POSIX `TZ` text such as
/// `CET-1CEST,M3.5.0,M10.5.0/3` (RFC 8536 §3.3).
struct TimeZoneRule: Hashable, Sendable {
  /// The time of one of the two yearly changes.
  struct Change: Hashable, Sendable {
    enum Day: Hashable, Sendable {
      /// 1 ... 365; 29 February is never counted.
      case julian(Int)
      /// 0 ... 365; 29 February is counted.
      case ofYear(Int)
      /// A weekday (0 = Sunday) of a week (1 ... 5, 5 = last) of a month.
      case weekday(month: Int, week: Int, day: Int)
    }
    var day: Day
    /// Seconds after midnight of local time; may be negative or beyond the day.
    var time: Int = 7_200

    /// Seconds from 1970 to the change in `year`, as if local time were UTC.
    func localSeconds(inYear year: Int64) -> Int64 {
      let days: Int64
      switch day {
      case .julian(let number):
        let skipsLeapDay = CivilTime.isLeapYear(year) && number >= 60
        days =
          CivilTime.day(ofYear: year, month: 1, day: 1) &+ Int64(number &- 1)
          &+ (skipsLeapDay ? 1 : 0)
      case .ofYear(let number):
        days = CivilTime.day(ofYear: year, month: 1, day: 1) &+ Int64(number)
      case .weekday(let month, let week, let weekday):
        let first = CivilTime.day(ofYear: year, month: month, day: 1)
        let remainder = Int((first &+ 4) % 7)
        let firstWeekday = remainder < 0 ? remainder &+ 7 : remainder
        var date = 1 &+ (weekday &- firstWeekday &+ 7) % 7 &+ (week &- 1) &* 7
        if date > CivilTime.daysInMonth(month, year: year) { date &-= 7 }
        days = first &+ Int64(date &- 1)
      }
      return days &* 86_400 &+ Int64(time)
    }
  }

  /// Seconds east of UTC in standard time.
  var standardOffset: Int
  /// Seconds east of UTC in summer time.
  var summerOffset = 0
  /// The changes to and from summer time, or `nil` without summer time.
  var changes: (start: Change, end: Change)? {
    guard let start, let end else { return nil }
    return (start, end)
  }
  private var start: Change?
  private var end: Change?

  /// Parses the text of the rule. Returns `nil` if it is malformed.
  init?(_ text: UTF8Bytes) {
    var reader = TimeZoneRuleReader(text: text)
    guard reader.name(), let offset = reader.offset() else { return nil }
    standardOffset = 0 - offset
    if reader.isAtEnd { return }
    guard reader.name() else { return nil }
    summerOffset = standardOffset + 3_600
    if !reader.isAtEnd, reader.peek != 0x2C {
      guard let summer = reader.offset() else { return nil }
      summerOffset = 0 - summer
    }
    guard let start = reader.change(), let end = reader.change(), reader.isAtEnd else { return nil }
    self.start = start
    self.end = end
  }

  /// Seconds east of UTC at an instant.
  func offset(at seconds: Int64) -> Int {
    guard let changes else { return standardOffset }
    // The rule repeats every 400 years, which prevents overflow in distant years.
    let cycle: Int64 = 146_097 * 86_400
    let folded = seconds &- CivilTime.floorDivide(seconds, by: cycle) &* cycle
    let days = CivilTime.floorDivide(folded &+ Int64(standardOffset), by: 86_400)
    let year = CivilTime.date(ofDay: days).year
    let start = changes.start.localSeconds(inYear: year) &- Int64(standardOffset)
    let end = changes.end.localSeconds(inYear: year) &- Int64(summerOffset)
    let isSummer =
      start < end ? folded >= start && folded < end : folded >= start || folded < end
    return isSummer ? summerOffset : standardOffset
  }
}

/// Reads the parts of a `TZ` text.
private struct TimeZoneRuleReader {
  let text: UTF8Bytes
  var index = 0

  var isAtEnd: Bool { index >= text.count }
  var peek: UInt8? { index < text.count ? text[index] : nil }

  /// Skips a zone's abbreviation: letters, or anything between angle brackets.
  mutating func name() -> Bool {
    let start = index
    if peek == UInt8(ascii: "<") {
      while let byte = peek, byte != UInt8(ascii: ">") { index &+= 1 }
      guard peek != nil else { return false }
      index &+= 1
      return true
    }
    while let byte = peek, (byte | 0x20) &- 0x61 < 26 { index &+= 1 }
    return index &- start >= 3
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int? {
    var value = 0
    var digits = 0
    while let byte = peek, byte &- 0x30 < 10, digits < 4 {
      value = value * 10 + Int(byte &- 0x30)
      digits += 1
      index &+= 1
    }
    return digits > 0 && range.contains(value) ? value : nil
  }

  /// Reads `[+-]hh[:mm[:ss]]` in seconds.
  mutating func offset() -> Int? {
    var isNegative = false
    if peek == 0x2B || peek == 0x2D {
      isNegative = peek == 0x2D
      index &+= 1
    }
    guard let hours = number(0...167) else { return nil }
    var seconds = hours * 3_600
    for unit in [60, 1] where peek == UInt8(ascii: ":") {
      index &+= 1
      guard let part = number(0...59) else { return nil }
      seconds += part * unit
    }
    return isNegative ? 0 - seconds : seconds
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    index &+= 1
    return true
  }

  mutating func change() -> TimeZoneRule.Change? {
    guard skip(UInt8(ascii: ",")) else { return nil }
    var change: TimeZoneRule.Change
    if skip(UInt8(ascii: "M")) {
      guard let month = number(1...12), skip(0x2E), let week = number(1...5), skip(0x2E),
        let day = number(0...6)
      else { return nil }
      change = TimeZoneRule.Change(day: .weekday(month: month, week: week, day: day))
    } else if skip(UInt8(ascii: "J")) {
      guard let day = number(1...365) else { return nil }
      change = TimeZoneRule.Change(day: .julian(day))
    } else {
      guard let day = number(0...365) else { return nil }
      change = TimeZoneRule.Change(day: .ofYear(day))
    }
    if skip(UInt8(ascii: "/")) {
      guard let time = offset() else { return nil }
      change.time = time
    }
    return change
  }
}
