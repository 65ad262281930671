/// A reproducible sequence of 64-bit numbers (SplitMix64).
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates the sequence that belongs to a seed.
  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return DeterministicBucketing.mixed(state)
  }

  /// Returns a number from `0 ..< bound`. The first ones are likelier by less than `bound` in 2⁶⁴.
  package mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(max(1, bound))).high)
  }
}
