/// How an engine computes on 64-bit words that wrap around, for the deterministic choice of variants.
///
/// No engine multiplies words modulo 2⁶⁴ without an error or a widening, so products are put together
/// from parts that fit. A word is an expression without side effects; it is written more than once.
struct SQLHashing: Sendable {
  /// A word from its decimal digits, unsigned or signed, at `#1`.
  var literal: String
  /// Whether words are written as signed numbers.
  var isSigned: Bool
  /// `#1` exclusive-or `#2`.
  var exclusiveOr: String
  /// `#1` shifted by `#2` bits; zeros come in from the left as well.
  var shiftLeft: String
  var shiftRight: String
  /// The text `#1` in UTF-8, as hexadecimal digits.
  var digitsOfText: String
  /// The bytes of `#1`, which is such digits, as a list of words. There are some.
  var bytesOfDigits: String
  /// A list of words, from `#1`, separated by commas.
  var list: String
  /// `#1`, a list, folded from `#2` on; `h` and `b` are the variables of the body `#3`.
  var fold: String
  /// The word `#1`, which is odd, as a double. It may be off by one unit in the last place.
  var oddToDouble: String
  /// The binary logarithm of `#1`.
  var binaryLogarithm: String

  private func fill(_ template: String, _ operands: String...) -> String {
    var result = ""
    var rest = Substring(template)
    while let mark = rest.firstIndex(of: "#") {
      result += rest[..<mark]
      rest = rest[rest.index(after: mark)...]
      if let digit = rest.first?.wholeNumberValue, digit <= operands.count {
        result += operands[digit - 1]
        rest = rest.dropFirst()
      }
    }
    return result + rest
  }

  private func word(_ value: UInt64) -> String {
    let digits = isSigned ? "\(Int64(bitPattern: value))" : "\(value)"
    return fill(literal, digits)
  }

  private func shift(_ word: String, left count: Int) -> String {
    fill(shiftLeft, word, "\(count)")
  }
  private func shift(_ word: String, right count: Int) -> String {
    fill(shiftRight, word, "\(count)")
  }
  private func low(_ value: String) -> String { "(\(value) & \(word(0xFFFF_FFFF)))" }

  /// Returns `word` times the prime of FNV-1a, 2⁴⁰ + 435.
  private func timesPrime(_ value: String) -> String {
    let low435 = "(\(low(value)) * 435)"
    let rest = shift("(\(value) & \(word(0xFF_FFFF)))", left: 8)
    let high = low("(\(shift(value, right: 32)) * 435 + \(shift(low435, right: 32)) + \(rest))")
    return "(\(shift(high, left: 32)) | \(low(low435)))"
  }

  /// Returns a word times a constant. No partial product has more than 51 bits.
  private func times(_ value: String, _ factor: UInt64) -> String {
    let parts = (0..<4).map { word((factor >> (16 * UInt64($0))) & 0xFFFF) }
    let (x, y) = (low(value), shift(value, right: 32))
    // The low 32 bits of the product, with their carry, then the high ones modulo 2³².
    let second = "(\(x) * \(parts[1]))"
    let low32 = "(\(x) * \(parts[0]) + \(shift("(\(second) & \(word(0xFFFF)))", left: 16)))"
    let third = low("(\(x) * \(parts[2]))")
    let fourth = shift("((\(x) * \(parts[3])) & \(word(0xFFFF)))", left: 16)
    let fifth = low("(\(y) * \(parts[0]))")
    let sixth = shift("((\(y) * \(parts[1])) & \(word(0xFFFF)))", left: 16)
    let carry = "\(shift(low32, right: 32)) + \(shift(second, right: 16))"
    let high = low("(\(carry) + \(third) + \(fourth) + \(fifth) + \(sixth))")
    return "(\(shift(high, left: 32)) | \(low(low32)))"
  }

  private var step: String { timesPrime(fill(exclusiveOr, "h", "b")) }

  /// Returns the digits of a text, for ``unitHash(_:)``.
  func digits(_ text: String) -> String { fill(digitsOfText, text) }

  /// Returns the hash of a text, given as its digits, and the byte after it.
  func unitHash(_ digits: String) -> String {
    let hash = fill(fold, fill(bytesOfDigits, digits), word(0xCBF2_9CE4_8422_2325), step)
    return hashing([0xFF], from: hash)
  }

  /// Returns a hash continued with constant bytes.
  func hashing(_ bytes: [UInt8], from hash: String) -> String {
    let words = bytes.map { word(UInt64($0)) }.joined(separator: ", ")
    return fill(fold, fill(list, words), hash, step)
  }

  /// Returns the first and the second multiplication of the finalizer.
  func mixedOnce(_ hash: String) -> String {
    times("(\(fill(exclusiveOr, hash, shift(hash, right: 30))))", 0xBF58_476D_1CE4_E5B9)
  }
  func mixedTwice(_ hash: String) -> String {
    times("(\(fill(exclusiveOr, hash, shift(hash, right: 27))))", 0x94D0_49BB_1331_11EB)
  }

  /// Returns the cost of a hash after both multiplications: −log₂ of its share of 2⁶⁴, times 2³².
  /// The matcher's cost is a whole number that differs by less than ``costError``.
  func cost(_ hash: String) -> String {
    let last = "(\(fill(exclusiveOr, hash, shift(hash, right: 31))))"
    let odd = fill(oddToDouble, "(\(last) | \(word(1)))")
    return "(64 - \(fill(binaryLogarithm, odd))) * 4294967296"
  }

  /// More than what rounding up (1), the matcher's repeated squaring (1) and the double logarithm
  /// (2⁻¹²) add up to.
  static let costError = 4.0
}
