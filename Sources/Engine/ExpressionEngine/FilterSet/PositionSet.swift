/// A set of positions on a ``ValueLine``: runs of positions in ascending order, with a gap between
/// two runs.
///
/// It is a view of words that are elsewhere; a ``MutablePositionSet`` has its own.
struct PositionSet: RandomAccessCollection {
  /// The first and the last position of each run.
  let words: UnsafeBufferPointer<UInt32>

  var startIndex: Int { 0 }
  var endIndex: Int { words.count >> 1 }

  @inline(__always)
  subscript(run: Int) -> ClosedRange<UInt32> {
    ClosedRange(uncheckedBounds: (words[2 &* run], words[2 &* run &+ 1]))
  }

  /// The number of positions.
  var positionCount: UInt32 { reduce(0) { $0 &+ ($1.upperBound &- $1.lowerBound &+ 1) } }

  func contains(_ position: UInt32) -> Bool { contains { $0.contains(position) } }
}

extension Sequence<ClosedRange<UInt32>> {
  /// Calls `body` with each run of positions on a line that are in none of these runs.
  ///
  /// The runs are in ascending order, and may overlap.
  @inline(__always)
  func forEachGap(in line: Range<UInt32>, _ body: (Range<UInt32>) -> Void) {
    var next = line.lowerBound
    for run in self {
      if next < run.lowerBound { body(next..<run.lowerBound) }
      next = Swift.max(next, run.upperBound &+ 1)
    }
    if next < line.upperBound { body(next..<line.upperBound) }
  }
}

/// A set of positions that grows at its end. See ``PositionSet``.
struct MutablePositionSet {
  private(set) var words: [UInt32] = []

  mutating func removeAll() { words.removeAll(keepingCapacity: true) }

  /// Calls `body` with a view of the set.
  func withView<Result>(_ body: (PositionSet) -> Result) -> Result {
    words.withUnsafeBufferPointer { body(PositionSet(words: $0)) }
  }

  /// Adds a run that starts within the last one or after it.
  @inline(__always)
  mutating func append(_ run: ClosedRange<UInt32>) {
    if let last = words.last, last &+ 1 >= run.lowerBound {
      words[words.count &- 1] = max(last, run.upperBound)
    } else {
      words.append(run.lowerBound)
      words.append(run.upperBound)
    }
  }

  /// Adds the positions of a line that are in none of some runs; see `forEachGap`.
  mutating func append(
    complementOf runs: some Sequence<ClosedRange<UInt32>>, in line: Range<UInt32>
  ) {
    runs.forEachGap(in: line) { gap in append(gap.lowerBound...(gap.upperBound &- 1)) }
  }

  /// Adds the positions that are in both sets.
  mutating func append(intersectionOf a: PositionSet, _ b: PositionSet) {
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      let (one, other) = (a[i], b[j])
      let first = max(one.lowerBound, other.lowerBound)
      let last = min(one.upperBound, other.upperBound)
      if first <= last { append(first...last) }
      if one.upperBound < other.upperBound { i &+= 1 } else { j &+= 1 }
    }
  }

  /// Adds the positions that are in either set.
  mutating func append(unionOf a: PositionSet, _ b: PositionSet) {
    var (i, j) = (0, 0)
    while i < a.count || j < b.count {
      if j == b.count || (i < a.count && a[i].lowerBound < b[j].lowerBound) {
        append(a[i])
        i &+= 1
      } else {
        append(b[j])
        j &+= 1
      }
    }
  }
}
