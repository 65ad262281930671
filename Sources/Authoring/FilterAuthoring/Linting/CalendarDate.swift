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
    guard let parts = numbers(in: text, separator: "-", first: 4...4), parts.count == 3 else {
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
