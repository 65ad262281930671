/// The texts of a ``ValueLine``, found by their first eight bytes.
///
/// Texts of a column are not aligned, so that they cannot be compared as slots are.
struct TextIndex {
  private let texts: UnsafeBufferPointer<Slot>
  /// The first eight bytes of each text as a number that has their order.
  private let keys: UnsafeBufferPointer<UInt64>

  /// - Parameter texts: Texts in ascending order.
  init(_ texts: UnsafeBufferPointer<Slot>, in arena: inout Arena) {
    self.texts = texts
    keys = arena.copyRow(texts.map { Self.key($0.byteBuffer) })
  }

  /// Returns twice the number of texts that are less than a text, plus 1 if it is among them.
  ///
  /// - Complexity: O(log n).
  @inline(__always)
  func rank(of text: UTF8Bytes) -> UInt32 {
    let key = Self.key(text)
    var low = lowerBound(key)
    guard low < keys.count, keys[low] == key else { return UInt32(truncatingIfNeeded: 2 &* low) }
    var high = key == .max ? keys.count : lowerBound(key &+ 1)
    while low < high {
      let middle = (low &+ high) >> 1
      let order = UTF8Text.order(texts[middle].byteBuffer, text)
      if order == 0 { return UInt32(truncatingIfNeeded: 2 &* middle &+ 1) }
      if order < 0 { low = middle &+ 1 } else { high = middle }
    }
    return UInt32(truncatingIfNeeded: 2 &* low)
  }

  /// The number of keys that are less than a key.
  @inline(__always)
  private func lowerBound(_ key: UInt64) -> Int {
    var low = 0
    var count = keys.count
    while count > 0 {
      let half = count >> 1
      let isLess = keys[low &+ half] < key
      low = isLess ? low &+ half &+ 1 : low
      count = isLess ? count &- half &- 1 : half
    }
    return low
  }

  /// The first eight bytes of a text, with zeros after its end.
  @inline(__always)
  private static func key(_ text: UTF8Bytes) -> UInt64 {
    guard let base = text.baseAddress.map({ UnsafeRawPointer($0) }) else { return 0 }
    let count = text.count
    if count >= 8 { return UInt64(bigEndian: base.loadUnaligned(as: UInt64.self)) }
    if count >= 4 {
      let first = UInt64(UInt32(bigEndian: base.loadUnaligned(as: UInt32.self))) &<< 32
      let last = UInt64(
        UInt32(bigEndian: base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)))
      // The last four bytes overlap the first by 8 - count.
      return first | last &<< UInt64(truncatingIfNeeded: (8 &- count) &* 8) & 0xFFFF_FFFF
    }
    var key: UInt64 = 0
    for index in 0..<count { key |= UInt64(text[index]) &<< UInt64(56 &- 8 &* index) }
    return key
  }
}
