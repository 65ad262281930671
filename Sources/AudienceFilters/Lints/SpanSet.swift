import ExpressionSyntax

/// Places of a text, for finding out whether another place overlaps one of them, in logarithmic time.
struct SpanSet {
  /// Sorted, without common bytes. An empty place counts as the byte that follows it.
  private var ranges: [Range<Int>] = []

  init(_ spans: some Sequence<SourceSpan>) {
    for span in spans.sorted(by: { $0.start < $1.start }) {
      let start = Int(span.start)
      let range = start..<start + max(Int(span.length), 1)
      if let last = ranges.last, range.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
  }

  /// Returns whether a place that is not empty shares a byte with one of the set, or has an empty one
  /// of the set before one of its bytes.
  func overlaps(_ span: SourceSpan) -> Bool {
    let start = Int(span.start)
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= start { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound < start + Int(span.length)
  }
}

extension SourceSpan {
  /// Returns whether two places share a byte, or are the same empty place.
  func overlaps(_ other: SourceSpan) -> Bool {
    start < other.end && other.start < end || start == other.start
  }
}

extension Diagnostic {
  /// The places that a diagnostic shows.
  var spans: [SourceSpan] { [primary.span] + secondary.map { $0.span } }

  /// Returns whether one of the places overlaps another place.
  func overlaps(_ span: SourceSpan) -> Bool { spans.contains { $0.overlaps(span) } }
}
