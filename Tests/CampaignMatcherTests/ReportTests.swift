import AudienceFilters
import CampaignAnalysis
import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import Foundation
import TestSupport
import Testing

@Suite("Reports and simulations")
struct ReportTests {
  static let sample = TestFiles.root.appending(path: "corpus/campaigns/sample")

  static func json(_ name: String) throws -> Value {
    try Value(json: String(contentsOf: sample.appending(path: name), encoding: .utf8))
  }

  static func request(_ name: String, _ placement: String) throws -> MatchRequest {
    guard case .map(let roots) = try json("contexts/\(name).json") else {
      throw StoreError(operation: "read context", reason: "no object")
    }
    func attributes(_ root: String) -> [String: Value] {
      guard case .map(let entries)? = roots[.string(root)] else { return [:] }
      var result: [String: Value] = [:]
      for case (.string(let key), let value) in entries { result[key] = value }
      return result
    }
    var request = MatchRequest(placement, parameters: attributes("params"))
    request.user = attributes("user")
    request.device = attributes("device")
    request.detail = .full
    return request
  }

  static func matcher() throws -> Matcher {
    let matcher = try Matcher(
      .init(
        clock: ManualClock(WallTime(milliseconds: 1_772_366_400_000)), zone: .utc,
        random: SeededRandomSource(seed: 5), explain: FilterExplanation.init(of:in:)))
    let diagnostics = try matcher.load(json("config.json"))
    #expect(!diagnostics.contains { $0.kind == .invalidFilter || $0.kind == .unknownPaywall })
    return matcher
  }

  @Test("the sample's users reach different audiences")
  func sampleContexts() throws {
    let matcher = try Self.matcher()
    func experiment(_ name: String, _ placement: String) throws -> String? {
      try matcher.previewNow(Self.request(name, placement)).result.experiment?.id
    }
    #expect(try experiment("new-visitor", "onboarding_done") == "tide-101")
    #expect(try experiment("portuguese-regular", "onboarding_done") == "tide-102")
    #expect(try experiment("subscribed-skipper", "onboarding_done") == nil)
    #expect(try experiment("new-visitor", "open_forecast") == "fc-203")
    #expect(try experiment("portuguese-regular", "open_forecast") == "fc-202")
    #expect(try experiment("subscribed-skipper", "open_forecast") == "fc-201")
    #expect(try experiment("subscribed-skipper", "session_logged") == "log-303")
    #expect(try experiment("subscribed-skipper", "session_start") == "win-703")
  }

  @Test("a report says for each audience why not")
  func text() throws {
    let matcher = try Self.matcher()
    let report = MatchReport(
      try matcher.previewNow(Self.request("new-visitor", "open_forecast")))
    for part in [
      "open_forecast: shows paywall pw_forecast_week",
      "1. experiment fc-201: the filter is not true",
      "user.homeSpot = (missing)", "params.days = 5", "4. experiment fc-204: not tried",
    ] {
      #expect(report.text.contains(part), "\(part) in\n\(report.text)")
    }
    guard case .map(let object) = report.value,
      case .list(let audiences)? = object[.string("audiences")],
      case .map(let second)? = audiences.dropFirst().first
    else {
      Issue.record("no audiences")
      return
    }
    #expect(object[.string("result")] == .string("paywall"))
    #expect(second[.string("missing")] == .list([.string("user.homeSpot")]))
    #expect(second[.string("outcome")] == .string("EXPRESSION"))
  }

