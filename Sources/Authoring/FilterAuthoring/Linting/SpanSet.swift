import ExpressionSyntax

/// Places of a text, for finding out whether another place overlaps one of them, in logarithmic
/// time.
struct SpanSet {
  /// Sorted, without common bytes. An empty place counts as the byte that follows it.
  private var ranges: [Range<Int>] = []

  init(_ spans: some Sequence<SourceSpan>) {
    for span in spans.sorted(by: { $0.start < $1.start }) {
      let range = Self.range(of: span)
      if let last = ranges.last, range.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
  }

  private static func range(of span: SourceSpan) -> Range<Int> {
    let start = Int(span.start)
    return start..<start + max(Int(span.length), 1)
  }

  /// Returns whether a place overlaps one of the set.
  func overlaps(_ span: SourceSpan) -> Bool {
    let range = Self.range(of: span)
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound < range.upperBound
  }
}

/// The places of findings, to which a rule adds others.
struct FindingPlaces {
  private let earlier: SpanSet
  private let count: Int

  init(of diagnostics: [Diagnostic]) {
    earlier = SpanSet(diagnostics.lazy.flatMap { $0.spans })
    count = diagnostics.count
  }

  /// Returns whether a place overlaps a finding.
  ///
  /// - Parameter diagnostics: The findings of the beginning and those that were added.
  func overlap(_ span: SourceSpan, in diagnostics: [Diagnostic]) -> Bool {
    earlier.overlaps(span) || diagnostics[count...].contains { $0.overlaps(span) }
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
