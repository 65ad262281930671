import Foundation
import Testing

/// Runs `swexpr match` on the sample campaign.
private func match(_ arguments: String..., context: String = "portuguese-regular") throws -> ToolRun
{
  try swexpr(
    arguments: [
      "match", "--config", "corpus/campaigns/sample/config.json", "--context",
      "corpus/campaigns/sample/contexts/\(context).json", "--now", "2026-03-01T12:00:00Z",
      "--seed", "1",
    ] + arguments, input: [], environment: [:])
}

@Suite("swexpr match")
struct MatchCommandTests {
  @Test("the text shows the result and for each audience why not")
  func text() throws {
    let run = try match("--placement", "open_forecast")
    #expect(run.status == 0)
    for part in [
      "open_forecast: shows paywall pw_forecast_", "campaign forecast, experiment fc-202",
      "1. experiment fc-201: the filter is not true", "params.days = 6",
      "2. experiment fc-202: matched",
      "3. experiment fc-203: not tried",
    ] {
      #expect(run.output.contains(part), "\(part) in\n\(run.output)")
    }
    // What is wrong elsewhere in the config is for `swexpr check`.
    #expect(run.errors.isEmpty)
    let other = try match("--placement", "session_logged")
    #expect(other.errors.contains("warning[impossible-percentage]"))
    #expect(try match("--placement", "open_forecast").output == run.output)
  }

