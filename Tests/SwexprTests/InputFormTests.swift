import ExpressionCoding
import ExpressionEngine
import FilterAnalysis
import Foundation
import Testing

@Suite("Forms of input")
struct InputFormTests {
  private static let utf16 = "user.isLogedIn".utf16

  static let forms: [(name: String, octets: [UInt8])] = [
    ("byte order mark", [0xEF, 0xBB, 0xBF] + Array("user.isLogedIn\r\n".utf8)),
    (
      "UTF-16, little end first",
      [0xFF, 0xFE] + utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    ),
    (
      "UTF-16, big end first", [0xFE, 0xFF] + utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    ),
  ]

  @Test("files of Windows are read", arguments: forms)
  func windows(form: (name: String, octets: [UInt8])) throws {
    let folder = try ScratchFolder()
    let file = folder.url.appending(path: "filter.expr")
    try Data(form.octets).write(to: file)
    let run = try swexpr("check", [file.path])
    #expect(run.errors.contains("1 | user.isLogedIn\n"))
    #expect(run.errors.contains("help: write `user.isLoggedIn`"))
    #expect(run.output == "1 filter, 0 errors, 1 warning\n")
  }

  @Test("a context with a byte order mark is read")
  func context() throws {
    let folder = try ScratchFolder()
    let file = folder.url.appending(path: "context.json")
    try Data([0xEF, 0xBB, 0xBF] + Array(#"{"user": {"age": 3}}"#.utf8)).write(to: file)
    #expect(try swexpr("eval", ["user.age", "--context", file.path]).output == "3\n")
  }

  @Test("the filters of a folder and of those in it are checked")
  func folder() throws {
    let folder = try ScratchFolder()
    let inner = folder.url.appending(path: "inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    try Data("user.age > 3".utf8).write(to: folder.url.appending(path: "b.expr"))
    try Data("user.isLogedIn".utf8).write(to: inner.appending(path: "a.filter"))
    try Data("no filter".utf8).write(to: inner.appending(path: "notes.txt"))
    let run = try swexpr("check", [folder.url.path])
    #expect(run.output == "2 filters, 0 errors, 1 warning\n")
    #expect(run.errors.contains("inner/a.filter:1:1"))
    let empty = try ScratchFolder()
    let none = try swexpr("check", [empty.url.path])
    #expect(none.status == 2)
    #expect(none.errors.contains("a folder without filters"))
  }

  @Test("of very many findings the first are written and the others counted")
  func many() throws {
    let filter = Array(repeating: "user.isLogedIn", count: 150).joined(separator: " || ")
    let run = try swexpr("check", [filter])
    #expect(run.output == "1 filter, 0 errors, 299 warnings\n")
    #expect(run.errors.hasSuffix("<filter>: 199 more findings: 99 × W0701, 100 × W0720\n"))
  }

  @Test("the functions of the SDKs are found like all others")
  func functionsOfSDKs() throws {
    #expect(try swexpr("doc", ["device.daysSince"]).output.contains("whole days since"))
    #expect(try swexpr("doc", ["daysSince"]).output.contains("device.daysSince(event) -> int"))
    #expect(try swexpr("funcs", ["days"]).output.hasPrefix("device.daysSince(event)"))
    #expect(
      try swexpr("schema", ["list", "device.days"]).output.contains("device.daysSince(event)"))
  }

  @Test("functions as JSON, with those of the SDKs")
  func functionsAsJSON() throws {
    let found = try Value(json: try swexpr("funcs", ["--json", "s*th"]).output)["functions"]
    #expect(found?[0]?["name"] == "startsWith")
    #expect(found?[0]?["signatures"]?[0] == "string.startsWith(string) -> bool")
    #expect(found?[0]?["examples"]?[0]?["value"] == "true")
    let ofSDKs = try Value(json: try swexpr("funcs", ["--json", "daysSince"]).output)["functions"]
    #expect(ofSDKs?[0]?["signatures"]?[0] == "device.daysSince(event) -> int")
    #expect(try swexpr("funcs", ["--json", "--markdown"]).status == 2)
  }

  @Test("example commands in the help fit a line of 80 characters")
  func examples() throws {
    for command in ["eval", "check", "match", "audiences", "simulate", "sql", "explain", "schema"] {
      let run = try swexpr(
        arguments: ["help", command], input: [], environment: ["COLUMNS": "80"])
      let lines = run.output.split(separator: "\n").map(String.init)
      for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix("  swexpr ") {
        // A line that goes on without a backslash would be two commands when pasted.
        #expect(!next.hasPrefix("    ") || line.hasSuffix("\\"), "\(command): \(line)")
      }
    }
  }
}
