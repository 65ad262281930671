import CampaignCore
import CampaignMatcher
import CampaignStore
import ExpressionEngine
import TestSupport
import Testing

/// What registrations wait for (docs/spec/campaigns.md §2.1 step 5); the stories of it are in the
/// corpus.
@Suite("Waiting registrations", .serialized)
struct WaitingTests {
  /// A matcher that is ready but for what a test takes away.
  private func matcher(
    options: MatchingOptions = .iOS, store: any MatcherStore = InMemoryStore(),
    clock: any WallClock = SystemClock()
  ) throws -> Matcher {
    let matcher = try Matcher(.init(store: store, options: options, clock: clock, zone: .utc))
    try matcher.load(TestConfig.limited(maximum: 5))
    try matcher.user.setAttributes(["member": .bool(true)])
    return matcher
  }

  /// Waits until a condition holds.
  private func eventually(_ condition: () throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while try !condition() {
      try #require(ContinuousClock.now < deadline)
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  /// How often a placement was recorded.
  private func count(_ placement: String, in store: any MatcherStore) throws -> Int {
    try store.read { transaction throws(StoreError) in
      try transaction.count(of: placement, since: nil)
    }
  }

  @Test("presentations wait for the server when assignments are restored")
  func identity() async throws {
    let store = InMemoryStore()
    let matcher = try matcher(store: store)
    try matcher.device.setSubscriptionStatus(.inactive)
    try matcher.user.identify("alice", restorePaywallAssignments: true)
    try matcher.user.setAttributes(["member": .bool(true)])
    #expect(!matcher.user.isReady)
    async let waiting = matcher.register(MatchRequest("x"))
    try await eventually { try count("x", in: store) == 1 }
    try matcher.assignments.apply([ServerAssignment(experimentID: "1", variantID: "b")])
    #expect(try await waiting.result.experiment?.variant.id == "b")
    #expect(matcher.user.isReady)
  }

  @Test("a link keeps its turn when the assignments do not come, and its paywall is watched")
  func linkWithoutAssignments() throws {
    var options = MatchingOptions.iOS
    options.readinessLimits.identity = .seconds(5)
    options.readinessLimits.presentation = .seconds(30)
    let clock = ManualClock(WallTime(milliseconds: 1_772_366_400_000))
    let matcher = try Matcher(.init(store: InMemoryStore(), options: options, clock: clock))
    try matcher.load(
      try ConfigDocument(json: try TestFiles.text("corpus/paywall/stories/config.json")))
    try matcher.device.setSubscriptionStatus(.inactive)
    try matcher.user.identify("alice", restorePaywallAssignments: true)
    var request = matcher.request(deepLink: "myapp://promo?offer=summer")
    request.presentation = .whenLoaded
    let turns = Locked([LineTurn]())
    let results = Locked(0)
    matcher.submit(
      request, .deepLinkOpen, onTurn: { turn in turns.withLock { $0.append(turn) } },
      completion: { _ in results.withLock { $0 += 1 } })
    #expect(turns.withLock(\.isEmpty))
    clock.advance(byMilliseconds: 5_000)
    let turn = try #require(turns.withLock(\.first))
    #expect(results.withLock { $0 } == 0)
    let outcome = try #require(try matcher.take(turn))
    #expect(outcome.result.experiment != nil)
    // The paywall never appears: the next request is served all the same.
    matcher.submit(
      request, .deepLinkOpen, onTurn: { turn in turns.withLock { $0.append(turn) } },
      completion: { _ in results.withLock { $0 += 1 } })
    #expect(turns.withLock(\.count) == 1)
    // It waits for the assignments in its turn.
    clock.advance(byMilliseconds: 30_000)
    clock.advance(byMilliseconds: 5_000)
    #expect(turns.withLock(\.count) == 2)
  }

  @Test(
    "a registration waits for the subscription status, on the system clock",
    arguments: [true, false])
  func status(comesInTime: Bool) async throws {
    var options = MatchingOptions.iOS
    options.readinessLimits.subscriptionStatus = comesInTime ? .seconds(60) : .milliseconds(10)
    let store = InMemoryStore()
    let matcher = try matcher(options: options, store: store)
    #expect(!matcher.device.isSubscriptionStatusKnown)
    async let waiting = matcher.register(MatchRequest("x"))
    try await eventually { try count("x", in: store) == 1 }
    if comesInTime {
      try matcher.device.setSubscriptionStatus(.active([UserEntitlement(active: "gold")]))
    }
    let registration = try await waiting
    if comesInTime {
      #expect(matcher.device.isSubscriptionStatusKnown)
      #expect(registration.presentation != nil)
    } else {
      #expect(registration.result == .error(.subscriptionStatusTimeout))
      #expect(!registration.runsFeatureNow && registration.skipReason == nil)
    }
    #expect(try count("x", in: store) == 1)
  }

  @Test("a status that is known to the request alone is enough for it")
  func ownStatus() async throws {
    let matcher = try matcher()
    var request = MatchRequest("x")
    request.device = ["subscriptionStatus": "INACTIVE"]
    guard case .paywall = try await matcher.register(request).result else {
      Issue.record("no paywall")
      return
    }
    #expect(!matcher.device.isSubscriptionStatusKnown)
  }

  @Test(
    "a task that is cancelled stops waiting, whatever it waits for",
    arguments: [false, true], ["config", "status", "identity"])
  func cancellation(beforehand: Bool, missing: String) async throws {
    let store = InMemoryStore()
    let matcher =
      missing == "config"
      ? try Matcher(.init(store: store, zone: .utc)) : try matcher(store: store)
    if missing != "status" { try matcher.device.setSubscriptionStatus(.inactive) }
    if missing == "identity" { try matcher.user.identify("alice", restorePaywallAssignments: true) }
    let outcome = Locked<Result<MatchOutcome, any Error>?>(nil)
    let task = Task {
      // Cancelled before it begins to wait, or while it waits.
      while beforehand, !Task.isCancelled { await Task.yield() }
      let result: Result<MatchOutcome, any Error>
      do { result = .success(try await matcher.register(MatchRequest("x"))) } catch {
        result = .failure(error)
      }
      outcome.withLock { $0 = result }
    }
    // The first one is in line before the other, unless it never gets there.
    if !beforehand { try await eventually { try count("x", in: store) == 1 } }
    let other = Task { try await matcher.register(MatchRequest("x")).result }
    try await eventually { try count("x", in: store) == 1 }
    #expect(outcome.withLock { $0 == nil })
    task.cancel()
    try await eventually { outcome.withLock { $0 != nil } }
    let registration = try #require(outcome.withLock { $0 }).get()
    #expect(registration.result == .error(.cancelled))
    #expect(!registration.runsFeatureNow)
    // Others go on waiting, and register when all is there.
    if missing == "config" { try matcher.load(TestConfig.limited(maximum: 5)) }
    if missing == "status" { try matcher.device.setSubscriptionStatus(.inactive) }
    if missing == "identity" { try matcher.assignments.apply([]) }
    switch try await other.value {
    case .paywall, .holdout: break
    default: Issue.record("the other task got no answer")
    }
    #expect(try count("x", in: store) == (beforehand ? 1 : 2))
  }

  @Test("what is missing again when a registration has its turn is waited for")
  func withdrawal() async throws {
    let store = InMemoryStore()
    let matcher = try matcher(store: store)
    let fired = Locked(0)
    // Whoever hears of the first one identifies the user, so that the others wait for the server.
    matcher.events.onEvent { [weak matcher] event in
      guard event.name == BuiltInEvent.triggerFire.rawValue else { return }
      let isFirst = fired.withLock { fired in
        fired += 1
        return fired == 1
      }
      if isFirst { _ = try? matcher?.user.identify("alice", restorePaywallAssignments: true) }
    }
    var request = MatchRequest("x")
    request.presentation = .immediate
    let tasks = (0..<3).map { _ in
      Task { [request] in try await matcher.register(request).result }
    }
    try await eventually { try count("x", in: store) == 1 }
    try matcher.device.setSubscriptionStatus(.inactive)
    try await eventually { try count("x", in: store) == 2 }
    #expect(!matcher.user.isReady)
    #expect(fired.withLock { $0 } == 1)
    try matcher.assignments.apply([ServerAssignment(experimentID: "1", variantID: "b")])
    var results: [PlacementResult] = []
    for task in tasks { results.append(try await task.value) }
    #expect(fired.withLock { $0 } == 3)
    #expect(results.count { $0.experiment?.variant.id == "b" } >= 2)
    // The first one was recorded for the user who is forgotten by now, and is served.
    #expect(try count("x", in: store) == 3)
  }

  @Test("each registration waits for the presentation step of the one before it")
  func presentationStep() async throws {
    let store = InMemoryStore()
    let matcher = try matcher(store: store)
    try matcher.device.setSubscriptionStatus(.inactive)
    try matcher.assignments.apply([ServerAssignment(experimentID: "1", variantID: "a")])
    let first = try #require(try await matcher.register(MatchRequest("x")).presentation)
    let second = Locked<PlacementResult?>(nil)
    matcher.submit(MatchRequest("x")) { outcome in
      second.withLock { $0 = try? outcome.get()?.result }
    }
    let third = Task { try await matcher.handle(.deepLinkOpen)?.result }
    // What need not wait goes ahead: a look, and whoever asks for it.
    var request = MatchRequest("x")
    _ = try await matcher.preview(request)
    request.waiting = .never
    #expect(try await matcher.register(request).presentation != nil)
    #expect(try count("x", in: store) == 2)
    try first.didPresent()
    #expect(try await third.value == .placementNotFound)
    #expect(second.withLock { $0 } == .error(.paywallAlreadyPresented))
    #expect(try count("x", in: store) == 3)
  }

  @Test("a request has the time that it asks for")
  func ownLimits() async throws {
    let matcher = try matcher()
    var request = MatchRequest("x")
    request.waiting = .atMost(
      MatchingOptions.ReadinessLimits(subscriptionStatus: .milliseconds(10)))
    #expect(try await matcher.register(request).result == .error(.subscriptionStatusTimeout))
  }

  @Test(
    "who is forgotten while registrations wait leaves them in the history, so that counts include them",
    arguments: StoreKind.allCases, [nil, "bob"])
  func forgotten(_ kind: StoreKind, next: String?) async throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder)
    let clock = ManualClock(WallTime(milliseconds: 1_000_000))
    var options = MatchingOptions.iOS
    options.readinessLimits.subscriptionStatus = nil
    let matcher = try matcher(options: options, store: store, clock: clock)
    try matcher.user.identify("alice")
    let told = Locked(0)
    matcher.events.onEvent { event in
      if event.name == "x" { told.withLock { $0 += 1 } }
    }
    var request = MatchRequest("x")
    request.presentation = .immediate
    let tasks = (0..<2).map { _ in
      Task { [request] in try await matcher.register(request).result }
    }
    try await eventually { try count("x", in: store) == 1 }
    async let look = matcher.preview(MatchRequest("x"))
    clock.advance(byMilliseconds: 60_000)
    if let next { try matcher.user.identify(next) } else { try matcher.user.reset() }
    #expect(try count("x", in: store) == 1)
    let minutes = try matcher.evaluate("device.minutesSince(\"x\")", for: MatchRequest("y"))
    #expect(minutes == .value(1))
    try matcher.device.setSubscriptionStatus(.inactive)
    for task in tasks { _ = try await task.value }
    _ = try await look
    #expect(try count("x", in: store) == 2)
    #expect(told.withLock { $0 } == 2)
    withExtendedLifetime(folder) {}
  }

