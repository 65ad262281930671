import Foundation
import Testing

@Suite("swexpr repl, piped")
struct ReplTests {
  private func run(_ lines: String..., arguments: [String] = []) throws -> ToolRun {
    try swexpr(
      arguments: ["repl"] + arguments, input: (lines.joined(separator: "\n") + "\n").utf8,
      environment: [:])
  }

  @Test("each filter is answered by its value and type, without a prompt")
  func values() throws {
    let run = try run("1 + 2", "", "[1, \"a\"]", "user.gone == 0", "\"x\"")
    #expect(run.output == "3 : int\n[1, \"a\"] : list\ntrue : bool\n\"x\" : string\n")
    #expect(run.status == 0)
  }

  @Test("a filter that has no value makes the exit code 1, and the others are answered")
  func failure() throws {
    let run = try run("1 +", "6 / (2 - 2)", "2")
    #expect(run.output == "2 : int\n")
    #expect(run.errors.contains("error[E0211]"))
    #expect(run.errors.contains("error[E0501]: division by zero"))
    #expect(run.status == 1)
    #expect(try swexpr("repl", "--context", "/no/such/file").status == 2)
  }

  @Test("lines go on while brackets are open, to the end of the input")
  func brackets() throws {
    #expect(try run("[1,", "", "2]").output == "[1, 2] : list\n")
    #expect(try run("(1").errors.contains("`(` is not closed"))
    #expect(try run(":ast (1 +", "2)").output == "(+ 1 2)\n")
  }

  static let missing: [(filter: String, note: String)] = [
    ("user.aeg > 3", "`user.aeg` is missing here; did you mean `user.age`?"),
    ("usr.age > 3", "there is no variable `usr`; did you mean `user`?"),
    ("user.unheardOf > 3", "`user.unheardOf` is missing here"),
    ("user.aga == 3", "`user.aga` is missing here; did you mean `user.age`?"),
    ("user.ago == \"dusk\"", "`user.ago` is missing here; did you mean `user.age`?"),
    ("user.nam", "`user.nam` is missing here; did you mean `user.name`?"),
    ("user.tax", "`user.tax` is missing here"),
  ]

  @Test("what a filter reads and nobody has is pointed out", arguments: missing)
  func notes(_ item: (filter: String, note: String)) throws {
    let run = try run(item.filter, arguments: ["--context", "docs/context.json"])
    #expect(run.errors == "  note: \(item.note)\n")
    #expect(run.status == 0)
  }

  @Test("a filter over what is there has no notes")
  func noNotes() throws {
    let filter =
      "user.age > 3 && device.daysSince(\"app_open\") < 5 && user.tags.exists(t, t == \"dawn\")"
    let run = try run(filter, arguments: ["--context", "docs/context.json"])
    #expect(run.output == "true : bool\n")
    #expect(run.errors == "")
  }

  @Test("quit, exit and help need no colon, unless a variable has that name")
  func words() throws {
    #expect(try run("1", "quit", "2").output == "1 : int\n")
    #expect(try run("exit", "2").output == "")
    #expect(try run("help").output == run(":help").output)
    #expect(try run(":set quit 3", "quit", "4").output == "quit = 3 : int\n3 : int\n4 : int\n")
  }

  @Test("a shortened command that fits several names them")
  func ambiguous() throws {
    #expect(try run(":h").errors == "error: `:h` may be short for `:host`, `:help`\n")
    #expect(try run(":help s").errors == "error: `:s` may be short for `:set`, `:show`, `:save`\n")
    #expect(try run(":xyz").errors.contains("there is no command `:xyz`"))
  }

