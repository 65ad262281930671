import AudienceFilters
import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import Foundation
import Testing

/// `match`, `simulate` and `audiences` about the same new users.
@Suite("What happens to a new user")
struct FirstRegistrationTests {
  private static let now = WallTime(milliseconds: 1_772_366_400_000)
  private static let campaigns = ReportTests.sample.deletingLastPathComponent()

  /// A config with the name of its case.
  struct Sample: Sendable, CustomTestStringConvertible {
    var name: String
    var config: CampaignConfig
    var options: MatchingOptions
    var testDescription: String { name }
  }

  /// All configs of the campaign corpus that decode, and one that asks what is easily forgotten.
  static let samples: [Sample] = {
    var samples: [Sample] = []
    let files = FileManager.default.enumerator(at: campaigns, includingPropertiesForKeys: nil)
    for case let url as URL in files ?? FileManager.DirectoryEnumerator()
    where url.pathExtension == "json" && !url.path.contains("/contexts/") {
      guard let text = try? String(contentsOf: url, encoding: .utf8),
        let json = try? Value(json: text)
      else { continue }
      let name = url.pathComponents.suffix(2).joined(separator: "/")
      for (platform, options) in [("iOS", MatchingOptions.iOS), ("Android", .android)] {
        guard let (config, _) = try? ConfigDecoder(rules: options.config).decode(json) else {
          continue
        }
        samples.append(Sample(name: "\(name) (\(platform))", config: config, options: options))
      }
    }
    for (platform, options) in [("iOS", MatchingOptions.iOS), ("Android", .android)] {
      samples.append(Sample(name: "forgotten (\(platform))", config: forgotten, options: options))
    }
    return samples.sorted { $0.name < $1.name }
  }()

  /// Filters about what the matcher itself gives, and about values that are sanitized.
  private static let filters = [
    // What only some placements can be true for comes first, where nothing else hides it.
    "params[\"$is_standard_event\"] == true", "device.placementsInDay(\"q\") == 1",
    "device.placementsSinceInstall(\"config_refresh\") == 2", "1 + 1", "params.event_name == \"p\"",
    "broken ==",
    "user.a.b == null", "size(user.a.b) == 0", "size(user.l[0]) == 0", "user.l[0] == null",
    "user.a == null",
    "has(user.a)", "size(user) == 4", "size(user) > 5", "size(device) == 0", "size(device) > 20",
    "user.aliasId != \"\"", "size(user.aliasId) == 52", "size(user.aliasId) == 51",
    "device.aliases.contains(user.aliasId)", "user.isLoggedIn == false", "user.seed < 50",
    "device.appUserId == \"\"", "device.isFirstAppOpen == true", "device.totalPaywallViews == 0",
    "device.totalPaywallViews == 1", "device.daysSinceLastPaywallView == 0",
    "device.utcDate == \"2026-03-01\"", "device.appInstallDate == \"\"",
    "device.placementsSinceInstall(\"config_refresh\") == 1",

    "device.daysSince(\"config_refresh\") == 0", "device.daysSince(\"p\") == 0",
    "device.minutesSince(\"never\") == null",
    "device.minutesSince_config_refresh == 0", "device.daysSince_p == 0",
    "device.placementsInDayp == 1", "params.l[0] == 1", "has(params.l)", "has(params.n)",
    "size(params.m.n) == 0", "params.m.n == null", "size(params) == 5", "size(params) > 7",
    "params[\"$own\"] == 1",
    "size(params[\"$app_session_id\"]) == 36",
    "params[\"$is_feature_gatable\"] == true", "user.s == \"a$b\"", "user.s == \"ab\"",
    "params.s == \"ab\"", "device.d[0] == \"ab\"", "device.platform == \"iOS\"",

    "device.unknownFunction(1) == null", "user.email == null",
  ]

