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
    let allZero = variants.allSatisfy { $0.percentage <= 0 }
    var best: (index: Int, weight: UInt64, cost: UInt64)?
    for (index, variant) in variants.enumerated() {
      let weight = allZero ? 1 : UInt64(max(0, variant.percentage))
      guard weight > 0 else { continue }
      let cost = cost(of: hash(unitID: unitID, experimentID: experimentID, variantID: variant.id))
      guard let leader = best else {
        best = (index, weight, cost)
        continue
      }
      let mine = weight.multipliedFullWidth(by: leader.cost)
      let theirs = leader.weight.multipliedFullWidth(by: cost)
      let wins =
        if mine == theirs {
          variant.id.utf8.lexicographicallyPrecedes(variants[leader.index].id.utf8)
        } else {
          (mine.high, mine.low) > (theirs.high, theirs.low)
        }
      if wins { best = (index, weight, cost) }
    }
    return best?.index
  }

  /// The hash of steps 1 and 2.
  public static func hash(unitID: String, experimentID: String, variantID: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ byte: UInt8) {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    for byte in unitID.utf8 { add(byte) }
    add(0xFF)
    for byte in experimentID.utf8 { add(byte) }
    add(0xFF)
    for byte in variantID.utf8 { add(byte) }
    return mixed(hash)
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
  public static func cost(of hash: UInt64) -> UInt64 {
    let odd = hash | 1
    let zeros = UInt64(odd.leadingZeroBitCount)
    var mantissa = odd << zeros
    var fraction: UInt64 = 0
    for _ in 0..<32 {
      let square = mantissa.multipliedFullWidth(by: mantissa)
      fraction <<= 1
      if square.high >> 63 == 1 {
        fraction |= 1
        mantissa = square.high
      } else {
        mantissa = square.high << 1 | square.low >> 63
      }
    }
    let logarithm = (63 - zeros) << 32 | fraction
    return (64 << 32) - logarithm
  }
}
