import AudienceFilters
import ExpressionChecking
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import FilterAuthoring
import LanguageService

// Code actions and formatting.

/// A replacement in a document.
private struct TextEdit {
  var span: Range<Int>
  var text: String
}

extension LanguageServer {
  /// The number of columns of a filter in a file of its own, as `swexpr fmt` has it.
  private static let width = 100
  /// The number of columns of a filter in a string, where a line break is an escape: all in one
  /// line.
  private static let stringWidth = 1 << 20

  // MARK: Code actions

  func codeActions(_ params: Value) throws(ResponseError) -> Reply {
    let document = try document(params)
    let (start, end) = try params.member("range").range()
    let first = document.text.offset(of: start)
    let last = max(first, document.text.offset(of: end))
    let only = params["context"]["only"]?.listValue?.compactMap(\.stringValue)
    func wants(_ kind: String) -> Bool {
      only?.contains { kind == $0 || kind.hasPrefix($0 + ".") } ?? true
    }
    let regions = document.regions(folder(of: document))
      .filter { $0.span.lowerBound <= last && first <= $0.span.upperBound }
    return { writer in
      writer.beginArray()
      for region in regions {
        if wants("quickfix") {
          self.writeFixes(region, first...last, document, to: &writer)
        }
        if wants("refactor.rewrite"), let edit = Self.layout(region) {
          Self.writeAction(
            "Lay out this filter", "refactor.rewrite", nil, [edit], document, to: &writer)
        }
      }
      writer.endArray()
    }
  }

  private func writeFixes(
    _ region: FilterRegion, _ range: ClosedRange<Int>, _ document: Document,
    to writer: inout JSONWriter
  ) {
    let diagnostics = diagnostics(of: region, in: document)
    for diagnostic in diagnostics {
      let span = region.documentSpan(of: diagnostic.primary.span)
      guard span.lowerBound <= range.upperBound, range.lowerBound <= span.upperBound else {
        continue
      }
      for fix in diagnostic.fixIts {
        let edits = fix.edits.map { edit in
          TextEdit(
            span: region.documentSpan(of: edit.span),
            text: region.documentText(of: edit.replacement))
        }
        Self.writeAction(
          fix.message.prefix(1).uppercased() + fix.message.dropFirst(), "quickfix",
          (diagnostic, region, diagnostic.fixIts.count == 1), edits, document, to: &writer)
      }
      if diagnostic.severity == .warning {
        let edit = Self.silencing(diagnostic, in: region)
        Self.writeAction(
          "Silence \(diagnostic.id.rawValue) in this filter", "quickfix",
          (diagnostic, region, false), [edit], document, to: &writer)
      }
    }
    let (text, fixed) = region.filter.source.applyingFixes(of: diagnostics)
    guard fixed.count > 1 else { return }
    let edit = TextEdit(span: region.span, text: region.documentText(of: text))
    Self.writeAction(
      "Correct \(fixed.count) mistakes of this filter", "quickfix", nil, [edit], document,
      to: &writer)
  }

  /// Returns the edit that adds a comment against a warning at the end of the filter.
  private static func silencing(_ diagnostic: Diagnostic, in region: FilterRegion) -> TextEdit {
    let bytes = region.filter.source.bytes
    let trailing = bytes.reversed().prefix { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D }.count
    let place = SourceSpan(start: UInt32(clamping: bytes.count - trailing), length: 0)
    // A comment ends with its line, so one more goes on a line of its own.
    let endsInComment = region.filter.comments.last.map { $0.end >= place.start } ?? false
    let text = "\(endsInComment ? "\n" : " ")// swexpr:ignore-filter \(diagnostic.id.rawValue)"
    return TextEdit(
      span: region.documentSpan(of: place), text: region.documentText(of: text))
  }

