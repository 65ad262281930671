import AudienceFilters
import CampaignAnalysis
import CampaignCore
import CampaignMatcher
import ExpressionEngine
import Testing

/// What is held to be true of all users, against users who were simulated.
@Suite("Relations between attributes")
struct ConstraintTests {
  private static let functions = HistoryFunction.allCases.map(\.rawValue)
  private static let attributes = [
    "daysSinceInstall", "minutesSinceInstall", "daysSinceLastPaywallView",
    "minutesSinceLastPaywallView", "totalPaywallViews",
  ]

  /// Conditions that never hold, so that a preview evaluates all of them and tells their values.
  private static let reader =
    functions.map { "device.\($0)(\"x\") == -1" } + attributes.map { "device.\($0) == -1" }

  @Test(
    "no user who exists is called impossible",
    arguments: [MatchingOptions.iOS, .android], [false, true])
  func histories(_ options: MatchingOptions, changesClocks: Bool) throws {
    let zone = changesClocks ? Self.summerTime : .utc
    var random = TestRandom(state: 5)
    // Around the changes of the clocks, too.
    for month in 0..<14 {
      for _ in 0..<3 {
        let now = WallTime(seconds: 1_767_225_600 + Int64(month) * 2_629_746)
        let filter = try Self.filter(of: &random, at: now, options, zone)
        var model = ProverTests.model(filter)
        model.options = options
        let proof = CampaignProver(model).proof()
        let isDead = proof.faults.contains { $0.kind == .deadAudience }
        #expect(!isDead, "\(now): \(filter)")
        #expect(proof.openQuestions.isEmpty)
      }
    }
  }

  /// A zone whose clocks change in the middle of March and of September.
  private static let summerTime = ZoneRules(
    initialOffsetSeconds: -18_000,
    changes: (0..<6).map { half in
      ZoneRules.Change(
        instant: WallTime(seconds: 1_757_916_000 + Int64(half) * 15_778_476),
        offsetSeconds: half % 2 == 0 ? -18_000 : -14_400)
    })

  /// A filter that is true for a user with a random history, and says all that is known of them.
  private static func filter(
    of random: inout TestRandom, at now: WallTime, _ options: MatchingOptions, _ zone: ZoneRules
  ) throws -> String {
    let spans: [Int64] = [50, 70, 1_500, 2_900, 11_000, 45_000, 90_000]
    let clock = ManualClock(now)
    let matcher = try Matcher(
      .init(
        store: InMemoryStore(), options: options, clock: clock, zone: zone,
        random: SeededRandomSource(seed: 1), explain: FilterExplanation.init(of:in:)))
    var config = CampaignConfig(buildID: "b")
    var audience = Audience(campaignID: "c", experimentID: "e", variants: [])
    audience.expression = reader.joined(separator: " || ")
    config.triggers = [CampaignTrigger(placement: "look", audiences: [audience])]
    _ = try matcher.load(config)
    let span = random.pick(spans)
    let events = (0..<random.below(6)).map { _ in Int64(random.below(Int(span * 60))) }
    try matcher.app.setInstallationTime(
      now.advanced(byMilliseconds: -span * 60_000 - Int64(random.below(86_400_000))))
    for seconds in events.sorted(by: >) {
      clock.set(now.advanced(byMilliseconds: -seconds * 1_000))
      try matcher.events.track(
        random.isLucky(percent: 70) ? "x" : BuiltInEvent.paywallOpen.rawValue)
    }
    clock.set(now)
    var request = MatchRequest("look")
    request.detail = .full
    let report = try #require(try matcher.previewNow(request).audiences.first)
    let values = report.readings + report.computed
    #expect(values.count >= functions.count)
    return values.filter { $0.name.hasPrefix("device.") && !$0.name.contains(" ") }.map { reading in
      reading.value.map { "\(reading.name) == \($0.literal)" } ?? "!has(\(reading.name))"
    }.joined(separator: " && ")
  }
}
