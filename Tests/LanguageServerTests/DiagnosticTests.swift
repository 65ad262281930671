import AudienceFilters
import CampaignAnalysis
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import TestSupport
import Testing

@testable import LanguageServer

@Suite("Diagnostics in editors")
struct DiagnosticTests {
  /// What the library finds in a filter.
  private static func found(_ text: String, _ dialect: Dialect.Name) -> [Diagnostic] {
    Filter.check(text, environment: FilterEnvironment(dialect: .named(dialect)))
  }

  /// The text of a span of a filter.
  private static func text(of span: SourceSpan, in filter: String) -> String {
    SourceText(filter).text(of: span)
  }

  @Test("the diagnostics of a file are those of the library, at the same text")
  func files() throws {
    for encoding in ["utf-8", "utf-16"] {
      let session = try Session(encoding: encoding)
      for entry in CorpusFilters.all {
        let uri = "file:///a.\(entry.dialect == .cel ? "cel" : "filter")"
        let diagnostics = session.open(uri, entry.text)
        let expected = Self.found(entry.text, entry.dialect)
        #expect(diagnostics.map { $0["code"] } == expected.map { .string($0.id.rawValue) })
        let text = DocumentText(
          entry.text, encoding: encoding == "utf-8" ? .utf8 : .utf16)
        for (diagnostic, expected) in zip(diagnostics, expected) {
          let place = try text.text(in: diagnostic["range"])
          #expect(place == Self.text(of: expected.primary.span, in: entry.text), "\(entry.text)")
          #expect(diagnostic["severity"] == (expected.severity == .error ? 1 : 2))
          #expect(diagnostic["message"]?.stringValue?.hasPrefix(expected.message) == true)
        }
      }
    }
  }

  @Test("the diagnostics in a config are the same, mapped through the escapes of JSON")
  func configs() throws {
    var random = SeededGenerator(seed: 7)
    let session = try Session()
    for filters in CorpusFilters.sample.chunked(20) {
      let config = Configs.text(filters) { Configs.quotedAtRandom($0, &random) }
      let text = DocumentText(config)
      let diagnostics = session.open("file:///config.json", config)
        .filter { ["E", "W"].contains($0["code"]?.stringValue?.prefix(1)) }
      let expected = filters.flatMap { filter in
        Self.found(filter, .superscript).map { (filter, $0) }
      }
      #expect(diagnostics.map { $0["code"] } == expected.map { .string($0.1.id.rawValue) })
      for (diagnostic, (filter, expected)) in zip(diagnostics, expected) {
        // The place in the JSON is a piece of a string: decoded, it is the place in the filter.
        let place = try Value(json: "\"\(text.text(in: diagnostic["range"]))\"")
        #expect(place == .string(Self.text(of: expected.primary.span, in: filter)), "\(filter)")
      }
    }
  }

  @Test("warnings about the config stand at the member that they are about")
  func configWarnings() throws {
    let session = try Session()
    let config = Configs.text(["user.age > 3"])
      .replacing("\"percentage\": 100", with: "\"percentage\": 300")
    let diagnostics = session.open("file:///config.json", config)
    let warning = try #require(diagnostics.first { $0["code"] == "impossible-percentage" })
    #expect(try DocumentText(config).text(in: warning["range"]) == "300")
    #expect(warning["severity"] == 2)
  }

  @Test("faults that are proved stand at the audience, and go when the filter is mended")
  func proofs() throws {
    let session = try Session()
    let uri = "file:///config.json"
    let config = Configs.text(["user.age > 3", "user.age > 5", "user.x == 1 && user.x == 2"])
    let kinds = ["shadowed-audience", "dead-audience"]
    func found(_ diagnostics: [Value]) -> [String] {
      diagnostics.compactMap { $0["code"]?.stringValue }.filter(kinds.contains)
    }
    let diagnostics = session.open(uri, config)
    #expect(found(diagnostics) == kinds)
    let fault = try #require(diagnostics.first { $0["code"] == .string(kinds[0]) })
    #expect(fault["severity"] == 2)
    #expect(fault["message"]?.stringValue?.contains("before it") == true)
    let mended = config.replacing("user.age > 5", with: "user.age > 1")
    #expect(found(session.open(uri, mended)) == [kinds[1]])
    // Large configs are left to the tool.
    let many = Configs.text((0..<201).map { "user.age > 3 && user.x == \($0 / 2)" })
    #expect(found(session.open(uri, many)).isEmpty)
  }

  @Test(
    "a config that does not decode, or is no JSON, is reported once, and its filters are checked")
  func brokenConfigs() throws {
    let session = try Session()
    let whole = Configs.text(["user.age => 3"])
    let broken = whole.replacing("\"event_name\": \"opened_menu\"", with: "\"event_name\": 5")
    var diagnostics = session.open("file:///config.json", broken)
    #expect(diagnostics.map { $0["code"] } == ["config", "E0210"])
    #expect(try DocumentText(broken).text(in: diagnostics[0]["range"]) == "5")
    let cut = String(whole.dropLast(40))
    diagnostics = session.open("file:///config.json", cut)
    #expect(diagnostics.map { $0["code"] } == ["json", "E0210"])
    let noConfig = "{\"name\": \"x\", oops"
    #expect(session.open("file:///package.json", noConfig) == [])
  }

  @Test("camelCase configs have filters, too")
  func camelCase() throws {
    let session = try Session()
    let config = Configs.text(["user.age => 3"]).replacing("expression_cel", with: "expressionCel")
    #expect(session.open("file:///config.json", config).map { $0["code"] } == ["E0210"])
  }

  @Test("diagnostics follow the text, and go when the document is closed")
  func typing() throws {
    let session = try Session()
    let uri = "file:///a.filter"
    #expect(session.open(uri, "user.age > 18 &&").count == 1)
    let end = Position(line: 0, character: 16)
    #expect(session.change(uri, end, end, to: " user.isPro").isEmpty)
    let start = Position(line: 0, character: 9)
    #expect(session.change(uri, start, Position(line: 0, character: 10), to: "=>").count == 1)
    session.notify("textDocument/didClose", ["textDocument": ["uri": .string(uri)]])
    #expect(session.published[uri] == [])
  }

  @Test("the schema beside a document counts, also while it is edited")
  func schemas() throws {
    let session = try Session(files: [
      "/p/schema.json": #"{"user.plan": {"type": "string", "values": ["free", "pro"]}}"#
    ])
    let uri = "file:///p/a.filter"
    #expect(session.open(uri, #"user.plan == "prro""#).map { $0["code"] } == ["W0714"])
    // A folder without the file has another vocabulary.
    #expect(session.open("file:///q/a.filter", #"user.plan == "prro""#) == [])
    session.open("file:///p/schema.json", #"{"user.plan": "string"}"#)
    #expect(session.published[uri] == [])
  }

  @Test("a schema that cannot be read is reported, and the vocabulary of the SDKs is used")
  func wrongSchema() throws {
    let session = try Session(files: ["/p/schema.json": "[1]"])
    #expect(session.open("file:///p/a.filter", "device.platfrm == \"iOS\"").count == 1)
    #expect(session.notes.map { $0["method"] } == ["window/logMessage"])
  }
}

extension Array {
  /// Splits the array into pieces of a length.
  func chunked(_ count: Int) -> [[Element]] {
    stride(from: 0, to: self.count, by: count).map {
      Array(self[$0..<Swift.min($0 + count, self.count)])
    }
  }
}
