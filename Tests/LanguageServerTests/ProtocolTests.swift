import ExpressionCoding
import ExpressionEngine
import TestSupport
import Testing

@testable import LanguageServer

@Suite("Protocol of the language server")
struct ProtocolTests {
  private static let hover: Value = [
    "textDocument": ["uri": "file:///a.filter"], "position": ["line": 0, "character": 0],
  ]

  @Test("before `initialize` every request is refused, and notifications are passed over")
  func notInitialized() throws {
    let session = Session(server: LanguageServer(files: MemoryFiles()))
    #expect(try session.errorCode("textDocument/hover", Self.hover) == -32_002)
    session.open("file:///a.filter", "user.age")
    #expect(session.published.isEmpty)
    #expect(try session.errorCode("initialize", ["capabilities": [:]]) == nil)
    #expect(try session.errorCode("initialize", ["capabilities": [:]]) == -32_600)
  }

  @Test("after `shutdown` requests are refused, and `exit` ends with 0")
  func shutdown() throws {
    let session = try Session()
    #expect(session.server.statusAtEndOfInput == 1)
    #expect(try session.request("shutdown", .null) == .null)
    #expect(try session.errorCode("textDocument/hover", Self.hover) == -32_600)
    #expect(session.server.exitStatus == nil)
    #expect(session.server.statusAtEndOfInput == 0)
    session.notify("exit", .null)
    #expect(session.server.exitStatus == 0)
    session.server.receive(Session.message("shutdown", .null, id: 9))
    #expect(session.server.respond() == nil)
  }

  @Test("`exit` without `shutdown` ends with 1")
  func exit() throws {
    let session = try Session()
    session.notify("exit", .null)
    #expect(session.server.exitStatus == 1)
  }

  @Test("unknown requests are errors, unknown notifications are passed over")
  func unknown() throws {
    let session = try Session()
    #expect(try session.errorCode("textDocument/declaration", Self.hover) == -32_601)
    #expect(try session.errorCode("$/unknown", [:]) == -32_601)
    session.notify("$/unknown", [:])
    session.notify("workspace/unknown", [:])
    session.notify("textDocument/didChange", ["textDocument": 5])
    #expect(try session.errorCode("textDocument/hover", Self.hover) == -32_602)
  }

