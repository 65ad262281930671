import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// What else is wrong with a filter whose errors have certain corrections.

extension ParsedFilter {
  /// Returns the findings in the filter that the fixes of some errors lead to, at their places in
  /// this one: in `user.pln = "pro"`, also that there is no `user.pln`.
  ///
  /// - Returns: Nothing if an error has no fix, or several,
  ///   or if what they lead to is not a filter.
  func findingsBehind(_ errors: [Diagnostic], schema: AttributeSchema) -> [Diagnostic] {
    let fixes = errors.compactMap { $0.fixIts.count == 1 ? $0.fixIts[0] : nil }
    guard fixes.count == errors.count, let edits = CorrectedText(fixes.flatMap { $0.edits }) else {
      return []
    }
    let corrected = ParsedFilter(
      source.applying(Diagnostic.FixIt("", edits.edits)), environment: environment)
    guard case .success = corrected.compiled else { return [] }
    return corrected.findings(schema: schema).diagnostics.compactMap { edits.original($0) }
      .sorted { $0.primary.span.start < $1.primary.span.start }
  }
}

/// The places of a corrected text in the one that was corrected.
private struct CorrectedText {
  /// The edits in the order of their places.
  let edits: [Diagnostic.Edit]
  /// What each edit wrote, in the corrected text.
  private let written: [Range<Int>]

  /// Returns `nil` if edits overlap.
  init?(_ edits: [Diagnostic.Edit]) {
    self.edits = edits.sorted { $0.span.start < $1.span.start }
    var written: [Range<Int>] = []
    var (end, shift) = (0, 0)
    for edit in self.edits {
      let (start, length) = (Int(edit.span.start), edit.replacement.utf8.count)
      guard start >= end else { return nil }
      end = Int(edit.span.end)
      written.append(start + shift..<start + shift + length)
      shift += length - Int(edit.span.length)
    }
    self.written = written
  }

  /// Returns a finding in the corrected text at its place in the original; `nil` if it is about
  /// what an edit wrote.
  func original(_ diagnostic: Diagnostic) -> Diagnostic? {
    guard let place = original(diagnostic.primary.span) else { return nil }
    var result = diagnostic
    result.primary.span = place
    result.secondary = diagnostic.secondary.compactMap { label in
      original(label.span).map { Diagnostic.Label($0, label.message) }
    }
    // A fix is one of the corrected text.
    result.helps += diagnostic.fixIts.map { $0.message }
    result.fixIts = []
    return result
  }

  private func original(_ span: SourceSpan) -> SourceSpan? {
    guard let start = original(Int(span.start), isEnd: false),
      let end = original(Int(span.end), isEnd: true), start <= end
    else { return nil }
    return SourceSpan(start: UInt32(clamping: start), end: UInt32(clamping: end))
  }

  /// Returns the original offset of an end of a span; `nil` inside of what an edit wrote.
  private func original(_ offset: Int, isEnd: Bool) -> Int? {
    var shift = 0
    for (edit, range) in zip(edits, written) {
      if isEnd ? offset <= range.lowerBound : offset < range.lowerBound { break }
      guard offset >= range.upperBound else { return nil }
      shift = Int(edit.span.end) - range.upperBound
    }
    return offset + shift
  }
}
