import ExpressionCoding
import ExpressionEngine
import FilterAnalysis
import Foundation
import TestSupport
import Testing

@testable import LanguageServer

/// The transcript of a session in `docs/editors.md`. `SWEXPR_BLESS=1` writes it.
@Suite("Transcript of a session")
struct TranscriptGeneratedPageTests {
  private static let page = "docs/editors.md"
  private static let marks = ("<!-- transcript -->\n```text\n", "```\n<!-- end of transcript -->")

  @Test("the transcript is what the server says now")
  func transcript() throws {
    let text = try Transcript().text
    let page = try TestFiles.text(Self.page)
    let start = try #require(page.firstRange(of: Self.marks.0))
    let end = try #require(page.firstRange(of: Self.marks.1))
    let current = page[..<start.upperBound] + text + page[end.lowerBound...]
    if ProcessInfo.processInfo.environment["SWEXPR_BLESS"] != nil {
      let url = TestFiles.root.appending(path: Self.page)
      try String(current).write(to: url, atomically: true, encoding: .utf8)
    }
    let isCurrent = try TestFiles.text(Self.page) == current
    #expect(isCurrent, "\(Self.page) is out of date: run `make reference`")
  }
}

/// A session of somebody who edits an audience of the sample campaign.
private struct Transcript {
  private(set) var text = ""
  private let server: ServerProcess
  private let uri: String
  /// The URI of the folder.
  private let folder: String
  private var document: DocumentText
  /// The diagnostics that have been shown.
  private var shown: [Value] = []

  /// The place of the files in the transcript, whoever runs it.
  private static let folder = "file:///home/ana/tidewise"

  init() throws {
    let sample = TestFiles.root.appending(path: "corpus/campaigns/sample")
    server = try ServerProcess()
    folder = "file://\(sample.path)"
    uri = "\(folder)/config.json"
    document = DocumentText(
      try String(contentsOf: sample.appending(path: "config.json"), encoding: .utf8))
    try run()
  }

