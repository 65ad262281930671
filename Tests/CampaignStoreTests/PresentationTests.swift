import AudienceFilters
import CampaignCore
import CampaignMatcher
import Dispatch
import ExpressionCoding
import ExpressionEngine
import Foundation
import TestSupport
import Testing

extension TestConfig {
  /// Placements that show a paywall each: one to begin with, and built-in ones that may follow.
  static func followUps() throws -> Value {
    let names = ["start", "paywall_decline", "transaction_abandon", "app_launch"]
    let triggers = names.map { name in
      """
      {"event_name":"\(name)","rules":[{"experiment_group_id":"1","experiment_id":"\(name)",
      "variants":[{"variant_type":"TREATMENT","variant_id":"v","percentage":100,
      "paywall_identifier":"p"}],"preload":{"behavior":"ALWAYS"}}]}
      """
    }
    return try Value(
      json: """
        {"build_id":"b","trigger_options":[\(triggers.joined(separator: ","))],
        "paywall_responses":[],"log_level":10,"localization":{"locales":[]},
        "app_session_timeout_ms":3600000,"toggles":[],"disable_preload":{"all":false,"triggers":[]},
        "postback":{},"products":[]}
        """)
  }
}

/// A store in memory that counts its writing transactions, and whose transactions can be made to
/// fail when all of their work has been done.
final class WatchedStore: MatcherStore {
  private let inner = InMemoryStore()
  private let writes = Locked(0)
  private let isFull = Locked(false)

  /// The number of writing transactions since the last look.
  func takeWrites() -> Int {
    writes.withLock { writes in
      defer { writes = 0 }
      return writes
    }
  }

  /// Says whether transactions fail from now on.
  func fill(_ full: Bool) { isFull.withLock { $0 = full } }

  func read<Result: Sendable>(
    _ body: (any MatcherTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try inner.read(body)
  }

  func write<Result: Sendable>(
    _ body: (any MatcherTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    writes.withLock { $0 += 1 }
    let fails = isFull.withLock { $0 }
    return try inner.write { transaction throws(StoreError) in
      let result = try body(transaction)
      if fails { throw StoreError(operation: "write", reason: "the disk is full") }
      return result
    }
  }
}

@Suite("Presentation tokens", .serialized)
struct PresentationTests {
  /// Registers a placement with what there is, in asynchronous tests too.
  private func register(_ placement: String, _ matcher: Matcher) throws -> Presentation {
    try #require(try matcher.registerNow(placement).presentation)
  }

  /// Puts the paywall of a placement on screen.
  private func show(_ placement: String, _ matcher: Matcher) throws -> Presentation {
    let presentation = try #require(try matcher.registerNow(placement).presentation)
    try presentation.didPresent()
    return presentation
  }

  /// Whether the matcher holds that a paywall is on screen.
  private func isOccupied(_ matcher: Matcher) throws -> Bool {
    try matcher.registerNow("start").result == .error(.paywallAlreadyPresented)
  }

  @Test(
    "a receiver may use the token of which an event tells",
    arguments: ["paywall_open", "paywall_close"])
  func receiverUsesToken(_ name: String) async throws {
    let matcher = try Matcher(.init(zone: .utc))
    try matcher.load(TestConfig.followUps())
    let token = try register("start", matcher)
    let features = Locked<[FeatureGating.Feature?]>([])
    matcher.events.onEvent { event in
      guard event.name == name else { return }
      let feature = try? token.didDismiss(.declined)
      token.didFail()
      features.withLock { $0.append(feature) }
    }
    let ended = await OwnThreads.ends(within: .seconds(20)) {
      try? token.didPresent()
      _ = try? token.didDismiss(.declined)
    }
    try #require(ended)
    // The dismissal by the receiver of `paywall_open` decides; that by the receiver of
    // `paywall_close` comes second.
    #expect(features.withLock { $0 } == [name == "paywall_open" ? .run : .doNotRun])
    #expect(try !isOccupied(matcher))
  }

  @Test("the token of a replaced paywall leaves the one on screen alone")
  func replaced() throws {
    let matcher = try Matcher(.init(zone: .utc))
    try matcher.load(TestConfig.followUps())
    let old = try show("start", matcher)
    let next = try #require(try matcher.handleNow(.paywallDecline)?.presentation)
    try next.didPresent()
    #expect(try old.didDismiss(.forNextPaywall) == .doNotRun)
    #expect(try isOccupied(matcher))
    // The loop guard still knows what is on screen.
    #expect(try matcher.handleNow(.transactionAbandon)?.result == nil)
    _ = try next.didDismiss(.declined)
    #expect(try !isOccupied(matcher))
  }

  @Test("a token that is let go takes only its own paywall from the screen")
  func letGo() throws {
    let matcher = try Matcher(.init(zone: .utc))
    try matcher.load(TestConfig.followUps())
    var tokens = try (0..<2).map { _ in
      try #require(try matcher.registerNow("start").presentation)
    }
    for token in tokens { try token.didPresent() }
    tokens.removeFirst()
    #expect(try isOccupied(matcher))
    tokens.removeFirst()
    #expect(try !isOccupied(matcher))
  }

  @Test(
    "an implicit trigger is one transaction",
    arguments: [
      BuiltInEvent.paywallDecline, .transactionAbandon, .appLaunch, .deepLinkOpen, .appOpen,
    ], [false, true])
  func oneTransaction(_ event: BuiltInEvent, isOnScreen: Bool) throws {
    let store = WatchedStore()
    let matcher = try Matcher(.init(store: store, zone: .utc))
    try matcher.load(TestConfig.followUps())
    let token = isOnScreen ? try show("start", matcher) : nil
    _ = store.takeWrites()
    _ = try matcher.handleNow(event)
    #expect(store.takeWrites() == 1)
    withExtendedLifetime(token) {}
  }

  @Test(
    "an implicit trigger that cannot be stored changes nothing",
    arguments: [BuiltInEvent.paywallDecline, .transactionAbandon, .deepLinkOpen])
  func failedTransaction(_ event: BuiltInEvent) throws {
    let store = WatchedStore()
    let matcher = try Matcher(.init(store: store, zone: .utc))
    try matcher.load(TestConfig.followUps())
    let token = try show("start", matcher)
    let seen = Locked<[String]>([])
    matcher.events.onEvent { event in seen.withLock { $0.append(event.name) } }
    store.fill(true)
    #expect(throws: StoreError.self) { try matcher.handleNow(event) }
    store.fill(false)
    #expect(seen.withLock { $0 } == [])
    #expect(
      try store.read { transaction throws(StoreError) in
        try transaction.count(of: event.rawValue, since: nil)
      } == 0)
    #expect(try isOccupied(matcher))
    withExtendedLifetime(token) {}
  }

  @Test(
    "the server hears once of the variant of a follow-up",
    arguments: [MatchingOptions.iOS, .android])
  func confirmation(_ options: MatchingOptions) throws {
    let matcher = try Matcher(.init(options: options, zone: .utc))
    try matcher.load(TestConfig.followUps())
    // A follow-up needs a paywall that it follows.
    try matcher.registerNow("start").presentation?.didPresent()
    let expected = ServerAssignment(experimentID: "transaction_abandon", variantID: "v")
    #expect(try matcher.handleNow(.transactionAbandon)?.confirmation == expected)
    try matcher.assignments.markSent(experimentIDs: [expected.experimentID])
    #expect(try matcher.handleNow(.transactionAbandon)?.confirmation == nil)
  }
}

@Suite("Explainers", .serialized)
struct ExplainerTests {
  /// A filter and the context that it was explained with.
  private typealias Seen = (filter: Filter, context: Context)

