import CampaignCore
import CampaignMatcher
import CampaignStore
import ExpressionEngine
import TestSupport
import Testing

@Suite("Warnings about the use of a matcher, and the limits of its waits")
struct WarningTests {
  private let clock = ManualClock(WallTime(milliseconds: 1_700_000_000_000))

  private func matcher(_ options: MatchingOptions = MatchingOptions()) throws -> Matcher {
    try Matcher(.init(options: options, clock: clock, zone: .utc))
  }

  /// The warnings that a matcher delivers from now on.
  private func warnings(of matcher: Matcher) -> Locked<[MatchWarning]> {
    let found = Locked<[MatchWarning]>([])
    matcher.events.onEvent { event in
      guard case .warning(let warning) = event.event else { return }
      found.withLock { $0.append(warning) }
    }
    return found
  }

  @Test("a paywall that is released before the app reports it is noticed")
  func released() throws {
    let matcher = try matcher()
    try matcher.load(TestConfig.followUps())
    let found = warnings(of: matcher)
    _ = try matcher.registerNow("start")
    #expect(
      found.withLock { $0 } == [MatchWarning(.presentationReleased, placement: "start")])
    // Not one that the app reports, either way.
    try matcher.registerNow("start").presentation?.didFail()
    let shown = try matcher.registerNow("start").presentation
    try shown?.didPresent()
    _ = try shown?.didDismiss(.declined)
    #expect(found.withLock { $0.count } == 1)
  }

  @Test("a paywall that is never reported holds up the next request for a time only")
  func overdue() async throws {
    let matcher = try matcher()
    try matcher.load(TestConfig.followUps())
    try matcher.device.setSubscriptionStatus(.inactive)
    let found = warnings(of: matcher)
    let first = try await matcher.register("start")
    #expect(first.presentation != nil)
    async let second = matcher.register("start")
    clock.advance(byMilliseconds: 30_000)
    // It may have joined the line before or after its time.
    #expect(try await second.presentation != nil)
    #expect(
      found.withLock { $0 } == [MatchWarning(.presentationOverdue, placement: "start")])
    _ = first
  }

  @Test("a warning is an event with a name of its own, and does not enter the history")
  func event() throws {
    let warning = MatchEvent.warning(MatchWarning(.presentationReleased, placement: "start"))
    #expect(warning.name == "matcher_warning")
    let parameters = warning.parameters(unmatchedKeys: .audience)
    #expect(parameters["warning"] == "presentation-released")
    #expect(parameters["placement"] == "start")
    let store = InMemoryStore()
    let matcher = try Matcher(.init(store: store, clock: clock))
    try matcher.load(TestConfig.followUps())
    let found = warnings(of: matcher)
    _ = try matcher.registerNow("start")
    #expect(found.withLock { $0.count } == 1)
    let count = try store.read { transaction throws(StoreError) in
      try transaction.count(of: "matcher_warning", since: nil)
    }
    #expect(count == 0)
  }

  @Test("a registration waits for a config by default for 30 seconds, and ends with error 104")
  func config() async throws {
    let store = InMemoryStore()
    let matcher = try Matcher(.init(store: store, clock: clock))
    async let waiting = matcher.register("start")
    while try store.read({ transaction throws(StoreError) in
      try transaction.count(of: "start", since: nil)
    }) == 0 {
      try await Task.sleep(for: .milliseconds(2))
    }
    // The wait is scheduled after the placement is recorded.
    let mover = Task {
      while !Task.isCancelled {
        clock.advance(byMilliseconds: 10_000)
        try await Task.sleep(for: .milliseconds(2))
      }
    }
    let result = try await waiting.result
    mover.cancel()
    #expect(result == .error(.noConfig))
  }

  @Test("every wait has a limit by default, and none when the app says so")
  func limits() {
    let limits = MatchingOptions().readinessLimits
    #expect(limits.config == .seconds(30))
    #expect(limits.subscriptionStatus == .seconds(5))
    #expect(limits.identity == .seconds(5))
    #expect(limits.presentation == .seconds(30))
    #expect(MatchingOptions.iOS.readinessLimits.config == nil)
    #expect(MatchingOptions.iOS.readinessLimits.subscriptionStatus == .seconds(5))
    let unlimited = MatchingOptions.ReadinessLimits.unlimited
    #expect(unlimited.config == nil && unlimited.subscriptionStatus == nil)
    #expect(unlimited.identity == nil && unlimited.presentation == nil)
  }
}
