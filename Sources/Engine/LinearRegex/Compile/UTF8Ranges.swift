/// The UTF-8 of sets of scalars, as sequences of ranges of bytes.
enum UTF8Ranges {
  /// The number of bytes of a scalar.
  static func length(ofOrdinal ordinal: UInt32) -> Int {
    let scalar = ScalarSet.scalar(at: ordinal)
    return scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x1_0000 ? 3 : 4
  }

  static func append(_ ordinal: UInt32, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: encode(ScalarSet.scalar(at: ordinal)))
  }

  private static func encode(_ scalar: UInt32) -> [UInt8] {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(scalar >> shift & 0x3F | 0x80) }
    if scalar < 0x80 { return [UInt8(scalar)] }
    if scalar < 0x800 { return [UInt8(scalar >> 6 | 0xC0), tail(0)] }
    if scalar < 0x1_0000 { return [UInt8(scalar >> 12 | 0xE0), tail(6), tail(0)] }
    return [UInt8(scalar >> 18 & 7 | 0xF0), tail(12), tail(6), tail(0)]
  }

  /// Calls `body` with each sequence, in ascending order. A range is its first byte times 256 and
  /// its last byte.
  static func forEach(in set: ScalarSet, _ body: ([UInt16]) -> Void) {
    for index in 0..<set.rangeCount {
      let lower = ScalarSet.scalar(at: set.edges[2 &* index])
      let upper = ScalarSet.scalar(at: set.edges[2 &* index &+ 1] &- 1)
      // The surrogates lie between, and take no bytes.
      if lower < 0xD800, upper > 0xDFFF {
        split(lower, 0xD7FF, body)
        split(0xE000, upper, body)
      } else {
        split(lower, upper, body)
      }
    }
  }

  /// Splits a range until its ends differ in bytes that are free to take any value.
  private static func split(_ lower: UInt32, _ upper: UInt32, _ body: ([UInt16]) -> Void) {
    for limit: UInt32 in [0x7F, 0x7FF, 0xFFFF] where lower <= limit && limit < upper {
      split(lower, limit, body)
      split(limit &+ 1, upper, body)
      return
    }
    if upper >= 0x80 {
      for position: UInt32 in 1..<4 {
        let mask: UInt32 = 1 << (6 &* position) &- 1
        guard lower & ~mask != upper & ~mask else { continue }
        if lower & mask != 0 {
          split(lower, lower | mask, body)
          split((lower | mask) &+ 1, upper, body)
          return
        }
        if upper & mask != mask {
          split(lower, (upper & ~mask) &- 1, body)
          split(upper & ~mask, upper, body)
          return
        }
      }
    }
    let first = encode(lower)
    let last = encode(upper)
    var sequence: [UInt16] = []
    for index in first.indices { sequence.append(UInt16(first[index]) << 8 | UInt16(last[index])) }
    body(sequence)
  }
}
