/// Rows of words, each kept once and known by its number, counted from 0.
///
/// Everything that a filter set shares is such a row: names, constants, conditions and nodes.
struct WordInterner: ~Copyable {
  private(set) var count = 0
  private var words: [UInt32] = []
  /// Where each row ends in ``words``.
  private var ends: [Int] = []
  /// The upper half of the row's hash, and below it the row's number plus one; 0 is empty.
  private var buckets = [UInt64](repeating: 0, count: 64)

  /// The number of a row, which is added if it is new.
  ///
  /// - Complexity: O(n) in the length of the row, on average.
  mutating func number(of row: [UInt32]) -> UInt32 {
    if (count &+ 1) &* 2 > buckets.count { grow() }
    let hash = row.withUnsafeBufferPointer { Self.hash($0) }
    let mask = buckets.count &- 1
    var bucket = Int(truncatingIfNeeded: hash) & mask
    while buckets[bucket] != 0 {
      let packed = buckets[bucket]
      if packed >> 32 == hash >> 32, isRow(Int(packed & 0xFFFF_FFFF) &- 1, equalTo: row) {
        return UInt32(truncatingIfNeeded: packed) &- 1
      }
      bucket = (bucket &+ 1) & mask
    }
    words.append(contentsOf: row)
    ends.append(words.count)
    count &+= 1
    buckets[bucket] = (hash >> 32) << 32 | UInt64(count)
    return UInt32(truncatingIfNeeded: count &- 1)
  }

  /// The bounds of a row in ``withWords(_:)``.
  func bounds(_ number: UInt32) -> Range<Int> {
    (number == 0 ? 0 : ends[Int(number) &- 1])..<ends[Int(number)]
  }

  /// A word of all rows.
  subscript(position: Int) -> UInt32 { words[position] }

  /// Replaces the words of `row` by those of a row.
  func copy(_ number: UInt32, into row: inout [UInt32]) {
    row.removeAll(keepingCapacity: true)
    row.append(contentsOf: words[bounds(number)])
  }

  private func isRow(_ number: Int, equalTo row: [UInt32]) -> Bool {
    let start = number == 0 ? 0 : ends[number &- 1]
    guard ends[number] &- start == row.count else { return false }
    for index in 0..<row.count where words[start &+ index] != row[index] { return false }
    return true
  }

  private mutating func grow() {
    buckets = [UInt64](repeating: 0, count: buckets.count &* 4)
    let mask = buckets.count &- 1
    words.withUnsafeBufferPointer { words in
      var start = 0
      for (number, end) in ends.enumerated() {
        let hash = Self.hash(UnsafeBufferPointer(rebasing: words[start..<end]))
        var bucket = Int(truncatingIfNeeded: hash) & mask
        while buckets[bucket] != 0 { bucket = (bucket &+ 1) & mask }
        buckets[bucket] = (hash >> 32) << 32 | UInt64(number &+ 1)
        start = end
      }
    }
  }

  @inline(__always)
  private static func hash(_ row: UnsafeBufferPointer<UInt32>) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: row.count)
    for word in row { hash = KeyHash.combine(hash, UInt64(word), 0) }
    return KeyHash.word(hash)
  }
}