  @Test(
    "a context that an explainer keeps asks no transaction that has ended",
    arguments: StoreKind.allCases)
  func keptContext(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let kept = Locked<[Seen]>([])
    let within = Locked<[Bool]>([])
    let elsewhere = Locked<[Bool]>([])
    let matcher = try Matcher(
      .init(
        store: kind.open(in: folder), zone: .utc,
        explain: { filter, context in
          kept.withLock { $0.append((filter, context)) }
          let answer = filter.matches(context)
          within.withLock { $0.append(answer) }
          // Another thread has no part in the transaction, even while it lasts.
          let done = DispatchSemaphore(value: 0)
          Thread {
            let answer = filter.matches(context)
            elsewhere.withLock { $0.append(answer) }
            done.signal()
          }.start()
          done.wait()
          return FilterExplanation()
        }))
    try matcher.load(
      Value(
        json: """
          {"build_id":"b","trigger_options":[{"event_name":"x","rules":[
          {"experiment_group_id":"1","experiment_id":"1",
          "expression_cel":"device.placementsSinceInstall('seen') == 1",
          "variants":[{"variant_type":"HOLDOUT","variant_id":"h","percentage":100}],
          "preload":{"behavior":"ALWAYS"}}]}],
          "paywall_responses":[],"log_level":10,"localization":{"locales":[]},
          "app_session_timeout_ms":3600000,"toggles":[],
          "disable_preload":{"all":false,"triggers":[]}}
          """))
    try matcher.events.track("seen")
    var request = MatchRequest("x")
    request.detail = .full
    request.waiting = .never
    _ = try await matcher.preview(request)
    #expect(within.withLock { $0 } == [true])
    #expect(elsewhere.withLock { $0 } == [false])
    let (filter, context) = try #require(kept.withLock { $0.first })
    #expect(!filter.matches(context))
    #expect(
      try await OwnThreads.run { () -> Bool in filter.matches(context) } == false)
    withExtendedLifetime(folder) {}
  }
}
