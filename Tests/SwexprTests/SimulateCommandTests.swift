import Foundation
import Testing

@Suite("swexpr simulate")
struct SimulateCommandTests {
  private static let users = """
    {"user": {"age": 20, "id": "a"}, "device": {"platform": "iOS"}}

    {"age": 17, "id": "b"}
    {"user": {"age": 40, "id": "c"}, "params": {}}\r
    {"device": {"platform": "iOS"}}
    {"id": "d", "user": "text", "age": 30}
    """

  private func simulate(
    _ arguments: String..., filter: String = "user.age >= 18", users: String = users,
    usesInput: Bool = false
  ) throws -> ToolRun {
    let folder = try ScratchFolder()
    let config = try folder.file("config.json", MatchCommandTests.config(filter))
    let file = usesInput ? "-" : try folder.file("users.ndjson", users)
    return try swexpr(
      arguments: ["simulate", "--config", config, "--users", file] + arguments,
      input: usesInput ? Array(users.utf8) : [], environment: [:])
  }

  private func counts(_ run: ToolRun) throws -> (users: Int, matched: Int, unmatched: Int) {
    let document = try #require(try run.json() as? [String: Any])
    let placement = try #require((document["placements"] as? [[String: Any]])?.first)
    let audience = try #require((placement["audiences"] as? [[String: Any]])?.first)
    return (
      try #require(document["users"] as? Int), try #require(audience["matched"] as? Int),
      try #require(placement["unmatched"] as? Int)
    )
  }

