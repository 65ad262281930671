/// A set of filters that are evaluated for many users at once, given as columns.
///
/// The results are exactly those of evaluating each filter for each user as a context. Every
/// condition is computed for about a thousand users before the next one is, and becomes a bit for
/// each of them; a filter combines these bits a word at a time. Parts that cannot be computed so,
/// such as calls of host functions, are evaluated for one user after the other, for the users that
/// the other parts leave.
///
/// ```swift
/// let matcher = BatchMatcher(audiences)
/// let counts = matcher.counts(in: users)
/// ```
///
/// A matcher may be shared between threads; use one for all batches. Host functions get no state.
public struct BatchMatcher: Sendable {
  private let plan: BatchPlan

  /// Creates a matcher of a set. Later changes of the set do not affect it.
  ///
  /// - Complexity: O(n log n) in the number of conditions.
  public init(_ set: FilterSet) { plan = BatchPlan(set) }

  /// The number of filters, including removed ones.
  public var filterCount: Int { plan.roots.count }

  /// Returns which filters are true for which users. Any other value and any error count as no
  /// match.
  ///
  /// - Complexity: O(users × conditions / 64), and a bit for each user and filter.
  public func matches(in batch: ColumnBatch) -> BatchMatches {
    var result = BatchMatches(filterCount: filterCount, batch)
    result.withWords { writeMatches(in: batch, to: $0) }
    return result
  }

  /// Writes which filters are true for which users: for each filter in turn the words of a bit for
  /// each user.
  ///
  /// - Parameter words: The memory of ``filterCount`` times `batch.rowWords` words.
  package func writeMatches(in batch: ColumnBatch, to words: UnsafeMutablePointer<UInt64>) {
    forEachChunk(of: batch) { chunk, rows in
      let first = rows.lowerBound >> 6
      let count = (rows.count &+ 63) >> 6
      for filter in 0..<filterCount {
        let target = words + (filter &* batch.rowWords &+ first)
        target.update(from: chunk.bits(ofFilter: filter), count: count)
      }
    }
  }

  /// Returns the number of users for which each filter is true, in the order of the filters.
  ///
  /// - Complexity: O(users × conditions / 64).
  public func counts(in batch: ColumnBatch) -> [Int] {
    var counts = [Int](repeating: 0, count: filterCount)
    forEachChunk(of: batch) { chunk, rows in
      let words = (rows.count &+ 63) >> 6
      for filter in 0..<filterCount {
        let bits = chunk.bits(ofFilter: filter)
        var sum = 0
        for word in 0..<words { sum &+= bits[word].nonzeroBitCount }
        counts[filter] &+= sum
      }
    }
    return counts
  }

  /// Returns the number of users for which each filter is the first one that is true, in the order
  /// of the filters, as if all of them were the audiences of one placement.
  ///
  /// - Complexity: O(users × conditions / 64).
  public func firstMatchCounts(in batch: ColumnBatch) -> [Int] {
    var counts = [Int](repeating: 0, count: filterCount)
    var taken: [UInt64] = []
    forEachChunk(of: batch) { chunk, rows in
      let words = (rows.count &+ 63) >> 6
      taken.removeAll(keepingCapacity: true)
      taken.append(contentsOf: repeatElement(0, count: words))
      for filter in 0..<filterCount {
        let bits = chunk.bits(ofFilter: filter)
        for word in 0..<words {
          counts[filter] &+= (bits[word] & ~taken[word]).nonzeroBitCount
          taken[word] |= bits[word]
        }
      }
    }
    return counts
  }

  /// Returns the evaluation of a batch, which the caller carries out a chunk at a time.
  ///
  /// - Parameter hostState: The state that host functions get.
  package func evaluation(
    of batch: ColumnBatch, hostState: HostStateValue? = nil
  ) -> BatchEvaluation {
    BatchEvaluation(plan, batch, hostState: hostState)
  }

  private func forEachChunk(
    of batch: ColumnBatch, _ body: (BatchEvaluation, Range<Int>) -> Void
  ) {
    let evaluation = evaluation(of: batch)
    var first = 0
    while first < batch.rowCount {
      let rows = first..<min(first &+ evaluation.chunkRows, batch.rowCount)
      evaluation.evaluate(rows)
      body(evaluation, rows)
      first = rows.upperBound
    }
  }
}

/// Which filters are true for which users of a ``ColumnBatch``: a bit for each.
public struct BatchMatches: Sendable, Equatable {
  /// The number of filters.
  public let filterCount: Int
  /// The number of users.
  public let rowCount: Int
  private let rowWords: Int
  private var bits: [UInt64]

  fileprivate init(filterCount: Int, _ batch: ColumnBatch) {
    self.filterCount = filterCount
    rowCount = batch.rowCount
    rowWords = batch.rowWords
    bits = [UInt64](repeating: 0, count: filterCount * rowWords)
  }

  fileprivate mutating func withWords(_ body: (UnsafeMutablePointer<UInt64>) -> Void) {
    bits.withUnsafeMutableBufferPointer { words in
      if let start = words.baseAddress { body(start) }
    }
  }

  /// Returns whether a filter is true for a user.
  public subscript(filter: Int, row: Int) -> Bool {
    precondition(row >= 0 && row < rowCount, "there is no user with that number")
    return words(ofFilter: filter)[row >> 6 + filter * rowWords] >> UInt64(row & 63) & 1 != 0
  }

  /// The users for which a filter is true, as bits: user i is bit i % 64 of word i / 64.
  public func words(ofFilter filter: Int) -> ArraySlice<UInt64> {
    precondition(filter >= 0 && filter < filterCount, "there is no filter with that number")
    return bits[(filter * rowWords)..<((filter + 1) * rowWords)]
  }

  /// Returns the number of users for which a filter is true.
  ///
  /// - Complexity: O(users / 64).
  public func count(ofFilter filter: Int) -> Int {
    words(ofFilter: filter).reduce(0) { $0 + $1.nonzeroBitCount }
  }

  /// Returns the users for which a filter is true, in ascending order.
  ///
  /// - Complexity: O(users / 64 + matches).
  public func rows(ofFilter filter: Int) -> [Int] {
    var rows: [Int] = []
    for (index, word) in words(ofFilter: filter).enumerated() {
      var bits = word
      while bits != 0 {
        rows.append(index &* 64 &+ bits.trailingZeroBitCount)
        bits &= bits &- 1
      }
    }
    return rows
  }
}
