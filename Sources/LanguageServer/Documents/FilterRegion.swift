import AudienceFilters
import ExpressionSyntax
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
    UInt32(clamping: string?.decodedOffset(of: offset) ?? offset - span.lowerBound)
  }

  /// Returns the place in the document of a place in the filter.
  func documentSpan(of span: SourceSpan) -> Range<Int> {
    guard let string else {
      let start = self.span.lowerBound + Int(span.start)
      return start..<start + Int(span.length)
    }
    let start = string.documentOffset(of: Int(span.start))
    let end = string.documentOffset(of: Int(span.end), roundingUp: true)
    return start..<max(start, end)
  }

  /// Returns a new piece of the filter's text as the document spells it.
  func documentText(of text: String) -> String {
    string == nil ? text : JSONStringText.escaped(text)
  }
}
