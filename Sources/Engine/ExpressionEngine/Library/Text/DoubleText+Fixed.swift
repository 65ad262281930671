/// The exact decimal expansion of a double, as far as rounding needs it.
///
/// Every double is m · 2^e and therefore has a finite decimal expansion (at most 309 digits before
/// the point and 1,074 after it). Rounding it is exact, independently of the C library and the
/// locale.
private struct ExactDecimal {
  /// Digits 0 ... 9, the ones before the point first; without leading zeros before the point.
  var digits: [UInt8] = []
  /// The number of `digits` before the point.
  var integerCount = 0
  /// Whether a nonzero digit follows the last digit.
  var hasRemainder = false

  /// Expands a finite magnitude.
  ///
  /// - Parameters:
  ///   - fractionDigits: The minimum number of digits after the point, unless the expansion ends
  ///     earlier.
  ///   - significantDigits: The minimum number of digits from the first one that is not zero.
  init(_ magnitude: Double, fractionDigits: Int, significantDigits: Int) {
    let isSubnormal = magnitude.exponentBitPattern == 0
    let mantissa =
      magnitude.significandBitPattern | (isSubnormal ? 0 : 1 << UInt64(Double.significandBitCount))
    let exponent = (isSubnormal ? 1 : Int(magnitude.exponentBitPattern)) - 1_075
    expandInteger(mantissa, exponent)
    integerCount = digits.count
    if exponent < 0 {
      expandFraction(mantissa, exponent, fractionDigits, significantDigits)
    }
  }

  private mutating func expandInteger(_ mantissa: UInt64, _ exponent: Int) {
    if exponent <= 0 {
      var rest = exponent > -64 ? mantissa >> UInt64(0 - exponent) : 0
      while rest != 0 {
        digits.append(UInt8(rest % 10))
        rest /= 10
      }
      digits.reverse()
      return
    }
    // Limbs of nine digits, the lowest first; each doubling step moves at most 29 bits, so that
    // limb · 2^29 + carry fits into 64 bits.
    var limbs: [UInt64] = [mantissa % 1_000_000_000, mantissa / 1_000_000_000]
    var shift = exponent
    while shift > 0 {
      let bits = min(shift, 29)
      var carry: UInt64 = 0
      for index in limbs.indices {
        let value = limbs[index] << UInt64(bits) + carry
        limbs[index] = value % 1_000_000_000
        carry = value / 1_000_000_000
      }
      while carry != 0 {
        limbs.append(carry % 1_000_000_000)
        carry /= 1_000_000_000
      }
      shift -= bits
    }
    while limbs.last == 0 { limbs.removeLast() }
    for (index, limb) in limbs.reversed().enumerated() {
      appendDigits(of: limb, padded: index != 0)
    }
  }

  private mutating func appendDigits(of limb: UInt64, padded: Bool) {
    var divisor: UInt64 = 100_000_000
    var isLeading = !padded
    while divisor != 0 {
      let digit = UInt8(limb / divisor % 10)
      if digit != 0 { isLeading = false }
      if !isLeading { digits.append(digit) }
      divisor /= 10
    }
  }

  private mutating func expandFraction(
    _ mantissa: UInt64, _ exponent: Int, _ fractionDigits: Int, _ significantDigits: Int
  ) {
    let bits = 0 - exponent
    let numerator = bits >= 64 ? mantissa : mantissa & ((1 << UInt64(bits)) - 1)
    guard numerator != 0 else { return }
    // The fraction is numerator / 2^bits, stored as 32-bit words, lowest first, with the point
    // above the highest. After multiplying by 10^9, the carry past the point is the next nine
    // digits.
    let count = (bits + 31) / 32
    let padding = UInt64(count * 32 - bits)
    var words = [UInt64](repeating: 0, count: max(count, 3))
    let low = numerator << padding
    words[0] = low & 0xFFFF_FFFF
    words[1] = low >> 32
    if padding > 0 { words[2] = numerator >> (64 - padding) }
    words.removeLast(words.count - count)
    var firstNonzero = digits.isEmpty ? Int.max : 0
    var isDone = false
    while !isDone {
      var carry: UInt64 = 0
      var rest: UInt64 = 0
      for index in words.indices {
        let value = words[index] * 1_000_000_000 + carry
        words[index] = value & 0xFFFF_FFFF
        rest |= words[index]
        carry = value >> 32
      }
      appendDigits(of: carry, padded: true)
      if firstNonzero == .max, carry != 0 {
        firstNonzero = digits.firstIndex { $0 != 0 } ?? 0
      }
      hasRemainder = rest != 0
      let hasEnough =
        digits.count - integerCount >= fractionDigits
        && firstNonzero != .max && digits.count - firstNonzero >= significantDigits
      let fixedIsEnough =
        significantDigits == 0 && digits.count - integerCount >= fractionDigits
      isDone = !hasRemainder || hasEnough || fixedIsEnough
    }
  }

