/// The reason why a text is not a duration.
enum DurationTextError: Error, Hashable {
  /// A number was expected at the offset.
  case number(offset: Int)
  /// The number at the offset has an exponent without digits; nothing can follow it.
  case exponent(offset: Int)
  /// A unit was expected at the offset.
  case unit(offset: Int)
  /// The text continues at the offset, where it should end.
  case trailing(offset: Int)
  /// The duration is out of range.
  case outOfRange
}

/// Conversion between durations and text for both dialects.
enum DurationText {
  private struct Unit {
    var nanoseconds: Int64
    var length: Int
  }

  /// Returns the unit that starts at `index`. Two-letter units are tried first, so that `ms` is not
  /// `m`.
  private static func unit(_ text: UTF8Bytes, at index: Int) -> Unit? {
    guard index < text.count else { return nil }
    let first = text[index]
    if index &+ 1 < text.count, text[index &+ 1] == UInt8(ascii: "s") {
      switch first {
      case UInt8(ascii: "m"): return Unit(nanoseconds: 1_000_000, length: 2)
      case UInt8(ascii: "u"): return Unit(nanoseconds: 1_000, length: 2)
      case UInt8(ascii: "n"): return Unit(nanoseconds: 1, length: 2)
      default: break
      }
    }
    switch first {
    case UInt8(ascii: "h"): return Unit(nanoseconds: 3_600_000_000_000, length: 1)
    case UInt8(ascii: "m"): return Unit(nanoseconds: 60_000_000_000, length: 1)
    case UInt8(ascii: "s"): return Unit(nanoseconds: 1_000_000_000, length: 1)
    default: return nil
    }
  }

  /// Parses as superscript does (docs/spec/superscript.md §13).
  ///
  /// Numbers have their own sign, fraction and exponent (`1h-30m` is half an hour). After one
  /// number with its unit, parsing stops without an error at the first text that is not another
  /// number.
  static func parseSuperscript(_ text: UTF8Bytes) throws(DurationTextError) -> Value.Duration {
    let isNegative = text.first == UInt8(ascii: "-")
    var index = isNegative ? 1 : 0
    if text.count == index &+ 1, text[index] == UInt8(ascii: "0") {
      return Value.Duration(seconds: 0)
    }
    var total = Value.Duration(seconds: 0)
    var count = 0
    while true {
      let number: Double
      let end: Int
      if let scan = DoubleText.scanDecimal(text, from: index) {
        if scan.hasDanglingExponent { throw .exponent(offset: index) }
        number = DoubleText.value(of: scan, in: text, from: index)
        end = scan.end
      } else if let word = word(text, at: index) {
        number = word
        end = index &+ 3
      } else {
        if count == 0 { throw .number(offset: index) }
        break
      }
      guard let unit = unit(text, at: end) else {
        if count == 0 { throw .unit(offset: end) }
        break
      }
      let part = Value.Duration(nanoseconds: saturating(number * Double(unit.nanoseconds)))
      guard let sum = TimeArithmetic.add(total, part, rules: .superscript)
      else { throw .outOfRange }
      total = sum
      count &+= 1
      index = end &+ unit.length
    }
    guard let duration = isNegative ? total.negated : total else { throw .outOfRange }
    return duration
  }

  /// Returns the value of a word that the reference's number parser accepts: `nan` or `inf`.
  private static func word(_ text: UTF8Bytes, at index: Int) -> Double? {
    guard index >= 0, text.count &- index >= 3 else { return nil }
    let three = UTF8Bytes(rebasing: text[index..<index &+ 3])
    if DoubleText.matches(three, "nan") { return .nan }
    if DoubleText.matches(three, "inf") { return .infinity }
    return nil
  }

  /// Converts as Rust's `as i64` does: towards zero, to the nearest bound, 0 for NaN.
  static func saturating(_ value: Double) -> Int64 {
    if value.isNaN { return 0 }
    if value >= 0x1p63 { return .max }
    if value < -0x1p63 { return .min }
    return Int64(value)
  }

  /// Parses as the cel dialect does (docs/spec/cel.md §12.1): one sign at the beginning, units in
  /// any order, digits below a nanosecond truncated, ±(2^63-1) nanoseconds.
  static func parseCEL(_ text: UTF8Bytes) throws(DurationTextError) -> Value.Duration {
    let isNegative = text.first == UInt8(ascii: "-")
    var index = isNegative || text.first == UInt8(ascii: "+") ? 1 : 0
    if text.count == index &+ 1, text[index] == UInt8(ascii: "0") {
      return Value.Duration(seconds: 0)
    }
    var total: Int64 = 0
    repeat {
      let (sum, overflow) = total.addingReportingOverflow(try celPart(text, &index))
      if overflow { throw .outOfRange }
      total = sum
    } while index < text.count
    return Value.Duration(nanoseconds: isNegative ? -total : total)
  }