  @Test("parameters that are wrong are errors")
  func parameters() throws {
    let session = try Session()
    session.open("file:///a.filter", "user.age")
    let document: Value = ["uri": "file:///a.filter"]
    let positions: [Value] = [
      .null, 5, [:], ["line": 0], ["line": -1, "character": 0], ["line": "0", "character": 0],
      ["line": 0, "character": -3],
    ]
    for position in positions {
      let params: Value = ["textDocument": document, "position": position]
      #expect(try session.errorCode("textDocument/hover", params) == -32_602)
    }
    let huge: Value = ["line": .int(.max), "character": .int(.max)]
    #expect(
      try session.errorCode("textDocument/hover", ["textDocument": document, "position": huge])
        == nil)
  }

  @Test(
    "messages that cannot be understood are answered with an error",
    arguments: [
      ("", -32_700), ("{", -32_700), ("[]", -32_600), ("5", -32_600), ("{}", -32_600),
      (#"{"jsonrpc":"2.0","id":1}"#, -32_600), (#"{"id":1,"method":5}"#, -32_600),
      (#"{"id":{},"method":"x"}"#, -32_600), ("\u{0}", -32_700),
      (String(repeating: "[", count: 100_000), -32_700),
    ] as [(String, Int64)])
  func malformed(_ text: String, _ code: Int64) throws {
    let session = try Session()
    session.server.receive(Array(text.utf8))
    let answers = session.collect()
    #expect(answers.count == 1)
    #expect(answers.first?["error"]["code"] == .int(code))
  }

  @Test("bytes that are not UTF-8 are an error")
  func invalidUTF8() throws {
    let session = try Session()
    session.server.receive([0x22, 0xFF, 0x22])
    #expect(session.collect().first?["error"]["code"] == -32_700)
  }

  @Test("an answer of the client is not answered")
  func answers() throws {
    let session = try Session()
    session.server.receive(Array(#"{"jsonrpc":"2.0","id":1,"result":null}"#.utf8))
    #expect(session.collect().isEmpty)
  }

  @Test("a request that waits can be cancelled, one that is answered cannot")
  func cancellation() throws {
    let session = try Session()
    session.open("file:///a.filter", "user.age")
    session.server.receive(Session.message("textDocument/hover", Self.hover, id: "a"))
    session.server.receive(Session.message("textDocument/hover", Self.hover, id: "b"))
    session.server.receive(Session.message("$/cancelRequest", ["id": "b"], id: nil))
    session.server.receive(Session.message("$/cancelRequest", ["id": 77], id: nil))
    let answers = session.collect()
    #expect(answers.map { $0["id"] } == ["a", "b"])
    #expect(answers.first?["error"] == nil)
    #expect(answers.last?["error"]["code"] == -32_800)
    session.notify("$/cancelRequest", ["id": "a"])
  }

  @Test("of several changes that wait only the last one is followed by diagnostics")
  func pendingChanges() throws {
    let session = try Session()
    session.open("file:///a.filter", "user.age")
    for version in 2...4 {
      let params: Value = [
        "textDocument": ["uri": "file:///a.filter", "version": .int(Int64(version))],
        "contentChanges": [["text": .string("user.age == \(version)")]],
      ]
      session.server.receive(Session.message("textDocument/didChange", params, id: nil))
    }
    var versions: [Value?] = []
    while let messages = session.server.respond() {
      for message in messages {
        versions.append(
          try Value(json: String(decoding: message, as: UTF8.self))["params"]["version"])
      }
    }
    #expect(versions == [4])
  }

  @Test("messages are found in bytes that arrive in pieces of any size")
  func framing() {
    var random = SeededGenerator(seed: 5)
    let contents = (0..<200).map { index in
      Array(String(repeating: "é\r\n\r\n", count: index % 17).utf8) + [UInt8(index)]
    }
    for _ in 0..<20 {
      var bytes: [UInt8] = []
      for content in contents { bytes += MessageFramer.frame(content) }
      var framer = MessageFramer()
      var found: [MessageFramer.Frame] = []
      while !bytes.isEmpty {
        let count = min(Int.random(in: 1...300, using: &random), bytes.count)
        framer.append(bytes.prefix(count))
        bytes.removeFirst(count)
        while let frame = framer.next() { found.append(frame) }
      }
      #expect(found == contents.map { .message($0) })
    }
  }

  @Test("headers may have other fields, other cases and plain line feeds")
  func headers() {
    var framer = MessageFramer()
    framer.append("Content-Type: x\r\ncontent-length:  2 \r\n\r\n{}Content-Length: 1\n\n5".utf8)
    #expect(framer.next() == .message(Array("{}".utf8)))
    #expect(framer.next() == .message(Array("5".utf8)))
    #expect(framer.next() == nil)
  }

  @Test(
    "a header that is wrong is reported, and the next message is read",
    arguments: [
      "Content-Length: x\r\n\r\n", "Content-Length: -5\r\n\r\n", "nothing\r\n\r\n",
      "Content-Length: 99999999999999999999999\r\n\r\n", "Content-Length:\r\n\r\n",
    ])
  func wrongHeaders(_ header: String) throws {
    var framer = MessageFramer()
    framer.append(header.utf8)
    guard case .malformed? = framer.next() else {
      Issue.record("not reported")
      return
    }
    framer.append(MessageFramer.frame(Array("{}".utf8)))
    #expect(framer.next() == .message(Array("{}".utf8)))
  }

  @Test("an endless header is given up, and a message that is too long is passed over")
  func limits() {
    var framer = MessageFramer()
    framer.append(repeatElement(UInt8(ascii: "x"), count: 100_000))
    guard case .malformed? = framer.next() else {
      Issue.record("an endless header is not reported")
      return
    }
    var long = MessageFramer(maximumLength: 1_000)
    long.append("Content-Length: 1001\r\n\r\n".utf8)
    guard case .malformed? = long.next() else {
      Issue.record("a long message is not reported")
      return
    }
    for _ in 0..<10 {
      long.append([UInt8](repeating: 0x20, count: 100))
      #expect(long.next() == nil)
    }
    long.append([0x20] + MessageFramer.frame([0x35]))
    #expect(long.next() == .message([0x35]))
  }

  @Test("messages that are changed at random never end the session")
  func hostile() throws {
    var random = SeededGenerator(seed: 6)
    let session = try Session(files: ["/p/context.json": #"{"user": {"age": 5}}"#])
    let config = Configs.text(["user.age == 1", "user.tags.exists(t, t == \"x\")"])
    session.open("file:///p/config.json", config)
    let methods = [
      "textDocument/hover", "textDocument/completion", "textDocument/codeAction",
      "textDocument/rename", "textDocument/didChange", "textDocument/semanticTokens/range",
      "textDocument/inlayHint", "workspace/didChangeWatchedFiles", "textDocument/didClose",
      "textDocument/documentSymbol", "textDocument/formatting", "textDocument/didOpen",
    ]
    for index in 0..<3_000 {
      let line = Int64.random(in: -1...20, using: &random)
      let params: Value = [
        "textDocument": [
          "uri": "file:///p/config.json", "version": 3, "languageId": "json",
          "text": .string(config),
        ],
        "position": [
          "line": .int(line), "character": .int(Int64.random(in: -1...90, using: &random)),
        ],
        "range": [
          "start": ["line": .int(line), "character": 3], "end": ["line": 7, "character": 9],
        ],
        "contentChanges": [["text": "x"]], "newName": "in", "context": ["only": ["quickfix"]],
        "changes": [["uri": "file:///p/context.json"]],
      ]
      let method = methods.randomElement(using: &random) ?? ""
      var bytes = Session.message(method, params, id: .int(Int64(index)))
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: 0x20..<0x7F, using: &random)
      }
      session.server.receive(bytes)
      _ = session.collect()
      if session.server.exitStatus != nil { break }
    }
    #expect(session.server.exitStatus == nil)
    #expect(try session.request("shutdown", .null) == .null)
  }
}