  private static let forgotten: CampaignConfig = {
    var triggers: [CampaignTrigger] = []
    let placements = [
      "p", "q", "config_refresh", "paywall_open", "session_start", "transaction_abandon",
      "custom_placement", "app_open",
    ]
    let properties = [
      ComputedProperty(kind: .minutesSince, eventName: "config_refresh"),
      ComputedProperty(kind: .daysSince, eventName: "p"),
      ComputedProperty(kind: .placementsInDay, eventName: "p"),
    ]
    // A placement of one filter each, and all filters in one placement, in two orders.
    func audiences(_ filters: [String], _ prefix: String) -> [Audience] {
      filters.enumerated().map { index, filter in
        var audience = Audience(
          campaignID: "1", experimentID: "\(prefix)\(index)",
          variants: [Variant(id: "v", kind: .holdout, percentage: 100)])
        audience.expression = filter
        if filter.contains("Since_") || filter.contains("InDayp") {
          audience.computedProperties = properties
        }
        let limits: [Int: OccurrenceLimit] = [
          3: OccurrenceLimit(key: "k", maximum: 0, interval: .infinity),
          5: OccurrenceLimit(key: "k", maximum: 1, interval: .minutes(.max)),
          7: OccurrenceLimit(key: "k", maximum: 1, interval: .minutes(60)),
        ]
        audience.limit = limits[index % 11]
        return audience
      }
    }
    for placement in placements {
      triggers.append(
        CampaignTrigger(placement: placement, audiences: audiences(filters, placement)))
    }
    for (index, filter) in filters.enumerated() {
      triggers.append(
        CampaignTrigger(placement: "f\(index)", audiences: audiences([filter], "f\(index)-")))
      guard index % 6 == 5 else { continue }
      triggers.append(
        CampaignTrigger(
          placement: "r\(index)",
          audiences: audiences(filters.suffix(index).reversed(), "r\(index)-")))
    }
    // The last trigger of a placement counts.
    triggers.append(
      CampaignTrigger(placement: "q", audiences: audiences(filters.reversed(), "again")))
    var config = CampaignConfig(buildID: "b")
    config.triggers = triggers
    return config
  }()

  /// Makes users that filters of a config may like.
  private struct Generator {
    let random = SeededRandomSource(seed: 41)
    /// What is tried half of the time.
    private let hardValues = [
      "null", "[]", "[1]", "[null]", "{\"b\": null}", "{\"n\": null}",
      "{\"b\": [null, {\"c\": null}]}", "\"a$b\"", "[\"a$b\"]", "1",
    ]
    private let hardNames = [
      "user": ["a", "l", "s", "email"], "device": ["d"], "params": ["l", "m", "n", "s", "$own"],
    ]
    /// Names by root, and values as JSON, from the filters.
    private var names: [String: [String]] = [
      "user": ["aliasId"], "device": ["platform", "daysSince_p"],
      "params": ["event_name", "$is_standard_event"],
    ]
    private var values = ["0", "1.0", "true", "\"true\"", "\"$\"", "{}"]

    init(_ config: CampaignConfig) {
      for text in config.triggers.flatMap(\.audiences).compactMap(\.expression) {
        guard let filter = try? Filter(text) else { continue }
        for attribute in filter.requirements.attributes {
          if let root = attribute.root { names[root]?.append(attribute.name) }
        }
        for literal in text.matches(of: /"[^"\\]*"|\d+/) { values.append(String(literal.output)) }
      }
    }