  /// Reads one number with its unit in nanoseconds, never less than zero.
  private static func celPart(
    _ text: UTF8Bytes, _ index: inout Int
  ) throws(DurationTextError) -> Int64 {
    let start = index
    var whole: UInt64 = 0
    var isTooLarge = false
    var fraction: UInt64 = 0
    var scale: UInt64 = 1
    var digits = 0
    while index < text.count, text[index] &- 0x30 < 10 {
      let (product, overflow) = whole.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(text[index] &- 0x30))
      if overflow || carry { isTooLarge = true }
      whole = sum
      digits &+= 1
      index &+= 1
    }
    if index < text.count, text[index] == 0x2E {
      index &+= 1
      while index < text.count, text[index] &- 0x30 < 10 {
        // Eighteen digits are finer than a nanosecond in every unit.
        if scale < 1_000_000_000_000_000_000 {
          fraction = fraction &* 10 &+ UInt64(text[index] &- 0x30)
          scale &*= 10
        }
        digits &+= 1
        index &+= 1
      }
    }
    guard digits > 0 else { throw .number(offset: start) }
    guard let unit = unit(text, at: index) else { throw .unit(offset: index) }
    index &+= unit.length
    let size = UInt64(unit.nanoseconds)
    let (product, overflow) = whole.multipliedReportingOverflow(by: size)
    // The fraction is less than its scale, so the quotient is less than the unit.
    let part = scale.dividingFullWidth(fraction.multipliedFullWidth(by: size)).quotient
    let (sum, carry) = product.addingReportingOverflow(part)
    guard !isTooLarge, !overflow, !carry, let nanoseconds = Int64(exactly: sum)
    else { throw .outOfRange }
    return nanoseconds
  }

  /// Appends the form of `string()` of superscript: `1h30m0s`, `1.5ms`, `1µs`, `0s`.
  ///
  /// A negative duration prints as the two's complement of its nanoseconds with a minus sign, as
  /// the reference does (`-5124094h34m33.709551616s` for minus one hour).
  static func appendSuperscript(_ duration: Value.Duration, to output: inout [UInt8]) {
    if duration.seconds < 0 { output.append(UInt8(ascii: "-")) }
    var rest: UInt64
    if let exact = duration.totalNanoseconds {
      rest = UInt64(bitPattern: exact)
    } else {
      // Beyond 64 bits the reference counts whole seconds and wraps around.
      rest = UInt64(bitPattern: duration.value(of: .seconds)) &* 1_000_000_000
    }
    if rest == 0 {
      output.append(contentsOf: "0s".utf8)
      return
    }
    if rest < 1_000_000_000 {
      let unit: (size: UInt64, digits: Int, name: StaticString) =
        rest < 1_000 ? (1, 0, "ns") : rest < 1_000_000 ? (1_000, 3, "µs") : (1_000_000, 6, "ms")
      IntegerText.append(rest / unit.size, to: &output)
      appendFraction(rest % unit.size, digits: unit.digits, to: &output)
      output.append(
        contentsOf: UTF8Bytes(start: unit.name.utf8Start, count: unit.name.utf8CodeUnitCount))
      return
    }
    let fraction = rest % 1_000_000_000
    rest /= 1_000_000_000
    if rest >= 3_600 {
      IntegerText.append(rest / 3_600, to: &output)
      output.append(UInt8(ascii: "h"))
    }
    if rest >= 60 {
      IntegerText.append(rest / 60 % 60, to: &output)
      output.append(UInt8(ascii: "m"))
    }
    IntegerText.append(rest % 60, to: &output)
    appendFraction(fraction, digits: 9, to: &output)
    output.append(UInt8(ascii: "s"))
  }

  private static func appendFraction(_ value: UInt64, digits: Int, to output: inout [UInt8]) {
    guard value != 0 else { return }
    output.append(0x2E)
    IntegerText.append(value, minimumDigits: digits, to: &output)
    while output.last == 0x30 { output.removeLast() }
  }

  /// Appends the form of `string()` and `%s` of the cel dialect: decimal seconds and `s`, with as
  /// many fraction digits as needed (`60.001s`, `-0.5s`).
  static func appendCEL(_ duration: Value.Duration, to output: inout [UInt8]) {
    if duration.seconds < 0 { output.append(UInt8(ascii: "-")) }
    let (seconds, rest) = duration.truncated
    IntegerText.append(seconds.magnitude, to: &output)
    TimestampText.appendFraction(Int(rest.magnitude), to: &output)
    output.append(UInt8(ascii: "s"))
  }

  /// Appends Rust's debug form, which error texts of the reference use.
  static func appendSuperscriptDebug(_ duration: Value.Duration, to output: inout [UInt8]) {
    output.append(
      contentsOf: "TimeDelta { secs: \(duration.seconds), nanos: \(duration.nanoseconds) }".utf8)
  }
}