  /// Cuts the digits to `count`, rounding half to even; pads with zeros.
  mutating func round(to count: Int) {
    guard digits.count > count else {
      digits.append(contentsOf: repeatElement(0, count: count - digits.count))
      return
    }
    let next = digits[count]
    let isAboveHalf =
      next > 5
      || next == 5 && (hasRemainder || digits[(count + 1)...].contains { $0 != 0 })
    let isOdd = count > 0 && digits[count - 1] % 2 == 1
    digits.removeLast(digits.count - count)
    guard isAboveHalf || next == 5 && isOdd else { return }
    var index = count
    while index > 0 {
      index -= 1
      if digits[index] < 9 {
        digits[index] += 1
        return
      }
      digits[index] = 0
    }
    digits.insert(1, at: 0)
    integerCount += 1
  }
}

extension DoubleText {
  /// The largest precision of ``appendFixed(_:precision:to:)`` and
  /// ``appendScientific(_:precision:to:)`` (docs/spec/cel.md §18).
  static let maximumPrecision = 1_000

  /// Appends `%.Nf`: N digits after the point, rounded half to even on the exact binary value.
  ///
  /// - Parameter precision: Clamped to 0 ... ``maximumPrecision``; the caller reports larger ones.
  static func appendFixed(_ value: Double, precision: Int, to output: inout [UInt8]) {
    guard value.isFinite else { return appendCELFormat(value, to: &output) }
    let places = min(max(precision, 0), maximumPrecision)
    if value.sign == .minus { output.append(UInt8(ascii: "-")) }
    var decimal = ExactDecimal(
      value.magnitude, fractionDigits: places + 1, significantDigits: 0)
    decimal.round(to: decimal.integerCount + places)
    if decimal.integerCount == 0 { output.append(0x30) }
    appendDigits(decimal.digits, point: decimal.integerCount, to: &output)
  }

  /// Appends `%.Ne`: one digit, N digits after the point and an exponent of at least two digits,
  /// rounded half to even on the exact binary value.
  ///
  /// - Parameter precision: Clamped to 0 ... ``maximumPrecision``; the caller reports larger ones.
  static func appendScientific(_ value: Double, precision: Int, to output: inout [UInt8]) {
    guard value.isFinite else { return appendCELFormat(value, to: &output) }
    let places = min(max(precision, 0), maximumPrecision)
    if value.sign == .minus { output.append(UInt8(ascii: "-")) }
    var decimal = ExactDecimal(
      value.magnitude, fractionDigits: 0, significantDigits: places + 2)
    let leadingZeros = decimal.digits.prefix { $0 == 0 }.count
    let isZero = leadingZeros == decimal.digits.count
    decimal.digits.removeFirst(leadingZeros)
    decimal.integerCount -= leadingZeros
    decimal.round(to: places + 1)
    // A carry out of the first digit has added a digit, and the last one is a zero.
    if decimal.digits.count > places + 1 { decimal.digits.removeLast() }
    appendDigits(decimal.digits, point: 1, to: &output)
    appendExponent(
      isZero ? 0 : decimal.integerCount - 1, signsExponent: true, digits: 2, to: &output)
  }

  private static func appendDigits(_ digits: [UInt8], point: Int, to output: inout [UInt8]) {
    for (index, digit) in digits.enumerated() {
      if index == point { output.append(0x2E) }
      output.append(0x30 + digit)
    }
  }
}
