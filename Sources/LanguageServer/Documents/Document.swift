import AudienceFilters
import ExpressionSyntax
import LanguageService

/// An open document.
final class Document {
  /// The form of a document.
  enum Kind: Hashable {
    /// One filter.
    case filter(Dialect.Name)
    /// JSON, maybe a campaign config.
    case config
  }

  let uri: String
  let kind: Kind
  var version: Int64?
  var text: DocumentText {
    didSet { parts = nil }
  }

  private var parts: (outline: ConfigOutline?, regions: [FilterRegion])?

  init(uri: String, languageID: String, version: Int64?, text: DocumentText) {
    self.uri = uri
    self.version = version
    self.text = text
    kind = Self.kind(uri: uri, languageID: languageID)
  }

  private static func kind(uri: String, languageID: String) -> Kind {
    switch (languageID, FileURI.pathExtension(of: uri)) {
    case ("json", _), ("jsonc", _), (_, "json"): .config
    case ("cel", _), (_, "cel"): .filter(.cel)
    default: .filter(.superscript)
    }
  }

  /// The dialect of the filters.
  var dialect: Dialect.Name {
    if case .filter(let dialect) = kind { dialect } else { .superscript }
  }

  /// Forgets what was found in the text, because the schema has changed.
  func invalidate() { parts = nil }

  /// Returns the filters in document order.
  func regions(_ folder: Folder) -> [FilterRegion] { read(folder).regions }

  /// Returns the parts of the config; `nil` if the document is a filter.
  func outline(_ folder: Folder) -> ConfigOutline? { read(folder).outline }

  /// Returns the filter at an offset.
  func region(at offset: Int, _ folder: Folder) -> FilterRegion? {
    regions(folder).first { $0.contains(offset) }
  }

  private func read(_ folder: Folder) -> (outline: ConfigOutline?, regions: [FilterRegion]) {
    if let parts { return parts }
    let outline = kind == .config ? ConfigOutline(text.bytes) : nil
    let found = (outline, regions(outline, folder))
    parts = found
    return found
  }

  private func regions(_ outline: ConfigOutline?, _ folder: Folder) -> [FilterRegion] {
    guard let outline else {
      let filter = folder.filter(text.bytes, dialect)
      return [FilterRegion(span: 0..<text.bytes.count, string: nil, filter: filter)]
    }
    return outline.filters.map { node in
      let value = outline.json.nodes[node]
      let end = value.isClosed ? value.span.upperBound - 1 : value.span.upperBound
      let content = value.span.lowerBound + 1..<end
      let string = JSONStringText(content, in: text.bytes, hasEscapes: value.hasEscapes)
      return FilterRegion(
        span: content, string: string, filter: folder.filter(string.bytes, dialect))
    }
  }
}
