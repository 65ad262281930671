import CampaignCore
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import LanguageService

// Completion and hover.

extension LanguageServer {
  func completion(_ params: Value) throws(ResponseError) -> Reply {
    let (document, region, offset) = try place(params)
    guard let region else { return { $0.null() } }
    let folder = folder(of: document)
    let items = region.filter.completions(
      at: region.filterOffset(of: offset), samples: folder.samples,
      events: events(in: document, folder))
    return { writer in
      writer.object { writer in
        writer.member("isIncomplete", false)
        writer.key("items")
        writer.array(items) { writer, item in
          Self.write(item, region, document, to: &writer)
        }
      }
    }
  }

  private static func write(
    _ item: CompletionItem, _ region: FilterRegion, _ document: Document,
    to writer: inout JSONWriter
  ) {
    let span = region.documentSpan(of: item.span)
    writer.object { writer in
      writer.member("label", item.label)
      writer.member("kind", item.kind.number)
      writer.member("detail", item.detail)
      if !item.documentation.isEmpty {
        writer.member("documentation") { writer in
          writer.member("kind", "markdown")
          writer.member("value", item.documentation)
        }
      }
      writer.member("sortText", "\(item.rank)\(item.label)")
      // The text that is replaced decides what the client compares with the item.
      let typed = region.filter.source.text(of: item.span)
      if typed.hasPrefix(".") { writer.member("filterText", "." + item.label) }
      writer.member("textEdit") { writer in
        writer.range(span, in: document.text)
        writer.member("newText", region.documentText(of: item.replacement))
      }
    }
  }

  /// Returns the names of events: the placements of the config, then the events of the SDK.
  private func events(in document: Document, _ folder: Folder) -> [String] {
    guard let outline = document.outline(folder) else {
      return BuiltInEvent.allCases.map(\.rawValue)
    }
    let names = outline.placements(in: document.text.bytes).compactMap { placement in
      placement.name.map { outline.text(of: $0, in: document.text.bytes) }
    }
    return names + BuiltInEvent.allCases.map(\.rawValue)
  }

  func hover(_ params: Value) throws(ResponseError) -> Reply {
    let (document, region, offset) = try place(params)
    let user = folder(of: document).users.first
    guard let region,
      let hover = region.filter.hover(at: region.filterOffset(of: offset), user: user)
    else { return { $0.null() } }
    return { writer in
      writer.object { writer in
        writer.member("contents") { writer in
          writer.member("kind", "markdown")
          writer.member("value", hover.text)
        }
        writer.range(region.documentSpan(of: hover.span), in: document.text)
      }
    }
  }
}

extension CompletionItem.Kind {
  /// The number in the protocol.
  fileprivate var number: Int {
    switch self {
    case .attribute: 10  // Property
    case .object: 9  // Module
    case .function: 3  // Function
    case .method: 2  // Method
    case .variable: 6  // Variable
    case .value: 12  // Value
    case .keyword: 14  // Keyword
    case .operator: 24  // Operator
    case .event: 23  // Event
    }
  }
}
