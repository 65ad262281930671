import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis
import Foundation
import TestSupport
import Testing

@Suite("The other commands")
struct CommandTests {
  @Test(
    "help exits with 0 and shows examples",
    arguments: [
      "eval", "check", "fmt", "audiences", "explain-error", "tokens", "ast", "ir", "dis", "conform",
      "corpus", "bench", "match", "simulate",
    ])
  func help(_ command: String) throws {
    let run = try swexpr("help", command)
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(run.output.contains("USAGE: swexpr \(command)"))
    #expect(command == "corpus" || run.output.contains("  swexpr \(command)"))
    #expect(try swexpr(command, "--help").output == run.output)
  }

  static let wrongCommands: [(arguments: [String], message: String)] = [
    (["evl", "1"], "there is no command `evl`\n  = help: did you mean `eval`?\n"),
    (["help", "evl"], "there is no command `evl`\n  = help: did you mean `eval`?\n"),
    (
      ["user.age >= 18"],
      "there is no command `user.age >= 18`\n  = help: `swexpr eval` evaluates a filter\n"
    ),
    (
      ["frobnicate"],
      "there is no command `frobnicate`\n  = help: `swexpr help` lists the commands\n"
    ),
  ]

  @Test("a command that does not exist is named, with what was meant", arguments: wrongCommands)
  func wrongCommand(_ item: (arguments: [String], message: String)) throws {
    let run = try swexpr(arguments: item.arguments)
    #expect(run.errors == "error: " + item.message)
    #expect(run.output == "")
    #expect(run.status == 2)
  }

  @Test("every command's help names its exit codes, and so does the help of the whole")
  func exitCodes() throws {
    let help = try swexpr("--help").output
    #expect(help.contains("Exit codes: 0 done"))
    let list = help.split(separator: "\n").drop { !$0.hasSuffix("SUBCOMMANDS:") }
    let commands = list.filter { $0.hasPrefix("  ") && $0.dropFirst(2).first?.isLowercase == true }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(commands.count > 18)
    for command in commands where !["schema", "corpus"].contains(command) {
      // The text is wrapped, so that the words may stand on two lines.
      let text = try swexpr("help", command).output.replacing("\n", with: " ")
      #expect(text.contains("Exit codes"), "\(command)")
    }
  }

  @Test("what JSON cannot be read is shown with its place")
  func unreadableJSON() throws {
    let scratch = try ScratchFolder()
    let path = try scratch.file("user.json", "{\n  \"user\": {\n    \"age\": tru\n  }\n}\n")
    let shown = "3:12: expected a value, found `t`\n  |\n3 |     \"age\": tru\n  |            ^\n"
    for arguments in [
      ["eval", "1", "--context", path], ["explain", "1", "--context", path],
      ["repl", "--context", path], ["check", "1", "--schema", path], ["schema", "infer", path],
    ] {
      let run = try swexpr(arguments: arguments)
      #expect(run.errors == "error: \(path):" + shown)
      #expect(run.status == 2)
    }
    let line = try swexpr("eval", "1", "--user", "{\"age\": }")
    #expect(line.errors.hasPrefix("error: --user:1:9: expected a value, found `}`\n"))
    #expect(line.status == 2)
  }

  @Test("no command at all shows the help")
  func noCommand() throws {
    let run = try swexpr()
    #expect(run.status == 0)
    #expect(run.output.contains("USAGE: swexpr <subcommand>"))
  }

  @Test(
    "each stage has a text form that is the same in every run",
    arguments: [
      "tokens", "ast", "ir", "dis",
    ])
  func stages(_ command: String) throws {
    let filter = "user.age >= 18 && [1, 2].exists(x, x == user.n) ? \"a\" : user.name.trim()"
    let first = try swexpr(command, filter)
    #expect(first.status == 0)
    #expect(first.errors == "")
    #expect(first.output.hasSuffix("\n"))
    #expect(first.output.utf8.count > 40)
    #expect(try swexpr(command, filter).output == first.output)
    let broken = try swexpr(command, "1 +")
    // Half an expression still has tokens.
    #expect(broken.status == (command == "tokens" ? 0 : 1))
  }

