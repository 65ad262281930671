import CampaignAnalysis
import CampaignCore
import CampaignMatcher
import ExpressionEngine
import Testing

/// When answers change by themselves.
@Suite("Forecasts")
struct ForecastTests {
  private static func config(_ filters: [String?], limit: OccurrenceLimit? = nil) -> CampaignConfig
  {
    var config = CampaignConfig(buildID: "b")
    config.triggers = [
      CampaignTrigger(
        placement: "open",
        audiences: filters.enumerated().map { index, filter in
          var audience = Audience(
            campaignID: "c", experimentID: "e\(index)",
            variants: [
              Variant(id: "v\(index)", kind: .treatment, percentage: 100, paywallIdentifier: "p")
            ])
          audience.expression = filter
          if index == 0 { audience.limit = limit }
          return audience
        })
    ]
    return config
  }

  private let start = WallTime(seconds: 1_772_359_200)
  private static let minute: Int64 = 60_000

  /// The forecast, and the answers at instants to compare it with.
  private func look(
    _ config: CampaignConfig, history: [Int64], days: Int = 40
  ) throws -> (forecast: ChangeForecast, answer: (WallTime) throws -> String) {
    let clock = ManualClock(start.advanced(byMilliseconds: -60 * 1_440 * Self.minute))
    let matcher = try Matcher(
      .init(store: InMemoryStore(), clock: clock, random: SeededRandomSource(seed: 1)))
    _ = try matcher.load(config)
    for minutes in history.sorted(by: >) {
      clock.set(start.advanced(byMilliseconds: -minutes * Self.minute))
      var request = MatchRequest("open")
      request.presentation = .immediate
      _ = try matcher.register(request)
    }
    var request = MatchRequest("open")
    request.detail = .full
    func preview(_ instant: WallTime) throws -> MatchOutcome {
      clock.set(instant)
      return try matcher.preview(request)
    }
    let forecast = try ChangeForecast(
      AnalysisModel(config), placement: "open", from: start, days: days, preview: preview)
    return (forecast, { try preview($0).result.experiment?.id ?? "none" })
  }

  @Test(
    "the answer is the same before the promised instant and another at it",
    arguments: [
      "device.daysSince(\"open\") >= 3", "device.hoursSince(\"open\") < 5",
      "device.placementsInDay(\"open\") < 2", "device.placementsInWeek(\"open\") == 1",
      "device.minutesSince(\"open\") > 90 && device.daysSince(\"open\") < 9",
      "device.localTime >= \"18:00:00\"", "device.utcDate >= \"2026-03-04\"",
      "device.localTime == \"07:30:10\"",
      "device.daysSince(\"open\") * 2 > 11", "user.never == 1", "device.daysSinceInstall >= 0",
    ])
  func promises(_ filter: String) throws {
    var random = TestRandom(state: UInt64(filter.utf8.count))
    for _ in 0..<6 {
      let history = (0..<(1 + random.below(5))).map { _ in Int64(random.below(20_000)) }
      let (forecast, answer) = try look(Self.config([filter, nil]), history: history)
      try check(forecast, answer)
    }
  }

  @Test("a limit that opens again")
  func limit() throws {
    let limit = OccurrenceLimit(key: "k", maximum: 2, interval: .minutes(600))
    let (forecast, answer) = try look(
      Self.config([nil, nil], limit: limit), history: [500, 30, 1])
    // The first two of three presentations count; the older leaves the window first.
    #expect(forecast.changesAt == start.advanced(byMilliseconds: 100 * Self.minute + 1))
    try check(forecast, answer)
  }

  private func check(_ forecast: ChangeForecast, _ answer: (WallTime) throws -> String) throws {
    let first = try answer(start)
    let end = min(forecast.certainUntil, start.advanced(byMilliseconds: 40 * 1_440 * Self.minute))
    var instant = start
    while instant < end {
      #expect(try answer(instant) == first, "\(instant)")
      instant = instant.advanced(byMilliseconds: 37 * Self.minute + 13_577)
    }
    #expect(try answer(end.advanced(byMilliseconds: -1)) == first)
    if let change = forecast.changesAt { #expect(try answer(change) != first) }
  }
}
