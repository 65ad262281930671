extension Value.Timestamp {
  /// The instant as RFC 3339 text in its own offset: `2024-02-29T12:34:56.789Z`.
  ///
  /// The fraction has no zeros at its end and is left out if it is zero. A second inside a leap
  /// second prints as 60. Years outside 0 ... 9999 print with a sign and more digits.
  public var rfc3339Text: String {
    let isLeap = nanoseconds >= 1_000_000_000
    let offsetSeconds = Int64(offsetMinutes) * 60
    let local = seconds.addingReportingOverflow(offsetSeconds)
    let localSeconds = local.overflow ? seconds : local.partialValue
    let day = localSeconds.dividedDown(by: 86_400)
    let secondOfDay = Int(localSeconds - day * 86_400)
    let date = Self.civilDate(ofDay: day)
    let second = secondOfDay % 60 + (isLeap ? 1 : 0)
    var text = Self.yearText(date.year)
    text += "-\(Self.twoDigits(date.month))-\(Self.twoDigits(date.day))T"
    text += "\(Self.twoDigits(secondOfDay / 3600)):\(Self.twoDigits(secondOfDay / 60 % 60))"
    text += ":\(Self.twoDigits(second))"
    text += (isLeap ? nanoseconds &- 1_000_000_000 : nanoseconds).fractionText
    if offsetMinutes == 0 || local.overflow { return text + "Z" }
    let minutes = Int(offsetMinutes.magnitude)
    text += offsetMinutes < 0 ? "-" : "+"
    return text + "\(Self.twoDigits(minutes / 60)):\(Self.twoDigits(minutes % 60))"
  }

  /// Reads RFC 3339 text such as `2024-02-29T12:34:56.789+02:00`; `nil` if it is anything else.
  ///
  /// Strict: upper-case `T` and `Z`, a fraction of at most nine digits, years 0000 ... 9999,
  /// existing days. This is the reader for data; the functions of the languages are more lenient.
  public init?(rfc3339 text: String) {
    let bytes = Array(text.utf8)
    var cursor = 0
    func digits(_ count: Int) -> Int? {
      guard cursor + count <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[cursor..<cursor + count] {
        guard byte >= 0x30 && byte <= 0x39 else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      cursor += count
      return value
    }
    func skip(_ character: Unicode.Scalar) -> Bool {
      guard cursor < bytes.count, UInt32(bytes[cursor]) == character.value else { return false }
      cursor += 1
      return true
    }
    guard let year = digits(4), skip("-"), let month = digits(2), skip("-"),
      let day = digits(2), skip("T"), let hour = digits(2), skip(":"), let minute = digits(2),
      skip(":"), let second = digits(2), (1...12).contains(month), hour < 24, minute < 60,
      second <= 60, day >= 1, day <= Self.dayCount(ofMonth: month, year: year)
    else { return nil }
    var nanoseconds = 0
    if skip(".") {
      let start = cursor
      while cursor < bytes.count, let digit = digits(1) {
        guard cursor - start <= 9 else { return nil }
        nanoseconds = nanoseconds * 10 + digit
      }
      guard cursor > start else { return nil }
      for _ in (cursor - start)..<9 { nanoseconds *= 10 }
    }
    var offset = 0
    if !skip("Z") {
      let isNegative = skip("-")
      guard isNegative || skip("+"), let hours = digits(2), skip(":"), let minutes = digits(2),
        hours < 24, minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * (isNegative ? -1 : 1)
    }
    guard cursor == bytes.count else { return nil }
    if second == 60 { nanoseconds += 1_000_000_000 }
    let dayNumber = Self.day(ofYear: year, month: month, day: day)
    let secondOfDay = hour * 3600 + minute * 60 + min(second, 59)
    self.init(
      seconds: dayNumber * 86_400 + Int64(secondOfDay - offset * 60),
      nanoseconds: UInt32(nanoseconds), offsetMinutes: Int16(offset))
  }

  private static func twoDigits(_ value: Int) -> String {
    value < 10 ? "0\(value)" : "\(value)"
  }

  private static func yearText(_ year: Int64) -> String {
    let digits = String(year.magnitude)
    let padded = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    if year < 0 { return "-" + padded }
    return year > 9999 ? "+" + padded : padded
  }

  /// The date of the proleptic Gregorian calendar, days counted from 1970-01-01.
  ///
  /// Counted in eras of 400 years that start on 1 March, so that leap days come last.
  private static func civilDate(ofDay day: Int64) -> (year: Int64, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = shifted.dividedDown(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
    let dayOfMonth = Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfMonth)
  }

  /// The inverse of `civilDate(ofDay:)`.
  private static func day(ofYear year: Int, month: Int, day: Int) -> Int64 {
    let shiftedYear = Int64(month <= 2 ? year - 1 : year)
    let era = shiftedYear.dividedDown(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let shiftedMonth = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * shiftedMonth + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func dayCount(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Value.Duration {
  /// The span in decimal seconds: `5400s`, `-1.5s`, `0.000000001s`.
  public var secondsText: String {
    guard seconds < 0 else { return "\(seconds)\(nanoseconds.fractionText)s" }
    if nanoseconds == 0 { return "\(seconds)s" }
    // Whole seconds are rounded down: -1.5 s is stored as -2 s and half a second.
    return "-\((seconds + 1).magnitude)\((1_000_000_000 &- nanoseconds).fractionText)s"
  }

  /// Reads decimal seconds such as `-1.5s`, at most nine digits behind the point; `nil` if `text`
  /// is anything else.
  ///
  /// This is the reader for data; the functions of the languages know more units.
  public init?(secondsText text: String) {
    var rest = Substring(text)
    guard rest.popLast() == "s" else { return nil }
    let isNegative = rest.first == "-"
    if isNegative { rest.removeFirst() }
    let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let isDigits: (Substring) -> Bool = { part in
      !part.isEmpty && part.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }
    guard let first = parts.first, isDigits(first), let whole = Int64(first) else { return nil }
    var fraction: UInt32 = 0
    if parts.count == 2 {
      guard isDigits(parts[1]), parts[1].utf8.count <= 9, var value = UInt32(parts[1]) else {
        return nil
      }
      for _ in parts[1].utf8.count..<9 { value *= 10 }
      fraction = value
    }
    if !isNegative {
      self.init(seconds: whole, nanoseconds: fraction)
    } else if fraction == 0 {
      self.init(seconds: -whole)
    } else {
      self.init(seconds: -whole - 1, nanoseconds: 1_000_000_000 - fraction)
    }
  }
}

extension UInt32 {
  /// Nanoseconds as a fraction with its point, without zeros at the end; empty for zero.
  fileprivate var fractionText: String {
    guard self > 0 else { return "" }
    var digits = String(self)
    digits = String(repeating: "0", count: Swift.max(0, 9 - digits.utf8.count)) + digits
    while digits.last == "0" { digits.removeLast() }
    return "." + digits
  }
}

extension Int64 {
  /// The quotient rounded towards minus infinity; `divisor` is positive.
  fileprivate func dividedDown(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
