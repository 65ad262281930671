import Foundation
import TestSupport
import Testing

@Suite("swexpr explain, fix and schema")
struct ExplainCommandTests {
  private static let context = ["--context", "docs/context.json"]

  @Test("explain tells what decided, in words and as JSON")
  func explain() throws {
    let filter = "user.age >= 30 && user.plan == \"trial\""
    let run = try swexpr("explain", [filter] + Self.context)
    #expect(run.output.hasPrefix("no match: `user.age >= 30` is false\n"))
    #expect(run.output.contains("user.age is 25, needs >= 30"))
    #expect(run.status == 0)
    #expect(try swexpr("explain", [filter, "--exit-status"] + Self.context).status == 1)
    #expect(try swexpr("explain", ["user.age > 3", "--exit-status"] + Self.context).status == 0)
    let document = try #require(
      try swexpr("explain", [filter, "--json"] + Self.context).json() as? [String: Any])
    #expect(!document.isEmpty)
    #expect(try swexpr("explain", "user.age >").status == 1)
    #expect(try swexpr("explain", "1", "--context", "/no/such/file").status == 2)
  }

  @Test("functions of the app answer what the context's member host says")
  func host() throws {
    let run = try swexpr("explain", ["device.daysSince(\"app_open\") == 3"] + Self.context)
    #expect(run.output.hasPrefix("match\n"))
  }

  @Test("check warns, counts, and exits with 0 for warnings")
  func check() throws {
    let run = try swexpr("check", "device.appVersion >= \"2.9.0\"")
    #expect(run.errors.contains("warning[W0709]"))
    #expect(run.output == "1 filter, 0 errors, 1 warning\n")
    #expect(run.status == 0)
  }

  @Test("check --strict exits with 1 for warnings, and for them only")
  func strict() throws {
    let repeated = "user.age > 18 && user.age > 18"
    #expect(try swexpr("check", repeated).status == 0)
    let strict = try swexpr("check", "--strict", repeated)
    #expect(strict.status == 1)
    #expect(strict.output == "1 filter, 0 errors, 1 warning\n")
    #expect(try swexpr("check", "--strict", "--json", repeated).status == 1)
    #expect(try swexpr("check", "--strict", "user.age > 18").status == 0)
    #expect(try swexpr("check", "--strict", "user.plan != \"pro\"").status == 0)
    #expect(try swexpr("check", "--strict", repeated + " // swexpr:ignore").status == 0)
    #expect(
      try swexpr("check", "--strict", "corpus/campaigns/sample/config.json").status == 1)
    #expect(try swexpr("check", "--strict", "/no/such/file.json").status == 2)
  }

  static let open: [(filters: [String], names: [String])] = [
    (["user.pln != \"pro\""], ["user.pln"]), (["user.sessions < 10"], ["user.sessions"]),
    (["!(user.sessions > 5)", "user.b == 0"], ["user.b", "user.sessions"]),
    (["user.plan == \"pro\""], []), (["user.plan == \"pro\" && user.sessions < 10"], []),
    (["has(user.sessions) && user.sessions < 10"], []), (["user.plan == null"], []),
    (["user.seed < 10 && device.appVersionPadded < \"003.000.000\""], []),
    (["user.sessions < 10 // swexpr:ignore W0710"], []), (["user.sessions <"], []),
  ]

  @Test("check ends with a note of unknown attributes whose absence matches", arguments: open)
  func openAttributes(filters: [String], names: [String]) throws {
    let run = try swexpr(arguments: ["check"] + filters, environment: [:])
    let note = names.map { "`\($0)`" }.joined(separator: ", ")
    #expect(run.errors.contains("because of \(note)\n") == !names.isEmpty)
    let json = try swexpr(arguments: ["check", "--json"] + filters, environment: [:])
    let document = try #require(try json.json() as? [String: Any])
    #expect((document["open"] as? [String] ?? []) == names)
  }

  @Test("sql refuses an attribute without a column, unless --missing names it")
  func columns() throws {
    let typo = try swexpr("sql", "user.agee < 3", "--schema", "docs/users.schema.json")
    #expect(typo.status == 1 && typo.output.isEmpty)
    #expect(
      typo.errors.contains("1:1: refused: no column holds `user.agee`; did you mean `user.age`?"))
    #expect(typo.errors.contains("--missing user.agee"))
    #expect(try swexpr("sql", "user.age < 3").status == 1)
    let missing = try swexpr("sql", "user.age < 3", "--missing", "user.age")
    #expect(missing.status == 0 && missing.output.hasSuffix("TRUE\n"))
    #expect(try swexpr("sql", "user.age < 3", "--missing", "1 +").status == 2)
    let partial = try swexpr(
      "sql", "user.age > 3 && user.agee < 3", "--schema", "docs/users.schema.json", "--partial")
    #expect(partial.status == 0 && partial.errors.contains("`user.agee`"))
    let config = try swexpr(
      "sql", "corpus/campaigns/sample/config.json", "--schema", "docs/users.schema.json")
    #expect(config.status == 1 && config.errors.contains("no column holds"))
  }

  @Test("sql offers an engine that evaluates what it refuses, for each database its own")
  func offersAnEngine() throws {
    let arguments = ["sql", "user.age * 2 > 10", "--schema", "docs/users.schema.json", "--engine"]
    let sqlite = try swexpr(arguments: arguments + ["sqlite"], environment: [:])
    #expect(sqlite.status == 1 && sqlite.errors.contains("refused: "))
    #expect(sqlite.errors.contains("`.load ./swexpr`") && !sqlite.errors.contains("Python"))
    let page = try String(
      contentsOf: TestFiles.root.appending(path: "docs/warehouse.md"), encoding: .utf8)
    #expect(page.contains("\n## The extension for SQLite\n"))  // the message links to it
    #expect(try swexpr(arguments: arguments + ["duckdb"], environment: [:]).status == 0)
    let pattern = ["sql", #"user.plan.matches("\\bpro")"#, "--schema", "docs/users.schema.json"]
    let duckdb = try swexpr(arguments: pattern, environment: [:])
    #expect(duckdb.status == 1 && duckdb.errors.contains("docs/columns.md"))
  }

  @Test("prove reports attributes that no schema knows, where that is a mistake")
  func provesUnknown() throws {
    let config = "corpus/campaigns/sample/config.json"
    #expect(try !swexpr("prove", config).errors.contains("W0701"))
    let run = try swexpr("prove", config, "--schema", "docs/users.schema.json")
    #expect(run.errors.contains("warning[W0701]: unknown attribute `user."))
  }

  @Test("a schema of one's own makes unknown names mistakes")
  func schema() throws {
    let scratch = try ScratchFolder()
    let inferred = try swexpr("schema", "infer", "docs/context.json")
    #expect(inferred.status == 0)
    let path = try scratch.file("mine.json", inferred.output)
    #expect(
      try swexpr("check", "user.unheardOf == 3").output == "1 filter, 0 errors, 0 warnings\n")
    let run = try swexpr("check", "--schema", path, "user.unheardOf == 3")
    #expect(run.errors.contains("warning[W0701]"))
    #expect(try swexpr("check", "--schema", "/no/such/file", "1").status == 2)
    let broken = try scratch.file("broken.json", "[1]")
    #expect(try swexpr("check", "--schema", broken, "1").status == 2)
    #expect(try swexpr("schema", "list", "device.appV").output.contains("device.appVersionPadded"))
    #expect(try swexpr("schema", "list", "zzz").status == 1)
    #expect(try swexpr("schema", "list", "--schema", path).output.contains("user.referrer"))
  }

  static let fixes: [(filter: String, fixed: String, status: Int32)] = [
    ("user.plan = \"pro\"", "user.plan == \"pro\"", 0),
    ("user.age => 18 and user.plan = \"pro\"", "user.age >= 18 && user.plan == \"pro\"", 0),
    ("user.age >= 18", "user.age >= 18", 0),
    (
      "device.activeEntitlements == (\"pro\")", "\"pro\" in (device.activeEntitlements)", 0
    ),
    (
      "(user.vip ? device.activeEntitlements : device.activeProducts) == \"pro\"",
      "(\"pro\") in (user.vip ? device.activeEntitlements : device.activeProducts)", 0
    ),
  ]

  @Test("fix prints the corrected filter", arguments: fixes)
  func fix(_ item: (filter: String, fixed: String, status: Int32)) throws {
    let run = try swexpr("fix", item.filter)
    #expect(run.output == item.fixed + "\n")
    #expect(run.status == item.status)
  }

  @Test("fix in place changes the file, and a second time nothing")
  func fixInPlace() throws {
    let scratch = try ScratchFolder()
    let path = try scratch.file("a.expr", "user.plan = \"pro\"\n")
    #expect(try swexpr("fix", "--in-place", path).status == 0)
    #expect(try scratch.text("a.expr") == "user.plan == \"pro\"\n")
    let again = try swexpr("fix", "--in-place", path)
    #expect(again.errors == "" && again.output == "")
    #expect(try scratch.text("a.expr") == "user.plan == \"pro\"\n")
    #expect(try swexpr("fix", "corpus/campaigns/sample/config.json").status == 2)
  }
}