  @Test("counts users in both forms, from a file and from standard input")
  func forms() throws {
    for usesInput in [false, true] {
      let run = try simulate("--json", usesInput: usesInput)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try counts(run) == (5, 3, 2))
    }
  }

  @Test("the table has a row for each audience and for nobody")
  func table() throws {
    let run = try simulate()
    let rows = run.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(rows.contains(["x", "e", "3", "60.0", "%"]), "\(run.output)")
    #expect(run.output.contains("nobody matched"))
    // Only warnings: nothing else belongs beside the table.
    #expect(run.errors.split(separator: "\n").allSatisfy { $0.contains("warning[") })
  }

  @Test("a part of a user that is not an object is warned of, once for all lines")
  func misshapenUsers() throws {
    func warnings(_ users: String) throws -> [Substring] {
      try simulate(users: users).errors.split(separator: "\n").filter {
        $0.contains("warning[not-an-object]")
      }
    }
    // As all that there is, and beside a part that is an object.
    let first = try warnings("{\"user\": 5}\n{\"user\": {}, \"device\": 1}\n{\"params\": []}\n")
    #expect(first.count == 1 && first[0].contains("an object: 3;"), "\(first)")
    #expect(try warnings("{\"user\": {\"device\": 1}}\n{\"plan\": \"team\"}\n").isEmpty)
  }

  @Test(
    "what a new user has is there for everyone",
    arguments: [
      ("user.isLoggedIn == false", 5), ("user.seed >= 0 && user.seed < 100", 5),
      ("device.utcDate == \"2026-03-01\"", 5), ("device.totalPaywallViews == 0", 5),
      ("device.daysSince(\"app_open\") == null", 5), ("params.event_name == \"x\"", 5),
      ("user.seed < 0", 0),
    ])
  func defaults(_ filter: String, _ matched: Int) throws {
    let run = try simulate("--json", "--now", "2026-03-01T12:00:00Z", filter: filter)
    #expect(try counts(run).matched == matched, "\(run.errors)")
  }

  @Test("a broken line ends the run with its place, or is skipped when told so")
  func brokenLine() throws {
    let users = "{\"age\": 20}\n{\"age\": }\n[1]\n{\"age\": 30}"
    let refused = try simulate("--json", users: users)
    #expect(refused.status == 2)
    #expect(refused.output == "")
    #expect(refused.errors.contains("users.ndjson:2:9: "))
    let skipped = try simulate("--json", "--skip-invalid", users: users)
    #expect(skipped.status == 0)
    #expect(try counts(skipped) == (2, 2, 0))
    #expect((try skipped.json() as? [String: Any])?["skipped"] as? Int == 2)
  }

  @Test("unknown placements and files are refused")
  func refusals() throws {
    let placement = try simulate("--placement", "y")
    #expect(placement.status == 2)
    #expect(placement.errors.contains("there is no placement `y`"))
    let file = try swexpr(
      "simulate", "--config", "corpus/campaigns/sample/config.json", "--users", "/nowhere")
    #expect(file.status == 2)
    #expect(try swexpr("simulate", "--config", "-", "--users", "-").status == 2)
  }

  @Test("the same seed draws the same variants, and the hash of a user always does")
  func seeds() throws {
    let folder = try ScratchFolder()
    let config = try folder.file("config.json", try swexpr("sample-users", "--config").output)
    let users = try folder.file(
      "users.ndjson", try swexpr("sample-users", "--count", "3000").output)
    func run(_ arguments: String...) throws -> String {
      try swexpr(
        arguments: ["simulate", "--config", config, "--users", users, "--json"] + arguments,
        input: [], environment: [:]
      ).output
    }
    let first = try run("--seed", "1")
    #expect(try run("--seed", "1") == first)
    #expect(try run("--seed", "2") != first)
    let hashed = try run("--variants", "deterministic", "--seed", "1")
    #expect(try run("--variants", "deterministic", "--seed", "2") == hashed)
    #expect(hashed != first)
  }

  @Test("a user has one variant of an experiment, at whichever placement")
  func oneVariant() throws {
    let folder = try ScratchFolder()
    let users = try folder.file(
      "users.ndjson", try swexpr("sample-users", "--count", "500", "--seed", "3").output)
    let run = try swexpr(
      "simulate", "--config", "corpus/campaigns/sample/config.json", "--users", users, "--seed",
      "7",
      "--json")
    let document = try #require(try run.json() as? [String: Any])
    let placements = try #require(document["placements"] as? [[String: Any]])
    func variants(_ placement: String) -> [String: Int] {
      let audiences = placements.first { $0["placement"] as? String == placement }?["audiences"]
      let audience = (audiences as? [[String: Any]])?.first {
        $0["experiment"] as? String == "tide-101"
      }
      let variants = audience?["variants"] as? [[String: Any]] ?? []
      return Dictionary(
        uniqueKeysWithValues: variants.map { ($0["id"] as? String ?? "", $0["count"] as? Int ?? 0) }
      )
    }
    let done = variants("onboarding_done")
    #expect(done.values.reduce(0, +) > 50)
    #expect(done == variants("onboarding_skipped"))
  }

  @Test("the sample's users have one version, padded and not")
  func consistentSample() throws {
    let lines = try swexpr("sample-users", "--count", "200").output.split(separator: "\n")
    #expect(lines.count == 200)
    for line in lines {
      let user = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let device = try #require(user?["device"] as? [String: Any])
      let version = try #require(device["appVersion"] as? String)
      let padded = version.split(separator: ".").map { part in
        String(repeating: "0", count: 3 - part.count) + part
      }
      #expect(device["appVersionPadded"] as? String == padded.joined(separator: "."))
    }
  }

  @Test("a simulation agrees with match, user by user")
  func agreement() throws {
    let folder = try ScratchFolder()
    let config = try folder.file("config.json", try swexpr("sample-users", "--config").output)
    let lines = try swexpr("sample-users", "--count", "12", "--seed", "4").output
      .split(separator: "\n")
    var expected: [String: Int] = [:]
    for line in lines {
      let context = try folder.file("context.json", String(line))
      let run = try swexpr(
        "match", "--config", config, "--placement", "sample", "--context", context, "--json")
      let document = try #require(try run.json() as? [String: Any])
      let experiment = (document["experiment"] as? [String: String])?["id"] ?? "nobody"
      expected[experiment, default: 0] += 1
    }
    let users = try folder.file("users.ndjson", lines.joined(separator: "\n"))
    let run = try swexpr("simulate", "--config", config, "--users", users, "--json")
    let document = try #require(try run.json() as? [String: Any])
    let placement = try #require((document["placements"] as? [[String: Any]])?.first)
    for audience in try #require(placement["audiences"] as? [[String: Any]]) {
      let id = try #require(audience["experiment"] as? String)
      #expect(audience["matched"] as? Int == expected[id, default: 0], "\(id)")
    }
    #expect(placement["unmatched"] as? Int == expected["nobody", default: 0])
  }

  @Test("a line longer than the limit is refused, a long one is read")
  func longLines() throws {
    let text = String(repeating: "x", count: 1 << 20)
    let run = try simulate("--json", users: "{\"age\": 20, \"note\": \"\(text)\"}\n{\"age\": 3}")
    #expect(try counts(run) == (2, 1, 1))
    let endless = "{\"note\": \"" + String(repeating: "x", count: 17 << 20)
    let refused = try simulate(users: endless)
    #expect(refused.status == 2)
    #expect(refused.errors.contains(":1: the line is longer than 16 MiB"))
  }
}
