import AudienceFilters
import ExpressionSyntax
import FilterAnalysis
import LanguageService

/// A filter in a document: the whole document, or a string of a config.
struct FilterRegion {
  /// The place of the filter's text, in a string without the quotes.
  let span: Range<Int>
  /// The string of JSON that the filter is in; `nil` if the document is the filter.
  let string: JSONStringText?
  /// The filter.
  let filter: AnalyzedFilter

  /// Whether an offset of the document is in the filter, or directly after it.
  func contains(_ offset: Int) -> Bool { span.lowerBound <= offset && offset <= span.upperBound }

  /// Returns the offset in the filter of an offset in the document.
  func filterOffset(of offset: Int) -> UInt32 {
    let written = offset - span.lowerBound
    return UInt32(clamping: string?.decodedOffset(of: written) ?? written)
  }

  /// Returns the place in the document of a place in the filter.
  func documentSpan(of span: SourceSpan) -> Range<Int> {
    let first = self.span.lowerBound
    guard let string else { return first + Int(span.start)..<first + Int(span.end) }
    let start = string.writtenOffset(of: Int(span.start))
    let end = string.writtenOffset(of: Int(span.end), roundingUp: true)
    return first + start..<first + max(start, end)
  }

  /// Returns a new piece of the filter's text as the document spells it.
  func documentText(of text: String) -> String {
    string == nil ? text : JSONStringText.escaped(text)
  }
}