  @Test("a comparison with an attribute is listed, with what replaces it when that is missing")
  func disassembly() throws {
    let run = try swexpr("dis", "user.age >= 18", "--legend")
    #expect(
      run.output.contains("compareConstant   r0, r0, 18    >=              ; user.age >= 18"))
    #expect(run.output.contains("\nopcodes\n  loadAttribute     a = root.name"))
  }

  @Test("the graph of a filter is listed, or that it has none")
  func graph() throws {
    let run = try swexpr("dis", "user.age >= 18 || user.vip == true", "--graph")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("2 decisions\n  0000  intAtLeast  user.age 18"))
    let none = try swexpr("dis", "user.name + 1", "--graph")
    #expect(none.status == 0)
    #expect(none.output == "no decisions: a machine runs the code\n")
    #expect(try swexpr("dis", "user.age >=", "--graph").status == 1)
  }

  @Test("tokens as JSON cover the text")
  func tokens() throws {
    let text = "user.age>=18 // adult"
    let document = try #require(
      try swexpr("tokens", "--json", text).json() as? [String: [[String: Any]]])
    let tokens = try #require(document["tokens"])
    #expect(tokens.compactMap { $0["text"] as? String } == ["user", ".", "age", ">=", "18"])
    #expect(tokens.last?["end"] as? Int == 12)
  }

  @Test("the tree as JSON is that of the reference's interface")
  func tree() throws {
    let document = try #require(
      try swexpr("ast", "--json", "user.age >= 18").json() as? [String: Any])
    #expect(document["type"] as? String == "Relation")
    #expect(try swexpr("ast", "--json", "--dialect", "cel", "1").status == 2)
  }

  @Test("check counts errors over filters and files")
  func check() throws {
    let scratch = try ScratchFolder()
    let good = try scratch.file("good.expr", "user.age > 3\n")
    let bad = try scratch.file("bad.expr", "user.age >\n")
    let clean = try swexpr("check", good, "user.age > 4")
    #expect(clean.status == 0)
    #expect(clean.output == "2 filters, 0 errors, 0 warnings\n")
    let run = try swexpr("check", good, bad)
    #expect(run.status == 1)
    #expect(run.output == "2 filters, 1 error, 0 warnings\n")
    #expect(run.errors.contains(" --> \(bad):1:"))
    let document = try #require(
      try swexpr("check", "--json", bad).json() as? [String: Any])
    #expect(document["errors"] as? Int == 1)
    let filters = try #require(document["filters"] as? [[String: Any]])
    #expect(filters.first?["name"] as? String == bad)
    #expect((filters.first?["diagnostics"] as? [Any])?.count == 1)
  }

  @Test("check reads the filters of a campaign config")
  func checkConfig() throws {
    let run = try swexpr("check", "corpus/campaigns/sample/config.json")
    #expect(run.status == 0, "\(run.errors)")
    // Every filter of the sample is right; one of its experiments has no weights, and one filter
    // reads an address that a user need not have.
    #expect(run.output.hasSuffix(" filters, 0 errors, 2 warnings\n"))
    #expect(
      run.errors == """
        corpus/campaigns/sample/config.json: warning[impossible-percentage]: all percentages of \
        experiment "log-303" are 0, so its variants are equally likely (at \
        `trigger_options[3].rules[2].variants`)
        corpus/campaigns/sample/config.json: warning[failing-filter]: \
        `user.email.endsWith("@tidewise.example")` fails for some users, so that they do not match \
        "fc-203" whatever else is true (at `trigger_options[2].rules[2]`)

        """)
    #expect((Int(run.output.prefix { $0.isNumber }) ?? 0) > 10)
  }

  @Test("check tells what decodes in a config but cannot be meant, as JSON too")
  func checkConfigNotes() throws {
    let path = "corpus/campaigns/config-warnings/config.json"
    let run = try swexpr("check", path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "0 filters, 0 errors, 10 warnings\n")
    #expect(run.errors.contains("warning[unreachable-audience]"))
    let document = try #require(try swexpr("check", "--json", path).json() as? [String: Any])
    let notes = try #require(document["config"] as? [[String: String]])
    #expect(notes.count == 10)
    #expect(notes.allSatisfy { $0["file"] == path && $0["kind"] != nil && $0["message"] != nil })
    #expect(document["warnings"] as? Int == 10)
  }

  @Test("fmt is canonical, and formatting twice changes nothing")
  func format() throws {
    let once = try swexpr("fmt", "user.age>=18&&( user.plan=='pro')")
    #expect(once.status == 0)
    let again = try swexpr("fmt", "-", input: once.output.utf8)
    #expect(again.output == once.output)
    #expect(once.output.contains("user.age >= 18 && "))
    #expect(try swexpr("fmt", "-5+3").output == "-5 + 3\n")
  }

  @Test("fmt --check and --in-place work on files")
  func formatFiles() throws {
    let scratch = try ScratchFolder()
    let path = try scratch.file("a.expr", "a+b\n")
    #expect(try swexpr("fmt", "--check", path).status == 1)
    #expect(try swexpr("fmt", "--check", path).output == "\(path)\n")
    #expect(try swexpr("fmt", "-i", path).status == 0)
    #expect(try scratch.text("a.expr") == "a + b\n")
    #expect(try swexpr("fmt", "--check", path).status == 0)
    #expect(try swexpr("fmt", "-i", "a+b").status == 2)
  }

  @Test("every error has a page", arguments: DiagnosticID.allCases)
  func explainError(_ id: DiagnosticID) throws {
    let run = try swexpr("explain-error", id.rawValue.lowercased())
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("\(id.severity.rawValue)[\(id.rawValue)]: \(id.entry.title)\n"))
  }

  @Test("all errors can be listed, as JSON too")
  func listErrors() throws {
    #expect(
      try swexpr("explain-error").output.split(separator: "\n").count
        == DiagnosticID.allCases.count)
    let document = try #require(
      try swexpr("explain-error", "--json").json() as? [String: [[String: String]]])
    #expect(document["errors"]?.count == DiagnosticID.allCases.count)
  }

  @Test("audiences evaluates a sample config for its users")
  func audiences() throws {
    let sample = "corpus/campaigns/sample"
    let contexts = try FileManager.default.contentsOfDirectory(
      atPath: TestFiles.path("\(sample)/contexts")
    ).sorted().map { "\(sample)/contexts/\($0)" }
    let arguments =
      ["audiences", "--config", "\(sample)/config.json", "--context"] + contexts
    let run = try swexpr(arguments)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("MATCH"))
    #expect(run.output.contains("placement"))
    let document = try #require(
      try swexpr(arguments + ["--json"]).json() as? [String: [[String: Any]]])
    let audiences = try #require(document["audiences"])
    #expect(audiences.count > 10)
    for audience in audiences {
      let results = try #require(audience["results"] as? [[String: Any]])
      #expect(results.count == contexts.count)
    }
    // At most one audience of a placement decides for a user.
    for placement in Set(audiences.compactMap { $0["placement"] as? String }) {
      let rows = audiences.filter { $0["placement"] as? String == placement }
      for index in contexts.indices {
        let matches = rows.count { row in
          let results = row["results"] as? [[String: Any]]
          return results?[index]["outcome"] as? String == "match"
        }
        #expect(matches <= 1)
      }
    }
    let missing = try swexpr(arguments + ["--placement", "open_forecas"])
    #expect(missing.status == 2)
    #expect(missing.errors.contains("did you mean `open_forecast`?"))
  }
}

/// ``swexpr(_:input:environment:)`` with a list.
func swexpr(_ arguments: [String]) throws -> ToolRun {
  try swexpr(arguments: arguments, input: [], environment: [:])
}
