import Foundation
import Testing

/// Input that is made to hurt ends with a position, soon and without a crash.
@Suite("Hostile input")
struct HostileInputTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let id: String
    let place: String

    init(_ description: String, _ bytes: [UInt8], _ id: String, _ place: String) {
      testDescription = description
      self.bytes = bytes
      self.id = id
      self.place = place
    }
  }

  static func repeated(_ text: String, _ count: Int) -> [UInt8] {
    Array(repeatElement(text, count: count).joined().utf8)
  }

  static let cases: [Case] = [
    Case("10 MB of (", repeated("(", 10_000_000), "E0601", "1:2097153"),
    Case("1 MB of (", repeated("(", 1_000_000), "E0211", "1:1000001"),
    Case(
      "100,000 nested lists", repeated("[", 100_000) + repeated("]", 100_000), "E0603", "1:431"),
    Case("100,000 nested calls", repeated("f(", 100_000), "E0603", ""),
    Case("100,000 nested maps", repeated("{1:", 100_000), "E0603", ""),
    Case("a NUL", Array("user.a\0ge".utf8), "E0103", "1:7"),
    Case("an unclosed string", Array("user.a == \"abc".utf8), "E0105", "1:11"),
    Case("an unclosed string of 1 MB", Array("\"".utf8) + repeated("x", 1_000_000), "E0105", "1:1"),
    Case("invalid UTF-8", Array("user.name == \"".utf8) + [0xFF, 0x22], "E0102", "1:15"),
    Case("a cut character", Array("user.name == \"".utf8) + [0xE2, 0x82], "E0102", "1:15"),
    Case("1 MB of !", repeated("!", 1_000_000) + [0x78], "E0208", "1:1"),
    Case("1 MB of -", repeated("-", 1_000_000) + [0x31], "E0208", "1:1"),
    Case("100,000 line breaks", repeated("\n", 100_000) + [0x29], "E0211", "100001:1"),
    Case("nothing", [], "E0201", "1:1"),
  ]

  @Test("a filter that cannot be compiled is reported with its position", arguments: cases)
  func filter(_ item: Case) throws {
    let run = try swexpr("eval", "-", input: item.bytes)
    #expect(run.status == 1)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("error[\(item.id)]: "), "\(run.errors.prefix(300))")
    #expect(run.errors.contains(" --> <stdin>:\(item.place)"), "\(run.errors.prefix(300))")
    // The message is for people, however long the filter is.
    #expect(run.errors.utf8.count < 4000)
    expectSoon(run)
  }

  @Test("an identifier of 1 MB is a name like any other")
  func identifier() throws {
    let run = try swexpr("eval", "-", input: Self.repeated("a", 1_000_000))
    #expect(run.output == "null\n")
    expectSoon(run)
  }

  @Test(
    "hostile JSON contexts are reported with their position",
    arguments: [
      ("invalid UTF-8", Array("{\"a\": \"".utf8) + [0xFF, 0x22, 0x7D], "<stdin>:1:8: "),
      ("1 MB of [", repeated("[", 1_000_000), "<stdin>:1:129: "),
      ("an unclosed string", Array("{\"a\": \"".utf8), "<stdin>:1:"),
      ("a NUL", Array("{\"a\": \0}".utf8), "<stdin>:1:7: "),
      ("nothing", [], "<stdin>:1:1: "),
      ("no object", Array("[1]".utf8), "<stdin>: must be a JSON object"),
    ])
  func context(_ item: (name: String, bytes: [UInt8], message: String)) throws {
    let run = try swexpr("eval", "1", "--context", "-", input: item.bytes)
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("error: \(item.message)"), "\(run.errors.prefix(300))")
    expectSoon(run)
  }

  @Test(
    "every stage survives",
    arguments: [
      "tokens", "ast", "ir", "dis", "fmt", "check",
    ])
  func stages(_ command: String) throws {
    for bytes in [Self.repeated("[", 100_000), Self.repeated("a+", 2000), [0, 0xFF]] {
      let run = try swexpr(command, "-", input: bytes)
      #expect(run.status == (command == "tokens" && bytes.count > 2 ? 0 : 1))
      expectSoon(run)
    }
  }

  /// A second is the promise of a release build on a quiet machine; tests run without optimisation
  /// and beside others.
  private func expectSoon(_ run: ToolRun) {
    #if DEBUG
      let limit = 20.0
    #else
      let limit = 2.0
    #endif
    #expect(run.seconds < limit)
  }
}
