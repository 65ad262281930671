/// Dates as texts: `2026-03-01`.
enum CalendarDate {
  /// Returns whether a text is the beginning of a date that exists, or a date with a time.
  ///
  /// - Parameter text: Digits and hyphens in the form `2026-03-01`, or a beginning of it.
  static func exists(_ text: String) -> Bool {
    let bytes = Array(text.utf8.prefix(10))
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count else { return nil }
      return bytes[range].reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }
    guard let year = number(0..<4) else { return true }
    guard let month = number(5..<7) else { return number(5..<6).map { $0 <= 1 } ?? true }
    guard (1...12).contains(month) else { return false }
    guard let day = number(8..<10) else {
      return number(8..<9).map { $0 <= days(in: month, of: year) / 10 } ?? true
    }
    return (1...days(in: month, of: year)).contains(day)
  }

  /// Returns whether a text is the beginning of a time of day.
  ///
  /// - Parameter text: Digits and colons in the form `18:30:00`, or a beginning of it.
  static func isTime(_ text: String) -> Bool {
    let parts = text.split(separator: ":").map { (digits: $0.utf8.count, number: Int($0) ?? 0) }
    for (index, part) in parts.enumerated() {
      let most = index == 0 ? 23 : 59
      guard part.number <= (part.digits == 1 ? most / 10 : most) else { return false }
    }
    return true
  }

  static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the time that a text with a short hour means: `"09:00:00"` for `"9:00"`.
  static func time(from text: String) -> String? {
    guard var parts = numbers(in: text, separator: ":", first: 1...2), parts.count > 1 else {
      return nil
    }
    if parts.count == 2 { parts.append("00") }
    let padded = parts.joined(separator: ":")
    return isTime(padded) ? padded : nil
  }

  /// Returns the date that a text without some zeros means: `"2026-03-05"` for `"2026-3-5"`.
  ///
  /// - Returns: `nil` for other texts, and if no zero is missing.
  static func padded(_ text: String) -> String? {
    guard let parts = numbers(in: text, separator: "-", first: 4...4), parts.count >= 2 else {
      return nil
    }
    let padded = parts.joined(separator: "-")
    return padded != text && exists(padded) ? padded : nil
  }

  /// Returns up to three numbers of a text with at least two digits each: `["09", "00"]` for
  /// `"9:00"`.
  ///
  /// - Parameters:
  ///   - separator: The character between the numbers.
  ///   - first: The number of digits that the first number may have; the others have up to two.
  /// - Returns: `nil` for other texts.
  private static func numbers(
    in text: String, separator: Character, first: ClosedRange<Int>
  ) -> [String]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count <= 3, first.contains(parts[0].utf8.count),
      parts.dropFirst().allSatisfy({ (1...2).contains($0.utf8.count) }),
      parts.allSatisfy({ $0.utf8.allSatisfy { $0 &- 0x30 < 10 } })
    else { return nil }
    return parts.map { $0.utf8.count == 1 ? "0\($0)" : String($0) }
  }
}

// Dates and times in the notations of people and of other programs.

extension CalendarDate {
  /// Returns the date that a text in another order means: `"2026-11-27"` for `"27.11.2026"`,
  /// `"11/27/2026"` and `"2026/11/27"`.
  ///
  /// - Returns: `nil` for other texts, and where a month could be a day.
  static func date(from text: String) -> String? {
    if let named = dateWithMonth(text) { return named }
    if text.utf8.count == 8, text.utf8.allSatisfy({ $0 &- 0x30 < 10 }), text.hasPrefix("20") {
      let result = "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))"
      return exists(result) ? result : nil
    }
    let parts = text.split(whereSeparator: { $0 == "." || $0 == "/" || $0 == "-" })
    guard parts.count == 3, parts.allSatisfy({ $0.utf8.allSatisfy { $0 &- 0x30 < 10 } }) else {
      return nil
    }
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    let (year, month, day): (Int, Int, Int)
    if parts[0].utf8.count == 4 {
      (year, month, day) = (numbers[0], numbers[1], numbers[2])
    } else if parts[2].utf8.count == 4 {
      year = numbers[2]
      if text.contains(".") || numbers[0] > 12 {
        (month, day) = (numbers[1], numbers[0])
      } else if numbers[1] > 12 || numbers[0] == numbers[1] {
        (month, day) = (numbers[0], numbers[1])
      } else {
        return nil
      }
    } else {
      return nil
    }
    let result = "\(year)-\(twoDigits(month))-\(twoDigits(day))"
    return result != text && exists(result) ? result : nil
  }

