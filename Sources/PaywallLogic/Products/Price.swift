/// An amount of money as an exact decimal number.
public struct Price: Sendable, Hashable {
  /// The amount in units of `10^-fractionDigits`.
  public let units: Int64
  /// How many digits stand after the decimal point: 0 ... 18.
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
    let product = Int128(units) * Int128(numerator)
    let (shifted, overflow) = product.multipliedReportingOverflow(by: powerOfTen(digits))
    guard !overflow else { return nil }
    let quotient = shifted / (Int128(denominator) * powerOfTen(fractionDigits))
    guard let result = Int64(exactly: quotient) else { return nil }
    return Price(units: result, fractionDigits: digits)
  }
}

/// 10 to the power of 0 ... 18.
private func powerOfTen(_ exponent: Int) -> Int128 {
  (0..<exponent).reduce(1) { power, _ in power * 10 }
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
