import CampaignCore
import CampaignMatcher
import CampaignStore
import ExpressionEngine
import Synchronization
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
    let matcher = try Matcher(store: store, options: options, clock: clock, zone: .utc)
    try matcher.load(TestConfig.limited(maximum: 5))
    try matcher.setUserAttributes(["member": .bool(true)])
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
    try matcher.setSubscriptionStatus(.inactive)
    try matcher.identify("alice", restorePaywallAssignments: true)
    try matcher.setUserAttributes(["member": .bool(true)])
    #expect(!matcher.isIdentityReady)
    async let waiting = matcher.registerWhenReady(MatchRequest("x"))
    try await eventually { try count("x", in: store) == 1 }
    try matcher.applyServerAssignments([ServerAssignment(experimentID: "1", variantID: "b")])
    #expect(try await waiting.result.experiment?.variant.id == "b")
    #expect(matcher.isIdentityReady)
  }

  @Test(
    "a registration waits for the subscription status, on the system clock",
    arguments: [true, false])
  func status(comesInTime: Bool) async throws {
    var options = MatchingOptions.iOS
    options.readinessLimits.subscriptionStatus = comesInTime ? .seconds(60) : .milliseconds(10)
    let store = InMemoryStore()
    let matcher = try matcher(options: options, store: store)
    #expect(!matcher.isSubscriptionStatusKnown)
    async let waiting = matcher.registerWhenReady(MatchRequest("x"))
    try await eventually { try count("x", in: store) == 1 }
    if comesInTime { try matcher.setSubscriptionStatus(.active([Entitlement(active: "gold")])) }
    let registration = try await waiting
    if comesInTime {
      #expect(matcher.isSubscriptionStatusKnown)
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
    guard case .paywall = try await matcher.registerWhenReady(request).result else {
      Issue.record("no paywall")
      return
    }
    #expect(!matcher.isSubscriptionStatusKnown)
  }

  @Test(
    "a task that is cancelled stops waiting, whatever it waits for",
    arguments: [false, true], ["config", "status", "identity"])
  func cancellation(beforehand: Bool, missing: String) async throws {
    let store = InMemoryStore()
    let matcher =
      missing == "config"
      ? try Matcher(store: store, zone: .utc) : try matcher(store: store)
    if missing != "status" { try matcher.setSubscriptionStatus(.inactive) }
    if missing == "identity" { try matcher.identify("alice", restorePaywallAssignments: true) }
    let outcome = Mutex<Result<Registration, any Error>?>(nil)
    let task = Task {
      // Cancelled before it begins to wait, or while it waits.
      while beforehand, !Task.isCancelled { await Task.yield() }
      let result: Result<Registration, any Error>
      do { result = .success(try await matcher.registerWhenReady(MatchRequest("x"))) } catch {
        result = .failure(error)
      }
      outcome.withLock { $0 = result }
    }
    let other = Task { try await matcher.registerWhenReady(MatchRequest("x")).result }
    try await eventually { try count("x", in: store) == (beforehand ? 1 : 2) }
    #expect(outcome.withLock { $0 == nil })
    task.cancel()
    try await eventually { outcome.withLock { $0 != nil } }
    let registration = try #require(outcome.withLock { $0 }).get()
    #expect(registration.result == .error(.cancelled))
    #expect(!registration.runsFeatureNow)
    // Others go on waiting, and register when all is there.
    if missing == "config" { try matcher.load(TestConfig.limited(maximum: 5)) }
    if missing == "status" { try matcher.setSubscriptionStatus(.inactive) }
    if missing == "identity" { try matcher.applyServerAssignments([]) }
    switch try await other.value {
    case .paywall, .holdout: break
    default: Issue.record("the other task got no answer")
    }
    #expect(try count("x", in: store) == (beforehand ? 1 : 2))
  }

  @Test("what becomes ready and is missing again before its turn goes on waiting")
  func withdrawal() async throws {
    let store = InMemoryStore()
    let matcher = try matcher(store: store)
    let fired = Mutex(0)
    // Whoever hears of the first one identifies the user, so that the others wait for the server.
    matcher.onEvent { [weak matcher] event in
      guard event.name == BuiltInEvent.triggerFire.rawValue else { return }
      let isFirst = fired.withLock { fired in
        fired += 1
        return fired == 1
      }
      if isFirst { _ = try? matcher?.identify("alice", restorePaywallAssignments: true) }
    }
    let tasks = (0..<3).map { _ in
      Task { try await matcher.registerWhenReady(MatchRequest("x")).result }
    }
    try await eventually { try count("x", in: store) == 3 }
    // Who is ready is served before this returns.
    try matcher.setSubscriptionStatus(.inactive)
    #expect(!matcher.isIdentityReady)
    #expect(fired.withLock { $0 } == 1)
    try matcher.applyServerAssignments([ServerAssignment(experimentID: "1", variantID: "b")])
    var results: [TriggerResult] = []
    for task in tasks { results.append(try await task.value) }
    #expect(fired.withLock { $0 } == 3)
    #expect(results.count { $0.experiment?.variant.id == "b" } >= 2)
    #expect(try count("x", in: store) == 3)
  }

  @Test("the time of what waits again begins anew")
  func withdrawnTime() async throws {
    var options = MatchingOptions.iOS
    options.readinessLimits.identity = .milliseconds(10)
    let store = InMemoryStore()
    let matcher = try matcher(options: options, store: store)
    let isFirst = Mutex(true)
    matcher.onEvent { [weak matcher] event in
      guard event.name == BuiltInEvent.triggerFire.rawValue,
        isFirst.withLock({ first in
          defer { first = false }
          return first
        })
      else { return }
      _ = try? matcher?.identify("alice", restorePaywallAssignments: true)
    }
    let tasks = (0..<2).map { _ in
      Task { try await matcher.registerWhenReady(MatchRequest("x")).result }
    }
    try await eventually { try count("x", in: store) == 2 }
    try matcher.setSubscriptionStatus(.inactive)
    for task in tasks { #expect(try await task.value.experiment != nil) }
    #expect(!matcher.isIdentityReady)
  }

  @Test(
    "who is forgotten while registrations wait leaves them in the history, so that counts include them",
    arguments: StoreKind.allCases, [nil, "bob"])
  func forgotten(_ kind: StoreKind, next: String?) async throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder)
    let clock = ManualClock(Instant(milliseconds: 1_000_000))
    var options = MatchingOptions.iOS
    options.readinessLimits.subscriptionStatus = nil
    let matcher = try matcher(options: options, store: store, clock: clock)
    try matcher.identify("alice")
    let told = Mutex(0)
    matcher.onEvent { event in
      if event.name == "x" { told.withLock { $0 += 1 } }
    }
    let tasks = (0..<2).map { _ in
      Task { try await matcher.registerWhenReady(MatchRequest("x")).result }
    }
    try await eventually { try count("x", in: store) == 2 }
    async let look = matcher.previewWhenReady(MatchRequest("x"))
    clock.advance(byMilliseconds: 60_000)
    if let next { try matcher.identify(next) } else { try matcher.reset() }
    #expect(try count("x", in: store) == 2)
    let minutes = try matcher.evaluate("device.minutesSince(\"x\")", for: MatchRequest("y"))
    #expect(minutes == .value(1))
    try matcher.setSubscriptionStatus(.inactive)
    for task in tasks { _ = try await task.value }
    _ = try await look
    #expect(try count("x", in: store) == 2)
    #expect(told.withLock { $0 } == 2)
    withExtendedLifetime(folder) {}
  }

  @Test("a registration that cannot be stored is an error, before it waits and after")
  func failingStore() async throws {
    let store = WatchedStore()
    let matcher = try matcher(store: store)
    store.fill(true)
    await #expect(throws: StoreError.self) {
      try await matcher.registerWhenReady(MatchRequest("x"))
    }
    store.fill(false)
    let waiting = Task { try await matcher.registerWhenReady(MatchRequest("x")) }
    try await eventually { try count("x", in: store) == 1 }
    store.fill(true)
    matcher.setDevice(values: ["subscriptionStatus": "ACTIVE"])
    await #expect(throws: StoreError.self) { try await waiting.value }
    store.fill(false)
    #expect(try matcher.register("x").presentation != nil)
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
    let results = try await withThrowingTaskGroup(of: TriggerResult.self) { group in
      for index in 0..<60 {
        group.addTask {
          try await Task.sleep(for: .milliseconds(index / 3))
          var request = MatchRequest("x")
          request.presentation = .immediate
          return try await matcher.registerWhenReady(request).result
        }
      }
      group.addTask {
        try await Task.sleep(for: .milliseconds(18))
        try matcher.setSubscriptionStatus(.inactive)
        return .placementNotFound
      }
      return try await group.reduce(into: [TriggerResult]()) { $0.append($1) }
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