    private func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int(random.uniform(below: UInt64(elements.count)))]
    }

    private func object(_ root: String) -> String {
      var members = root == "user" ? ["\"seed\": \(random.uniform(below: 100))"] : []
      for _ in 0..<random.uniform(below: 6) {
        let isHard = random.uniform(below: 2) == 0
        let name = pick((isHard ? hardNames : names)[root] ?? [])
        members.append("\"\(name)\": \(pick(isHard ? hardValues : values))")
      }
      return "{\(members.joined(separator: ", "))}"
    }

    /// A record, with its roots in any order.
    func record() -> String {
      var roots = ["user", "device", "params"].filter {
        $0 == "user" || random.uniform(below: 4) > 0
      }
      if random.uniform(below: 2) == 0 { roots.reverse() }
      return "{\(roots.map { "\"\($0)\": \(object($0))" }.joined(separator: ", "))}"
    }
  }

  private static func request(_ placement: String, _ record: String) throws -> MatchRequest {
    func object(_ value: Value?) -> [String: Value] {
      guard case .map(let entries)? = value else { return [:] }
      var result: [String: Value] = [:]
      for case (.string(let name), let value) in entries { result[name] = value }
      return result
    }
    let roots = object(try Value(json: record))
    var request = MatchRequest(placement, parameters: object(roots["params"]))
    request.user = object(roots["user"])
    request.device = object(roots["device"])
    request.detail = .full
    return request
  }

  /// The number of the audience that a fresh matcher finds.
  private static func match(
    _ sample: Sample, _ placement: String, _ record: String
  ) throws -> Int? {
    let matcher = try Matcher(
      .init(
        options: sample.options, clock: ManualClock(now), zone: .utc,
        explain: { _, _ in FilterExplanation() }))
    var config = sample.config
    // A long config of many placements takes longer to load than to ask.
    if config.triggers.count > 20 { config.triggers.removeAll { $0.placement != placement } }
    try matcher.load(config)
    return try matcher.fireReportingAudiences(request(placement, record)).registration.audiences
      .first { $0.outcome == .matched }?.index
  }

  @Test("match, simulate and audiences agree about every new user", arguments: samples)
  func agreement(_ sample: Sample) throws {
    var placements: [String] = []
    for trigger in sample.config.triggers where !placements.contains(trigger.placement) {
      placements.append(trigger.placement)
    }
    let simulation = Simulation(
      sample.config, options: sample.options, random: SeededRandomSource(seed: 3), now: Self.now)
    let looker = try Matcher(
      .init(options: sample.options, clock: ManualClock(Self.now), zone: .utc))
    try looker.load(sample.config)
    let generator = Generator(sample.config)
    func counts() -> [String: [Int]] {
      Dictionary(grouping: simulation.tallies, by: \.placement).mapValues { $0.map(\.matched) }
    }
    for number in 0..<(sample.name.hasPrefix("forgotten") ? 30 : 8) {
      let record = generator.record()
      let before = counts()
      // Both ways into a simulation.
      if number % 4 == 3 {
        simulation.add(try Context(json: record))
      } else {
        try Array(record.utf8).withUnsafeBufferPointer { try simulation.add(json: $0) }
      }
      let after = counts()
      for placement in placements {
        let matched = try Self.match(sample, placement, record)
        let simulated = zip(after[placement] ?? [], before[placement] ?? []).map(-)
          .firstIndex(of: 1)
        let seen = try looker.audienceAnswers(for: Self.request(placement, record))
        #expect(simulated == matched, "simulate, \(placement) over \(record)")
        #expect(
          seen?.firstIndex(where: \.isMatch) == matched, "audiences, \(placement) over \(record)")
      }
    }
    // Nothing of all the looking is left behind.
    #expect(
      try looker.evaluate("device.placementsSinceInstall(\"p\")", for: MatchRequest(""))
        == .value(0))
  }

  @Test(
    "the filters that are easily forgotten are true for some and not for all, where they can be")
  func coverage() throws {
    var matched: Set<String> = []
    let generator = Generator(Self.forgotten)
    for options in [MatchingOptions.iOS, .android] {
      let simulation = Simulation(
        Self.forgotten, options: options, random: SeededRandomSource(seed: 3), now: Self.now)
      for _ in 0..<150 {
        try Array(generator.record().utf8).withUnsafeBufferPointer { try simulation.add(json: $0) }
      }
      for tally in simulation.tallies where tally.matched > 0 {
        if tally.placement.hasPrefix("r") || tally.experimentID.hasPrefix("again") {
          matched.insert(Self.filters[Self.filters.count - 1 - tally.index])
        } else {
          let first = tally.placement.hasPrefix("f") ? Int(tally.placement.dropFirst()) : nil
          matched.insert(Self.filters[(first ?? 0) + tally.index])
        }
      }
    }
    let never = Self.filters.filter { !matched.contains($0) }
    #expect(never.count < 10, "\(never)")
  }
}
