/// The shortest decimal digits that read back as a given finite double.
struct ShortestDecimal {
  /// The digits as one integer; at most seventeen digits, no trailing zeros (0 for zero).
  private(set) var digits: UInt64 = 0
  /// The number of digits: 1 ... 17.
  private(set) var count = 1
  /// The position of the decimal point: the value is 0.DIGITS × 10^point.
  private(set) var point = 1

  /// Finds the digits of the magnitude of a finite value.
  init(_ value: Double) {
    var text = value.magnitude.description
    text.withUTF8 { bytes in
      guard let scan = DoubleText.scanDecimal(bytes), scan.mantissa != 0 else { return }
      var mantissa = scan.mantissa
      var exponent = scan.exponent
      while mantissa % 10 == 0 {
        mantissa /= 10
        exponent &+= 1
      }
      digits = mantissa
      count = 0
      while mantissa != 0 {
        mantissa /= 10
        count &+= 1
      }
      point = count &+ exponent
    }
  }

  /// Appends the number without an exponent.
  ///
  /// - Parameter keepsFraction: Whether a whole number ends in `.0`.
  func appendPositional(keepsFraction: Bool = false, to output: inout [UInt8]) {
    if point <= 0 {
      output.append(contentsOf: [0x30, 0x2E])
      output.append(contentsOf: repeatElement(0x30, count: 0 &- point))
      IntegerText.append(digits, to: &output)
      return
    }
    let start = output.count
    IntegerText.append(digits, to: &output)
    if point < count {
      output.insert(0x2E, at: start &+ point)
    } else {
      output.append(contentsOf: repeatElement(0x30, count: point &- count))
      if keepsFraction { output.append(contentsOf: [0x2E, 0x30]) }
    }
  }

  /// Appends the number as `d.ddde±x`.
  ///
  /// - Parameters:
  ///   - signsExponent: Whether a positive exponent has a plus sign.
  ///   - exponentDigits: The smallest number of digits of the exponent.
  func appendScientific(signsExponent: Bool, exponentDigits: Int, to output: inout [UInt8]) {
    let start = output.count
    IntegerText.append(digits, to: &output)
    if count > 1 { output.insert(0x2E, at: start &+ 1) }
    DoubleText.appendExponent(
      point &- 1, signsExponent: signsExponent, digits: exponentDigits, to: &output)
  }
}

extension DoubleText {
  static func appendExponent(
    _ exponent: Int, signsExponent: Bool, digits: Int, to output: inout [UInt8]
  ) {
    output.append(UInt8(ascii: "e"))
    if exponent < 0 {
      output.append(UInt8(ascii: "-"))
    } else if signsExponent {
      output.append(UInt8(ascii: "+"))
    }
    IntegerText.append(
      UInt64(exponent.magnitude), minimumDigits: digits, to: &output)
  }

  /// Appends the name of a value that is not finite, or the sign of one that is.
  ///
  /// - Returns: Whether the value is finite, so that its digits must follow.
  private static func appendSign(
    _ value: Double, infinity: StaticString, plus: StaticString = "", to output: inout [UInt8]
  ) -> Bool {
    if value.isNaN {
      output.append(contentsOf: "NaN".utf8)
      return false
    }
    if value.isInfinite, value > 0 {
      output.append(contentsOf: UTF8Bytes(start: plus.utf8Start, count: plus.utf8CodeUnitCount))
    }
    if value.sign == .minus { output.append(UInt8(ascii: "-")) }
    if value.isInfinite {
      output.append(
        contentsOf: UTF8Bytes(start: infinity.utf8Start, count: infinity.utf8CodeUnitCount))
      return false
    }
    return true
  }

  /// Appends the form of `string()` of superscript: never an exponent, no fraction for a whole
  /// number, `-0`, `NaN`, `inf` (docs/spec/superscript.md §10).
  static func appendSuperscript(_ value: Double, to output: inout [UInt8]) {
    guard appendSign(value, infinity: "inf", to: &output) else { return }
    ShortestDecimal(value).appendPositional(to: &output)
  }

  /// Appends Rust's debug form, which error texts of the reference use: `2.5`, `1.0`, `1e21`,
  /// `inf`.
  static func appendSuperscriptDebug(_ value: Double, to output: inout [UInt8]) {
    guard appendSign(value, infinity: "inf", to: &output) else { return }
    let decimal = ShortestDecimal(value)
    let magnitude = value.magnitude
    if magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16) {
      decimal.appendPositional(keepsFraction: true, to: &output)
    } else {
      decimal.appendScientific(signsExponent: false, exponentDigits: 1, to: &output)
    }
  }

  /// Appends the form of `string()` of the cel dialect (docs/spec/cel.md §10): the shortest digits
  /// in the style of C's `%g`: `1`, `1e+06`, `1e-07`, `-0`, `NaN`, `+Inf`, `-Inf`.
  static func appendCEL(_ value: Double, to output: inout [UInt8]) {
    guard appendSign(value, infinity: "Inf", plus: "+", to: &output) else { return }
    let decimal = ShortestDecimal(value)
    let exponent = decimal.point &- 1
    if value != 0, exponent < -4 || exponent >= 6 {
      decimal.appendScientific(signsExponent: true, exponentDigits: 2, to: &output)
    } else {
      decimal.appendPositional(to: &output)
    }
  }

  /// Appends the form of `%s` and `%d` of the cel dialect's `format`: never an exponent, no
  /// fraction for a whole number, `NaN`, `Infinity`, `-Infinity` (docs/spec/cel.md §18).
  static func appendCELFormat(_ value: Double, to output: inout [UInt8]) {
    guard appendSign(value, infinity: "Infinity", to: &output) else { return }
    ShortestDecimal(value).appendPositional(to: &output)
  }
}
