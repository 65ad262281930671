/// Sets of positions on a ``ValueLine``: rows of the first and the last position of each run, in
/// ascending order, with a gap between two runs.
enum PositionRuns {
  /// Appends a run that starts within the last one or after it.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - start: The number of words of the row before its first run.
  @inline(__always)
  static func append(
    _ first: UInt32, _ last: UInt32, to row: inout [UInt32], from start: Int = 0
  ) {
    if row.count > start, row[row.count &- 1] &+ 1 >= first {
      row[row.count &- 1] = max(row[row.count &- 1], last)
    } else {
      row.append(first)
      row.append(last)
    }
  }

  /// Appends the runs of the positions that are in both sets.
  static func appendIntersection(
    _ a: UnsafeBufferPointer<UInt32>, _ b: UnsafeBufferPointer<UInt32>, to row: inout [UInt32],
    from start: Int = 0
  ) {
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      let first = max(a[i], b[j])
      let last = min(a[i &+ 1], b[j &+ 1])
      if first <= last { append(first, last, to: &row, from: start) }
      if a[i &+ 1] < b[j &+ 1] { i &+= 2 } else { j &+= 2 }
    }
  }

  /// Appends the runs of the positions that are in either set.
  static func appendUnion(
    _ a: UnsafeBufferPointer<UInt32>, _ b: UnsafeBufferPointer<UInt32>, to row: inout [UInt32],
    from start: Int = 0
  ) {
    var (i, j) = (0, 0)
    while i < a.count || j < b.count {
      if j == b.count || (i < a.count && a[i] < b[j]) {
        append(a[i], a[i &+ 1], to: &row, from: start)
        i &+= 2
      } else {
        append(b[j], b[j &+ 1], to: &row, from: start)
        j &+= 2
      }
    }
  }
}
