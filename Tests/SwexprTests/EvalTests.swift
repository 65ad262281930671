import Foundation
import Testing

@Suite("swexpr eval")
struct EvalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let output: String
    var status: Int32 = 0
    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let values: [Case] = [
    Case(arguments: ["1 + 2 * 3"], output: "7\n"),
    Case(arguments: ["2.0"], output: "2.0\n"),
    Case(arguments: ["[1, \"a\"]"], output: "[1, \"a\"]\n"),
    Case(arguments: ["{\"a\": 1}"], output: "{\"a\": 1}\n"),
    Case(arguments: ["\"text\""], output: "\"text\"\n"),
    Case(arguments: ["user.gone"], output: "null\n"),
    Case(arguments: ["user.age >= 18", "--user", "{\"age\": 25}"], output: "true\n"),
    Case(
      arguments: [
        "user.age >= 18 && device.platform == \"iOS\" && params.days > 3", "--user",
        "{\"age\": 25}", "--device", "{\"platform\": \"iOS\"}", "--params", "{\"days\": 4}",
      ], output: "true\n"),
    Case(
      arguments: ["device.daysSince(\"open\")", "--host", "{\"daysSince(open)\": 3}"],
      output: "3\n"),
    Case(arguments: ["device.other()", "--host", "{\"other\": \"x\"}"], output: "\"x\"\n"),
    // What starts with a minus sign is a filter all the same.
    Case(arguments: ["-5 + 3"], output: "-2\n"),
    Case(arguments: ["-5"], output: "-5\n"),
    Case(arguments: ["--", "-5"], output: "-5\n"),
    Case(arguments: ["-(2)"], output: "-2\n"),
    Case(arguments: ["-user.age", "--user", "{\"age\": 2}"], output: "-2\n"),
    Case(arguments: ["--user", "{\"age\": 2}", "-user.age"], output: "-2\n"),
    Case(arguments: ["1", "--exit-status"], output: "1\n", status: 1),
    Case(arguments: ["null", "--exit-status"], output: "null\n", status: 1),
    Case(arguments: ["true", "--exit-status"], output: "true\n"),
    Case(arguments: ["false"], output: "false\n"),
  ]

  @Test("a value is printed as a literal, alone on standard output", arguments: values)
  func value(_ item: Case) throws {
    let run = try swexpr("eval", item.arguments)
    #expect(run.output == item.output)
    // Only what is missing may be noted beside it.
    #expect(run.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("  note: ") })
    #expect(run.status == item.status)
  }

  @Test(
    "what may explain a value that matches nobody is noted on standard error",
    arguments: [
      (#"plan == "pro""#, "there is no variable `plan`"),
      ("user.session > 5", "`user.session` is missing here; did you mean `user.sessions`?"),
      (#"user.name.endswith("x")"#, "there is no function `endswith`; did you mean `endsWith`?"),
    ])
  func hints(filter: String, note: String) throws {
    let run = try swexpr("eval", [filter, "--context", "docs/context.json"])
    #expect(run.errors == "  note: \(note)\n")
    #expect(try swexpr("eval", ["user.age > 3", "--context", "docs/context.json"]).errors == "")
  }

  @Test("the filter may come from standard input")
  func filterFromStandardInput() throws {
    let run = try swexpr("eval", "-", "--user", "{\"age\": 3}", input: "user.age + 1\n".utf8)
    #expect(run.output == "4\n")
    #expect(run.status == 0)
  }

  @Test("the context may come from a file or standard input, and options add to it")
  func context() throws {
    let scratch = try ScratchFolder()
    let json = "{\"user\": {\"age\": 3, \"name\": \"Ann\"}, \"limit\": 2}"
    let file = try scratch.file("context.json", json)
    let filter = "user.age + limit"
    #expect(try swexpr("eval", filter, "--context", file).output == "5\n")
    #expect(try swexpr("eval", filter, "--context", "-", input: json.utf8).output == "5\n")
    let changed = try swexpr("eval", "user", "--context", file, "--user", "{\"age\": 4}")
    #expect(changed.output == "{\"age\": 4, \"name\": \"Ann\"}\n")
  }

  @Test("filter and context cannot both be standard input")
  func oneStandardInput() throws {
    let run = try swexpr("eval", "-", "--context", "-", input: "{}".utf8)
    #expect(run.status == 2)
    #expect(
      run.errors
        == "error: the filter and --context cannot both be read from standard input\n")
  }

  @Test("--json prints one document with value, literal and kind")
  func json() throws {
    let run = try swexpr("eval", "--json", "{\"a\": [1, 2.5, null]}")
    let document = try #require(try run.json() as? [String: Any])
    #expect(document["literal"] as? String == "{\"a\": [1, 2.5, null]}")
    #expect(document["kind"] as? String == "map")
    let value = try #require(document["value"] as? [String: Any])
    #expect((value["a"] as? [Any])?.count == 3)
    #expect(Set(document.keys) == ["value", "literal", "kind"])
  }

  @Test("a syntax error is drawn on standard error, and the exit code is 1")
  func syntaxError() throws {
    let run = try swexpr("eval", "user.age >= ")
    #expect(run.status == 1)
    #expect(run.output == "")
    let lines = run.errors.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first?.hasPrefix("error[E0211]: ") == true)
    #expect(lines.dropFirst().first == " --> <filter>:1:12")
    #expect(run.errors.contains("1 | user.age >="))
    #expect(run.errors.contains("= help: "))
  }

  @Test("an evaluation error points at its operator, and --json holds it too")
  func evaluationError() throws {
    let run = try swexpr("eval", "--json", "1 + 6 / (2 - 2)")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("error[E0501]: division by zero"))
    let document = try #require(try run.json() as? [String: Any])
    let diagnostics = try #require(document["diagnostics"] as? [[String: Any]])
    #expect(diagnostics.map { $0["id"] as? String } == ["E0501"])
    let primary = try #require(diagnostics.first?["primary"] as? [String: Any])
    #expect(primary["line"] as? Int == 1)
  }

  @Test("diagnostics are coloured on request only, and in words with --plain")
  func styles() throws {
    #expect(!(try swexpr("eval", "1 +").errors.contains("\u{1B}")))
    #expect(try swexpr("eval", "1 +", "--color", "always").errors.contains("\u{1B}[1;31m"))
    let plain = try swexpr("eval", "1 +", "--plain")
    #expect(plain.errors.hasPrefix("Error E0211: "))
    #expect(!plain.errors.contains("-->"))
  }

  @Test("the dialect decides")
  func dialect() throws {
    #expect(try swexpr("eval", "0x10", "--dialect", "superscript").status == 1)
    #expect(try swexpr("tokens", "0x10", "--dialect", "cel").output.contains("0x10"))
  }

  static let unusableLines: [(arguments: [String], message: String)] = [
    (["eval"], "Missing expected argument '<expr>'"),
    (["eval", "1", "2"], "Unexpected argument '2'"),
    (["eval", "1", "--nonsense"], "Unknown option '--nonsense'"),
    (["eval", "1", "--dialect", "latin"], "'latin' is invalid"),
    (["eval", "1", "--user", "{"], "--user:1:"),
    (["eval", "1", "--user", "[1]"], "--user: must be a JSON object, found a list"),
    (["eval", "1", "--context", "/no/such/file"], "/no/such/file: there is no such file"),
    (["nonsense"], "nonsense"),
    (["conform", "/no/such/file"], "/no/such/file"),
    (["bench", "--filters", "/no/such/file"], "/no/such/file"),
    (["check", "nowhere.expr"], "nowhere.expr: there is no such file"),
    (["eval", "1", "--context", "/dev/zero"], "/dev/zero: has more than 128 MiB"),
    (["explain-error", "E9999"], "there is no error `E9999`"),
    (["fmt", "--width", "3", "1"], "--width must be at least 20"),
  ]

  @Test("what cannot be understood or read exits with 2 and says why", arguments: unusableLines)
  func unusable(_ item: (arguments: [String], message: String)) throws {
    let run = try swexpr(item.arguments)
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(run.errors.contains(item.message), "\(run.errors)")
  }
}

/// ``swexpr(_:input:environment:)`` with a command and a list.
func swexpr(_ command: String, _ arguments: [String]) throws -> ToolRun {
  try swexpr([command] + arguments)
}
