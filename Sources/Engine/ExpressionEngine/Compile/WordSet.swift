/// A perfect hash set of ints, or of strings of one to eight bytes. A lookup takes one
/// multiplication and one comparison, because no two members have the same hash.
///
/// An entry has the two words of a value, with the bytes of a string in place of their address. The
/// highest bits of the product of the first word and a multiplier are the entry's number; the
/// lowest six bits of the multiplier give the shift for that. Free entries hold null, which equals
/// no member.
struct WordSet {
  /// The maximum number of members.
  static let maximumCount = 32
  private static let multipliersTried = 64

  let multiplier: UInt64
  let entries: [Slot]

  /// - Parameter members: Ints, or strings by their bytes (see ``word(of:)``). Duplicates are
  ///   allowed.
  /// - Returns: `nil` if there are too many members or none at all, or if no multiplier was found.
  init?(_ members: [Slot]) {
    guard 1...Self.maximumCount ~= members.count else { return nil }
    var seed: UInt64 = 0x9E37_79B9_7F4A_7C15
    for bits in Self.fewestBits(members.count)...Self.fewestBits(members.count) + 3 {
      for _ in 0..<Self.multipliersTried {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let multiplier = seed & ~63 | UInt64(64 - bits)
        if let entries = Self.place(members, bits, multiplier) {
          self.multiplier = multiplier
          self.entries = entries
          return
        }
      }
    }
    return nil
  }

  /// Returns the number of bits that gives at least twice as many entries as members.
  private static func fewestBits(_ count: Int) -> Int {
    var bits = 1
    while 1 << bits < 2 * count { bits += 1 }
    return bits
  }

  /// Returns the members at their positions, or `nil` if two share one.
  private static func place(_ members: [Slot], _ bits: Int, _ multiplier: UInt64) -> [Slot]? {
    var entries = [Slot](repeating: .null, count: 1 << bits)
    for member in members {
      let index = Self.index(of: member.word0, multiplier)
      guard entries[index].word1 == 0 || entries[index].isSame(as: member) else { return nil }
      entries[index] = member
    }
    return entries
  }

  @inline(__always)
  private static func index(of word: UInt64, _ multiplier: UInt64) -> Int {
    Int(truncatingIfNeeded: (word &* multiplier) &>> (multiplier & 63))
  }

  /// Returns the number of entries of a set.
  static func entryCount(multiplier: UInt64) -> Int { 1 << (64 - Int(multiplier & 63)) }

  /// Returns whether a value is a member.
  ///
  /// - Parameters:
  ///   - word: The first word of the value, or the bytes of a string.
  ///   - word1: The second word of the value.
  ///   - entries: The address of ``entries``.
  @inline(__always)
  static func contains(
    _ word: UInt64, _ word1: UInt64, _ entries: UnsafeRawPointer, _ multiplier: UInt64
  ) -> Bool {
    let entry = entries.assumingMemoryBound(to: Slot.self) + index(of: word, multiplier)
    return entry.pointee.word0 == word && entry.pointee.word1 == word1
  }

  /// Returns a value's representation in a set, or `nil` if it is neither an int nor a string of
  /// one to eight bytes.
  static func word(of value: Slot) -> Slot? {
    if value.isInt { return value }
    return value.isShortText ? Slot(word0: value.textWord, word1: value.word1) : nil
  }
}

extension Slot {
  /// Whether the slot is a string whose bytes fit one word.
  @inline(__always) var isShortText: Bool { isA(.string) && aux &- 1 < 8 }

  /// The bytes of a string that has one to eight of them, followed by zeros.
  @inline(__always) var textWord: UInt64 { address.load(as: UInt64.self) }

  /// Returns whether two slots are identical bit by bit.
  @inline(__always)
  func isSame(as other: Slot) -> Bool { word0 == other.word0 && word1 == other.word1 }
}
