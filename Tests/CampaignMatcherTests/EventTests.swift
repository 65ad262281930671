import CampaignAnalysis
import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import Testing

/// Streams of a matcher, and requests that follow from events of the SDK.
@Suite("Events and what follows from them", .timeLimit(.minutes(1)))
struct EventTests {
  /// A placement with one paywall for those who a filter is true for.
  private static func trigger(_ placement: String, _ filter: String? = nil) -> CampaignTrigger {
    var audience = Audience(
      campaignID: "c", experimentID: "e-\(placement)",
      variants: [
        Variant(id: "v", kind: .treatment, percentage: 100, paywallIdentifier: "pw_\(placement)")
      ])
    audience.expression = filter
    return CampaignTrigger(placement: placement, audiences: [audience])
  }

  private static func matcher(
    _ triggers: [CampaignTrigger], options: MatchingOptions = .iOS
  ) throws -> Matcher {
    let matcher = try Matcher(
      .init(
        options: options, clock: ManualClock(WallTime(seconds: 1_700_000_000)), zone: .utc,
        random: SeededRandomSource(seed: 3), explain: FilterExplanation.init(of:in:)))
    var config = CampaignConfig(buildID: "b")
    config.triggers = triggers
    try matcher.load(config)
    return matcher
  }

  @Test("each stream of results has every change")
  func resultStreams() async throws {
    let matcher = try Self.matcher([Self.trigger("open", "user.plan == \"pro\"")])
    var iterators = (0..<3).map { _ in
      matcher.results(of: MatchRequest("open")).makeAsyncIterator()
    }
    for index in iterators.indices {
      #expect(await iterators[index].next()?.caseName == "noAudienceMatch")
    }
    try matcher.user.setAttributes(["plan": "pro"])
    for index in iterators.indices {
      #expect(await iterators[index].next()?.caseName == "paywall")
    }
  }

  @Test("each stream of events has every event, in order and once")
  func eventStreams() async throws {
    let matcher = try Self.matcher([Self.trigger("open")])
    let streams = (0..<3).map { _ in matcher.events.stream() }
    let heard = Locked<[String]>([])
    matcher.events.onEvent { event in
      heard.withLock { $0.append(event.name) }
      // What it causes is delivered after it returns.
      if event.name == "first" {
        try? matcher.events.track("second")
        heard.withLock { $0.append("after") }
      }
    }
    try matcher.events.track("first")
    try matcher.events.track("third")
    #expect(heard.withLock { $0 } == ["first", "after", "second", "third"])
    matcher.events.onEvent(nil)
    for stream in streams {
      var names: [String] = []
      for await event in stream {
        names.append(event.name)
        #expect(event.parameters["is_superwall"] == true)
        if names.count == 3 { break }
      }
      #expect(names == ["first", "second", "third"])
    }
  }

  @Test("only a warning is no event of the service")
  func warning() throws {
    let matcher = try Self.matcher([Self.trigger("open")])
    let told = Locked<[String: Value]>([:])
    matcher.events.onEvent { event in
      told.withLock { $0[event.name] = event.parameters["is_superwall"] }
    }
    // Nobody reports what became of the paywall.
    _ = try matcher.registerNow("open")
    let found = told.withLock { $0 }
    #expect(found["matcher_warning"] == false)
    #expect(found["trigger_fire"] == true)
    #expect(found["paywallPresentationRequest"] == true)
  }

  @Test("requests in line are served one after the other, whatever their events lead to")
  func servingInTurn() throws {
    let matcher = try Self.matcher([Self.trigger("a"), Self.trigger("b")])
    let order = Locked<[String]>([])
    let depth = Locked((now: 0, most: 0))
    for placement in ["a", "b"] {
      var request = MatchRequest(placement)
      request.presentation = .immediate
      matcher.submit(request) { _ in
        depth.withLock { depth in
          depth.now += 1
          depth.most = max(depth.most, depth.now)
        }
        order.withLock { $0.append(placement) }
        // This would serve the next one, were this one not being served.
        matcher.device.set(values: ["model": .string(placement)])
        depth.withLock { $0.now -= 1 }
      }
    }
    #expect(order.withLock { $0 } == [])
    try matcher.device.setSubscriptionStatus(.inactive)
    #expect(order.withLock { $0 } == ["a", "b"])
    #expect(depth.withLock { $0.most } == 1)
    // The line goes on afterwards.
    matcher.submit(MatchRequest("nothing")) { _ in order.withLock { $0.append("c") } }
    #expect(order.withLock { $0 } == ["a", "b", "c"])
  }

