extension JSONScanner {
  /// The value of the current `int` token.
  package var intValue: Int64 { Int64(bitPattern: numberBits) }

  /// The value of the current `uint` token, or of an `int` token that is not negative.
  package var uintValue: UInt64 { numberBits }

  /// The value of the current `double` token.
  package var doubleValue: Double { Double(bitPattern: numberBits) }

  /// Returns the value of the current `int`, `uint` or `double` token as a double.
  package func number(of token: JSONToken) -> Double {
    switch token {
    case .int: Double(intValue)
    case .uint: Double(uintValue)
    default: doubleValue
    }
  }

  /// Whether the current number is written as the integer `-0`.
  ///
  /// The scanner delivers it as `int` 0; the reference evaluator reads it as the double -0.0.
  package var isNegativeZero: Bool { numberIsInteger && numberIsNegative && numberBits == 0 }

  /// Scans a number at the current position.
  mutating func scanNumber() throws(JSONError) -> JSONToken {
    numberIsNegative = bytes[position] == UInt8(ascii: "-")
    if numberIsNegative { position &+= 1 }
    var decimal = Decimal()
    let first = position
    position = scanDigits(from: first, &decimal, isFraction: false)
    guard position > first else { throw numberError("expected a digit") }
    if position &- first > 1, bytes[first] == UInt8(ascii: "0") {
      position = first &+ 1
      throw numberError("a number cannot start with a zero")
    }
    let next = position < bytes.count ? bytes[position] : 0
    numberIsInteger = next != UInt8(ascii: ".") && next | 0x20 != UInt8(ascii: "e")
    if numberIsInteger { return try finishInteger(decimal) }
    if next == UInt8(ascii: ".") {
      let fraction = position &+ 1
      position = scanDigits(from: fraction, &decimal, isFraction: true)
      guard position > fraction else { throw numberError("expected a digit after `.`") }
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      decimal.exponent &+= try scanExponent()
    }
    return try finishDouble(decimal)
  }

  /// The digits of a number: `significand` × 10^`exponent`.
  struct Decimal {
    /// The leading digits, as many as fit 64 bits.
    var significand: UInt64 = 0
    /// The power of ten.
    var exponent = 0
    /// Whether digits other than those in `significand` were dropped.
    var isTruncated = false

    /// Appends a digit. Returns `false`, without changes, if it does not fit.
    @inline(__always)
    mutating func append(_ digit: UInt8) -> Bool {
      if significand < 1_000_000_000_000_000_000 {
        significand = significand &* 10 &+ UInt64(digit)
        return true
      }
      let (product, overflow) = significand.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      if overflow || carry || isTruncated { return false }
      significand = sum
      return true
    }
  }

  /// Appends the digits from `start` on to a number and returns the position after them.
  @inline(__always)
  private func scanDigits(from start: Int, _ decimal: inout Decimal, isFraction: Bool) -> Int {
    var index = start
    while let digit = digit(at: index) {
      let fits = decimal.append(digit)
      if !fits { decimal.isTruncated = true }
      // A digit of the fraction that fits, or one of the integer part that does not, moves the
      // point.
      if fits == isFraction { decimal.exponent &+= isFraction ? -1 : 1 }
      index &+= 1
    }
    return index
  }

  /// Reads the exponent at the current position.
  private mutating func scanExponent() throws(JSONError) -> Int {
    position &+= 1
    var isNegative = false
    if position < bytes.count,
      bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
    {
      isNegative = bytes[position] == UInt8(ascii: "-")
      position &+= 1
    }
    guard digit(at: position) != nil else { throw numberError("expected a digit in the exponent") }
    var exponent = 0
    while let digit = digit(at: position) {
      // Ten digits are more than any double needs; further ones only preserve the magnitude.
      if exponent < 1_000_000_000 { exponent = exponent &* 10 &+ Int(digit) }
      position &+= 1
    }
    return isNegative ? 0 &- exponent : exponent
  }

  @inline(__always)
  private func digit(at index: Int) -> UInt8? {
    guard index < bytes.count else { return nil }
    let value = bytes[index] &- UInt8(ascii: "0")
    return value < 10 ? value : nil
  }

  private mutating func finishInteger(_ decimal: Decimal) throws(JSONError) -> JSONToken {
    if !decimal.isTruncated {
      let magnitude = decimal.significand
      if numberIsNegative {
        if magnitude <= UInt64(1) << 63 {
          numberBits = 0 &- magnitude
          return .int
        }
      } else {
        numberBits = magnitude
        return magnitude <= UInt64(Int64.max) ? .int : .uint
      }
    }
    return try finishDouble(decimal)
  }

  private mutating func finishDouble(_ decimal: Decimal) throws(JSONError) -> JSONToken {
    if isSkipping { return .double }
    let magnitude: Double?
    if let exact = decimal.exactDouble {
      magnitude = exact
    } else {
      switch options.doubles {
      case .nearest: magnitude = nearestMagnitude()
      case .scaled: magnitude = decimal.scaledDouble()
      }
    }
    guard let magnitude, magnitude.isFinite else {
      throw errorAtToken(.numberOutOfRange, "the number is too large for a double")
    }
    numberBits = (numberIsNegative ? -magnitude : magnitude).bitPattern
    return .double
  }

  /// Returns the double nearest to the digits of the current token, without the sign.
  private func nearestMagnitude() -> Double? {
    let start = numberIsNegative ? tokenStart &+ 1 : tokenStart
    return Double(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private func numberError(_ message: String) -> JSONError {
    position < bytes.count
      ? error(.invalidNumber, "\(message), found \(characterPhrase)")
      : error(.unexpectedEnd, "\(message), found the end of the text")
  }
}

extension JSONScanner.Decimal {
  /// The double, if the significand and the power of ten are both exact doubles, so that one
  /// operation rounds correctly (Clinger's fast path).
  @inline(__always)
  var exactDouble: Double? {
    guard !isTruncated, significand <= 1 << 53, exponent >= -22, exponent <= 22 else { return nil }
    let value = Double(significand)
    return exponent >= 0 ? value * Self.tens[exponent] : value / Self.tens[0 &- exponent]
  }

  /// Returns the double that scaling by powers of ten yields, or `nil` if it is too large.
  ///
  /// Digits that do not fit 64 bits count as zeros. Below 10^-308 it divides by 10^308 repeatedly.
  func scaledDouble() -> Double? {
    var value = Double(significand)
    var exponent = exponent
    while exponent < -308 {
      if value == 0 { return value }
      value /= 1e308
      exponent &+= 308
    }
    if value == 0 { return value }
    if exponent > 308 { return nil }
    value = exponent >= 0 ? value * Self.ten(exponent) : value / Self.ten(0 &- exponent)
    return value.isFinite ? value : nil
  }

  private static let tens: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Returns 10^`exponent`, rounded to nearest, for 0 ... 308.
  private static func ten(_ exponent: Int) -> Double {
    exponent <= 22 ? tens[exponent] : Double("1e\(exponent)") ?? .infinity
  }
}
