/// Distinct rows of words, identified by number from 0.
///
/// Everything that a filter set shares is such a row: names, constants, conditions and nodes. Large
/// sets have millions of them, so a lookup touches little memory: a bucket, and the row itself.
struct WordInterner: ~Copyable {
  /// The number and the length of each row, and the row.
  private var words = UnsafeMutablePointer<UInt32>.allocate(capacity: 64)
  private var wordCount = 0
  private var wordCapacity = 64
  /// The start of each row in ``words``.
  private var starts: [UInt32] = []
  /// The upper half of a row's hash, and below it the start of the row plus one; 0 is empty.
  private var buckets = [UInt64](repeating: 0, count: 64)

  private static let header = 2

  deinit { words.deallocate() }

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
    precondition(wordCount < UInt32.max, "the set is too large")
    starts.append(UInt32(truncatingIfNeeded: wordCount))
    buckets[bucket] = (hash >> 32) << 32 | UInt64(wordCount &+ 1)
    append(row, number: number)
    return number
  }

  /// Returns the words of a row, which are valid until a row is added.
  @inline(__always)
  subscript(number: UInt32) -> UnsafeBufferPointer<UInt32> {
    row(at: Int(starts[Int(number)]))
  }

  @inline(__always)
  private func row(at start: Int) -> UnsafeBufferPointer<UInt32> {
    UnsafeBufferPointer(start: words + (start &+ Self.header), count: Int(words[start &+ 1]))
  }

  @inline(__always)
  private mutating func append(_ row: [UInt32], number: UInt32) {
    let count = wordCount &+ Self.header &+ row.count
    if count > wordCapacity { reserve(max(count, 2 &* wordCapacity)) }
    let end = words + wordCount
    end.initialize(to: number)
    (end + 1).initialize(to: UInt32(truncatingIfNeeded: row.count))
    (end + Self.header).initialize(from: row, count: row.count)
    wordCount = count
  }

  @inline(never)
  private mutating func reserve(_ capacity: Int) {
    let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
    larger.moveInitialize(from: words, count: wordCount)
    words.deallocate()
    (words, wordCapacity) = (larger, capacity)
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
    for start in starts {
      let hash = Self.hash(row(at: Int(start)))
      var bucket = Int(truncatingIfNeeded: hash) & mask
      while buckets[bucket] != 0 { bucket = (bucket &+ 1) & mask }
      buckets[bucket] = (hash >> 32) << 32 | UInt64(start) &+ 1
    }
  }

  @inline(__always)
  private static func hash(_ row: UnsafeBufferPointer<UInt32>) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: row.count)
    for word in row { hash = KeyHash.combine(hash, UInt64(word), 0) }
    return KeyHash.word(hash)
  }
}