  @Test("a custom placement of a paywall is the placement, whatever the request says")
  func customPlacement() throws {
    let matcher = try Self.matcher([Self.trigger("promo"), Self.trigger("other")])
    let outcome = try matcher.handleNow(
      .customPlacement, parameters: ["name": "promo"], request: MatchRequest("other"))
    // Without a paywall before it there is nothing to follow.
    #expect(outcome == nil)
    let first = try #require(try matcher.registerNow("other").presentation)
    try first.didPresent()
    let followed = try #require(
      try matcher.handleNow(
        .customPlacement, parameters: ["name": "promo"], request: MatchRequest("other")))
    #expect(followed.placement == "promo")
    #expect(followed.result.experiment?.id == "e-promo")
  }

  @Test(
    "after a follow-up no other follow-up comes on iOS, and on Android not the same one",
    arguments: [
      BuiltInEvent.transactionAbandon, .transactionFail, .paywallDecline, .customPlacement,
    ])
  func loops(_ event: BuiltInEvent) throws {
    let other = event == .paywallDecline ? BuiltInEvent.transactionFail : .paywallDecline
    for options in [MatchingOptions.iOS, .android] {
      let matcher = try Self.matcher(
        [Self.trigger("open"), Self.trigger(event.rawValue), Self.trigger(other.rawValue)],
        options: options)
      let first = try #require(try matcher.registerNow("open").presentation)
      try first.didPresent()
      let second = try #require(try matcher.handleNow(event)?.presentation)
      try second.didPresent()
      #expect(try matcher.handleNow(event) == nil)
      let third = try matcher.handleNow(other)
      #expect(third?.placement == (options == .iOS ? nil : other.rawValue))
    }
  }

  @Test("a deep link has an outcome, also without a campaign")
  func deepLinks() async throws {
    let matcher = try Self.matcher([])
    #expect(try matcher.handleNow(deepLink: "app://x")?.result == .placementNotFound)
    try matcher.device.setSubscriptionStatus(.inactive)
    #expect(try await matcher.handle(deepLink: "app://x")?.result == .placementNotFound)
    let used = try Self.matcher([Self.trigger("deepLink_open", "params.host == \"promo\"")])
    #expect(
      try used.handleNow(deepLink: "app://promo")?.result.experiment?.id == "e-deepLink_open")
  }

  @Test("a placement that is no event of the SDK is a registration when it is fired")
  func firing() throws {
    let matcher = try Self.matcher([Self.trigger("open")])
    #expect(try matcher.fire(MatchRequest("open"))?.result.experiment?.id == "e-open")
    let (registration, hasFollowed) = try matcher.fireReportingAudiences(MatchRequest("open"))
    #expect(registration.result.experiment?.id == "e-open" && hasFollowed)
    #expect(try !matcher.fireReportingAudiences(MatchRequest("app_open")).hasFollowed)
  }

  @Test("each status counts at once, also one that was set before")
  func status() throws {
    let matcher = try Self.matcher([
      Self.trigger("open", "device.subscriptionStatus == \"INACTIVE\"")
    ])
    func isOffered() throws -> Bool {
      try matcher.previewNow("open").result.experiment != nil
    }
    #expect(try !isOffered())
    try matcher.device.setSubscriptionStatus(.inactive)
    #expect(try isOffered())
    matcher.device.set(values: ["subscriptionStatus": "ACTIVE"])
    #expect(try !isOffered())
    try matcher.device.setSubscriptionStatus(.inactive)
    #expect(try isOffered())
    try matcher.device.setSubscriptionStatus(.active([UserEntitlement(active: "gold")]))
    #expect(try !isOffered())
    var device = DeviceAttributes()
    device.subscriptionStatus = .inactive
    matcher.device.set(device)
    #expect(try isOffered())
  }

  @Test("a paywall that waited to load tells once that it appears")
  func appearing() throws {
    let matcher = try Self.matcher([Self.trigger("open")])
    let names = Locked<[String]>([])
    matcher.events.onEvent { event in names.withLock { $0.append(event.name) } }
    var request = MatchRequest("open")
    request.presentation = .whenLoaded
    let presentation = try #require(try matcher.registerNow(request).presentation)
    #expect(names.withLock { $0 } == ["open"])
    for _ in 0..<3 { _ = try presentation.willPresent() }
    try presentation.didPresent()
    let expected = ["open", "trigger_fire", "paywallPresentationRequest", "paywall_open"]
    #expect(names.withLock { $0 } == expected)
  }

  @Test("old events are folded after every few events")
  func folding() throws {
    let store = InMemoryStore()
    let clock = ManualClock(WallTime(seconds: 1_700_000_000))
    let matcher = try Matcher(
      .init(
        store: store, clock: clock, zone: .utc, retention: RetentionPolicy(days: 32, interval: 4)))
    let start = clock.now()
    /// The number of events that are known one by one, of all since the beginning.
    func count() throws -> Int {
      try store.read { transaction throws(StoreError) in
        try transaction.count(of: "x", since: start.advanced(byMilliseconds: 1))
      }
    }
    for _ in 0..<3 {
      clock.advance(byMilliseconds: 1_000)
      try matcher.events.track("x")
    }
    #expect(try count() == 3)
    clock.advance(byMilliseconds: 40 * 86_400_000)
    for _ in 0..<4 { try matcher.events.track("y") }
    // The old ones are a number.
    #expect(try count() == 0)
    #expect(
      try matcher.evaluate("device.placementsSinceInstall(\"x\")", for: MatchRequest(""))
        == .value(3))
  }

  @Test("a report leaves out the parts that are empty")
  func report() throws {
    let matcher = try Self.matcher([
      Self.trigger("open", "device.placementsSinceInstall(\"x\") == 0"),
      Self.trigger("plain", "user.plan == \"pro\""),
    ])
    func report(_ placement: String) throws -> MatchReport {
      var request = MatchRequest(placement)
      request.detail = .full
      return MatchReport(try matcher.previewNow(request))
    }
    let nothing = try report("nothing")
    #expect(nothing.text == "nothing: no campaign has this placement\n")
    #expect(nothing.value.objectValue?["audiences"] == .list([]))
    #expect(nothing.value.objectValue?["notes"] == nil)
    for placement in ["open", "plain"] {
      let found = try report(placement)
      #expect(found.text.contains("\n\n"))
      guard case .list(let audiences)? = found.value.objectValue?["audiences"],
        let audience = audiences.first?.objectValue
      else {
        Issue.record("no audiences")
        return
      }
      #expect(audience["limit"] == nil)
      #expect((audience["changes"] == nil) == (placement == "open"))
      #expect(audience["answer"] == .bool(placement == "open"))
      #expect(
        audience["computed"]
          == (placement == "open" ? .map(["device.placementsSinceInstall(\"x\")": 0]) : nil))
    }
  }
}
