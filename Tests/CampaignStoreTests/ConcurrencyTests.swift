import CampaignCore
import CampaignMatcher
import CampaignStore
import ExpressionCoding
import ExpressionEngine
import Foundation
import TestSupport
import Testing

enum TestConfig {
  /// A placement with a limited audience before an unlimited holdout.
  static func limited(maximum: Int) throws -> Value {
    try Value(
      json: """
        {"build_id":"b","trigger_options":[{"event_name":"x","rules":[
        {"experiment_group_id":"1","experiment_id":"1","expression_cel":"user.member == true",
        "variants":[{"variant_type":"TREATMENT","variant_id":"a","percentage":50,
        "paywall_identifier":"p"},{"variant_type":"TREATMENT","variant_id":"b","percentage":50,
        "paywall_identifier":"q"}],"occurrence":{"key":"k","max_count":\(maximum),
        "interval":{"type":"INFINITY"}},"preload":{"behavior":"ALWAYS"}},
        {"experiment_group_id":"1","experiment_id":"2","variants":[{"variant_type":"HOLDOUT",
        "variant_id":"h","percentage":100}],"occurrence":{"key":"rest","max_count":1000000,
        "interval":{"type":"INFINITY"}},"preload":{"behavior":"ALWAYS"}}]}],
        "paywall_responses":[],"log_level":10,"localization":{"locales":[]},
        "app_session_timeout_ms":3600000,"toggles":[],"disable_preload":{"all":false,"triggers":[]}}
        """)
  }
}

@Suite("Concurrency", .serialized)
struct ConcurrencyTests {
  /// How long the stress test runs at least, in seconds; set `SWEXPR_STRESS_SECONDS` for the long
  /// run.
  static let seconds =
    ProcessInfo.processInfo.environment["SWEXPR_STRESS_SECONDS"].flatMap { Double($0) } ?? 0
  /// How many paywalls and holdouts each thread waits for. All together want more than the limit
  /// allows, so that the limit is reached however the machine divides its time.
  static let outcomesPerThread = 100

  /// What came of the registrations of a thread.
  struct Tally: Sendable {
    var shown = 0
    var held = 0
    var failed = 0
    var unexpected: [String] = []

    var registrations: Int { shown + held + failed }

    mutating func add(_ other: Tally) {
      shown += other.shown
      held += other.held
      failed += other.failed
      unexpected += other.unexpected
    }

    /// Registers once and sees the paywall through.
    mutating func register(_ matcher: Matcher, _ mode: PresentationMode) throws {
      var request = MatchRequest("x")
      request.presentation = mode
      let registration = try matcher.registerNow(request)
      switch registration.result {
      case .paywall:
        if let presentation = registration.presentation {
          // Every third paywall of the threads with tokens does not appear.
          guard (shown + failed) % 3 != 2 else {
            presentation.didFail()
            failed += 1
            return
          }
          try presentation.didPresent()
          _ = try presentation.didDismiss(.declined)
        }
        shown += 1
      case .holdout: held += 1
      case .error(.paywallAlreadyPresented): failed += 1
      default: unexpected.append("\(registration.result)")
      }
    }
  }

