/// The ranks of short texts that were found before, since few columns have many different ones.
struct TextMemo {
  private struct Entry: BitwiseCopyable {
    let first: UInt64
    let last: UInt64
    let count: UInt32
    let rank: UInt32
  }

  /// Entries by hash. A text replaces another one.
  private let entries: UnsafeMutablePointer<Entry>

  private static let bits: UInt64 = 8
  /// The length of the longest texts that their first and their last eight bytes determine.
  private static let maximumCount = 16

  static func make() -> TextMemo {
    let count = 1 << Int(bits)
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: count)
    // No text has this length.
    entries.initialize(
      repeating: Entry(first: 0, last: 0, count: .max, rank: 0), count: count)
    return TextMemo(entries: entries)
  }

  func deallocate() { entries.deallocate() }

  /// Returns the rank of a text, computed by `body` if it is not known.
  @inline(__always)
  func rank(of text: UTF8Bytes, or body: (UTF8Bytes) -> UInt32) -> UInt32 {
    guard text.count <= Self.maximumCount else { return body(text) }
    let first = TextIndex.key(text, from: 0)
    let last = text.count > 8 ? TextIndex.key(text, from: text.count &- 8) : 0
    let mixed = (first ^ last &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
    let entry = entries + Int(truncatingIfNeeded: mixed &>> (64 &- Self.bits))
    if entry.pointee.first == first, entry.pointee.last == last,
      Int(entry.pointee.count) == text.count
    {
      return entry.pointee.rank
    }
    let rank = body(text)
    entry.pointee = Entry(
      first: first, last: last, count: UInt32(truncatingIfNeeded: text.count), rank: rank)
    return rank
  }
}