  private mutating func run() throws {
    try request("initialize", ["capabilities": [:]], show: ["capabilities", "positionEncoding"])
    try notify("initialized", [:])
    let size = document.bytes.count
    say("textDocument/didOpen  \(uri), \(size) bytes")
    try server.notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": .string(uri), "languageId": "json", "version": 1, "text": .string(document.string),
        ]
      ])
    try diagnostics()
    comment("The first placement with its audiences.")
    try request("textDocument/documentSymbol", [:], show: ["0"])
    comment("The pointer is on `user.seed`, in the string of JSON. There are three sample users.")
    try request("textDocument/hover", ["position": position("user.seed", 6)])
    let line = position("user.seed", 0)["line"] ?? 0
    try request(
      "textDocument/inlayHint",
      [
        "range": [
          "start": ["line": line, "character": 0], "end": ["line": line, "character": 999],
        ]
      ])
    comment("Somebody goes on writing at the end of the filter.")
    try type(" && device.platform = \\\"A", after: "device.interfaceType == \\\"iphone\\\"")
    try diagnostics()
    try request(
      "textDocument/codeAction",
      [
        "range": ["start": position("platform = ", 9), "end": position("platform = ", 9)],
        "context": ["diagnostics": [], "only": ["quickfix"]],
      ])
    try replace("platform = ", with: "platform == ")
    try diagnostics()
    let end = "device.platform == \\\"A"
    try request(
      "textDocument/completion", ["position": position(end, end.utf8.count)], show: ["items"])
    try replace(end, with: "device.platform == \\\"Android\\\"")
    try diagnostics()
    comment("None of the sample users is left.")
    try request(
      "textDocument/inlayHint",
      [
        "range": [
          "start": ["line": line, "character": 0], "end": ["line": line, "character": 999],
        ]
      ])
    comment("An attribute is misspelled.")
    try replace("device.platform ==", with: "device.platfrm ==")
    try diagnostics()
    comment("What is unknown is an error. Then the session ends.")
    try request("textDocument/unheardOf", [:])
    try request("shutdown", .null)
    try notify("exit", .null)
    say("(exit code \(try server.finish()))", mark: "   ")
  }

  // MARK: The editor

  /// The position of a place in the first filter that has a text.
  private func position(_ needle: String, _ offset: Int) -> Value {
    let bytes = document.bytes
    let needle = Array(needle.utf8)
    guard let start = bytes.firstRange(of: needle)?.lowerBound else {
      Issue.record("the text is not there")
      return .null
    }
    return document.position(of: start + offset).value
  }

  private mutating func type(_ new: String, after needle: String) throws {
    let place = position(needle, needle.utf8.count)
    try change(place, place, new)
  }

  private mutating func replace(_ old: String, with new: String) throws {
    try change(position(old, 0), position(old, old.utf8.count), new)
  }

  private mutating func change(_ start: Value, _ end: Value, _ new: String) throws {
    try document.replace(from: start.position(), to: end.position(), with: new)
    try notify(
      "textDocument/didChange",
      ["contentChanges": [["range": ["start": start, "end": end], "text": .string(new)]]])
  }

  // MARK: Messages

  private mutating func notify(_ method: String, _ params: Value) throws {
    say("\(method)  \(Self.text(of: params))")
    try server.notify(method, addingDocument(params, method))
  }

  /// Adds the document to parameters, which every request of the transcript leaves out.
  private func addingDocument(_ params: Value, _ method: String) -> Value {
    guard case .map(var members) = params, method.hasPrefix("textDocument/") else { return params }
    members["textDocument"] = ["uri": .string(uri)]
    return .map(members)
  }

  /// Sends a request and shows its result, or the part of it at a path.
  private mutating func request(
    _ method: String, _ params: Value, show path: [String] = []
  ) throws {
    say("\(method)  \(Self.text(of: params))")
    let answer = try server.request(method, addingDocument(params, method))
    var result = answer["result"] ?? answer["error"] ?? .null
    for step in path {
      result = (Int(step).map { result[$0] } ?? result[step]) ?? .null
    }
    hear((path.isEmpty ? "" : "… \(path.joined(separator: ".")): ") + Self.text(of: result))
  }

  /// Shows the diagnostics that have not been shown before.
  private mutating func diagnostics() throws {
    let all = try server.note("textDocument/publishDiagnostics")["params"]["diagnostics"]
    let new = (all?.listValue ?? []).filter { !shown.contains($0) }
    let rest = (all?.count ?? 0) - new.count
    hear(
      "textDocument/publishDiagnostics  \(Self.text(of: .list(new)))"
        + (rest > 0 ? " and \(rest) as above" : ""))
    shown += new
  }

  // MARK: The page

  private mutating func comment(_ line: String) { text += "\n# \(line)\n\n" }

  private mutating func say(_ line: String, mark: String = "-->") { write(line, mark) }

  private mutating func hear(_ line: String) { write(line, "<--") }

  /// Writes a message over as many lines as it needs, broken after a comma or a space.
  private mutating func write(_ line: String, _ mark: String) {
    let width = 116
    var rest = line.replacing(folder, with: Self.folder)[...]
    var mark = mark
    while !rest.isEmpty {
      var piece = rest.prefix(width)
      if piece.endIndex < rest.endIndex,
        let place = piece.lastIndex(where: { $0 == "," || $0 == " " }),
        piece.distance(from: piece.startIndex, to: place) > width / 2
      {
        piece = piece[...place]
      }
      rest = rest[piece.endIndex...]
      while piece.last == " " { piece.removeLast() }
      text += "\(mark) \(piece)\n"
      mark = "   "
    }
  }

  /// Returns a value as JSON in which positions and ranges are short: `9:132`, `9:132-9:139`.
  private static func text(of value: Value) -> String {
    switch value {
    case .list(let elements): return "[" + elements.map(text).joined(separator: ", ") + "]"
    case .map(let members):
      if let line = value["line"]?.intValue, let character = value["character"]?.intValue {
        return "\(line):\(character)"
      }
      if members.count == 2, let start = value["start"], let end = value["end"] {
        return "\(text(of: start))-\(text(of: end))"
      }
      // What something is stands before where it is.
      let sorted = members.sorted { left, right in
        (order(left.key.text), left.key.text) < (order(right.key.text), right.key.text)
      }
      return "{"
        + sorted.map { "\"\($0.key.text)\": \(text(of: $0.value))" }.joined(separator: ", ")
        + "}"
    default: return value.jsonText()
    }
  }

  private static func order(_ key: String) -> Int {
    let first = ["code", "label", "name", "title", "message", "kind", "contents"]
    let last = ["diagnostics", "edit", "children"]
    return first.firstIndex(of: key) ?? last.firstIndex(of: key).map { 100 + $0 } ?? 50
  }
}
