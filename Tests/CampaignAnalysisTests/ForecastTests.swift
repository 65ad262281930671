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
  ) throws -> (
    forecast: () throws -> ChangeForecast, answer: (WallTime) throws -> String,
    values: (WallTime) throws -> (device: [Value.Key: Value], history: [String: Value])
  ) {
    let clock = ManualClock(start.advanced(byMilliseconds: -60 * 1_440 * Self.minute))
    let matcher = try Matcher(
      .init(
        store: InMemoryStore(), clock: clock, random: SeededRandomSource(seed: 1),
        explain: FilterExplanation.init(of:in:)))
    _ = try matcher.load(config)
    for minutes in history.sorted(by: >) {
      clock.set(start.advanced(byMilliseconds: -minutes * Self.minute))
      var request = MatchRequest("open")
      request.presentation = .immediate
      _ = try matcher.registerNow(request)
    }
    func preview(_ instant: WallTime, _ detail: ReportDetail) throws -> MatchOutcome {
      clock.set(instant)
      var request = MatchRequest("open")
      request.detail = detail
      return try matcher.previewNow(request)
    }
    return (
      {
        try ChangeForecast(
          AnalysisModel(config), placement: "open", from: start, days: days
        ) { try preview($0, .full) }
      }, { try preview($0, .result).result.experiment?.id ?? "none" },
      { instant in
        // What a preview tells of the first audience, as a context would have it.
        var device: [Value.Key: Value] = [:]
        var history: [String: Value] = [:]
        let report = try preview(instant, .full).audiences.first
        for reading in (report?.readings ?? []) + (report?.computed ?? []) {
          let name = reading.name.dropFirst("device.".count)
          if name.contains("(") {
            history[name.filter { $0 != "\"" }] = reading.value
          } else {
            device[.string(String(name))] = reading.value
          }
        }
        return (device, history)
      }
    )
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
      let (forecast, answer, _) = try look(Self.config([filter, nil]), history: history)
      try check(forecast(), answer)
    }
  }

  @Test(
    "a forecast in words",
    arguments: [
      (
        "device.minutesSinceInstall >= 60", ["minutesSinceInstall": 30],
        "if nothing happens, it stays so for 29 minutes at least, and changes within 30 minutes"
      ),
      (
        "device.minutesSinceLastPaywallView < 1500", ["minutesSinceLastPaywallView": 0],
        "if nothing happens, it stays so for 1 day 59 minutes at least, and changes within 1 day "
          + "1 hour"
      ),
      (
        "device.minutesSinceInstall >= 60", ["minutesSinceInstall": 90],
        "if nothing happens, it stays so"
      ),
      ("user.age > 3", [:], nil),
    ] as [(String, [String: Int64], String?)])
  func words(_ filter: String, _ device: [String: Int64], _ text: String?) {
    let members = device.map { (Value.Key.string($0), Value.int($1)) }
    let variables: [String: Value] = ["device": .map(Dictionary(uniqueKeysWithValues: members))]
    #expect(FilterForecast(filter, variables: variables).text == text)
  }

  @Test("a limit that opens again")
  func limit() throws {
    let limit = OccurrenceLimit(key: "k", maximum: 2, interval: .minutes(600))
    let (forecast, answer, _) = try look(
      Self.config([nil, nil], limit: limit), history: [500, 30, 1])
    // The first two of three presentations count; the older leaves the window first.
    let result = try forecast()
    #expect(result.changesAt == start.advanced(byMilliseconds: 100 * Self.minute + 1))
    try check(result, answer)
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

  @Test("a forecast is certain only until an entitlement that a filter reads expires")
  func expirations() throws {
    let ends = [90, 30, -5].map { start.advanced(byMilliseconds: $0 * Self.minute) }
    let seconds = ends.map { Value.int(($0.milliseconds - 978_307_200_000) / 1_000) }
    let device: [String: Value] = [
      "customerInfo": [
        "entitlements": [["expiresAt": seconds[0]], ["identifier": "x"]],
        "subscriptions": [["expirationDate": seconds[1]]],
      ],
      "activeEntitlementsObject": [["expiresAt": seconds[2]]],
    ]
    let found = ChangeForecast.expirations(in: device)
    #expect(found == ends.sorted())
    func forecast(_ filter: String) throws -> ChangeForecast {
      let clock = ManualClock(start)
      let matcher = try Matcher(
        .init(
          store: InMemoryStore(), clock: clock, explain: FilterExplanation.init(of:in:)))
      let config = Self.config([filter, nil])
      _ = try matcher.load(config)
      var request = MatchRequest("open")
      request.detail = .full
      return try ChangeForecast(
        AnalysisModel(config), placement: "open", from: start, days: 3, expirations: found
      ) { instant in
        clock.set(instant)
        return try matcher.previewNow(request)
      }
    }
    let reading = try forecast("size(device.activeEntitlements) > 0")
    #expect(reading.certainUntil == ends[1] && reading.expiresAt == ends[1])
    #expect(reading.changesAt == nil)
    let other = try forecast("user.age > 3")
    #expect(other.expiresAt == nil && other.certainUntil > ends[0])
    let earlier = try forecast(
      "device.subscriptionStatus == \"ACTIVE\" || device.utcDateTime >= \"2026-03-01T10:15:00\"")
    #expect(earlier.changesAt == start.advanced(byMilliseconds: 15 * Self.minute))
    #expect(earlier.expiresAt == nil)
  }

  // MARK: Filters alone

  @Test(
    "a filter alone: how long it stays so, and when it has changed",
    arguments: [
      ("device.minutesSince(\"x\") > 90", ["minutesSince(x)": 30], 60, 61),
      ("device.hoursSince(\"x\") < 24", ["hoursSince(x)": 20], 180, 240),
      ("device.daysSince(\"x\") >= 7", ["daysSince(x)": 4], 2 * 1_440 - 120, 3 * 1_440 + 120),
      ("device.daysSince(\"x\") >= 6.5", ["daysSince(x)": 4], 2 * 1_440 - 120, 3 * 1_440 + 120),
      ("device.daysSince(\"x\") < 3", ["daysSince(x)": 4], nil, nil),
      ("device.daysSince(\"x\") < 3", ["daysSince(x)": .null], nil, nil),
      ("device.placementsInHour(\"x\") < 2", ["placementsInHour(x)": 2], 0, 61),
      ("device.placementsInHour(\"x\") < 2", ["placementsInHour(x)": 1], nil, nil),
      ("device.placementsSinceInstall(\"x\") < 2", ["placementsSinceInstall(x)": 1], nil, nil),
      ("device.daysSince(\"x\") * 2 > 9", ["daysSince(x)": 4], 0, 1_440 + 120),
      (
        "device.daysSince(\"x\") >= 5 && device.minutesSince(\"y\") >= 20",
        ["daysSince(x)": 4, "minutesSince(y)": 10], 9, 1_440 + 120
      ),
      ("device.daysSince(\"x\") == 5", ["daysSince(x)": 4], 0, nil),
    ] as [(String, [String: Value], Int64?, Int64?)])
  func filters(
    _ filter: String, _ history: [String: Value], _ certain: Int64?, _ within: Int64?
  ) throws {
    let forecast = FilterForecast(filter, variables: [:], history: history)
    #expect(forecast.certainMinutes == certain)
    #expect(forecast.changesWithinMinutes == within)
  }

  @Test("clocks jump: nothing is certain about the time and the date on them")
  func clocks() {
    for name in ["localTime", "utcDate", "localDateTime", "utcDateTime"] {
      let known = FilterForecast(
        "device.\(name) >= \"2026-03-04\"", variables: ["device": .map([.string(name): "2026"])])
      #expect(known.certainMinutes == 0, "\(name)")
      let missing = FilterForecast(
        "device.\(name) >= \"2026-03-04\"", variables: ["device": .map([.string(name): .null])])
      #expect(missing.certainMinutes == nil, "\(name)")
    }
  }

  private static let reader =
    ["daysSince", "hoursSince", "minutesSince", "placementsInDay", "placementsInWeek"]
    .map { "device.\($0)(\"open\") == -1" }.joined(separator: " || ")
    + " || device.localTime == \"x\""

  @Test("a filter alone never promises what a history breaks")
  func filterPromises() throws {
    var random = TestRandom(state: 8)
    let filters = [
      "device.daysSince(\"open\") >= 3", "device.hoursSince(\"open\") < 5",
      "device.placementsInDay(\"open\") < 2 && device.minutesSince(\"open\") > 600",
      "device.placementsInWeek(\"open\") == 1 || device.daysSince(\"open\") > 8",
      "device.localTime >= \"18:00:00\" || device.hoursSince(\"open\") > 30",
    ]
    for filter in filters {
      for _ in 0..<3 {
        let history = (0..<(1 + random.below(4))).map { _ in Int64(random.below(15_000)) }
        // The first audience never matches, and reads all values.
        let (_, answer, readings) = try look(
          Self.config([Self.reader, filter, nil]), history: history)
        let now = try readings(start)
        let forecast = FilterForecast(
          filter, variables: ["device": .map(now.device)], history: now.history)
        let first = try answer(start)
        if let certain = forecast.certainMinutes {
          for _ in 0..<20 where certain > 0 {
            let minutes = Int64(random.below(Int(certain)))
            #expect(
              try answer(start.advanced(byMilliseconds: minutes * Self.minute)) == first,
              "\(filter) \(history)")
          }
        } else {
          for _ in 0..<20 {
            let minutes = Int64(random.below(60 * 1_440))
            #expect(try answer(start.advanced(byMilliseconds: minutes * Self.minute)) == first)
          }
        }
        if let within = forecast.changesWithinMinutes {
          let later = start.advanced(byMilliseconds: (within + 1) * Self.minute)
          #expect(try answer(later) != first, "\(filter) \(history) \(forecast)")
        }
      }
    }
  }
}
