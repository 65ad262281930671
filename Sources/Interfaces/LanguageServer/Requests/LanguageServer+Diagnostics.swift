import AudienceFilters
import CampaignAnalysis
import CampaignCore
import ExpressionCoding
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis
import LanguageService

/// A problem at a place of a document.
struct DocumentDiagnostic {
  var span: Range<Int>
  var isError: Bool
  var code: String
  var message: String
  /// Other places that explain it.
  var related: [(span: Range<Int>, message: String)] = []
}

extension LanguageServer {
  /// The largest number of filters of one document whose logic is analysed.
  private static let provenFilters = 100
  /// The largest number of problems of one document that are published.
  private static let maximumCount = 1_000

  func publishDiagnostics(of document: Document) {
    publish(diagnostics(of: document), of: document)
  }

  func publish(_ diagnostics: [DocumentDiagnostic], of document: Document) {
    notifyClient("textDocument/publishDiagnostics") { writer in
      writer.member("uri", document.uri)
      if let version = document.version { writer.member("version", Int(version)) }
      writer.key("diagnostics")
      writer.array(diagnostics.prefix(Self.maximumCount)) { writer, diagnostic in
        diagnostic.write(to: &writer, document)
      }
    }
  }

  /// Returns the problems of a document: those of the config, then those of its filters.
  func diagnostics(of document: Document) -> [DocumentDiagnostic] {
    let folder = folder(of: document)
    let regions = document.regions(folder)
    var result: [DocumentDiagnostic] = []
    if let outline = document.outline(folder), outline.isConfig {
      result = Self.configDiagnostics(document, outline, regions, schema: folder.schema)
    }
    for region in regions {
      result += diagnostics(of: region, in: document).map { DocumentDiagnostic($0, in: region) }
    }
    return result
  }

  /// Returns the problems of one filter of a document. The analysis of a config reports what it
  /// proves itself.
  func diagnostics(of region: FilterRegion, in document: Document) -> [Diagnostic] {
    let folder = folder(of: document)
    let isConfig = document.outline(folder)?.isConfig ?? false
    let proves = !isConfig && document.regions(folder).count <= Self.provenFilters
    return proves ? region.filter.diagnostics : region.filter.diagnosticsWithoutProofs
  }

  private static func configDiagnostics(
    _ document: Document, _ outline: ConfigOutline, _ regions: [FilterRegion],
    schema: AttributeSchema
  ) -> [DocumentDiagnostic] {
    let text = document.text.bytes
    let check: ConfigCheck
    if let last = document.configCheck, last.holds(for: text, regions) {
      check = last
    } else {
      check = ConfigCheck(text, filters: regions.map(\.span))
      document.configCheck = check
    }
    if let mistake = check.mistake {
      return [
        DocumentDiagnostic(
          span: mistake.offset..<min(mistake.offset + 1, text.count), isError: true, code: "json",
          message: mistake.message)
      ]
    }
    let notes = check.notes.prefix(maximumCount).map { note in
      DocumentDiagnostic(
        span: outline.span(at: note.path, in: text), isError: note.isError, code: note.code,
        message: note.message)
    }
    guard let config = check.config(with: regions, outline, in: text) else { return notes }
    return notes
      + document.configProofs.faults(of: config, schema: schema).map { finding in
        DocumentDiagnostic(
          span: outline.span(at: finding.path(in: config), in: text), isError: false,
          code: finding.kind.rawValue, message: finding.message)
      }
  }
}

extension DocumentDiagnostic {
  /// Places a diagnostic of a filter in the document.
  init(_ diagnostic: Diagnostic, in region: FilterRegion) {
    span = region.documentSpan(of: diagnostic.primary.span)
    isError = diagnostic.severity == .error
    code = diagnostic.id.rawValue
    let lines =
      [diagnostic.message] + diagnostic.notes + DiagnosticRenderer.helps(of: diagnostic)
    message = lines.joined(separator: "\n")
    related = diagnostic.secondary.map { (region.documentSpan(of: $0.span), $0.message) }
  }

  func write(to writer: inout JSONWriter, _ document: Document) {
    writer.object { writer in
      writer.range(span, in: document.text)
      writer.member("severity", isError ? 1 : 2)
      writer.member("code", code)
      writer.member("source", "swexpr")
      writer.member("message", message)
      guard !related.isEmpty else { return }
      writer.key("relatedInformation")
      writer.array(related) { writer, place in
        writer.object { writer in
          writer.member("location") { writer in
            writer.member("uri", document.uri)
            writer.range(place.span, in: document.text)
          }
          writer.member("message", place.message)
        }
      }
    }
  }
}
