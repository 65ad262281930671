/// The hash of map keys.
///
/// It is seeded once per process, so that an attacker cannot prepare colliding keys. A program's
/// precomputed hashes are therefore valid only within the process and must never be stored.
enum KeyHash {
  static let seed = UInt64.random(in: .min ... .max) | 1
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Mixes two words into one by folding their full product.
  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }

  /// The hash of `count` padded bytes at `address` (see ``Slot`` for the padding).
  @inline(__always)
  private static func bytes(at address: UnsafeRawPointer, count: Int, seed: UInt64) -> UInt64 {
    var hash = seed ^ UInt64(truncatingIfNeeded: count)
    var offset = 0
    while offset < count {
      hash = fold(hash ^ address.load(fromByteOffset: offset, as: UInt64.self), multiplier)
      offset &+= 8
    }
    return fold(hash, seed)
  }

  /// The hash of an integer key, which is the same for an int and a uint of equal value.
  @inline(__always)
  static func word(_ word: UInt64, seed: UInt64 = KeyHash.seed) -> UInt64 {
    fold(fold(word ^ seed, multiplier), seed)
  }

  /// Combines a hash and a small number into a running signature.
  @inline(__always)
  static func combine(_ signature: UInt64, _ hash: UInt64, _ number: UInt8) -> UInt64 {
    fold(signature ^ hash, multiplier) &+ UInt64(number)
  }

  /// The hash of a key slot: a string, an int, a uint or a bool.
  ///
  /// - Parameter seed: ``seed``; loops read it once.
  @inline(__always)
  static func of(_ key: Slot, seed: UInt64 = KeyHash.seed) -> UInt64 {
    key.isA(.string)
      ? bytes(at: key.address, count: Int(key.aux), seed: seed)
      : word(key.isA(.bool) ? key.word0 ^ 0x5bd1_e995 : key.word0, seed: seed)
  }
}
