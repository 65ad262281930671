/// Distinct rows of words, identified by number from 0.
///
/// Everything that a filter set shares is such a row: names, constants, conditions and nodes. Large
/// sets have millions of them, so a lookup touches little memory: a bucket, and the row itself.
struct WordInterner: ~Copyable {
  /// The number and the length of each row, and the row.
  private var words: [UInt32] = []
  /// The start of each row in ``words``.
  private var starts: [UInt32] = []
  /// The upper half of a row's hash, and below it the start of the row plus one; 0 is empty.
  private var buckets = [UInt64](repeating: 0, count: 64)

  private static let header = 2

  /// The number of rows.
  var count: Int { starts.count }

  /// Returns the number of a row, adding it if it is new.
  ///
  /// - Complexity: O(n) in the length of the row, on average.
  mutating func number(of row: [UInt32]) -> UInt32 {
    if (count &+ 1) &* 2 > buckets.count { grow() }
    let hash = row.withUnsafeBufferPointer { Self.hash($0) }
    let mask = buckets.count &- 1
    var bucket = Int(truncatingIfNeeded: hash) & mask
    while buckets[bucket] != 0 {
      let packed = buckets[bucket]
      let start = Int(packed & 0xFFFF_FFFF) &- 1
      if packed >> 32 == hash >> 32, isRow(at: start, equalTo: row) { return words[start] }
      bucket = (bucket &+ 1) & mask
    }
    let number = UInt32(truncatingIfNeeded: count)
    precondition(words.count < UInt32.max, "the set is too large")
    starts.append(UInt32(truncatingIfNeeded: words.count))
    buckets[bucket] = (hash >> 32) << 32 | UInt64(words.count &+ 1)
    words.append(number)
    words.append(UInt32(truncatingIfNeeded: row.count))
    words.append(contentsOf: row)
    return number
  }

  /// Returns the range of a row's words.
  func bounds(_ number: UInt32) -> Range<Int> {
    let start = Int(starts[Int(number)])
    return (start &+ Self.header)..<(start &+ Self.header &+ Int(words[start &+ 1]))
  }

  /// Returns a word by its position among the words of all rows.
  subscript(position: Int) -> UInt32 { words[position] }

  /// Calls `body` with the words of two rows, without the first of each.
  func withTails(
    _ a: UInt32, _ b: UInt32,
    _ body: (UnsafeBufferPointer<UInt32>, UnsafeBufferPointer<UInt32>) -> Void
  ) {
    words.withUnsafeBufferPointer { words in
      body(
        UnsafeBufferPointer(rebasing: words[bounds(a).dropFirst()]),
        UnsafeBufferPointer(rebasing: words[bounds(b).dropFirst()]))
    }
  }

  /// Replaces the words of `row` with those of an interned row.
  func copy(_ number: UInt32, into row: inout [UInt32]) {
    row.removeAll(keepingCapacity: true)
    row.append(contentsOf: words[bounds(number)])
  }

  @inline(__always)
  private func isRow(at start: Int, equalTo row: [UInt32]) -> Bool {
    guard Int(words[start &+ 1]) == row.count else { return false }
    for index in 0..<row.count where words[start &+ Self.header &+ index] != row[index] {
      return false
    }
    return true
  }

  @inline(never)
  private mutating func grow() {
    buckets = [UInt64](repeating: 0, count: buckets.count &* 2)
    let mask = buckets.count &- 1
    words.withUnsafeBufferPointer { words in
      for start in starts {
        let first = Int(start) &+ Self.header
        let end = first &+ Int(words[first &- 1])
        let hash = Self.hash(UnsafeBufferPointer(rebasing: words[first..<end]))
        var bucket = Int(truncatingIfNeeded: hash) & mask
        while buckets[bucket] != 0 { bucket = (bucket &+ 1) & mask }
        buckets[bucket] = (hash >> 32) << 32 | UInt64(start) &+ 1
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
