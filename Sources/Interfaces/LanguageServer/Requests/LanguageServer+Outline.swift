import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import LanguageService

// Requests about a whole document: semantic tokens, symbols and hints.

extension LanguageServer {
  // MARK: Semantic tokens

  func semanticTokens(_ params: Value) throws(ResponseError) -> Reply {
    let document = try document(params)
    return semanticTokens(document, document.regions(folder(of: document)))
  }

  func semanticTokensInRange(_ params: Value) throws(ResponseError) -> Reply {
    let document = try document(params)
    return semanticTokens(document, try regions(of: document, in: params))
  }

  /// Returns the filters that the range of a request touches.
  private func regions(
    of document: Document, in params: Value
  ) throws(ResponseError) -> [FilterRegion] {
    let (start, end) = try params.member("range").range()
    let first = document.text.offset(of: start)
    let last = document.text.offset(of: end)
    return document.regions(folder(of: document))
      .filter { $0.span.lowerBound <= last && first <= $0.span.upperBound }
  }

  private func semanticTokens(_ document: Document, _ regions: [FilterRegion]) -> Reply {
    { writer in
      writer.object { writer in
        writer.key("data")
        writer.beginArray()
        var encoder = TokenEncoder(text: document.text)
        for region in regions {
          for token in region.filter.semanticTokens {
            encoder.write(region.documentSpan(of: token.span), token.role, to: &writer)
          }
        }
        writer.endArray()
      }
    }
  }

  // MARK: Symbols

  func documentSymbols(_ params: Value) throws(ResponseError) -> Reply {
    let document = try document(params)
    let folder = folder(of: document)
    guard let outline = document.outline(folder), outline.isConfig else {
      return { $0.array([String]()) { $0.string($1) } }
    }
    let text = document.text
    let placements = outline.placements(in: text.bytes)
    return { writer in
      writer.array(placements) { writer, placement in
        let name = placement.name.map { outline.text(of: $0, in: text.bytes) }
        Self.writeSymbol(
          name ?? "placement", kind: 24, placement.node, placement.name, outline, text,
          detail: Self.count(placement.audiences.count, "audience"), to: &writer
        ) { writer in
          writer.array(placement.audiences.enumerated()) { writer, entry in
            let (index, audience) = entry
            let filter = audience.filter.map { outline.text(of: $0, in: text.bytes) }
            let name = audience.experiment.map { outline.text(of: $0, in: text.bytes) }
            Self.writeSymbol(
              name ?? "audience \(index + 1)", kind: 11, audience.node,
              audience.experiment ?? audience.filter, outline, text,
              detail: filter.map { String($0.unicodeScalars.prefix(80)) } ?? "everyone", to: &writer
            )
          }
        }
      }
    }
  }

  private static func writeSymbol(
    _ name: String, kind: Int, _ node: Int, _ selection: Int?, _ outline: ConfigOutline,
    _ text: DocumentText, detail: String, to writer: inout JSONWriter,
    children: ((inout JSONWriter) -> Void)? = nil
  ) {
    let span = outline.json.nodes[node].span
    writer.object { writer in
      // Clients refuse symbols without a name.
      writer.member("name", name.isEmpty ? "(no name)" : name)
      writer.member("detail", detail)
      writer.member("kind", kind)
      writer.range(span, in: text)
      writer.range(
        "selectionRange", selection.map { outline.json.nodes[$0].span } ?? span, in: text)
      guard let children else { return }
      writer.key("children")
      children(&writer)
    }
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  // MARK: Hints

  func inlayHints(_ params: Value) throws(ResponseError) -> Reply {
    let document = try document(params)
    let users = folder(of: document).users
    guard !users.isEmpty else { return { $0.array([String]()) { $0.string($1) } } }
    let hints = try regions(of: document, in: params).compactMap { region in
      region.filter.matchCount(among: users).map { matches in
        let label = "matches \(matches) of \(Self.count(users.count, "sample user"))"
        return (Self.hintOffset(region), label)
      }
    }
    return { writer in
      writer.array(hints) { writer, hint in
        writer.object { writer in
          writer.key("position")
          writer.position(document.text.position(of: hint.0))
          writer.member("label", hint.1)
          writer.member("paddingLeft", true)
        }
      }
    }
  }

  /// Returns the place of a hint: after the closing quote, or after the last line that has text.
  private static func hintOffset(_ region: FilterRegion) -> Int {
    guard region.string == nil else { return region.span.upperBound + 1 }
    let bytes = region.filter.source.bytes
    let trailing = bytes.reversed().prefix { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D }.count
    return region.span.upperBound - trailing
  }
}

/// Writes semantic tokens as the protocol has them: five numbers each, places relative to the token
/// before.
private struct TokenEncoder {
  private let text: DocumentText
  private var cursor: DocumentText.Cursor
  private var previous = Position(line: 0, character: 0)

  init(text: DocumentText) {
    self.text = text
    cursor = DocumentText.Cursor(text)
  }

  /// Writes a token; one over several lines as a token for each line.
  mutating func write(
    _ span: Range<Int>, _ role: SemanticToken.Role, to writer: inout JSONWriter
  ) {
    var start = cursor.position(of: span.lowerBound)
    let end = cursor.position(of: span.upperBound)
    while start.line < end.line {
      let lineEnd = text.position(of: text.lineEnd(start.line))
      write(start, lineEnd.character - start.character, role, to: &writer)
      start = Position(line: start.line + 1, character: 0)
    }
    write(start, end.character - start.character, role, to: &writer)
  }

  private mutating func write(
    _ start: Position, _ length: Int, _ role: SemanticToken.Role, to writer: inout JSONWriter
  ) {
    guard length > 0 else { return }
    let isSameLine = start.line == previous.line
    writer.int(Int64(start.line - previous.line))
    writer.int(Int64(isSameLine ? start.character - previous.character : start.character))
    writer.int(Int64(length))
    writer.int(Int64(role.rawValue))
    writer.int(0)
    previous = start
  }
}

extension ConfigOutline {
  /// Returns the decoded text of a string; empty for any other value.
  func text(of node: Int, in document: [UInt8]) -> String {
    guard json.nodes[node].kind == .string else { return "" }
    let string = JSONStringText(
      content(of: node), in: document, hasEscapes: json.nodes[node].hasEscapes)
    return String(decoding: string.bytes, as: UTF8.self)
  }
}
