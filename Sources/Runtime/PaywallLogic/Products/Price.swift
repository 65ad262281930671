/// An amount of money as an exact decimal number.
public struct Price: Sendable, Hashable {
  /// The amount in units of `10^-fractionDigits`.
  public let units: Int64
  /// The number of digits after the decimal point: 0 ... 18.
  public let fractionDigits: Int

  /// Creates an amount, `Price(units: 499, fractionDigits: 2)` for 4.99.
  ///
  /// - Parameters:
  ///   - units: The amount in the smallest unit.
  ///   - fractionDigits: Clamped to 0 ... 18.
  public init(units: Int64, fractionDigits: Int = 2) {
    self.units = units
    self.fractionDigits = min(max(fractionDigits, 0), 18)
  }

  /// Nothing.
  public static let zero = Price(units: 0)

  /// Reads an amount such as `4.99`, `-3` or `0.5`; `nil` for anything else, and for an amount with
  /// more than 18 digits.
  public init?(_ text: String) {
    var digits = text.utf8[...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits = digits.dropFirst() }
    let parts = digits.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, !whole.isEmpty, parts.count == 1 || !parts[1].isEmpty else {
      return nil
    }
    let fraction = parts.count == 2 ? Array(parts[1]) : []
    guard whole.count + fraction.count <= 18 else { return nil }
    var units: Int64 = 0
    for byte in Array(whole) + fraction {
      guard (0x30...0x39).contains(byte) else { return nil }
      units = units * 10 + Int64(byte - 0x30)
    }
    self.init(units: isNegative ? -units : units, fractionDigits: fraction.count)
  }

  /// The amount that a number of JSON shows: 9.99 is exactly 9.99 and not the binary fraction next to
  /// it. `nil` for a number that is not finite or has too many digits.
  public init?(_ number: Double) {
    self.init("\(number)")
  }

  /// The amount times `numerator / denominator`, rounded towards zero to a number of digits.
  ///
  /// - Parameters:
  ///   - numerator: The factor.
  ///   - denominator: The divisor.
  ///   - digits: The digits after the decimal point of the result: 0 ... 18.
  /// - Returns: `nil` when the denominator is zero or the result is too large.
  public func scaled(
    by numerator: Int64, over denominator: Int64, fractionDigits digits: Int = 2
  ) -> Price? {
    guard denominator != 0, (0...18).contains(digits) else { return nil }
    // In words, because 128-bit integers need iOS 18.
    var magnitude = WideMagnitude(units.magnitude)
    magnitude.multiply(by: numerator.magnitude)
    magnitude.multiply(by: powerOfTen(digits - fractionDigits))
    magnitude.divide(by: denominator.magnitude)
    magnitude.divide(by: powerOfTen(fractionDigits - digits))
    let isNegative = (units < 0) != ((numerator < 0) != (denominator < 0))
    guard let result = magnitude.integer(isNegative: isNegative) else { return nil }
    return Price(units: result, fractionDigits: digits)
  }
}

/// 10 to the power of a number up to 18, or 1 for negative ones.
private func powerOfTen(_ exponent: Int) -> UInt64 {
  (0..<max(exponent, 0)).reduce(1) { power, _ in power * 10 }
}

/// A natural number of any size.
private struct WideMagnitude {
  /// The digits to the base of 2⁶⁴, the lowest first.
  private var words: [UInt64]

  init(_ word: UInt64) { words = [word] }

  mutating func multiply(by factor: UInt64) {
    var carry: UInt64 = 0
    for index in words.indices {
      let product = words[index].multipliedFullWidth(by: factor)
      let (low, overflow) = product.low.addingReportingOverflow(carry)
      words[index] = low
      // The high word of a product is less than 2⁶⁴ - 1.
      carry = product.high + (overflow ? 1 : 0)
    }
    words.append(carry)
  }

  /// Divides by a number that is not 0, rounding down.
  mutating func divide(by divisor: UInt64) {
    var remainder: UInt64 = 0
    for index in words.indices.reversed() {
      (words[index], remainder) = divisor.dividingFullWidth((remainder, words[index]))
    }
  }

  /// Returns the number with a sign, or `nil` if it is too large.
  func integer(isNegative: Bool) -> Int64? {
    guard words.dropFirst().allSatisfy({ $0 == 0 }), let word = words.first else { return nil }
    if !isNegative { return Int64(exactly: word) }
    return word <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- word) : nil
  }
}

extension Price: CustomStringConvertible {
  /// The amount with all its digits, such as `4.99`.
  public var description: String {
    guard fractionDigits > 0 else { return String(units) }
    let digits = String(units.magnitude)
    let padding = String(repeating: "0", count: max(0, fractionDigits + 1 - digits.count))
    let padded = padding + digits
    return (units < 0 ? "-" : "") + padded.dropLast(fractionDigits) + "."
      + padded.suffix(fractionDigits)
  }
}
