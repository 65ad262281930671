/// Chooses a variant by hash, so that the same unit gets the same variant on every device and in
/// every language, and so that changed weights move as few units as possible.
///
/// The scheme is weighted rendezvous hashing in whole numbers only:
///
/// 1. For each variant, `h` = 64-bit FNV-1a over the UTF-8 bytes of unit id, `0xFF`, experiment id,
///    `0xFF`, variant id (`0xFF` occurs in no UTF-8 text, so nothing can be confused).
/// 2. `x` = `h` through the finaliser: `x ^= x >> 30; x *= 0xBF58476D1CE4E5B9; x ^= x >> 27;
///    x *= 0x94D049BB133111EB; x ^= x >> 31` (unsigned, wrapping).
/// 3. `cost` = −log₂((x | 1) / 2⁶⁴) in fixed point with 32 fraction bits, found by repeated squaring
///    (``cost(of:)``).
/// 4. The variant with the largest `weight / cost` wins, compared exactly by cross multiplication;
///    equal ones go to the variant whose id sorts first by its bytes.
///
/// A variant of weight `w` gets a share of `w / Σw` of all units. When one weight grows, units only
/// move to that variant; when a variant is added, units only move to it. Negative weights count as
/// zero; if all are zero, each counts as one; a single variant is chosen whatever its weight.
public enum DeterministicBucketing {
  /// Chooses a variant for a unit.
  /// - Parameters:
  ///   - variants: The variants; their order does not matter.
  ///   - unitID: The unit to bucket, such as a user id.
  ///   - experimentID: The experiment; different ones are independent.
  /// - Returns: `nil` when there are no variants.
  public static func choose(
    from variants: [Variant], unitID: String, experimentID: String
  ) -> Variant? {
    chooseIndex(from: variants, unitID: unitID, experimentID: experimentID).map { variants[$0] }
  }

  /// The position of the variant that ``choose(from:unitID:experimentID:)`` chooses.
  static func chooseIndex(
    from variants: [Variant], unitID: String, experimentID: String
  ) -> Int? {
    guard variants.count > 1 else { return variants.isEmpty ? nil : 0 }
    var start = emptyHash
    add(unitID, to: &start)
    add(experimentID, to: &start)
    // Ten of the 32 bits of a logarithm decide all but one of some hundred choices.
    return chooseIndex(from: variants, start, bits: 10)
      ?? chooseIndex(from: variants, start, bits: 32)
  }

  /// Chooses by the first bits of the logarithms; `nil` if that takes more bits to tell.
  ///
  /// - Parameter start: The hash of the texts before the variant's id.
  private static func chooseIndex(
    from variants: [Variant], _ start: UInt64, bits: Int
  ) -> Int? {
    let error: UInt64 = bits == 32 ? 0 : 1 << UInt64(32 - bits)
    let allZero = variants.allSatisfy { $0.percentage <= 0 }
    var leader: (index: Int, weight: UInt64, cost: UInt64)?
    for (index, variant) in variants.enumerated() {
      let weight = allZero ? 1 : UInt64(max(0, variant.percentage))
      guard weight > 0 else { continue }
      var hash = start
      for byte in variant.id.utf8 { add(byte, to: &hash) }
      // The costs are too large by less than the error.
      let cost = cost(of: mixed(hash), bits: bits)
      guard let other = leader else {
        leader = (index, weight, cost)
        continue
      }
      if weight.isMore(per: cost, than: other.weight, per: other.cost - error) {
        leader = (index, weight, cost)
      } else if !other.weight.isMore(per: other.cost, than: weight, per: cost - error) {
        guard error == 0 else { return nil }
        // The ratios are equal.
        if variant.id.utf8.lexicographicallyPrecedes(variants[other.index].id.utf8) {
          leader = (index, weight, cost)
        }
      }
    }
    return leader?.index
  }

  /// The hash of steps 1 and 2.
  public static func hash(unitID: String, experimentID: String, variantID: String) -> UInt64 {
    var hash = emptyHash
    add(unitID, to: &hash)
    add(experimentID, to: &hash)
    for byte in variantID.utf8 { add(byte, to: &hash) }
    return mixed(hash)
  }

  private static let emptyHash: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Adds a text and the byte after it to a hash.
  private static func add(_ text: String, to hash: inout UInt64) {
    for byte in text.utf8 { add(byte, to: &hash) }
    add(0xFF, to: &hash)
  }

  private static func add(_ byte: UInt8, to hash: inout UInt64) {
    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  /// The finaliser of step 2.
  static func mixed(_ input: UInt64) -> UInt64 {
    var bits = input
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// The cost of step 3: −log₂(`(hash | 1)` / 2⁶⁴) times 2³², rounded up; at least 1.
  ///
  /// With `n` the number of leading zeros and `m` the hash shifted left by `n` (so that its top bit
  /// is set), the logarithm is `63 − n` plus the binary logarithm of `m / 2⁶³`. Squaring `m` doubles
  /// that logarithm, so each squaring yields one bit of the fraction.
  public static func cost(of hash: UInt64) -> UInt64 { cost(of: hash, bits: 32) }

  /// The cost by the first bits of the logarithm's fraction, at most 32 of them. It is too large by
  /// less than the last of them.
  private static func cost(of hash: UInt64, bits: Int) -> UInt64 {
    let odd = hash | 1
    let zeros = UInt64(odd.leadingZeroBitCount)
    var mantissa = odd << zeros
    var fraction: UInt64 = 0
    for _ in 0..<bits {
      let square = mantissa.multipliedFullWidth(by: mantissa)
      fraction <<= 1
      if square.high >> 63 == 1 {
        fraction |= 1
        mantissa = square.high
      } else {
        mantissa = square.high << 1 | square.low >> 63
      }
    }
    let logarithm = (63 - zeros) << 32 | fraction << UInt64(32 - bits)
    return (64 << 32) - logarithm
  }
}

extension UInt64 {
  /// Returns whether one ratio is greater than another, exactly.
  fileprivate func isMore(per cost: UInt64, than other: UInt64, per otherCost: UInt64) -> Bool {
    let mine = multipliedFullWidth(by: otherCost)
    let theirs = other.multipliedFullWidth(by: cost)
    return (mine.high, mine.low) > (theirs.high, theirs.low)
  }
}