  @Test("a report tells a reached limit and when it reopens")
  func limit() throws {
    let matcher = try Self.matcher()
    var request = try Self.request("subscribed-skipper", "open_forecast")
    request.presentation = .immediate
    _ = try matcher.registerNow(request)
    let report = MatchReport(try matcher.previewNow(request))
    #expect(
      report.text.contains(
        "1 of 1 in 10080 minutes (key fc-201), free again at 2026-03-08T12:00:00.001Z"))
  }

  @Test("the event that is being registered has happened, in a simulation as in a match")
  func simulatedHistory() throws {
    let filters = [
      "device.placementsInDay(\"p\") == 1 && device.daysSince(\"p\") == 0",
      "device.placementsSinceInstall(\"q\") == 1", "device.minutesSince(\"q\") == null",
    ]
    let rules = filters.enumerated().map { index, filter in
      """
      {"experiment_group_id":"1","experiment_id":"\(index)","variants":[{"variant_type":"HOLDOUT",
      "variant_id":"h\(index)","percentage":100}],"expression_cel":\(Value.string(filter).jsonText()),
      "preload":{"behavior":"ALWAYS"}}
      """
    }
    let text = """
      {"build_id":"b","trigger_options":[
      {"event_name":"p","rules":[\(rules[0])]}, {"event_name":"q","rules":[\(rules[0]),\(rules[1])]},
      {"event_name":"r","rules":[\(rules[1]),\(rules[2])]}],
      "paywall_responses":[],"log_level":10,"localization":{"locales":[]},
      "app_session_timeout_ms":3600000,"toggles":[],"disable_preload":{"all":false,"triggers":[]}}
      """
    let (config, _) = try ConfigDecoder().decode(Value(json: text))
    let now = WallTime(milliseconds: 1_772_366_400_000)
    let simulation = Simulation(config, random: SeededRandomSource(seed: 1), now: now)
    simulation.add(Context(user: ["age": 25]))
    for placement in ["p", "q", "r"] {
      let matcher = try Matcher(.init(clock: ManualClock(now), zone: .utc))
      try matcher.load(Value(json: text))
      let matched = try matcher.registerNow(MatchRequest(placement)).result.experiment?.id
      let tally = simulation.tallies.first { $0.placement == placement && $0.matched > 0 }
      #expect(tally?.experimentID == matched)
      #expect(matched == ["p": "0", "q": "1", "r": "2"][placement])
    }
  }

  @Test("a simulation takes the layers of a context as they are, and its further variables")
  func layers() throws {
    let now = WallTime(milliseconds: 1_772_366_400_000)
    func matches(_ filter: String, _ context: Context) -> Bool {
      let variant = Variant(id: "v", kind: .holdout, percentage: 100)
      var audience = Audience(campaignID: "c", experimentID: "e", variants: [variant])
      audience.expression = filter
      var config = CampaignConfig(buildID: "b")
      config.triggers = [CampaignTrigger(placement: "p", audiences: [audience])]
      let simulation = Simulation(
        config, random: SeededRandomSource(seed: 1), now: now, dialect: .cel)
      simulation.add(context)
      return simulation.tallies.first?.matched == 1
    }
    let variables = Context(user: nil, device: nil, params: nil, roots: .init(["plan": "gold"]))
    #expect(matches("plan == 'gold'", variables))
    #expect(!matches("user.plan == 'gold'", variables))
    #expect(matches("!has(user.plan)", variables))
    let all = Context(
      user: .init(["plan": "basic"]), device: .init(["model": "m"]),
      params: .init(["from": "menu"]),
      roots: .init(["plan": "gold"]))
    #expect(
      matches(
        "user.plan == 'basic' && plan == 'gold' && device.model == 'm' && params.from == 'menu'",
        all))
    // A document may be the attributes of a user alone; a context never is.
    #expect(matches("plan == 1 && !has(user.plan)", try Context(json: "{\"plan\": 1}")))
  }

  @Test("an audience that cannot be asked says why")
  func unaskable() throws {
    let matcher = try Self.matcher()
    let request = MatchRequest("open_forecast", parameters: ["list": .list([.double(.infinity)])])
    let answers = try #require(try matcher.audienceAnswers(for: request))
    let asked = answers.filter { $0.audience.expression != nil }
    #expect(!asked.isEmpty)
    for answer in asked {
      #expect(answer.value == nil && answer.diagnostic == nil && !answer.isMatch)
      #expect(answer.requestProblem?.contains("not a finite number") == true)
    }
    let fine = try matcher.audienceAnswers(for: MatchRequest("open_forecast"))
    #expect(fine?.allSatisfy { $0.requestProblem == nil } == true)
  }

  @Test("a simulation counts what previews say, one by one")
  func simulation() throws {
    let (config, _) = try ConfigDecoder().decode(Self.json("config.json"))
    let simulation = Simulation(
      config, options: .iOS, random: SeededRandomSource(seed: 9),
      now: WallTime(milliseconds: 1_772_366_400_000))
    let matcher = try Self.matcher()
    var expected: [String: Int] = [:]
    let languages = ["pt", "en", "es", "fr"]
    for index in 0..<400 {
      let user: [String: Value] = [
        "seed": .int(Int64(index % 100)), "sessions": .int(Int64(index)),
      ]
      let device: [String: Value] = [
        "activeEntitlements": .list(index % 7 == 0 ? [.string("skipper")] : []),
        "interfaceType": .string(index % 3 == 0 ? "ipad" : "iphone"),
        "preferredLanguageCode": .string(languages[index % 4]),
      ]
      simulation.add(Context(user: .init(user), device: .init(device)))
      for placement in ["onboarding_done", "session_logged", "open_forecast"] {
        var request = MatchRequest(placement)
        request.user = user
        request.device = device
        if let id = try matcher.previewNow(request).result.experiment?.id {
          expected[placement + id, default: 0] += 1
        }
      }
    }
    #expect(simulation.users == 400)
    for tally in simulation.tallies
    where ["onboarding_done", "session_logged", "open_forecast"].contains(tally.placement) {
      #expect(tally.matched == expected[tally.placement + tally.experimentID, default: 0])
      #expect(tally.variants.reduce(0) { $0 + $1.count } == tally.matched)
    }
    for entry in simulation.unmatched {
      let matched = simulation.tallies.filter { $0.placement == entry.placement }
        .reduce(0) { $0 + $1.matched }
      #expect(matched + entry.count == 400)
    }
    #expect(simulation.text.contains("tide-101"))
    #expect(simulation.value() != Value.null)
  }
}
