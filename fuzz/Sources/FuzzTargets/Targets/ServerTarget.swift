import ExpressionCoding
import ExpressionEngine

@testable import LanguageServer

/// The language server responds to every request once, in JSON, whatever it is sent.
///
/// The first part of an input is the text of a document, which is opened and asked about. The parts
/// after it, each up to a NUL, are messages.
enum ServerTarget {
  static func run(_ input: FuzzInput) {
    var parts = input.bytes.split(
      separator: 0, maxSplits: 16, omittingEmptySubsequences: false)[...]
    let text = String(decoding: parts.removeFirst(), as: UTF8.self)
    let isConfig = text.utf8.first == UInt8(ascii: "{")
    let uri = "file:///folder/document.\(isConfig ? "json" : "filter")"

    let server = LanguageServer(files: NoFiles())
    var session = Session(server: server)
    session.request("initialize", ["capabilities": [:]])
    session.notify("initialized", [:])
    session.notify(
      "textDocument/didOpen",
      ["textDocument": ["uri": .string(uri), "version": 1, "text": .string(text)]])
    let line = Int64(input.choice % 3)
    let character = Int64(input.choice / 3 % 40)
    let position: Value = ["line": .int(line), "character": .int(character)]
    let document: Value = ["uri": .string(uri)]
    for method in ["hover", "completion", "documentHighlight", "prepareRename"] {
      session.request(
        "textDocument/\(method)", ["textDocument": document, "position": position])
    }
    for method in [
      "documentSymbol", "semanticTokens/full", "semanticTokens/range", "formatting",
      "rangeFormatting", "inlayHint",
    ] {
      session.request(
        "textDocument/\(method)",
        [
          "textDocument": document, "options": ["tabSize": 2, "insertSpaces": true],
          "range": ["start": ["line": 0, "character": 0], "end": position],
        ])
    }
    session.request(
      "textDocument/codeAction",
      [
        "textDocument": document, "context": ["diagnostics": []],
        "range": ["start": position, "end": position],
      ])
    // The second half of the text goes.
    session.notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(uri), "version": 2],
        "contentChanges": [
          [
            "range": ["start": position, "end": ["line": 1_000_000, "character": 0]],
            "text": .string(String(input.choice)),
          ]
        ],
      ])
    for part in parts { session.send(Array(part)) }
    session.request("shutdown", .null)
  }

  private struct NoFiles: WorkspaceFiles {
    func contents(of path: String) -> [UInt8]? { nil }
    func names(in folder: String) -> [String] { [] }
  }

  /// A client that checks what it gets.
  private struct Session {
    let server: LanguageServer
    private var lastID: Int64 = 1_000_000

    init(server: LanguageServer) { self.server = server }

    mutating func request(_ method: String, _ params: Value) {
      guard server.exitStatus == nil else { return }
      lastID += 1
      server.receive(message(method, params, id: .int(lastID)))
      let count = responses().count { $0["id"] == .int(lastID) }
      // A message of the input may have ended the session.
      require(count == 1 || server.exitStatus != nil, "\(method): \(count) responses")
    }

    func notify(_ method: String, _ params: Value) {
      server.receive(message(method, params, id: nil))
      _ = responses()
    }

    func send(_ content: [UInt8]) {
      server.receive(content)
      _ = responses()
    }

    private func message(_ method: String, _ params: Value, id: Value?) -> [UInt8] {
      var members: [Value.Key: Value] = [
        "jsonrpc": "2.0", "method": .string(method), "params": params,
      ]
      members["id"] = id
      return Array(Value.map(members).jsonText().utf8)
    }

    private func responses() -> [Value] {
      var result: [Value] = []
      while let messages = server.respond() {
        for bytes in messages {
          let text = String(decoding: bytes, as: UTF8.self)
          guard let value = try? Value(json: text) else { report("not JSON: \(text)") }
          require(value["jsonrpc"] == "2.0", "not a message: \(text)")
          result.append(value)
        }
      }
      return result
    }
  }
}
