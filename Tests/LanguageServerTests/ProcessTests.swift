import ExpressionEngine
import FilterAnalysis
import Foundation
import TestSupport
import Testing

@testable import LanguageServer

@Suite("swexpr lsp")
struct ProcessTests {
  private static let sample = TestFiles.root.appending(path: "corpus/campaigns/sample")

  @Test("a session over standard input and output, with files beside the document")
  func session() throws {
    let server = try ServerProcess("--stdio", "--schema", "docs/schema.json")
    let started = try server.request("initialize", ["capabilities": [:]])
    #expect(started["result"]["serverInfo"]["name"] == "swexpr")
    try server.notify("initialized", [:])
    let uri = "file://\(Self.sample.path)/spring%20sale.filter"
    try server.notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": .string(uri), "languageId": "audience-filter", "version": 7,
          "text": "user.pln == 'pro' && user.seed < 50",
        ]
      ])
    let params = try server.note("textDocument/publishDiagnostics")["params"]
    #expect(params["version"] == 7)
    #expect(params["diagnostics"][0]["code"] == "W0701")
    let hover = try server.request(
      "textDocument/hover",
      ["textDocument": ["uri": .string(uri)], "position": ["line": 0, "character": 27]])
    let text = try #require(hover["result"]["contents"]["value"]?.stringValue)
    // `new-visitor` is the first of the contexts beside the document.
    #expect(text.contains("**contexts/new-visitor.json**") && text.contains("`user.seed` is `23`"))
    #expect(try server.request("shutdown", .null)["result"] == .null)
    try server.notify("exit", .null)
    #expect(try server.finish() == 0)
  }

  @Test("requests that arrive together are answered in order, and a cancelled one with an error")
  func together() throws {
    let server = try ServerProcess()
    var bytes = MessageFramer.frame(Session.message("initialize", [:], id: 1))
    for id in 2...4 {
      bytes += MessageFramer.frame(
        Session.message("textDocument/documentSymbol", [:], id: .int(Int64(id))))
    }
    bytes += MessageFramer.frame(Session.message("$/cancelRequest", ["id": 3], id: nil))
    try server.send(bytes)
    var answers: [Value] = []
    while answers.count < 4, let message = try server.next() { answers.append(message) }
    #expect(answers.map { $0["id"] } == [1, 2, 3, 4])
    #expect(answers[1]["error"]["code"] == -32_602)
    #expect(answers[2]["error"]["code"] == -32_800)
    #expect(try server.finish() == 1)
  }

  @Test("whatever arrives, there is an answer or an end, never a crash")
  func garbage() throws {
    for bytes: [UInt8] in [
      [], Array("GET / HTTP/1.1\r\n\r\n".utf8), [0xFF, 0, 0x0A, 0x0A],
      Array("Content-Length: 5".utf8),
      Array("Content-Length: 4\r\n\r\n{]}x".utf8), Array("Content-Length: 1000\r\n\r\n{".utf8),
      MessageFramer.frame(Session.message("exit", .null, id: nil)),
      [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000),
    ] {
      let server = try ServerProcess()
      try? server.send(bytes)
      #expect(try server.finish() == 1)
    }
  }

  @Test("after input that is no message the session goes on")
  func recovery() throws {
    let server = try ServerProcess()
    try server.send(Array("Content-Length: many\r\n\r\n".utf8))
    let answer = try #require(try server.next())
    #expect(answer["error"]["code"] == -32_700 && answer["id"] == .null)
    #expect(try server.request("initialize", [:])["error"] == nil)
    #expect(try server.request("shutdown", .null)["result"] == .null)
    #expect(try server.finish() == 0)
  }

  @Test("a schema that cannot be read ends with 2")
  func schema() throws {
    let server = try ServerProcess("--schema", "/nowhere.json")
    #expect(try server.finish() == 2)
  }
}
