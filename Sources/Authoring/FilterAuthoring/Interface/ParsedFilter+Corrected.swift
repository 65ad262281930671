import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// What else is wrong with a filter whose errors have certain corrections.

extension ParsedFilter {
  /// Returns the findings in the filter that the fixes of some errors lead to, at their places in
  /// this one: in `user.pln = "pro"`, also that there is no `user.pln`.
  ///
  /// - Returns: The findings in source order; nothing if an error has no fix, or several, or if
  ///   what they lead to is not a filter.
  func findingsOnceCorrected(_ errors: [Diagnostic], schema: AttributeSchema) -> [Diagnostic] {
    let (text, fixed) = source.applyingFixes(of: errors)
    guard fixed.count == errors.count else { return [] }
    let corrected = ParsedFilter(SourceText(text), environment: environment)
    guard case .success = corrected.compiled else { return [] }
    let places = CorrectedText(fixed.flatMap { $0.fixIts.flatMap { $0.edits } })
    return corrected.findings(schema: schema).diagnostics.compactMap { places.original($0) }
  }
}

/// The places of a corrected text in the one that was corrected.
private struct CorrectedText {
  /// The edits in the order of their places.
  private let edits: [Diagnostic.Edit]
  /// What each edit wrote, in the corrected text.
  private let written: [Range<Int>]

  /// - Parameter edits: The edits that made it, none of which overlap.
  init(_ edits: [Diagnostic.Edit]) {
    self.edits = edits.sorted { $0.span.start < $1.span.start }
    var written: [Range<Int>] = []
    var shift = 0
    for edit in self.edits {
      let start = Int(edit.span.start) + shift
      written.append(start..<start + edit.replacement.utf8.count)
      shift += edit.replacement.utf8.count - Int(edit.span.length)
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
