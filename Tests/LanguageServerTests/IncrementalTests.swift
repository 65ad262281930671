import ExpressionCoding
import ExpressionEngine
import TestSupport
import Testing

@testable import LanguageServer

@Suite("Editing a document")
struct IncrementalTests {
  private static let files = [
    "/p/context.json":
      #"{"user": {"age": 25, "plan": "pro", "tags": ["dawn"]}, "device": {"platform": "iOS"}}"#,
    "/p/contexts/ben.json": #"{"user": {"age": 12}, "device": {"platform": "Android"}}"#,
  ]

  /// Pieces that people type and paste, whole and broken.
  private static let pieces = [
    "user.age", " && ", "== ", "\"", "\\\"", "{", "}", "[", "]", ",", ":", "\n", "\r\n", "\\u0041",
    "é",
    "😀", "user.tags.exists(t, t == 'x')", "\"expression_cel\": \"user.age > 3\"", "//", "x", " ",
    "\"expressionCel\": \"device.platfrm == 'iOS'\",", "\\", "1", "(", ")", "t", ".",
  ]

  /// Everything that the server says about a document.
  private static func state(_ session: Session, _ uri: String, at position: Position) throws
    -> [Value]
  {
    var state: [Value] = [.list(session.published[uri] ?? [])]
    for method in [
      "textDocument/documentSymbol", "textDocument/semanticTokens/full", "textDocument/inlayHint",
      "textDocument/formatting", "textDocument/codeAction",
    ] {
      state.append(try session.request(method, uri))
    }
    for method in [
      "textDocument/hover", "textDocument/completion", "textDocument/documentHighlight",
    ] {
      state.append(try session.request(method, uri, at: position))
    }
    return state
  }

  @Test(
    "after any edits the state is that of the text opened anew",
    arguments: [
      ("file:///p/config.json", "utf-16"), ("file:///p/a.filter", "utf-8"),
      ("file:///p/a.filter", "utf-16"),
    ])
  func randomEdits(_ uri: String, _ encoding: String) throws {
    var random = SeededGenerator(seed: 8)
    for round in 0..<25 {
      let filters = (0..<4).compactMap { _ in
        CorpusFilters.superscript.randomElement(using: &random)
      }
      var text = DocumentText(
        uri.hasSuffix("json") ? Configs.text(filters) : filters.joined(separator: " && "),
        encoding: encoding == "utf-8" ? .utf8 : .utf16)
      let session = try Session(files: Self.files, encoding: encoding)
      session.open(uri, text.string)
      for _ in 0..<8 {
        let first = text.position(of: Int.random(in: 0...text.bytes.count, using: &random))
        let length = Bool.random(using: &random) ? 0 : Int.random(in: 1...30, using: &random)
        let last = text.position(of: text.offset(of: first) + length)
        let start = text.position(of: text.offset(of: first))
        let end = max(start, text.position(of: text.offset(of: last)))
        let piece = Self.pieces.randomElement(using: &random) ?? ""
        text.replace(from: start, to: end, with: piece)
        session.change(uri, start, end, to: piece)
      }
      let fresh = try Session(files: Self.files, encoding: encoding)
      fresh.open(uri, text.string)
      for _ in 0..<3 {
        let position = text.position(of: Int.random(in: 0...text.bytes.count, using: &random))
        // Versions differ, nothing else.
        #expect(
          try Self.state(session, uri, at: position) == Self.state(fresh, uri, at: position),
          "round \(round): \(text.string)")
      }
    }
  }

  @Test("a message with a change that cannot be read changes nothing")
  func allOrNothing() throws {
    let session = try Session()
    let uri = "file:///p/a.filter"
    session.open(uri, "user.age > 1")
    let start: Value = ["line": 0, "character": 0]
    for range: Value in [["start": start], ["start": start, "end": ["line": -1, "character": 0]]] {
      session.notify(
        "textDocument/didChange",
        [
          "textDocument": ["uri": .string(uri), "version": 2],
          "contentChanges": [
            ["range": ["start": start, "end": start], "text": "!"], ["range": range, "text": "x"],
          ],
        ])
      #expect(session.server.documents[uri]?.text.string == "user.age > 1")
    }
  }

  @Test("filters that nobody has any more are forgotten")
  func memory() throws {
    let session = try Session()
    let uri = "file:///p/config.json"
    let config = Configs.text((0..<20).map { "user.age == \($0)" })
    session.open(uri, config)
    let text = DocumentText(config)
    let offset = try #require(config.utf8.firstRange(of: "user.age == 7\"".utf8))
    let place = text.position(
      of: config.utf8.distance(from: config.startIndex, to: offset.lowerBound))
    for number in 0..<1_000 {
      session.change(
        uri, place,
        Position(
          line: place.line, character: place.character + (number == 0 ? 8 : "x\(number - 1)".count)),
        to: "x\(number)")
    }
    let folder = try #require(session.server.folders["/p"])
    #expect(folder.filterCount < 600)
  }
}
