import AudienceFilters
import ExpressionSyntax
import FilterAnalysis
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
  private(set) var text: DocumentText

  private var parts: (outline: ConfigOutline?, regions: [FilterRegion])?
  /// The filters of the text before, from which those that have not changed are taken over.
  private var old: (text: [UInt8], regions: [FilterRegion])?
  /// The last check of the config, which holds as long as only filters change.
  var configCheck: ConfigCheck?
  /// The faults that are proved of each placement, until it changes.
  var configProofs = ConfigProofs()

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

  /// Replaces the text.
  func setText(_ text: DocumentText) {
    parts = nil
    old = nil
    self.text = text
  }

  /// Replaces a part of the text.
  func replace(from start: Position, to end: Position, with new: String) {
    if let parts { old = (text.bytes, parts.regions) }
    parts = nil
    text.replace(from: start, to: end, with: new)
  }

  /// Forgets what was found in the text, because the schema has changed.
  func invalidate() {
    parts = nil
    old = nil
    configProofs = ConfigProofs()
  }

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
    old = nil
    return found
  }

  private func regions(_ outline: ConfigOutline?, _ folder: Folder) -> [FilterRegion] {
    guard let outline else {
      let filter = folder.filter(text.bytes, dialect)
      return [FilterRegion(span: 0..<text.bytes.count, string: nil, filter: filter)]
    }
    return outline.filters.enumerated().map { index, node in
      let content = outline.content(of: node)
      if let old, index < old.regions.count {
        let region = old.regions[index]
        if region.span.count == content.count,
          old.text[region.span].elementsEqual(text.bytes[content])
        {
          return FilterRegion(span: content, string: region.string, filter: region.filter)
        }
      }
      let string = JSONStringText(
        content, in: text.bytes, hasEscapes: outline.json.nodes[node].hasEscapes)
      return FilterRegion(
        span: content, string: string, filter: folder.filter(string.bytes, dialect))
    }
  }
}
