/// Skips bytes that a search has no use for, eight at a time.
struct ByteSkip: Sendable {
  /// The bytes to stop at, each eight times; where there are fewer than three, some are the same.
  private let first: UInt64
  private let second: UInt64
  private let third: UInt64

  /// - Parameter skips: Whether a byte can be skipped.
  /// - Returns: `nil` if more than three bytes cannot be skipped.
  init?(_ skips: (UInt8) -> Bool) {
    var stops: [UInt8] = []
    for byte in UInt8.min ... .max where !skips(byte) {
      if stops.count == 3 { return nil }
      stops.append(byte)
    }
    let one = stops.first ?? 0
    first = UInt64(one) &* Self.ones
    second = UInt64(stops.count > 1 ? stops[1] : one) &* Self.ones
    third = UInt64(stops.last ?? one) &* Self.ones
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Bits in the bytes of a word that are zero, and perhaps in some above the lowest of them.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// Returns the first byte to stop at, or the end.
  ///
  /// Not inlined, so that a search without it saves no registers for it.
  @inline(never)
  func advance(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    var next = start
    while end - next >= 8 {
      let word = UInt64(littleEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self))
      let found =
        Self.zeros(word ^ first) | Self.zeros(word ^ second) | Self.zeros(word ^ third)
      if found != 0 { return next + found.trailingZeroBitCount / 8 }
      next += 8
    }
    while next < end {
      let byte = next.pointee
      if byte == UInt8(truncatingIfNeeded: first) || byte == UInt8(truncatingIfNeeded: second)
        || byte == UInt8(truncatingIfNeeded: third)
      {
        break
      }
      next += 1
    }
    return next
  }
}