  @Test("a registration that cannot be stored is an error, before it waits and after")
  func failingStore() async throws {
    var request = MatchRequest("x")
    let store = WatchedStore()
    let matcher = try matcher(store: store)
    store.fill(true)
    await #expect(throws: StoreError.self) {
      try await matcher.register(MatchRequest("x"))
    }
    store.fill(false)
    let waiting = Task { try await matcher.register(MatchRequest("x")) }
    try await eventually { try count("x", in: store) == 1 }
    store.fill(true)
    matcher.device.set(values: ["subscriptionStatus": "ACTIVE"])
    await #expect(throws: StoreError.self) { try await waiting.value }
    store.fill(false)
    request.waiting = .never
    #expect(try await matcher.register(request).presentation != nil)
  }

  @Test(
    "many that wait are all served once, whoever ends their waiting", arguments: StoreKind.allCases)
  func crowd(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    var options = MatchingOptions.iOS
    // Some are served by the status, some by the limit, some by both at once.
    options.readinessLimits.subscriptionStatus = .milliseconds(15)
    let store = try kind.open(in: folder)
    let matcher = try matcher(options: options, store: store)
    let results = try await withThrowingTaskGroup(of: PlacementResult.self) { group in
      for index in 0..<60 {
        group.addTask {
          try await Task.sleep(for: .milliseconds(index / 3))
          var request = MatchRequest("x")
          request.presentation = .immediate
          return try await matcher.register(request).result
        }
      }
      group.addTask {
        try await Task.sleep(for: .milliseconds(18))
        try matcher.device.setSubscriptionStatus(.inactive)
        return .placementNotFound
      }
      return try await group.reduce(into: [PlacementResult]()) { $0.append($1) }
    }
    let shown = results.count { if case .paywall = $0 { true } else { false } }
    let held = results.count { if case .holdout = $0 { true } else { false } }
    let late = results.count { $0 == .error(.subscriptionStatusTimeout) }
    #expect(shown + held + late == 60 && results.count == 61)
    #expect(shown <= 5)
    #expect(try count("x", in: store) == 60)
    try store.read { transaction throws(StoreError) in
      #expect(try transaction.occurrenceCount(key: "k", since: nil, limit: .max) == shown)
      #expect(try transaction.occurrenceCount(key: "rest", since: nil, limit: .max) == held)
      #expect(try transaction.count(of: "trigger_fire", since: nil) == shown + held)
    }
    withExtendedLifetime(folder) {}
  }
}
