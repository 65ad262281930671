import ExpressionCoding
import ExpressionEngine
import Foundation
import Testing

@testable import LanguageServer

/// A client that talks to the core of the server.
final class Session {
  let server: LanguageServer
  private var lastID: Int64 = 0
  private var versions: [String: Int64] = [:]
  /// The diagnostics published last, by document.
  private(set) var published: [String: [Value]] = [:]
  /// All other messages that the server sent on its own.
  private(set) var notes: [Value] = []

  /// Starts a session.
  init(
    files: [String: String] = [:], encoding: String? = nil, capabilities: Value = .map([:])
  ) throws {
    server = LanguageServer(files: MemoryFiles(texts: files))
    var capabilities = capabilities
    if let encoding, case .map(var members) = capabilities {
      members["general"] = ["positionEncodings": [.string(encoding)]]
      capabilities = .map(members)
    }
    _ = try request("initialize", ["capabilities": capabilities])
    notify("initialized", [:])
  }

  /// Creates a client without a session.
  init(server: LanguageServer) { self.server = server }

  /// Sends a notification.
  func notify(_ method: String, _ params: Value) {
    server.receive(Self.message(method, params, id: nil))
    _ = collect()
  }

  /// Sends a request and returns its result.
  func request(_ method: String, _ params: Value) throws -> Value {
    let answer = try response(method, params)
    #expect(answer["error"] == nil, "\(method): \(answer)")
    return answer["result"] ?? .null
  }

  /// Sends a request and returns the code of its error.
  func errorCode(_ method: String, _ params: Value) throws -> Int64? {
    try response(method, params)["error"]["code"]?.intValue
  }

  /// Sends a request and returns the whole answer.
  func response(_ method: String, _ params: Value) throws -> Value {
    lastID += 1
    server.receive(Self.message(method, params, id: .int(lastID)))
    let answers = collect().filter { $0["id"] == .int(lastID) }
    #expect(answers.count == 1)
    return try #require(answers.first)
  }

  static func message(_ method: String, _ params: Value, id: Value?) -> [UInt8] {
    var members: [Value.Key: Value] = [
      "jsonrpc": "2.0", "method": .string(method), "params": params,
    ]
    members["id"] = id
    return Array(Value.map(members).jsonText().utf8)
  }

  /// Lets the server answer all waiting requests, and returns the answers.
  func collect() -> [Value] {
    var answers: [Value] = []
    while let messages = server.respond() {
      for message in messages {
        guard let value = try? Value(json: String(decoding: message, as: UTF8.self)) else {
          Issue.record("not JSON: \(String(decoding: message, as: UTF8.self))")
          continue
        }
        #expect(value["jsonrpc"] == "2.0")
        if value["method"] == "textDocument/publishDiagnostics" {
          let uri = value["params"]["uri"]?.stringValue ?? ""
          published[uri] = value["params"]["diagnostics"]?.listValue
        } else if value["method"] != nil {
          notes.append(value)
        } else {
          answers.append(value)
        }
      }
    }
    return answers
  }

  // MARK: Documents

  /// Opens a document and returns its diagnostics.
  @discardableResult
  func open(_ uri: String, _ text: String, language: String = "") -> [Value] {
    versions[uri] = 1
    notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": .string(uri), "languageId": .string(language), "version": 1,
          "text": .string(text),
        ]
      ])
    return published[uri] ?? []
  }

  /// Replaces a part of a document and returns its diagnostics.
  @discardableResult
  func change(_ uri: String, _ start: Position, _ end: Position, to text: String) -> [Value] {
    versions[uri, default: 0] += 1
    notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(uri), "version": .int(versions[uri] ?? 0)],
        "contentChanges": [
          ["range": ["start": start.value, "end": end.value], "text": .string(text)]
        ],
      ])
    return published[uri] ?? []
  }

  /// Sends a request about a place of a document.
  func request(_ method: String, _ uri: String, at position: Position) throws -> Value {
    try request(method, ["textDocument": ["uri": .string(uri)], "position": position.value])
  }

  /// Sends a request about a whole document.
  func request(_ method: String, _ uri: String) throws -> Value {
    try request(
      method,
      [
        "textDocument": ["uri": .string(uri)],
        "range": [
          "start": Position(line: 0, character: 0).value,
          "end": Position(line: 1_000_000, character: 0).value,
        ],
        "context": ["diagnostics": []],
      ])
  }
}

/// Files that exist in a test only.
struct MemoryFiles: WorkspaceFiles {
  var texts: [String: String] = [:]

  func contents(of path: String) -> [UInt8]? { texts[path].map { Array($0.utf8) } }

  func names(in folder: String) -> [String] {
    texts.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
      .filter { !$0.contains("/") }
  }
}

extension Position {
  var value: Value { ["line": .int(Int64(line)), "character": .int(Int64(character))] }
}

extension DocumentText {
  /// The text at a range of the protocol.
  func text(in range: Value?) throws -> String {
    let (start, end) = try #require(range).range()
    return String(decoding: bytes[offset(of: start)..<offset(of: end)], as: UTF8.self)
  }

  /// The text after the edits of an answer, which must not overlap.
  func applying(_ edits: [Value]) throws -> String {
    var places: [(span: Range<Int>, text: String)] = []
    for edit in edits {
      let (start, end) = try #require(edit["range"]).range()
      places.append((offset(of: start)..<offset(of: end), try edit.text("newText")))
    }
    places.sort { $0.span.lowerBound > $1.span.lowerBound }
    for (later, earlier) in zip(places, places.dropFirst()) {
      #expect(earlier.span.upperBound <= later.span.lowerBound, "edits overlap")
    }
    var bytes = self.bytes
    for place in places { bytes.replaceSubrange(place.span, with: place.text.utf8) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
