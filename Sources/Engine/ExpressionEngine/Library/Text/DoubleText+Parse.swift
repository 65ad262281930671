/// Conversion between floating-point numbers and text for both dialects, independent of the locale.
enum DoubleText {
  /// The result of scanning a decimal number.
  struct DecimalScan {
    /// The offset after the number.
    var end: Int
    /// Whether the number has a minus sign.
    var isNegative = false
    /// The significant digits, at most nineteen.
    var mantissa: UInt64 = 0
    /// The power of ten to multiply `mantissa` by.
    var exponent = 0
    /// Whether `mantissa` and `exponent` represent the number exactly.
    var isExact = true
    /// Whether an `e` is not followed by digits; `end` is then before the `e`.
    var hasDanglingExponent = false
  }

  /// Scans `[+-] digits [. digits] [e [+-] digits]`, where one side of the point may be empty.
  ///
  /// - Returns: `nil` if no number starts at `start`.
  static func scanDecimal(_ text: UTF8Bytes, from start: Int = 0) -> DecimalScan? {
    var scan = DecimalScan(end: start)
    var index = start
    if index < text.count, text[index] == 0x2B || text[index] == 0x2D {
      scan.isNegative = text[index] == 0x2D
      index &+= 1
    }
    var significant = 0
    var digits = 0
    var dropped = 0
    var fraction = 0
    var isFraction = false
    while index < text.count {
      let byte = text[index]
      let digit = byte &- 0x30
      if digit < 10 {
        digits &+= 1
        if isFraction { fraction &+= 1 }
        if significant < 19 {
          scan.mantissa = scan.mantissa &* 10 &+ UInt64(digit)
          if scan.mantissa != 0 { significant &+= 1 }
        } else {
          dropped &+= 1
          if digit != 0 { scan.isExact = false }
        }
      } else if byte == 0x2E, !isFraction {
        isFraction = true
      } else {
        break
      }
      index &+= 1
    }
    guard digits > 0 else { return nil }
    scan.end = index
    scan.exponent = dropped &- fraction
    scanExponent(text, from: index, into: &scan)
    return scan
  }

  private static func scanExponent(
    _ text: UTF8Bytes, from start: Int, into scan: inout DecimalScan
  ) {
    guard start < text.count, text[start] | 0x20 == 0x65 else { return }
    var index = start &+ 1
    var isNegative = false
    if index < text.count, text[index] == 0x2B || text[index] == 0x2D {
      isNegative = text[index] == 0x2D
      index &+= 1
    }
    let firstDigit = index
    var value = 0
    while index < text.count, text[index] &- 0x30 < 10 {
      if value < 1_000_000 {
        value = value &* 10 &+ Int(text[index] &- 0x30)
      } else {
        scan.isExact = false
      }
      index &+= 1
    }
    guard index > firstDigit else {
      scan.hasDanglingExponent = true
      return
    }
    scan.end = index
    scan.exponent &+= isNegative ? 0 &- value : value
  }

  /// Returns the value of a scanned number, correctly rounded; infinity beyond the largest double.
  static func value(of scan: DecimalScan, in text: UTF8Bytes, from start: Int) -> Double {
    if scan.isExact, scan.mantissa <= 1 << 53, -22...22 ~= scan.exponent || scan.mantissa == 0 {
      // Both factors are exact doubles, so one operation rounds once.
      var magnitude = Double(scan.mantissa)
      if scan.mantissa != 0 {
        if scan.exponent >= 0 {
          magnitude *= powersOfTen[scan.exponent]
        } else {
          magnitude /= powersOfTen[0 &- scan.exponent]
        }
      }
      return scan.isNegative ? -magnitude : magnitude
    }
    // The grammar has been checked, so the library's parser (correctly rounded, no locale) does not
    // see anything that it could read as a hexadecimal number or a word.
    return Double(String(decoding: text[start..<scan.end], as: UTF8.self)) ?? .nan
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Parses as Rust's `parse::<f64>` does (docs/spec/superscript.md §5, §10): decimal or exponent
  /// form, `inf`, `infinity` and `nan` in any case, all with an optional sign; overflow gives
  /// infinity.
  static func parseSuperscript(_ text: UTF8Bytes) throws(NumberTextError) -> Double {
    guard !text.isEmpty else { throw .empty }
    if let word = wordValue(text) { return word }
    guard let scan = scanDecimal(text), scan.end == text.count else { throw .invalid }
    return value(of: scan, in: text, from: 0)
  }

  /// Parses as `double()` of the cel dialect does (docs/spec/cel.md §10): as superscript, and
  /// hexadecimal floats such as `0x1.8p3`; a finite text beyond the largest double is an error.
  static func parseCEL(_ text: UTF8Bytes) throws(NumberTextError) -> Double {
    guard !text.isEmpty else { throw .empty }
    if let word = wordValue(text) { return word }
    let result: Double
    if let scan = scanDecimal(text), scan.end == text.count {
      result = value(of: scan, in: text, from: 0)
    } else if isHexadecimalFloat(text),
      let parsed = Double(String(decoding: text, as: UTF8.self))
    {
      result = parsed
    } else {
      throw .invalid
    }
    if result.isInfinite { throw result < 0 ? .tooSmall : .tooLarge }
    return result
  }

  /// Returns the value of `inf`, `infinity` or `nan` in any case with an optional sign, otherwise
  /// `nil`.
  private static func wordValue(_ text: UTF8Bytes) -> Double? {
    guard let first = text.first else { return nil }
    let hasSign = first == 0x2B || first == 0x2D
    let word = UTF8Bytes(rebasing: text[(hasSign ? 1 : 0)...])
    let magnitude: Double
    if matches(word, "inf") || matches(word, "infinity") {
      magnitude = .infinity
    } else if matches(word, "nan") {
      magnitude = .nan
    } else {
      return nil
    }
    return first == 0x2D ? -magnitude : magnitude
  }

  /// Returns whether the text is the given lower-case word in any ASCII case.
  static func matches(_ text: UTF8Bytes, _ word: StaticString) -> Bool {
    guard text.count == word.utf8CodeUnitCount else { return false }
    for index in 0..<text.count where text[index] | 0x20 != word.utf8Start[index] { return false }
    return true
  }

  private static func isHexadecimalFloat(_ text: UTF8Bytes) -> Bool {
    var index = text.first == 0x2B || text.first == 0x2D ? 1 : 0
    guard index &+ 2 < text.count, text[index] == 0x30, text[index &+ 1] | 0x20 == 0x78
    else { return false }
    index &+= 2
    var digits = 0
    var points = 0
    while index < text.count {
      let byte = text[index]
      if byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6 {
        digits &+= 1
      } else if byte == 0x2E, points == 0 {
        points = 1
      } else {
        break
      }
      index &+= 1
    }
    guard digits > 0, index < text.count, text[index] | 0x20 == 0x70 else { return false }
    index &+= 1
    if index < text.count, text[index] == 0x2B || text[index] == 0x2D { index &+= 1 }
    guard index < text.count else { return false }
    return text[index...].allSatisfy { $0 &- 0x30 < 10 }
  }
}
