extension Value.Timestamp {
  /// The instant as RFC 3339 text in its own offset: `2024-02-29T12:34:56.789Z`.
  ///
  /// The fraction has no trailing zeros and is omitted if it is zero. A leap second prints as 60.
  /// Years outside 0 ... 9999 print with a sign and more digits.
  public var rfc3339Text: String {
    var local = self
    let (seconds, overflow) = seconds.addingReportingOverflow(Int64(offsetMinutes) * 60)
    if !overflow { local.seconds = seconds }
    var text: [UInt8] = []
    TimestampText.appendCEL(local, to: &text)
    if offsetMinutes != 0 && !overflow {
      text.removeLast()
      text.append(UInt8(ascii: offsetMinutes < 0 ? "-" : "+"))
      let minutes = UInt64(offsetMinutes.magnitude)
      IntegerText.append(minutes / 60, minimumDigits: 2, to: &text)
      text.append(UInt8(ascii: ":"))
      IntegerText.append(minutes % 60, minimumDigits: 2, to: &text)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Parses RFC 3339 text such as `2024-02-29T12:34:56.789+02:00`, as the superscript dialect does
  /// (docs/spec/superscript.md §13). Returns `nil` for any other text.
  ///
  /// Fraction digits below a nanosecond are truncated. The offset is preserved.
  public init?(rfc3339 text: String) {
    var text = text
    guard
      let timestamp = text.withUTF8({ bytes in
        try? TimestampText.parse(bytes, rules: .superscript)
      })
    else { return nil }
    self = timestamp
  }
}

extension Value.Duration {
  /// The span in decimal seconds: `5400s`, `-1.5s`, `0.000000001s`.
  public var secondsText: String {
    var text: [UInt8] = []
    DurationText.appendCEL(self, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Parses decimal seconds such as `-1.5s`, with at most nine fraction digits. Returns `nil` for
  /// any other text.
  ///
  /// This is the format of data; the functions of the languages accept more units.
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