  static let commands: [(lines: [String], output: String)] = [
    ([":set user.age 25", "user.age"], "user.age = 25 : int\n25 : int\n"),
    ([":set user.age = 25", "user.age"], "user.age = 25 : int\n25 : int\n"),
    (
      [":set user.a.b [1, {\"c\": null}]", "user.a.b[0]"],
      "user.a.b = [1, {\"c\": null}] : list\n1 : int\n"
    ),
    (
      [":set limit 5", ":set limit limit + 1", "limit"],
      "limit = 5 : int\nlimit = 6 : int\n6 : int\n"
    ),
    (
      [":set params[\"$x\"] true", "params[\"$x\"]"], "params[\"$x\"] = true : bool\ntrue : bool\n"
    ),
    (
      [":set user.a 1", ":unset user.a", ":show user"],
      "user.a = 1 : int\nremoved user.a\nuser = {} : map\n"
    ),
    (
      [":host {\"daysSince(app_open)\": 3}", "device.daysSince(\"app_open\") + 1"],
      "host daysSince(app_open) = 3 : int\n4 : int\n"
    ),
    (
      [":context docs/context.json", ":show user.tags", ":context"],
      "13 attributes\nuser.tags = [\"dawn\", \"shortboard\"] : list\ndocs/context.json, 13 attributes\n"
    ),
    (["1 + 2", ":ast"], "3 : int\n(+ 1 2)\n"),
    ([":dialect", ":dialect cel", "5u"], "superscript\ncel\n5u : uint\n"),
    ([":q", "1"], ""),
    ([":help quit"], ":quit\n    leave; control-D does too\n"),
    (
      [":help unset", ":doc :unset"],
      String(repeating: ":unset PATH\n    remove an attribute\n\n      :unset user.age\n", count: 2)
    ),
    (
      [":doc device.subscriptionStatus", ":set user.seed 7", ":doc user.seed"],
      """
      device.subscriptionStatus : string
          the subscription status
          one of "ACTIVE", "INACTIVE", "UNKNOWN"
          since 3.0.0
          missing here
      user.seed = 7 : int
      user.seed : int
          a random number from 0 to 99 that stays with the user
          in points of a hundred
          from 0 to 99
          since 3.2.0
          for example 42
          here: 7

      """
    ),
    ([":doc null"], "null    no value\n"),
    (
      [":host {\"daysSince(app_open)\": 3}", ":funcs since"],
      "host daysSince(app_open) = 3 : int\n"
        + "device.daysSince(…)  a function of the app; :host lists its answers\n"
    ),
  ]

  @Test("commands do what they say", arguments: commands)
  func command(_ item: (lines: [String], output: String)) throws {
    let run = try swexpr(
      arguments: ["repl"], input: (item.lines.joined(separator: "\n") + "\n").utf8,
      environment: [:])
    #expect(run.output == item.output)
    #expect(run.errors == "")
    #expect(run.status == 0)
  }

  static let mistakes: [(line: String, message: String)] = [
    (":foo", "there is no command `:foo`"),
    (":sett user.age 1", "did you mean `:set`?"),
    (":set", "needs a path and a value"),
    (":set user.age", "there is no value for `user.age`"),
    (":set user.plan pro", "quote a text: `:set user.plan \"pro\"`"),
    (":set 5 6", "`5` is not an attribute"),
    (":set user.age 1 +", "error[E0211]"),
    (":unset user.gone", "`user.gone` is not in the context"),
    (":show user.gone", "`user.gone` is not in the context"),
    (":context /no/such/file", "/no/such/file"),
    (":host [1]", "must be a JSON object"),
    (":dialect latin", "choose `superscript` or `cel`"),
    (":doc contians", "did you mean `contains`?"),
    (":funcs zzz", "no function matches `zzz`"),
    (":ast", "there is no filter yet"),
    (":time 1 +", "error[E0211]"),
    (":save /tmp/x.corpus", "there is nothing to save"),
    (":load /no/such/file", "/no/such/file"),
    (":help nonsense", "there is no command `:nonsense`"),
    (":help nonsense", "`:help` lists the commands"),
    (":quit now", "`:quit` takes nothing after it, found `now`"),
    (":doc device.appVersoin", "did you mean `device.appVersion`"),
    (":host {\"a\": }", "1 | {\"a\": }\n  |       ^\n"),
    (":unset", "`:unset` needs a path: :unset PATH"),
    (":doc", "`:doc` needs a name: :doc NAME"),
    (":save", "`:save` needs a file: :save FILE"),
    (":context docs", "docs: Is a directory"),
    (":load README.md", "README.md:3: expected `== name`"),
    (":explain", "there is no filter yet"),
  ]