  @Test("the JSON document has result, experiment and audiences")
  func json() throws {
    let run = try match("--placement", "open_forecast", "--json")
    let document = try #require(try run.json() as? [String: Any])
    #expect(document["placement"] as? String == "open_forecast")
    #expect(document["result"] as? String == "paywall")
    #expect(document["at"] as? String == "2026-03-01T12:00:00.000Z")
    let experiment = try #require(document["experiment"] as? [String: String])
    #expect(experiment["id"] == "fc-202")
    #expect(experiment["campaign"] == "forecast")
    #expect(experiment["type"] == "TREATMENT")
    let audiences = try #require(document["audiences"] as? [[String: Any]])
    #expect(
      audiences.map { $0["outcome"] as? String } == [
        "EXPRESSION", "matched", "notTried", "notTried",
      ])
    #expect((audiences[0]["read"] as? [String: Any])?["params.days"] as? Int == 6)
  }

  @Test("--params are added to those of the context")
  func params() throws {
    let run = try match("--placement", "open_forecast", "--params", "{\"days\": 1}")
    #expect(run.output.contains("params.days = 1"))
    #expect(!run.output.contains("experiment fc-202: matched"))
  }

  @Test("a store remembers limits and variants; a preview leaves it as it is")
  func store() throws {
    let folder = try ScratchFolder()
    let store = folder.url.appending(component: "user.sqlite").path
    func run(_ arguments: String...) throws -> String {
      try swexpr(
        arguments: [
          "match", "--config", "corpus/campaigns/sample/config.json", "--context",
          "corpus/campaigns/sample/contexts/subscribed-skipper.json", "--placement",
          "open_forecast", "--store", store,
        ] + arguments, input: [], environment: [:]
      ).output
    }
    let now = "2026-03-01T12:00:00Z"
    let empty = try run("--now", now, "--preview")
    #expect(empty.contains("1. experiment fc-201: matched"))
    #expect(!FileManager.default.fileExists(atPath: store))
    #expect(try run("--now", now).contains("1. experiment fc-201: matched"))
    let limited = try run("--now", now, "--preview")
    #expect(
      limited.contains(
        "1 of 1 in 10080 minutes (key fc-201), free again at 2026-03-08T12:00:00.001Z"))
    // The previews did not count, so that the limit reopens exactly then.
    for _ in 0..<3 { _ = try run("--now", "2026-03-08T12:00:00.001Z", "--preview") }
    #expect(
      try run("--now", "2026-03-08T12:00:00.001Z").contains("1. experiment fc-201: matched"))
    #expect(
      try !run("--now", "2026-03-08T12:00:00.002Z").contains("1. experiment fc-201: matched"))
  }

  @Test("a variant that was chosen stays in the store whatever the seed")
  func stickiness() throws {
    let folder = try ScratchFolder()
    let store = folder.url.appending(component: "user.sqlite").path
    var variants: Set<String> = []
    for seed in 1...6 {
      let run = try swexpr(
        "match", "--config", "corpus/campaigns/sample/config.json", "--context",
        "corpus/campaigns/sample/contexts/new-visitor.json", "--placement", "onboarding_done",
        "--store", store, "--seed", "\(seed)", "--json")
      let document = try #require(try run.json() as? [String: Any])
      variants.insert(try #require((document["experiment"] as? [String: String])?["variant"]))
    }
    #expect(variants.count == 1)
  }

  @Test("built-in placements are fired as events; others never present")
  func builtIn() throws {
    let fired = try match("--placement", "session_start", context: "subscribed-skipper")
    #expect(fired.output.contains("session_start: shows paywall pw_go_yearly"))
    let silent = try match("--placement", "app_open")
    #expect(silent.status == 0)
    #expect(silent.output.contains("note: app_open is a built-in event that never presents"))
  }

  @Test("the offset of --now decides local times")
  func zone() throws {
    let folder = try ScratchFolder()
    let config = try folder.file(
      "config.json", Self.config("device.localTime.startsWith(\"00:30\")"))
    func result(_ now: String) throws -> String {
      try swexpr("match", "--config", config, "--placement", "x", "--now", now).output
    }
    #expect(try result("2026-03-01T00:30:00+02:00").contains("x: shows paywall p"))
    #expect(try result("2026-03-01T00:30:00Z").contains("x: shows paywall p"))
    #expect(try result("2026-02-28T22:30:00Z").contains("x: no audience matched"))
  }

  @Test(
    "exit codes: 0 done, 1 an error or no paywall with --exit-status, 2 unusable",
    arguments: [
      ([], "true", 0), ([], "false", 0), (["--exit-status"], "true", 0),
      (["--exit-status"], "false", 1), (["--preview", "--exit-status"], "user.x ==", 1),
      (["--now", "yesterday"], "true", 2), (["--params", "[1]"], "true", 2),
      (["--params", "{"], "true", 2), (["--context", "/nowhere.json"], "true", 2),
      (["--store", "/nowhere/at/all.sqlite"], "true", 2), (["--config", "-"], "true", 2),
    ] as [([String], String, Int32)])
  func exitCodes(_ arguments: [String], _ filter: String, _ status: Int32) throws {
    let folder = try ScratchFolder()
    let config = try folder.file("config.json", Self.config(filter))
    let own = arguments.contains("--config") ? [] : ["--config", config]
    let run = try swexpr(
      arguments: ["match", "--placement", "x"] + own + arguments, input: [], environment: [:])
    #expect(run.status == status, "\(run.output)\(run.errors)")
    #expect(status != 2 || run.output == "")
    #expect(status != 2 || run.errors.hasPrefix("error: "))
  }

  @Test("an audience without a variant is an error")
  func noVariant() throws {
    let folder = try ScratchFolder()
    let config = try folder.file(
      "config.json", Self.config("true").replacingOccurrences(of: Self.variant, with: ""))
    let run = try swexpr("match", "--config", config, "--placement", "x", "--json")
    #expect(run.status == 1)
    let document = try #require(try run.json() as? [String: Any])
    #expect((document["error"] as? [String: Any])?["code"] as? Int == 404)
  }

  @Test("a misspelled placement is suggested")
  func suggestion() throws {
    let run = try match("--placement", "sesion_start")
    #expect(run.status == 0)
    #expect(run.output.contains("no campaign has this placement"))
    #expect(run.errors.contains("did you mean `session_start`?"))
  }

  @Test("a context with unknown members is refused, answers of the host are pointed out")
  func context() throws {
    let folder = try ScratchFolder()
    let config = try folder.file("config.json", Self.config("true"))
    let odd = try folder.file("odd.json", "{\"usr\": {}}")
    let refused = try swexpr("match", "--config", config, "--placement", "x", "--context", odd)
    #expect(refused.status == 2)
    #expect(refused.errors.contains("members user, device and params, found `usr`"))
    let host = try folder.file("host.json", "{\"user\": {}, \"host\": {\"daysSince\": 3}}")
    let noted = try swexpr("match", "--config", config, "--placement", "x", "--context", host)
    #expect(noted.status == 0)
    #expect(noted.errors.contains("note: `host` is not used"))
  }

  static let variant =
    "{\"variant_type\":\"TREATMENT\",\"variant_id\":\"a\",\"percentage\":100,\"paywall_identifier\":\"p\"}"

  /// A config of one placement `x` with one audience.
  static func config(_ filter: String) -> String {
    let quoted = filter.replacingOccurrences(of: "\"", with: "\\\"")
    return """
      {"build_id":"b","trigger_options":[{"event_name":"x","rules":[{"experiment_group_id":"g",
      "experiment_id":"e","expression_cel":"\(quoted)","variants":[\(variant)],
      "preload":{"behavior":"NEVER"}}]}],"paywall_responses":[{"id":"1",
      "identifier":"p","name":"P","url":"https://example.org"}],"log_level":10,
      "localization":{"locales":[]},"app_session_timeout_ms":3600000,"toggles":[],
      "disable_preload":{"all":false,"triggers":[]}}
      """
  }
}
