import Foundation
import Testing

@Suite("swexpr conform, corpus and bench")
struct CorpusCommandTests {
  static let cases = """
    # topic: sums
    # description: for a test

    == right
      1 + 1
    -- 2 : int

    == wrong
      1 + 2
    -- 4 : int

    == left_out
      1 + 3
    -- 5 : int
    ?? skip: not today

    """

  @Test("conform counts, lists failures on request, and exits with 1")
  func conform() throws {
    let scratch = try ScratchFolder()
    let file = try scratch.file("sums.corpus", Self.cases)
    let run = try swexpr("conform", file)
    #expect(run.status == 1)
    #expect(run.output == "1 skipped: not today\n1 passed, 1 failed, 1 skipped\n")
    let verbose = try swexpr("conform", "--verbose", file)
    let lines = verbose.output.split(separator: "\n")
    #expect(lines.first?.hasSuffix("sums#wrong: got 3 : int want 4 : int") == true)
    #expect(lines.last == "1 passed, 1 failed, 1 skipped")
    // All cases are of the other dialect.
    let other = try swexpr("conform", "--dialect", "cel", file)
    #expect(other.status == 0)
    #expect(other.output == "0 passed, 0 failed, 0 skipped\n")
  }

  @Test("conform --json has the contract's shape")
  func conformJSON() throws {
    let scratch = try ScratchFolder()
    let file = try scratch.file("sums.corpus", Self.cases)
    let document = try #require(try swexpr("conform", "--json", file).json() as? [String: Any])
    #expect(Set(document.keys) == ["passed", "failed", "skipped", "failures"])
    #expect(document["passed"] as? Int == 1)
    #expect(document["failed"] as? Int == 1)
    #expect(document["skipped"] as? Int == 1)
    let failures = try #require(document["failures"] as? [[String: String]])
    #expect(failures.first?["expression"] == "1 + 2")
    #expect(failures.first?["got"] == "3 : int")
    #expect(failures.first?["want"] == "4 : int")
    #expect(failures.first?["id"]?.hasSuffix("#wrong") == true)
  }

  @Test("conform runs the campaign cases of a folder on both stores")
  func conformCampaigns() throws {
    let scratch = try ScratchFolder()
    let steps = """
      title: For a test

      track app_open
      evaluate device.placementsInDay("app_open")
        > 1
      restart
      evaluate device.placementsInDay("app_open")
        > 3
      """
    let file = try scratch.file("steps.txt", steps)
    let folder = String(file.dropLast("/steps.txt".count))
    let run = try swexpr("conform", "--verbose", folder)
    #expect(run.status == 1)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.hasSuffix("steps.txt:7 (in memory): got 1 want 3") == true)
    #expect(lines.dropFirst().first?.hasSuffix("steps.txt:7 (in SQLite): got 1 want 3") == true)
    #expect(lines.last == "0 passed, 2 failed, 0 skipped")
    _ = try scratch.file("steps.txt", steps.replacing("> 3", with: "> 1"))
    #expect(try swexpr("conform", folder).output == "1 passed, 0 failed, 0 skipped\n")
    #expect(
      try swexpr("conform", "--dialect", "cel", folder).output.hasPrefix("0 passed, 0 failed"))
    _ = try scratch.file("steps.txt", "title: x\n\njump up\n")
    let broken = try swexpr("conform", folder)
    #expect(broken.status == 2)
    #expect(broken.errors.contains("steps.txt: line 3: unknown command `jump`"))
  }

  @Test("conform reads JSON Lines")
  func conformJSONLines() throws {
    let scratch = try ScratchFolder()
    let file = try scratch.file(
      "cases.jsonl",
      """
      {"id":"a-1","expression":"user.x + 1","variables":{"map":{"user":{"type":"map","value":\
      {"x":{"type":"int","value":4}}}}},"device":{"echo":[]},"computed":{},\
      "expect":{"Ok":{"type":"int","value":5}}}
      {"id":"a-2","expression":"device.echo(2 + 3)","variables":{"map":{}},"device":{"echo":[]},\
      "computed":{},"host":{"echo(5)":{"type":"string","value":"five"}},\
      "expect":{"Ok":{"type":"string","value":"five"}}}
      {"id":"a-3","definition":"{}","expect":{"Err":"*"}}

      """)
    let run = try swexpr("conform", "--verbose", file)
    #expect(run.output == "3 passed, 0 failed, 0 skipped\n")
    #expect(run.status == 0)
    let broken = try scratch.file("broken.jsonl", "{\"id\":\"a\"\n")
    let failure = try swexpr("conform", broken)
    #expect(failure.status == 2)
    #expect(failure.errors.contains("broken.jsonl:1:"))
  }

  @Test("bless rewrites wrong answers, shows the diff and exits with 1; then all pass")
  func bless() throws {
    let scratch = try ScratchFolder()
    let file = try scratch.file("sums.corpus", Self.cases)
    let dry = try swexpr("corpus", "bless", "--dry-run", file)
    #expect(dry.status == 1)
    #expect(try scratch.text("sums.corpus") == Self.cases)
    let run = try swexpr("corpus", "bless", file)
    #expect(run.status == 1)
    #expect(run.output.contains("\n--- 4 : int\n+-- 3 : int\n"))
    #expect(try swexpr("conform", file).status == 0)
    #expect(try swexpr("corpus", "bless", file).output == "no answer changed\n")
  }

  @Test("bless refuses when CI=true")
  func blessRefuses() throws {
    let scratch = try ScratchFolder()
    let file = try scratch.file("sums.corpus", Self.cases)
    let run = try swexpr("corpus", "bless", file, environment: ["CI": "true"])
    #expect(run.status == 2)
    #expect(run.errors.contains("CI=true"))
    #expect(try scratch.text("sums.corpus") == Self.cases)
  }

  static let filters = """
    {"context": {"user": {"age": 20}}, "filters": [
      {"name": "adult", "expression": "user.age >= 18", "expected": true},
      {"name": "list", "expression": "[user.age]"}]}
    """

  @Test("bench --json has the contract's shape; a filter that builds nothing allocates nothing")
  func bench() throws {
    let scratch = try ScratchFolder()
    let file = try scratch.file("filters.json", Self.filters)
    let run = try swexpr("bench", "--filters", file, "--json", "--rounds", "3", "--batch", "100")
    #expect(run.status == 0)
    let document = try #require(try run.json() as? [String: [[String: Any]]])
    let filters = try #require(document["filters"])
    #expect(filters.count == 2)
    for filter in filters {
      #expect(
        Set(filter.keys) == ["name", "ns_median", "ns_min", "mallocs", "compile_us", "result"])
      let median = try #require(filter["ns_median"] as? Double)
      let minimum = try #require(filter["ns_min"] as? Double)
      #expect(minimum > 0 && minimum <= median)
    }
    #expect(filters[0]["result"] as? Bool == true)
    #if os(Linux)
      #expect(filters[0]["mallocs"] as? Double == 0)
      #expect((filters[1]["mallocs"] as? Double ?? 0) > 0)
    #endif
  }

  @Test("bench exits with 1 when a filter answers something else")
  func benchUnexpected() throws {
    let scratch = try ScratchFolder()
    let file = try scratch.file(
      "filters.json",
      "[{\"name\": \"a\", \"expression\": \"1 + 1\", \"context\": {}, \"expected\": 3}]")
    let run = try swexpr("bench", "--filters", file, "--rounds", "1", "--batch", "10")
    #expect(run.status == 1)
    #expect(run.output.contains("NOT EXPECTED, want 3"))
  }
}