  @Test("a mistake in a command is explained, and the exit code is 1", arguments: mistakes)
  func mistake(_ item: (line: String, message: String)) throws {
    let run = try run(item.line)
    #expect(run.errors.contains(item.message), "\(run.errors)")
    #expect(run.status == 1)
  }

  @Test("an explanation says what decided, and a check what is probably not meant")
  func explaining() throws {
    let run = try run(
      "user.age >= 30 && device.appVersion >= \"2.9.0\"", ":explain", ":check",
      arguments: ["--context", "docs/context.json"])
    #expect(run.output.hasPrefix("false : bool\nno match: `user.age >= 30` is false\n"))
    #expect(run.output.contains("user.age is 25, needs >= 30"))
    #expect(run.output.contains("warning[W0709]"))
    #expect(run.status == 0)
    #expect(try self.run(":explain 1 +").status == 1)
    #expect(try self.run(":check 1 < 2").status == 0)
  }

  @Test("every command is in the help, and has help of its own")
  func help() throws {
    let help = try run(":help").output
    for name in [
      "context", "set", "unset", "show", "explain", "check", "ast", "ir", "dis", "time", "dialect",
    ]
      + ["funcs", "doc", "save", "load", "help", "quit"]
    {
      #expect(help.contains("\n  :\(name)"))
      #expect(try run(":help \(name)").status == 0)
    }
  }

  @Test("the stages and the time of a filter can be seen")
  func stages() throws {
    let run = try run(":set user.age 20", "user.age >= 18", ":ir", ":dis", ":time")
    #expect(run.output.contains("compareConstant   r0, r0, 18"))
    #expect(run.output.contains("ns per evaluation"))
    #expect(run.status == 0)
  }

  @Test("functions are found by part, by pattern, and explained with examples")
  func functions() throws {
    #expect(try run(":funcs STARTS").output.contains("string.startsWith(string) -> bool"))
    #expect(try run(":funcs s*th").output == (try run(":funcs startsWith").output))
    #expect(try run(":doc endsWith").output.contains("\"hello\".endsWith(\"lo\")  →  true"))
    #expect(try run(":doc &&").output.contains("true if both sides are"))
    #expect(try run(":doc E0105").output.contains("string is not closed"))
    #expect(try swexpr("funcs", "startsWith").output == (try run(":funcs startsWith").output))
    #expect(try swexpr("doc", "size").output == (try run(":doc size").output))
  }

  @Test("a session is saved as a corpus file that conforms and can be loaded")
  func saving() throws {
    let scratch = try ScratchFolder()
    let path = scratch.url.appending(component: "mine.corpus").path
    let saved = try run(
      ":context docs/context.json", "user.age >= 18", "1 / 0", "device.daysSince(\"app_open\")",
      ":save \(path)")
    #expect(saved.output.hasSuffix("\(path): 3 cases\n"))
    let conform = try swexpr("conform", "--verbose", path)
    #expect(conform.output.contains("3 passed, 0 failed, 0 skipped"), "\(conform.output)")
    let loaded = try run(":load \(path)", "user.name")
    #expect(loaded.output.contains("> user.age >= 18\ntrue : bool\n"))
    #expect(loaded.output.hasSuffix("3 cases\n\"Nadia\" : string\n"))
    #expect(loaded.status == 0)
    // An answer that has changed is pointed out.
    let text = try scratch.text("mine.corpus").replacing("-- true : bool", with: "-- false : bool")
    let changed = try scratch.file("changed.corpus", text)
    let differing = try run(":load \(changed)")
    #expect(differing.output.contains("true : bool\n  recorded: false : bool\n"))
    #expect(differing.status == 1)
  }
}
