import Foundation
import TestSupport
import Testing

@Suite("swexpr prove, diff, synthesize and test")
struct AnalysisCommandTests {
  private func config(_ folder: ScratchFolder, _ name: String, _ filter: String) throws -> String {
    try folder.file(name, MatchCommandTests.config(filter))
  }

  @Test("prove: exit code 0 without faults, 1 with one, 2 without a config")
  func proveStatus() throws {
    let folder = try ScratchFolder()
    let clean = try config(folder, "clean.json", "user.age >= 18")
    let run = try swexpr("prove", clean)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("note[unreached-users]"))
    let dead = try config(folder, "dead.json", "user.age >= 18 && user.age < 10")
    let found = try swexpr("prove", dead)
    #expect(found.status == 1)
    #expect(found.output.contains("fault[dead-audience]"))
    #expect(found.output.contains("condition: user.age >= 18\n  condition: user.age < 10"))
    #expect(try swexpr("prove", "no such file").status == 2)
    #expect(try swexpr("prove", clean, "--placement", "nowhere").status == 2)
    let clocks = MatchCommandTests.config(
      "device.daysSince('x') > 10 && device.hoursSince('x') == 3"
    )
    .replacing("\"toggles\":[],", with: "\"toggles\":[],\"postback\":{},\"products\":[],")
    let hours = try folder.file("hours.json", clocks)
    #expect(try swexpr("prove", hours).status == 1)
    #expect(try swexpr("prove", hours, "--platform", "android").status == 0)
  }

  @Test("prove: every witness is a context file that shows its finding")
  func witness() throws {
    let folder = try ScratchFolder()
    let filter = "!(user.email.endsWith('x')) && device.daysSince('open') > 3"
    let file = try config(folder, "c.json", filter)
    let document = try #require(try swexpr("prove", file, "--json").json() as? [String: Any])
    let findings = try #require(document["findings"] as? [[String: Any]])
    for finding in findings {
      guard let user = finding["user"] else { continue }
      let data = try JSONSerialization.data(withJSONObject: user)
      let context = try folder.file("user.json", String(decoding: data, as: UTF8.self))
      let run = try swexpr("explain", filter, "--context", context, "--exit-status")
      // Both are about users who do not match.
      #expect(run.status == 1, "\(finding)")
    }
    #expect(findings.contains { $0["kind"] as? String == "failing-filter" })
  }

  @Test("diff: a person can read it, however much changes, and --full and JSON have all")
  func shortDifference() throws {
    let folder = try ScratchFolder()
    func overlapping(_ first: Int) -> String {
      (0..<5).map { "user.a\($0) == \(first + $0) && user.b\($0) > 2" }.joined(separator: " || ")
    }
    let long = String(repeating: "x", count: 2_000)
    let old = try config(folder, "old.json", overlapping(0).replacing("\"", with: "'"))
    let new = try config(folder, "new.json", overlapping(1) + " || user.c == '\(long)'")
    let short = try swexpr("diff", old, new)
    let full = try swexpr("diff", old, new, "--full")
    #expect(short.status == 1 && full.status == 1)
    #expect(short.output.utf8.count < 2_500, "\(short.output)")
    #expect(full.output.utf8.count > 10 * short.output.utf8.count)
    #expect(short.output.contains("or: one of "))
    #expect(!short.output.contains(long) && full.output.contains(long))
    // What is left out of the text is neither cut nor left out of JSON.
    let document = try swexpr("diff", old, new, "--json").output
    #expect(document.contains(long))
    #expect(try swexpr("diff", old, new, "--json", "--full").output == document)
    let table = try swexpr("diff", old, new, "--markdown").output
    #expect(table.utf8.count < 2_500)
    #expect(try swexpr("diff", old, new, "--markdown", "--full").output.contains(long))
  }

  @Test("explain looks ahead")
  func forecast() throws {
    let filter = "device.daysSince(\"x\") >= 7 && user.age > 3"
    let arguments = ["--host", "{\"daysSince(x)\": 4}", "--user", "{\"age\": 4}"]
    let run = try swexpr("explain", [filter] + arguments)
    #expect(
      run.output.hasSuffix(
        "\nif nothing happens, it stays so for 1 day 22 hours at least, and changes within"
          + " 3 days 2 hours\n"),
      "\(run.output)")
    let document = try #require(
      try swexpr("explain", [filter, "--json"] + arguments).json() as? [String: Any])
    #expect(document["certain_minutes"] as? Int == 2_760)
    #expect(document["changes_within_minutes"] as? Int == 4_440)
    let plain = try swexpr("explain", ["user.age > 3", "--json"] + arguments)
    #expect(try #require(try plain.json() as? [String: Any])["certain_minutes"] == nil)
  }

  @Test("prove --json: the members of the contract")
  func proveJSON() throws {
    let folder = try ScratchFolder()
    let file = try config(folder, "c.json", "!(user.email.endsWith('x')) && user.a.matches('b+')")
    let run = try swexpr("prove", file, "--json")
    #expect(run.status == 1, "\(run.output)")
    let document = try #require(try run.json() as? [String: Any])
    for name in ["findings", "open", "free"] { #expect(document[name] is [Any], "\(name)") }
    for name in ["audiences", "faults", "notes", "attributes", "classes", "nodes"] {
      #expect(document[name] is Int, "\(name)")
    }
    let findings = try #require(document["findings"] as? [[String: Any]])
    let failing = try #require(findings.first { $0["kind"] as? String == "failing-filter" })
    #expect(failing["fault"] as? Bool == true)
    #expect(failing["user"] is [String: Any])
    let free = try #require((document["free"] as? [[String: Any]])?.first)
    #expect(free["reason"] as? String == "pattern")
  }

  @Test("diff: nothing, something, and how many of some users")
  func diff() throws {
    let folder = try ScratchFolder()
    let old = try config(folder, "old.json", "user.age >= 18")
    let same = try config(folder, "same.json", "!(!(user.age >= 18))")
    let new = try config(folder, "new.json", "user.age >= 21")
    let nothing = try swexpr("diff", old, same)
    #expect(nothing.status == 0, "\(nothing.output)")
    #expect(nothing.output == "every user gets the same\n")
    let users = try folder.file("users.ndjson", "{\"age\": 19}\n\n{\"age\": 30}\n{\"user\": {}}\n")
    let run = try swexpr("diff", old, new, "--users", users)
    #expect(run.status == 1)
    #expect(run.output.contains("user.age >= 18 && user.age < 21"), "\(run.output)")
    #expect(run.output.contains("share: 1 of 3, 33.3 %"), "\(run.output)")
    let markdown = try swexpr("diff", old, new, "--markdown")
    #expect(markdown.output.contains("| of them: `user.age < 21` |"))
    let document = try #require(
      try swexpr("diff", old, new, "--json", "--users", users).json() as? [String: Any])
    let placement = try #require((document["placements"] as? [[String: Any]])?.first)
    #expect(placement["users"] as? Int == 3)
    let change = try #require((placement["changes"] as? [[String: Any]])?.first)
    #expect(change["count"] as? Int == 1)
    #expect(change["exact"] as? Bool == true)
    #expect(change["new"] == nil)
    #expect(try swexpr("diff", old, new, "--json", "--markdown").status == 2)
    #expect(try swexpr("diff", old, "no such file").status == 2)
  }

  @Test("synthesized users pass with their config and fail with another")
  func synthesize() throws {
    let folder = try ScratchFolder()
    let file = try config(folder, "c.json", "user.age >= 18 && user.plan == 'free'")
    let made = try swexpr("synthesize", file)
    #expect(made.status == 0, "\(made.errors)")
    let users = try folder.file("users.test", made.output)
    let passed = try swexpr("test", file, users)
    #expect(passed.status == 0, "\(passed.output)")
    let other = try config(folder, "d.json", "user.age > 18 && user.plan == 'free'")
    let failed = try swexpr("test", other, users)
    #expect(failed.status == 1)
    #expect(failed.output.contains("expected"))
    let sample = "corpus/campaigns/sample/config.json"
    let many = try swexpr("synthesize", sample)
    #expect(many.output.contains("\"then\"") && many.output.contains("\"draw\""))
    let text = try TestFiles.text(sample)
    let tests = try folder.file("sample.test", many.output)
    let limit = try folder.file(
      "limit.json", text.replacing("\"max_count\": 3", with: "\"max_count\": 4"))
    #expect(try swexpr("test", limit, tests).output.contains("registration 4: open_forecast gives"))
    let weight = try folder.file(
      "weight.json", text.replacing("\"percentage\": 85", with: "\"percentage\": 84"))
    #expect(try swexpr("test", weight, tests).output.contains("expected 103-a"))
    let broken = try folder.file("broken.test", "{\"placement\": 1}\n")
    #expect(try swexpr("test", file, broken).status == 2)
  }

  @Test("check tells the faults of a config as warnings")
  func check() throws {
    let folder = try ScratchFolder()
    let file = try config(folder, "c.json", "user.age >= 18 && user.age >= 21")
    let run = try swexpr("check", file)
    #expect(run.status == 0)
    #expect(run.errors.contains("warning[redundant-condition]"), "\(run.errors)")
    #expect(run.errors.contains("trigger_options[0].rules[0]"), "\(run.errors)")
  }
}