  private static func writeAction(
    _ title: String, _ kind: String,
    _ cause: (diagnostic: Diagnostic, region: FilterRegion, isPreferred: Bool)?,
    _ edits: [TextEdit], _ document: Document, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("title", title)
      writer.member("kind", kind)
      if let cause {
        writer.key("diagnostics")
        writer.array([DocumentDiagnostic(cause.diagnostic, in: cause.region)]) {
          $1.write(to: &$0, document)
        }
        if cause.isPreferred { writer.member("isPreferred", true) }
      }
      writer.member("edit") { write(edits, document, to: &$0) }
    }
  }

  private static func write(
    _ edits: [TextEdit], _ document: Document, to writer: inout JSONWriter
  ) {
    writer.member("changes") { writer in
      writer.key(document.uri)
      write(edits, document.text, to: &writer)
    }
  }

  private static func write(
    _ edits: [TextEdit], _ text: DocumentText, to writer: inout JSONWriter
  ) {
    writer.array(edits) { writer, edit in
      writer.object { writer in
        writer.range(edit.span, in: text)
        writer.member("newText", edit.text)
      }
    }
  }

  // MARK: Formatting

  func formatting(_ params: Value) throws(ResponseError) -> Reply {
    let document = try document(params)
    return formatting(document, document.regions(folder(of: document)))
  }

  func rangeFormatting(_ params: Value) throws(ResponseError) -> Reply {
    let document = try document(params)
    let (start, end) = try params.member("range").range()
    let first = document.text.offset(of: start)
    let last = document.text.offset(of: end)
    let regions = document.regions(folder(of: document))
      .filter { $0.span.lowerBound <= last && first <= $0.span.upperBound }
    return formatting(document, regions)
  }

  private func formatting(_ document: Document, _ regions: [FilterRegion]) -> Reply {
    let edits = regions.compactMap { Self.layout($0) }
    return { Self.write(edits, document.text, to: &$0) }
  }

  /// Returns the edit that lays a filter out; `nil` if it is laid out, or does not parse.
  private static func layout(_ region: FilterRegion) -> TextEdit? {
    let filter = region.filter
    let isInString = region.string != nil
    // Line breaks in a string are there on purpose.
    let isWide = isInString && !filter.source.bytes.contains(0x0A)
    guard var text = filter.layout(width: isWide ? stringWidth : width) else {
      return nil
    }
    // A file ends with a line break.
    if !isInString { text += "\n" }
    guard !text.utf8.elementsEqual(filter.source.bytes) else { return nil }
    return TextEdit(span: region.span, text: region.documentText(of: text))
  }

  // MARK: Renaming

  func prepareRename(_ params: Value) throws(ResponseError) -> Reply {
    let (document, region, offset) = try place(params)
    guard let region,
      let (variable, span) = Self.localVariable(at: offset, in: region)
    else { return { $0.null() } }
    return { writer in
      writer.object { writer in
        writer.range(span, in: document.text)
        writer.member("placeholder", variable)
      }
    }
  }

  private static func localVariable(
    at offset: Int, in region: FilterRegion
  ) -> (name: String, span: Range<Int>)? {
    guard let variable = region.filter.localVariable(at: region.filterOffset(of: offset)) else {
      return nil
    }
    let spans = variable.spans.map { region.documentSpan(of: $0) }
    return spans.first { $0.lowerBound <= offset && offset <= $0.upperBound }
      .map { (variable.name, $0) }
  }

  func rename(_ params: Value) throws(ResponseError) -> Reply {
    let (document, region, offset) = try place(params)
    let name = try params.text("newName")
    guard let region,
      let variable = region.filter.localVariable(at: region.filterOffset(of: offset))
    else {
      throw ResponseError(.requestFailed, "only the variables of loops can be renamed")
    }
    let edits: [TextEdit]
    do throws(RenamingError) {
      edits = try region.filter.spans(renaming: variable, to: name).map {
        TextEdit(span: region.documentSpan(of: $0), text: region.documentText(of: name))
      }
    } catch {
      throw ResponseError(.requestFailed, error.description)
    }
    return { writer in writer.object { Self.write(edits, document, to: &$0) } }
  }

  func highlights(_ params: Value) throws(ResponseError) -> Reply {
    let (document, region, offset) = try place(params)
    guard let region,
      let variable = region.filter.localVariable(at: region.filterOffset(of: offset))
    else { return { $0.null() } }
    return { writer in
      writer.array(variable.spans) { writer, span in
        writer.object { $0.range(region.documentSpan(of: span), in: document.text) }
      }
    }
  }
}
