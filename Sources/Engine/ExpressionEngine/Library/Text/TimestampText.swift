/// The reason why a text is not a timestamp.
enum TimestampTextError: Error, Hashable {
  /// The text ends too early.
  case tooShort
  /// A character is not allowed at its position.
  case invalid
  /// A field or the instant is out of its range.
  case outOfRange
  /// Text follows the timestamp.
  case trailing
}

/// The dialect's rules for time.
enum TimeRules: Sendable {
  /// The rules of the reference evaluator's date library: leap seconds, ±262,142 years.
  case superscript
  /// The rules of the Common Expression Language: strict RFC 3339, 0001 ... 9999.
  case cel

  /// The range of seconds of valid timestamps.
  var secondsRange: ClosedRange<Int64> {
    switch self {
    case .superscript: -8_334_601_228_800...8_210_266_876_799
    case .cel: -62_135_596_800...253_402_300_799
    }
  }
}

/// Conversion between RFC 3339 timestamps and text.
enum TimestampText {
  /// Parses `YYYY-MM-DDThh:mm:ss[.fraction](Z|±hh:mm)`.
  ///
  /// Superscript also accepts a space or `t` for the `T`, `z`, U+2212 as the minus sign and second
  /// 60 (docs/spec/superscript.md §13); cel does not (docs/spec/cel.md §12.2), and drops the
  /// offset. Fraction digits below a nanosecond are truncated.
  static func parse(
    _ text: UTF8Bytes, rules: TimeRules
  ) throws(TimestampTextError) -> Value.Timestamp {
    var reader = TimestampReader(text: text)
    let year = try reader.number(digits: 4)
    try reader.expect(UInt8(ascii: "-"))
    let month = try reader.number(digits: 2, in: 1...12)
    try reader.expect(UInt8(ascii: "-"))
    let day = try reader.number(digits: 2, in: 1...31)
    try reader.separator(rules)
    let hour = try reader.number(digits: 2, in: 0...23)
    try reader.expect(UInt8(ascii: ":"))
    let minute = try reader.number(digits: 2, in: 0...59)
    try reader.expect(UInt8(ascii: ":"))
    let second = try reader.number(digits: 2, in: 0...(rules == .superscript ? 60 : 59))
    let fraction = try reader.fraction()
    let offset = try reader.offset(rules)
    guard reader.isAtEnd else { throw .trailing }
    guard day <= CivilTime.daysInMonth(month, year: Int64(year)) else { throw .outOfRange }
    let days = CivilTime.day(ofYear: Int64(year), month: month, day: day)
    let secondOfDay = hour * 3_600 + minute * 60 + min(second, 59)
    let seconds = days * 86_400 + Int64(secondOfDay) - Int64(offset) * 60
    guard rules.secondsRange.contains(seconds) else { throw .outOfRange }
    return Value.Timestamp(
      seconds: seconds, nanoseconds: UInt32(fraction + (second == 60 ? 1_000_000_000 : 0)),
      offsetMinutes: rules == .superscript ? Int16(offset) : 0)
  }

