import Foundation
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
