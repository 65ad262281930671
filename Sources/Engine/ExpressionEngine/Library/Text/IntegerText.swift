/// The reason why a text is not a number.
enum NumberTextError: Error, Hashable {
  /// The text is empty.
  case empty
  /// A character does not belong to the grammar.
  case invalid
  /// The number is larger than the largest one of the type.
  case tooLarge
  /// The number is smaller than the smallest one of the type.
  case tooSmall
}

/// Conversion between integers and text.
enum IntegerText {
  /// Parses an optional sign and decimal digits: Rust's `parse::<i64>` and the cel dialect's
  /// `int()`.
  static func parseInt(_ text: UTF8Bytes) throws(NumberTextError) -> Int64 {
    guard let first = text.first else { throw .empty }
    let isNegative = first == UInt8(ascii: "-")
    let start = isNegative || first == UInt8(ascii: "+") ? 1 : 0
    guard start < text.count else { throw .invalid }
    let bound: UInt64 = isNegative ? 1 << 63 : (1 << 63) - 1
    let magnitude: UInt64
    do {
      magnitude = try digits(text, from: start, bound: bound)
    } catch {
      throw error == .tooLarge && isNegative ? .tooSmall : error
    }
    return Int64(truncatingIfNeeded: isNegative ? 0 &- magnitude : magnitude)
  }

  /// Parses decimal digits: Rust's `parse::<u64>`, or the cel dialect's `uint()`.
  ///
  /// - Parameter allowsPlus: Whether a leading `+` is allowed (superscript) or an error (cel).
  static func parseUInt(_ text: UTF8Bytes, allowsPlus: Bool) throws(NumberTextError) -> UInt64 {
    guard let first = text.first else { throw .empty }
    let start = allowsPlus && first == UInt8(ascii: "+") ? 1 : 0
    guard start < text.count else { throw .invalid }
    return try digits(text, from: start, bound: .max)
  }

  private static func digits(
    _ text: UTF8Bytes, from start: Int, bound: UInt64
  ) throws(NumberTextError) -> UInt64 {
    var value: UInt64 = 0
    for index in start..<text.count {
      let digit = text[index] &- 0x30
      guard digit < 10 else { throw .invalid }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      guard !overflow, !carry, sum <= bound else { throw .tooLarge }
      value = sum
    }
    return value
  }

  /// Appends an unsigned integer.
  ///
  /// - Parameters:
  ///   - radix: 2 ... 16.
  ///   - uppercase: Whether hexadecimal digits are upper case.
  ///   - minimumDigits: The minimum number of digits, reached with leading zeros.
  static func append(
    _ value: UInt64, radix: UInt64 = 10, uppercase: Bool = false, minimumDigits: Int = 1,
    to output: inout [UInt8]
  ) {
    var count = 1
    var rest = value / radix
    while rest != 0 {
      rest /= radix
      count &+= 1
    }
    count = max(count, minimumDigits)
    output.append(contentsOf: repeatElement(0x30, count: count))
    let letters: UInt8 = uppercase ? 0x37 : 0x57
    var index = output.count
    rest = value
    while rest != 0 {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: radix)
      index &-= 1
      output[index] = UInt8(truncatingIfNeeded: digit) &+ (digit < 10 ? 0x30 : letters)
      rest = quotient
    }
  }

  /// Appends a signed integer. In every radix, a negative one has `-` before its digits.
  static func append(
    _ value: Int64, radix: UInt64 = 10, uppercase: Bool = false, to output: inout [UInt8]
  ) {
    if value < 0 { output.append(UInt8(ascii: "-")) }
    append(value.magnitude, radix: radix, uppercase: uppercase, to: &output)
  }
}