  /// Appends the form of `string()` and of error texts of superscript: the offset it was written
  /// with as `±hh:mm`, and a fraction of 3, 6 or 9 digits if there is one.
  static func appendSuperscript(_ timestamp: Value.Timestamp, to output: inout [UInt8]) {
    let offset = Int(timestamp.offsetMinutes)
    let time = CivilTime(timestamp, utcOffset: offset &* 60)
    appendDateAndTime(time, to: &output)
    if time.nanosecond != 0 {
      output.append(0x2E)
      if time.nanosecond % 1_000_000 == 0 {
        append(time.nanosecond / 1_000_000, digits: 3, to: &output)
      } else if time.nanosecond % 1_000 == 0 {
        append(time.nanosecond / 1_000, digits: 6, to: &output)
      } else {
        append(time.nanosecond, digits: 9, to: &output)
      }
    }
    output.append(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    append(Int(offset.magnitude) / 60, digits: 2, to: &output)
    output.append(UInt8(ascii: ":"))
    append(Int(offset.magnitude) % 60, digits: 2, to: &output)
  }

  /// Appends the form of `string()` and `%s` of the cel dialect: in UTC with `Z`, and as many
  /// fraction digits as needed.
  static func appendCEL(_ timestamp: Value.Timestamp, to output: inout [UInt8]) {
    let time = CivilTime(timestamp)
    appendDateAndTime(time, to: &output)
    appendFraction(time.nanosecond, to: &output)
    output.append(UInt8(ascii: "Z"))
  }

  /// Appends `.` and the digits of a number of nanoseconds without trailing zeros; nothing for 0.
  static func appendFraction(_ nanoseconds: Int, to output: inout [UInt8]) {
    guard nanoseconds != 0 else { return }
    output.append(0x2E)
    append(nanoseconds, digits: 9, to: &output)
    while output.last == 0x30 { output.removeLast() }
  }

  private static func appendDateAndTime(_ time: CivilTime, to output: inout [UInt8]) {
    // Years beyond four digits have a sign, as ISO 8601 requires.
    if !(0...9_999).contains(time.year) {
      output.append(time.year < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    }
    IntegerText.append(time.year.magnitude, minimumDigits: 4, to: &output)
    output.append(UInt8(ascii: "-"))
    append(time.month, digits: 2, to: &output)
    output.append(UInt8(ascii: "-"))
    append(time.day, digits: 2, to: &output)
    output.append(UInt8(ascii: "T"))
    append(time.hour, digits: 2, to: &output)
    output.append(UInt8(ascii: ":"))
    append(time.minute, digits: 2, to: &output)
    output.append(UInt8(ascii: ":"))
    append(time.second, digits: 2, to: &output)
  }

  private static func append(_ value: Int, digits: Int, to output: inout [UInt8]) {
    IntegerText.append(
      UInt64(truncatingIfNeeded: value), minimumDigits: digits, to: &output)
  }
}

/// Reads the fields of a timestamp one after the other.
private struct TimestampReader {
  let text: UTF8Bytes
  var index = 0

  var isAtEnd: Bool { index >= text.count }

  mutating func number(
    digits: Int, in range: ClosedRange<Int> = 0...9_999
  ) throws(TimestampTextError) -> Int {
    guard text.count &- index >= digits else { throw .tooShort }
    var value = 0
    for position in index..<index &+ digits {
      let digit = text[position] &- 0x30
      guard digit < 10 else { throw .invalid }
      value = value &* 10 &+ Int(digit)
    }
    guard range.contains(value) else { throw .outOfRange }
    index &+= digits
    return value
  }

  mutating func expect(_ byte: UInt8) throws(TimestampTextError) {
    guard index < text.count else { throw .tooShort }
    guard text[index] == byte else { throw .invalid }
    index &+= 1
  }

  mutating func separator(_ rules: TimeRules) throws(TimestampTextError) {
    guard index < text.count else { throw .tooShort }
    switch text[index] {
    case UInt8(ascii: "T"): break
    case UInt8(ascii: "t") where rules == .superscript: break
    case UInt8(ascii: " ") where rules == .superscript: break
    default: throw .invalid
    }
    index &+= 1
  }

  /// Reads `.digits`, if any, in nanoseconds.
  mutating func fraction() throws(TimestampTextError) -> Int {
    guard index < text.count, text[index] == 0x2E else { return 0 }
    index &+= 1
    guard index < text.count else { throw .tooShort }
    guard text[index] &- 0x30 < 10 else { throw .invalid }
    var value = 0
    var scale = 100_000_000
    while index < text.count, text[index] &- 0x30 < 10 {
      value &+= Int(text[index] &- 0x30) &* scale
      scale /= 10
      index &+= 1
    }
    return value
  }

  /// Reads the zone in minutes east of UTC.
  mutating func offset(_ rules: TimeRules) throws(TimestampTextError) -> Int {
    guard index < text.count else { throw .tooShort }
    let isNegative: Bool
    switch text[index] {
    case UInt8(ascii: "Z"):
      index &+= 1
      return 0
    case UInt8(ascii: "z") where rules == .superscript:
      index &+= 1
      return 0
    case UInt8(ascii: "+"): isNegative = false
    case UInt8(ascii: "-"): isNegative = true
    case 0xE2 where rules == .superscript:
      // U+2212, the minus sign of typographers.
      guard text.count &- index >= 3, text[index &+ 1] == 0x88, text[index &+ 2] == 0x92
      else { throw .invalid }
      index &+= 2
      isNegative = true
    default: throw .invalid
    }
    index &+= 1
    let hours = try number(digits: 2, in: 0...99)
    try expect(UInt8(ascii: ":"))
    let minutes = try number(digits: 2, in: 0...59)
    guard hours <= 23 else { throw .outOfRange }
    let offset = hours &* 60 &+ minutes
    return isNegative ? 0 &- offset : offset
  }
}
