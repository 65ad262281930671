import AudienceFilters
import FilterAnalysis
import FilterAuthoring
import Foundation

/// Markdown pages that are made from what the tool prints.
enum GeneratedPages {
  /// The pages with their texts.
  static func all() throws -> [(file: String, text: String)] {
    [
      ("docs/attributes.md", try AttributePage().text),
      ("docs/paywall-timelines.md", try TimelinePage().text),
      ("docs/errors.md", try ErrorPage().text),
    ]
  }

  /// What a command of the tool prints.
  static func output(of command: String) throws -> String { try Workbench().run(command).output }

  /// A table cell: no line breaks, no bars.
  static func cell(_ text: String) -> String {
    text.replacing("|", with: "\\|").replacing("\n", with: " ")
  }

  static func code(_ text: String) -> String { "`\(text)`" }
}

/// `docs/attributes.md`, from `swexpr schema list --json`.
private struct AttributePage {
  private struct Document: Decodable {
    var attributes: [String: Attribute]
    var functions: [String: String]
  }

  private struct Attribute: Decodable, Hashable {
    var type: String
    var summary: String?
    var format: String?
    var since: String?
    var platforms: [String]?
    var values: [String]?
    var optional: Bool?
  }

  /// What the functions of the SDKs return; they are the same under `device` and `computed`.
  let text: String

  init() throws {
    let json = try GeneratedPages.output(of: "swexpr schema list --json")
    let document = try JSONDecoder().decode(Document.self, from: Data(json.utf8))
    var text = """
      # Attributes and functions of the SDKs

      Generated from `swexpr schema list --json` by `make reference`; do not edit. `swexpr doc \
      device.appVersion` explains one
      attribute, and a [schema file](schema-files.md) adds your own.

      *Optional* attributes may be missing; [Missing attributes](\
      ../Sources/Runtime/AudienceFilters/AudienceFilters.docc/MissingAttributes.md) says what \
      happens then. *Since* is the first version of
      the iOS SDK that sends the attribute. A `*` stands for any name that starts so.

      """
    for (root, title) in [
      ("user", "The user"), ("device", "The device"), ("params", "The placement"),
    ] {
      text += "\n## \(title): `\(root)`\n\n"
      text += "| attribute | type | meaning | since | platforms |\n|---|---|---|---|---|\n"
      text += Self.rows(document.attributes.filter { $0.key.hasPrefix(root + ".") })
    }
    text += """

      Parameters that the app passes with a placement are under `params`, too, without a prefix.

      ## Functions

      Each function takes the name of an event: `device.daysSince("app_open")`. The same \
      functions exist under `computed`.

      | function | result | meaning |
      |---|---|---|

      """
    for function in HistoryFunctionInfo.all {
      guard let type = document.functions["device.\(function.name)"] else { continue }
      text += "| `device.\(function.name)(event)` | \(type) | \(function.summary) |\n"
    }
    for name in document.functions.keys.sorted() {
      let isKnown = HistoryFunctionInfo.all.contains {
        name == "device.\($0.name)" || name == "computed.\($0.name)"
      }
      if !isKnown { text += "| `\(name)` | | describe it in GeneratedPages.swift |\n" }
    }
    self.text = text
  }

  /// The rows of a table; attributes that differ in their names only share one.
  private static func rows(_ attributes: [String: Attribute]) -> String {
    let groups = Dictionary(grouping: attributes.keys) { attributes[$0] }
    var rows: [(path: String, line: String)] = []
    for (attribute, paths) in groups {
      guard let attribute else { continue }
      let sorted = paths.sorted()
      for names in sorted.count > 4 ? [sorted] : sorted.map({ [$0] }) {
        rows.append((names[0], row(names, attribute)))
      }
    }
    return rows.sorted { $0.path < $1.path }.map(\.line).joined()
  }

  private static func row(_ names: [String], _ attribute: Attribute) -> String {
    var type = attribute.type
    if let format = attribute.format { type += " (\(format))" }
    if attribute.optional == true { type += ", optional" }
    var meaning = attribute.summary ?? ""
    if let values = attribute.values {
      meaning += ": " + values.map(GeneratedPages.code).joined(separator: ", ")
    }
    let cells = [
      names.map(GeneratedPages.code).joined(separator: " "), type, meaning, attribute.since ?? "",
      attribute.platforms?.joined(separator: ", ") ?? "",
    ]
    return "| " + cells.map(GeneratedPages.cell).joined(separator: " | ") + " |\n"
  }
}

/// `docs/errors.md`, from `swexpr explain-error`.
private struct ErrorPage {
  private struct Document: Decodable { var errors: [Entry] }

  private struct Entry: Decodable {
    var id: String
    var title: String
    var explanation: String
  }

  /// The groups of identifiers, by their first digits.
  private static let groups: [(prefix: String, title: String)] = [
    ("E01", "Characters and literals"), ("E02", "Syntax"), ("E03", "Names"),
    ("E04", "Calls"), ("E05", "Evaluation"), ("E06", "Limits"), ("W07", "Warnings"),
  ]

  let text: String

  init() throws {
    let json = try GeneratedPages.output(of: "swexpr explain-error --json")
    let entries = try JSONDecoder().decode(Document.self, from: Data(json.utf8)).errors
    let ids = entries.map(\.id).joined(separator: " ")
    // One process of the shell for all of them; the record separator keeps them apart.
    let articles = try GeneratedPages.output(
      of: "for id in \(ids); do swexpr explain-error $id; printf '\\036'; done"
    ).split(separator: "\u{1E}").map(String.init)
    var text = """
      # Errors and warnings

      Generated from `swexpr explain-error` by `make reference`; do not edit. `swexpr \
      explain-error E0105` prints one entry.

      An id never changes its meaning. Errors (`E`) mean that a filter does not compile or has no \
      value. Warnings (`W`) are about
      filters that run but probably do not do what was meant; [Checking filters](checking.md) \
      says how to silence them.

      """
    for (prefix, title) in Self.groups {
      text += "\n* [\(title)](#\(Self.anchor(title))): "
      text += entries.filter { $0.id.hasPrefix(prefix) }
        .map { "[\($0.id)](#\($0.id.lowercased()))" }.joined(separator: " ")
    }
    text += "\n"
    for (prefix, title) in Self.groups {
      text += "\n## \(title)\n"
      for (entry, article) in zip(entries, articles) where entry.id.hasPrefix(prefix) {
        text += "\n### \(entry.id)\n\n**\(entry.title)**\n\n\(entry.explanation)\n"
        text += Self.example(article)
      }
    }
    self.text = text
  }

  private static func anchor(_ title: String) -> String {
    title.lowercased().replacing(" ", with: "-")
  }

  /// The indented example of an article, as a block.
  private static func example(_ article: String) -> String {
    let lines = article.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(of: "For example:") else { return "" }
    var block = lines[(start + 1)...].map { String($0.hasPrefix("    ") ? $0.dropFirst(4) : $0) }
    while block.first?.isEmpty == true { block.removeFirst() }
    while block.last?.isEmpty == true { block.removeLast() }
    return "\n```text\n" + block.joined(separator: "\n") + "\n```\n"
  }
}
