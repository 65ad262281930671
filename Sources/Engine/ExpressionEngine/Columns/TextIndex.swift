/// Texts in ascending order, found by the bytes after their common prefix.
///
/// Texts of a column are not aligned, so that they cannot be compared as slots are.
struct TextIndex {
  private let texts: UnsafeBufferPointer<Slot>
  /// The number of bytes that all texts begin with.
  private let prefix: Int
  /// The eight bytes after the prefix, as a number that has their order.
  private let keys: UnsafeBufferPointer<UInt64>
  /// Whether no text has more bytes than its key.
  private let areShort: Bool

  /// - Parameter texts: Texts in ascending order, each once.
  init(_ texts: UnsafeBufferPointer<Slot>, in arena: inout Arena) {
    self.texts = texts
    var prefix = 0
    // What the first and the last one begin with, all of them do.
    if let first = texts.first?.byteBuffer, let last = texts.last?.byteBuffer {
      while prefix < min(first.count, last.count), first[prefix] == last[prefix] { prefix += 1 }
    }
    self.prefix = prefix
    keys = arena.copyRow(texts.map { Self.key($0.byteBuffer, from: prefix) })
    areShort = texts.allSatisfy { Int($0.aux) &- prefix <= 8 }
  }

  /// Returns twice the number of texts that are less than a text, plus 1 if it is among them.
  ///
  /// - Complexity: O(log n).
  @inline(__always)
  func rank(of text: UTF8Bytes) -> UInt32 {
    if prefix > 0 {
      guard let first = texts.first?.byteBuffer else { return 0 }
      let count = min(prefix, text.count)
      let order = UTF8Text.order(
        UTF8Bytes(start: text.baseAddress, count: count),
        UTF8Bytes(start: first.baseAddress, count: count))
      if order < 0 || order == 0 && text.count < prefix { return 0 }
      if order > 0 { return UInt32(truncatingIfNeeded: 2 &* texts.count) }
    }
    let key = Self.key(text, from: prefix)
    var low = lowerBound(key)
    guard low < keys.count, keys[low] == key else { return UInt32(truncatingIfNeeded: 2 &* low) }
    // Short texts with the same key differ in the zeros at their ends.
    let isShort = areShort && text.count &- prefix <= 8
    var high = key == .max ? keys.count : lowerBound(key &+ 1)
    while low < high {
      let middle = (low &+ high) >> 1
      let order =
        isShort
        ? Int(texts[middle].aux) &- text.count
        : UTF8Text.order(texts[middle].byteBuffer, text)
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

  /// Eight bytes of a text from an offset on, with zeros after its end.
  @inline(__always)
  static func key(_ text: UTF8Bytes, from offset: Int) -> UInt64 {
    guard let base = text.baseAddress.map({ UnsafeRawPointer($0) + offset }) else { return 0 }
    let count = text.count &- offset
    if count >= 8 { return UInt64(bigEndian: base.loadUnaligned(as: UInt64.self)) }
    if count >= 4 {
      let first = UInt64(UInt32(bigEndian: base.loadUnaligned(as: UInt32.self))) &<< 32
      let last = UInt64(
        UInt32(bigEndian: base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)))
      // The last four bytes overlap the first by 8 - count.
      return first | last &<< UInt64(truncatingIfNeeded: (8 &- count) &* 8) & 0xFFFF_FFFF
    }
    guard count > 0 else { return 0 }
    // One to three bytes: the first, the middle and the last one.
    let first = UInt64(base.load(as: UInt8.self)) &<< 56
    let middle = UInt64(base.load(fromByteOffset: count >> 1, as: UInt8.self))
    let last = UInt64(base.load(fromByteOffset: count &- 1, as: UInt8.self))
    return first | middle &<< UInt64(truncatingIfNeeded: 56 &- 8 &* (count >> 1))
      | last &<< UInt64(truncatingIfNeeded: 56 &- 8 &* (count &- 1))
  }
}