  /// Returns both dates that `"12/01/2026"` may mean; `nil` for texts with one reading.
  static func dates(ofAmbiguous text: String) -> (monthFirst: String, dayFirst: String)? {
    let parts = text.split(whereSeparator: { $0 == "/" || $0 == "-" })
    let numbers = parts.compactMap { Int($0) }
    guard parts.count == 3, numbers.count == 3, parts[2].utf8.count == 4, date(from: text) == nil,
      (1...12).contains(numbers[0]), (1...12).contains(numbers[1])
    else { return nil }
    let (first, second) = (twoDigits(numbers[0]), twoDigits(numbers[1]))
    return ("\(parts[2])-\(first)-\(second)", "\(parts[2])-\(second)-\(first)")
  }

  /// Returns whether a text is a day of the week, or the first three letters of one.
  static func isWeekday(_ text: String) -> Bool {
    let name = text.lowercased()
    return name.utf8.count >= 3
      && ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "weekend"]
        .contains { $0.hasPrefix(name) || name == $0 + "s" }
  }

  /// Returns the time of the next day for one past midnight: `"01:00:00"` for `"25:00:00"`.
  static func timeOfNextDay(_ text: String) -> String? {
    guard let hour = Int(text.prefix(2)), (24...47).contains(hour) else { return nil }
    let time = twoDigits(hour - 24) + text.dropFirst(2)
    return isTime(time) ? time : nil
  }

  /// Returns the number of a month by its English name, or by the first three letters of it.
  static func month(named text: String) -> Int? {
    let names = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september",
      "october", "november", "december",
    ]
    let name = text.lowercased()
    guard name.utf8.count >= 3 else { return nil }
    return names.firstIndex { $0.hasPrefix(name) || name == "sept" && $0 == "september" }
      .map { $0 + 1 }
  }

  /// Returns the date of `"01 Jan 2027"`, `"January 1, 2027"` and `"1-Jan-2027"`.
  private static func dateWithMonth(_ text: String) -> String? {
    let parts = text.split { " ,-/.".contains($0) }.map { String($0) }
    guard parts.count == 3, let year = parts.first(where: { $0.utf8.count == 4 && Int($0) != nil }),
      let name = parts.first(where: { month(named: $0) != nil }), let month = month(named: name),
      let day = parts.first(where: { $0.utf8.count <= 2 }).flatMap({ Int($0) })
    else { return nil }
    let result = "\(year)-\(twoDigits(month))-\(twoDigits(day))"
    return exists(result) ? result : nil
  }

  /// Returns a time with colons: `"21:00"` for `"21h00"`, `"18:30"` for `"18.30"` and `"18:3O"`.
  private static func withColons(_ text: String) -> String {
    var result = ""
    for character in text.lowercased() where character != " " {
      switch character {
      case "h", ".", "u": result += ":"
      case "o": result += "0"
      default: result.append(character)
      }
    }
    if result.hasSuffix(":") { result = result + "00" }
    return result
  }

  /// Returns the time that a text of another clock means: `"18:00:00"` for `"6:00 PM"`, `"6pm"` and
  /// `"T18:00:00"`.
  static func timeOfDay(from text: String) -> String? {
    if text.hasPrefix("T") { return time(from: String(text.dropFirst())) }
    if ["noon", "midday"].contains(text.lowercased()) { return "12:00:00" }
    if text.lowercased() == "midnight" { return "00:00:00" }
    let word = text.lowercased().filter { $0 != " " && $0 != "." }
    let isAfternoon = word.hasSuffix("pm")
    guard isAfternoon || word.hasSuffix("am") else {
      return time(from: text) ?? time(from: withColons(text))
    }
    var parts = word.dropLast(2).split(separator: ":").map(String.init)
    guard let first = parts.first, let hour = Int(first), (1...12).contains(hour) else {
      return nil
    }
    parts[0] = twoDigits(hour % 12 + (isAfternoon ? 12 : 0))
    if parts.count == 1 { parts.append("00") }
    return time(from: parts.joined(separator: ":"))
  }

  /// Returns a moment with an offset in UTC: `"2026-11-27T08:00:00Z"` for
  /// `"2026-11-27T09:00:00+01:00"`, and `"17:00:00"` for `"18:00:00+01:00"`.
  ///
  /// - Returns: `nil` for other texts, and for a time alone that is on another day in UTC.
  static func utc(from text: String) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.count > 8, let sign = bytes.lastIndex(where: { $0 == 0x2B || $0 == 0x2D }),
      bytes.count - sign == 6, bytes[sign + 3] == UInt8(ascii: ":"), sign >= 8
    else { return nil }
    func number(_ start: Int) -> Int? {
      guard start >= 0, start + 2 <= bytes.count else { return nil }
      let digits = bytes[start..<(start + 2)]
      guard digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
      return digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }
    guard let hours = number(sign + 1), let minutes = number(sign + 4),
      let hour = number(sign - 8), let minute = number(sign - 5), let second = number(sign - 2),
      bytes[sign - 6] == UInt8(ascii: ":"), bytes[sign - 3] == UInt8(ascii: ":")
    else { return nil }
    let offset = (hours * 60 + minutes) * (bytes[sign] == 0x2B ? 1 : -1)
    var total = hour * 60 + minute - offset
    var date = String(decoding: bytes[..<(sign - 8)], as: UTF8.self)
    if !(0..<1_440).contains(total) {
      let day = String(date.prefix(10))
      guard isDay(day), let other = total < 0 ? previousDay(before: day) : nextDay(after: day)
      else {
        return nil
      }
      date = other + date.dropFirst(10)
      total += total < 0 ? 1_440 : -1_440
    }
    guard (0..<1_440).contains(total) else { return nil }
    let clock = "\(twoDigits(total / 60)):\(twoDigits(total % 60)):\(twoDigits(second))"
    return date.isEmpty ? clock : "\(date)\(clock)Z"
  }

  /// Returns the day after a date.
  static func nextDay(after text: String) -> String? {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, exists(text) else { return nil }
    var (year, month, day) = (parts[0], parts[1], parts[2] + 1)
    if day > days(in: month, of: year) { (month, day) = (month + 1, 1) }
    if month > 12 { (year, month) = (year + 1, 1) }
    return "\(year)-\(twoDigits(month))-\(twoDigits(day))"
  }

  /// Returns the day before a date.
  static func previousDay(before text: String) -> String? {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, exists(text) else { return nil }
    var (year, month, day) = (parts[0], parts[1], parts[2] - 1)
    if day < 1 {
      (year, month) = month > 1 ? (year, month - 1) : (year - 1, 12)
      day = days(in: month, of: year)
    }
    return "\(year)-\(twoDigits(month))-\(twoDigits(day))"
  }

  /// Returns the last day of the month of a date whose day does not exist.
  static func lastDay(ofMonthOf text: String) -> String? {
    let parts = text.prefix(10).split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, (1...12).contains(parts[1]) else { return nil }
    return "\(text.prefix(8))\(days(in: parts[1], of: parts[0]))"
  }

  static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension CalendarDate {
  /// Returns whether a text is a day: `2026-11-27`.
  static func isDay(_ text: String) -> Bool {
    text.utf8.count == 10 && padded(text) == nil && exists(text)
      && text.utf8.enumerated().allSatisfy { $0 == 4 || $0 == 7 ? $1 == 0x2D : $1 &- 0x30 < 10 }
  }

  /// Returns a moment as a text, such as `"2025-12-01T00:00:00Z"`.
  static func text(ofSecondsSince1970 seconds: Int64) -> String? {
    // From 2001 to 2099.
    guard (978_307_200...4_102_444_800).contains(seconds) else { return nil }
    var day = Int(seconds / 86_400)
    let clock = Int(seconds % 86_400)
    var (year, month) = (1970, 1)
    while day >= (days(in: 2, of: year) == 29 ? 366 : 365) {
      day -= days(in: 2, of: year) == 29 ? 366 : 365
      year += 1
    }
    while day >= days(in: month, of: year) {
      day -= days(in: month, of: year)
      month += 1
    }
    let time = [clock / 3_600, clock / 60 % 60, clock % 60].map(twoDigits).joined(separator: ":")
    return "\(year)-\(twoDigits(month))-\(twoDigits(day + 1))T\(time)Z"
  }
}