  @Test("eight threads on one store count exactly what a serial run counts")
  func stress() async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.storePath)
    let maximum = 500
    let matcher = try Matcher(.init(store: store, zone: .utc))
    try matcher.load(TestConfig.limited(maximum: maximum))
    try matcher.user.setAttributes(["member": .bool(true)])
    let assigned = try matcher.assignments.all()
    let fired = Locked(0)
    matcher.events.onEvent { event in
      if event.name == "trigger_fire" { fired.withLock { $0 += 1 } }
    }
    let parts = try await OwnThreads.run(8) { thread in
      var tally = Tally()
      let mode: PresentationMode = thread % 2 == 0 ? .immediate : .byHost
      let deadline = ContinuousClock.now + .seconds(Self.seconds)
      while tally.shown + tally.held < Self.outcomesPerThread || ContinuousClock.now < deadline {
        try tally.register(matcher, mode)
      }
      return tally
    }
    let total = parts.reduce(into: Tally()) { $0.add($1) }
    #expect(total.unexpected == [])
    #expect(total.shown <= maximum)
    // The limit is reached, and the holdout after it takes the rest.
    #expect(total.shown + total.held >= 8 * Self.outcomesPerThread)
    #expect(total.held > 0)
    try store.read { transaction throws(StoreError) in
      #expect(try transaction.occurrenceCount(key: "k", since: nil, limit: .max) == total.shown)
      #expect(try transaction.occurrenceCount(key: "rest", since: nil, limit: .max) == total.held)
      #expect(try transaction.count(of: "x", since: nil) == total.registrations)
      #expect(try transaction.count(of: "paywall_open", since: nil) == total.shown)
    }
    let fires = fired.withLock { $0 }
    let recordedFires = try store.read { transaction throws(StoreError) in
      try transaction.count(of: "trigger_fire", since: nil)
    }
    #expect(fires == recordedFires)
    #expect(try matcher.assignments.all() == assigned)
    // A serial run continues where the threads stopped: the limit is reached by exactly the rest.
    var rest = 0
    var request = MatchRequest("x")
    request.presentation = .immediate
    request.waiting = .never
    while case .paywall = try await matcher.register(request).result { rest += 1 }
    #expect(total.shown + rest == maximum)
    TortureTable.add(
      "eight threads on one store", tried: total.registrations, worked: total.registrations,
      reported: 0, "limit of \(maximum) met exactly")
    withExtendedLifetime(folder) {}
  }

  @Test("events arrive in the order of registration, in every stream")
  func eventOrder() async throws {
    let matcher = try Matcher(.init(clock: ManualClock(WallTime(milliseconds: 0)), zone: .utc))
    try matcher.load(TestConfig.limited(maximum: 0))
    let streams = [matcher.events.stream(), matcher.events.stream()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<50 { _ = try matcher.registerNow("x") } }
      }
      try await group.waitForAll()
    }
    try matcher.events.track("end")
    for stream in streams {
      var names: [String] = []
      for await event in stream {
        if event.name == "end" { break }
        names.append(event.name)
      }
      #expect(names.count == 600)
      for start in stride(from: 0, to: names.count, by: 3) {
        #expect(
          Array(names[start..<start + 3]) == ["x", "trigger_fire", "paywallPresentationRequest"])
      }
    }
  }

  @Test("a receiver may call the matcher")
  func reentrancy() throws {
    let matcher = try Matcher(.init(zone: .utc))
    try matcher.load(TestConfig.limited(maximum: 0))
    let seen = Locked<[String]>([])
    matcher.events.onEvent { event in
      seen.withLock { $0.append(event.name) }
      if event.name == "trigger_fire" { try? matcher.events.track("from the receiver") }
    }
    _ = try matcher.registerNow("x")
    #expect(
      seen.withLock { $0 } == [
        "x", "trigger_fire", "paywallPresentationRequest", "from the receiver",
      ])
  }

  @Test("two matchers that show the last free unit at once count both, and no more")
  func twoMatchersWithTokens() throws {
    let folder = try TemporaryFolder()
    let maximum = 3
    let matchers = try (0..<2).map { _ in
      let matcher = try Matcher(.init(store: SQLiteStore(path: folder.storePath), zone: .utc))
      try matcher.load(TestConfig.limited(maximum: maximum))
      return matcher
    }
    try matchers[0].user.setAttributes(["member": .bool(true)])
    var shown = 0
    for _ in 0..<maximum + 2 {
      // Both decide before either has presented.
      let tokens = try matchers.map { try $0.registerNow("x").presentation }
      for case let token? in tokens {
        try token.didPresent()
        _ = try token.didDismiss(.declined)
        shown += 1
      }
    }
    #expect((maximum...maximum + 1).contains(shown))
    let store = try SQLiteStore(path: folder.storePath)
    let counted = try store.read { transaction throws(StoreError) in
      try transaction.occurrenceCount(key: "k", since: nil, limit: .max)
    }
    #expect(counted == shown)
    TortureTable.add(
      "two matchers with tokens on one file", tried: maximum + 2, worked: maximum + 2, reported: 0,
      "\(shown) shown at a limit of \(maximum)")
    withExtendedLifetime(folder) {}
  }

  @Test("a matcher on each of two connections respects one limit")
  func twoMatchers() throws {
    let folder = try TemporaryFolder()
    var shown = 0
    let matchers = try (0..<2).map { _ in
      let matcher = try Matcher(.init(store: SQLiteStore(path: folder.storePath), zone: .utc))
      try matcher.load(TestConfig.limited(maximum: 7))
      return matcher
    }
    try matchers[0].user.setAttributes(["member": .bool(true)])
    for round in 0..<30 {
      var request = MatchRequest("x")
      request.presentation = .immediate
      if case .paywall = try matchers[round % 2].registerNow(request).result { shown += 1 }
    }
    #expect(shown == 7)
    withExtendedLifetime(folder) {}
  }
}
