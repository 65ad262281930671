import CampaignCore
import CampaignMatcher
import ExpressionEngine

/// A matcher shows a paywall exactly if the limits of a plain count of presentations allow it.
///
/// Each byte of an input, or a few of them, are something that the app does.
enum LimitsTarget {
  private static let limits = [
    OccurrenceLimit(key: "once", maximum: 1, interval: .infinity),
    OccurrenceLimit(key: "often", maximum: 3, interval: .minutes(10)),
    // It shares its counter with the one above.
    OccurrenceLimit(key: "often", maximum: 1, interval: .minutes(1)),
    OccurrenceLimit(key: "never", maximum: 0, interval: .infinity),
  ]

  private static let config: CampaignConfig = {
    var config = CampaignConfig(buildID: "b")
    config.triggers = limits.enumerated().map { index, limit in
      var audience = Audience(
        campaignID: "c", experimentID: "e\(index)",
        variants: [
          Variant(id: "v", kind: .treatment, percentage: 100, paywallIdentifier: "p")
        ])
      audience.limit = limit
      return CampaignTrigger(placement: "placement\(index)", audiences: [audience])
    }
    return config
  }()

  static func run(_ input: FuzzInput) {
    var choices = InputChoices(input.bytes)
    do {
      var app = try App(config: config, limits: limits)
      while !choices.isAtEnd { try app.step(&choices) }
    } catch {
      report("a store in memory fails: \(error)")
    }
  }

  /// An app with a matcher, and what happened as far as limits count it.
  private struct App {
    let config: CampaignConfig
    let limits: [OccurrenceLimit]
    private let store = InMemoryStore()
    private let clock = ManualClock(WallTime(milliseconds: 1_772_366_400_000))
    private var matcher: Matcher
    /// The paywalls of which something can still be said.
    private var tokens: [Token] = []
    /// The presentations that count, by key.
    private var presented: [String: [WallTime]] = [:]

    private struct Token {
      let presentation: Presentation
      let key: String
      /// Whether the user is the one whom it was made for.
      var isOfUser = true
      var state = State.pending
      var features = 0

      enum State { case pending, presented, ended }
    }

    init(config: CampaignConfig, limits: [OccurrenceLimit]) throws {
      self.config = config
      self.limits = limits
      matcher = try Self.launch(config, store, clock)
    }

    private static func launch(
      _ config: CampaignConfig, _ store: InMemoryStore, _ clock: ManualClock
    ) throws -> Matcher {
      let matcher = try Matcher(
        Matcher.Configuration(
          store: store, clock: clock, zone: .utc, random: SeededRandomSource(seed: 1)))
      try matcher.load(config)
      try matcher.device.setSubscriptionStatus(.inactive)
      return matcher
    }

    mutating func step(_ choices: inout InputChoices) throws {
      switch choices.below(12) {
      case 0...3: try register(choices.below(limits.count))
      case 4, 5: try present(choices.below(max(1, tokens.count)))
      case 6: fail(choices.below(max(1, tokens.count)))
      case 7: try dismiss(choices.below(max(1, tokens.count)))
      case 8: clock.advance(byMilliseconds: Int64(choices.below(256)) * 5_000)
      case 9: clock.advance(byMilliseconds: choices.pick([60_000, 600_000, 1, -60_000, 600_001]))
      case 10 where choices.below(4) == 0:
        try matcher.user.reset()
        forgetUser()
      case 11 where choices.below(4) == 0:
        // The tokens go with the matcher.
        tokens = []
        matcher = try Self.launch(config, store, clock)
      default: try peek(choices.below(limits.count))
      }
    }

    private mutating func forgetUser() {
      presented = [:]
      for index in tokens.indices { tokens[index].isOfUser = false }
    }

    /// Whether a limit has a unit left.
    private func isOpen(_ limit: OccurrenceLimit) -> Bool {
      var start: WallTime?
      if case .minutes(let minutes) = limit.interval {
        start = clock.now().advanced(byMilliseconds: -minutes * 60_000)
      }
      let stored = (presented[limit.key] ?? []).count { instant in
        start.map { instant >= $0 } ?? true
      }
      let held = tokens.count { $0.state == .pending && $0.isOfUser && $0.key == limit.key }
      return stored + held < limit.maximum
    }

    private func check(_ result: PlacementResult, _ index: Int) {
      let isOpen = isOpen(limits[index])
      switch result {
      case .paywall: require(isOpen, "a paywall beyond the limit \(limits[index])")
      case .noAudienceMatch: require(!isOpen, "no paywall below the limit \(limits[index])")
      case .error: break
      case .placementNotFound, .holdout: report("\(result) at placement \(index)")
      }
    }

    private mutating func register(_ index: Int) throws {
      let outcome = try matcher.registerNow("placement\(index)")
      check(outcome.result, index)
      guard let presentation = outcome.presentation else { return }
      tokens.append(Token(presentation: presentation, key: limits[index].key))
    }

    private func peek(_ index: Int) throws {
      check(try matcher.previewNow("placement\(index)").result, index)
    }

    private mutating func present(_ index: Int) throws {
      guard index < tokens.count else { return }
      try tokens[index].presentation.didPresent()
      guard tokens[index].state == .pending else { return }
      tokens[index].state = .presented
      guard tokens[index].isOfUser else { return }
      presented[tokens[index].key, default: []].append(clock.now())
    }

    private mutating func fail(_ index: Int) {
      guard index < tokens.count else { return }
      tokens[index].presentation.didFail()
      if tokens[index].state == .pending { tokens[index].state = .ended }
    }

    private mutating func dismiss(_ index: Int) throws {
      guard index < tokens.count else { return }
      let feature = try tokens[index].presentation.didDismiss(.purchased)
      if feature == .run { tokens[index].features += 1 }
      require(tokens[index].features <= 1, "a feature runs twice")
      require(
        feature == .run || tokens[index].state != .presented, "a feature does not run: \(feature)")
      if tokens[index].state == .presented { tokens[index].state = .ended }
    }
  }
}
