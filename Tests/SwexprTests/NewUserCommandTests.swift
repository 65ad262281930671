import Foundation
import Testing

/// What match, simulate and audiences say about the same new user.
@Suite("Commands about new users")
struct NewUserCommandTests {
  private static func rule(_ id: String, _ filter: String, maximum: Int? = nil) -> [String: Any] {
    var rule: [String: Any] = [
      "experiment_group_id": "1", "experiment_id": id, "expression_cel": filter,
      "variants": [["variant_type": "HOLDOUT", "variant_id": "h", "percentage": 100]],
      "preload": ["behavior": "ALWAYS"],
    ]
    if let maximum {
      rule["occurrence"] = [
        "key": id, "max_count": maximum, "interval": ["type": "INFINITY"],
      ]
    }
    return rule
  }

  private static func config() throws -> Data {
    let triggers: [(String, [[String: Any]])] = [
      (
        "open",
        [
          rule("closed", "true", maximum: 0), rule("nested", "size(user.a.b) == 0"),
          rule("long", "device.daysSince(\"app_open\") > 2"),
          rule("first", "device.placementsInDay(\"open\") == 1", maximum: 1),
        ]
      ),
      ("transaction_fail", [rule("fail", "params[\"$is_standard_event\"] == true", maximum: 1)]),
      ("app_close", [rule("close", "device.placementsInHour(\"app_close\") == 1")]),
      // Of two triggers with one placement the later one counts.
      ("twice", [rule("overshadowed", "true")]),
      ("twice", [rule("alias", "user.aliasId.startsWith(\"$SuperwallAlias:\")")]),
    ]
    return try JSONSerialization.data(withJSONObject: [
      "build_id": "b", "paywall_responses": [], "log_level": 10, "localization": ["locales": []],
      "app_session_timeout_ms": 1, "toggles": [],
      "disable_preload": ["all": false, "triggers": []],
      "trigger_options": triggers.map { ["event_name": $0.0, "rules": $0.1] },
    ])
  }

  private func audiences(
    _ arguments: [String]
  ) throws -> [String: [String: String]] {
    let run = try swexpr(["audiences", "--json"] + arguments)
    #expect(run.status == 0, "\(run.errors)")
    let document = try #require(try run.json() as? [String: [[String: Any]]])
    var outcomes: [String: [String: String]] = [:]
    for row in document["audiences"] ?? [] {
      let placement = try #require(row["placement"] as? String)
      let experiment = try #require(row["experiment"] as? String)
      let results = try #require(row["results"] as? [[String: Any]])
      outcomes[placement, default: [:]][experiment] = results.first?["outcome"] as? String
    }
    return outcomes
  }

  @Test(
    "the three find the same audience",
    arguments: [
      ("open", "{}", "first"), ("open", "{\"a\": {\"b\": null}}", "nested"),
      ("transaction_fail", "{}", "fail"), ("app_close", "{}", "close"), ("twice", "{}", "alias"),
    ])
  func agreement(placement: String, user: String, experiment: String) throws {
    let folder = try ScratchFolder()
    let config = try folder.file("config.json", Self.config())
    let context = try folder.file("ana.json", "{\"user\": \(user)}")
    let users = try folder.file("users.ndjson", "{\"user\": \(user)}\n")
    let arguments = ["--config", config, "--placement", placement]

    let matched = try swexpr(["match", "--json", "--context", context] + arguments)
    let match = try #require(try matched.json() as? [String: Any])
    let found = (match["audiences"] as? [[String: Any]])?.first {
      $0["outcome"] as? String == "matched"
    }
    #expect(found?["experiment"] as? String == experiment, "\(matched.output)")

    let counted = try swexpr(["simulate", "--json", "--users", users] + arguments)
    let simulation = try #require(try counted.json() as? [String: Any])
    let tallies = (simulation["placements"] as? [[String: Any]])?.first?["audiences"]
    let hit = (tallies as? [[String: Any]])?.first { $0["matched"] as? Int == 1 }
    #expect(hit?["experiment"] as? String == experiment, "\(counted.output)")

    let outcomes = try audiences(["--context", context] + arguments)
    #expect(outcomes[placement]?.filter { $0.value == "match" }.map(\.key) == [experiment])
    #expect(outcomes["twice"]?["overshadowed"] == nil)
    if placement == "open" { #expect(outcomes["open"]?["closed"] == "limit") }
  }

  @Test("what the history answers instead stands in the context, under its function")
  func host() throws {
    let folder = try ScratchFolder()
    let config = try folder.file("config.json", Self.config())
    let context = try folder.file(
      "ben.json", "{\"host\": {\"daysSince(app_open)\": 3, \"placementsInDay\": 7, \"plan\": 1}}")
    let run = try swexpr(["audiences", "--config", config, "--context", context])
    #expect(run.errors.contains("filters have no function `plan`"))
    let outcomes = try audiences(["--config", config, "--context", context])
    #expect(
      outcomes["open"] == ["closed": "limit", "nested": "error", "long": "match", "first": "no"])
    let page = run.output
    #expect(page.contains("limit") && page.contains("the audience's limit lets no user in"))
    let unreadable = try folder.file("bad.json", "{\"users\": {}}")
    let refused = try swexpr(["audiences", "--config", config, "--context", unreadable])
    #expect(refused.status == 2)
    #expect(refused.errors.contains("found `users`"))
  }

  @Test("match says what the audiences of an event say from which nothing follows")
  func nothingFollows() throws {
    let folder = try ScratchFolder()
    let config = try folder.file("config.json", Self.config())
    for (placement, note) in [
      ("transaction_fail", "nothing followed"), ("app_close", "never presents"),
    ] {
      let run = try swexpr(["match", "--config", config, "--placement", placement])
      #expect(run.status == 0)
      #expect(run.output.contains("held out"), "\(run.output)")
      #expect(run.output.contains(note), "\(run.output)")
      #expect(!run.errors.contains("there is no placement"))
    }
  }
}
