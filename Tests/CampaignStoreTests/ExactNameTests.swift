import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import TestSupport
import Testing

/// Names are the same when their bytes are, not when they look alike (docs/spec/campaigns.md §2.1).
@Suite("Names that look alike", .serialized)
struct ExactNameTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"

  @Test("every store keeps names apart that only look alike", arguments: StoreKind.allCases)
  func stores(_ kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder)
    let variant = Variant(id: "v", kind: .holdout, percentage: 100)
    try store.write { transaction throws(StoreError) in
      try transaction.record(Self.composed, at: WallTime(milliseconds: 1))
      try transaction.addOccurrence(key: Self.composed, at: WallTime(milliseconds: 1))
      try transaction.save(
        VariantAssignment(experimentID: Self.composed, variant: variant, isSent: true))
    }
    for _ in 0..<2 {
      // Asked twice, because answers are kept.
      try store.write { transaction throws(StoreError) in
        #expect(try transaction.count(of: Self.composed, since: nil) == 1)
        #expect(try transaction.count(of: Self.decomposed, since: nil) == 0)
        #expect(
          try transaction.occurrenceCount(key: Self.decomposed, since: nil, limit: 9) == 0)
        #expect(try transaction.assignment(of: Self.composed) != nil)
        #expect(try transaction.assignment(of: Self.decomposed) == nil)
      }
    }
    try store.write { transaction throws(StoreError) in
      try transaction.setUserAttribute(Self.composed, to: 1)
      try transaction.setUserAttribute(Self.decomposed, to: 2)
      try transaction.setUserAttribute(Self.decomposed, to: nil)
      try transaction.removeEvents(keeping: [Self.decomposed])
      #expect(try transaction.count(of: Self.composed, since: nil) == 0)
    }
    let attributes = try store.read { transaction throws(StoreError) in
      try transaction.userAttributes()
    }
    #expect(attributes.map { Array($0.key.utf8) } == [Array(Self.composed.utf8)])
    withExtendedLifetime(folder) {}
  }

  /// Two paywalls and two variants whose names look alike.
  private static func config(second: String = decomposed) throws -> Value {
    let paywalls = [(composed, "GATED"), (second, "NON_GATED")].map { name, gating in
      """
      {"id":"1","identifier":"\(name)","name":"n","cache_key":"c","build_id":"b",
      "url":"https://example.com","url_config":{"endpoints":[]},"paywalljs_event":"",
      "presentation_style_v2":"MODAL","presentation_delay":0,"background_color_hex":"#000000",
      "products_v2":[],"feature_gating":"\(gating)"}
      """
    }
    let variants = [composed, decomposed].map { name in
      """
      {"variant_type":"TREATMENT","variant_id":"\(name)","percentage":50,
      "paywall_identifier":"\(name)"}
      """
    }
    return try Value(
      json: """
        {"build_id":"b","trigger_options":[{"event_name":"x","rules":[
        {"experiment_group_id":"1","experiment_id":"1","variants":[\(variants.joined(separator: ","))],
        "preload":{"behavior":"ALWAYS"}}]}],
        "paywall_responses":[\(paywalls.joined(separator: ","))],"log_level":10,
        "localization":{"locales":[]},"app_session_timeout_ms":3600000,"toggles":[],
        "disable_preload":{"all":false,"triggers":[]}}
        """)
  }

  @Test("a variant has the paywall whose name it has, and only that one is on screen")
  func paywalls() throws {
    for (id, other, gating) in [
      (Self.composed, Self.decomposed, FeatureGating.gated),
      (Self.decomposed, Self.composed, .nonGated),
    ] {
      let matcher = try Matcher(.init(zone: .utc))
      #expect(try !matcher.load(Self.config()).contains { $0.kind == .unknownPaywall })
      try matcher.assignments.apply([ServerAssignment(experimentID: "1", variantID: id)])
      #expect(try matcher.paywalls.toPreload(onScreen: id).all.isEmpty)
      #expect(
        try matcher.paywalls.toPreload(onScreen: other).all.map { Array($0.utf8) } == [
          Array(id.utf8)
        ])
      #expect(try matcher.registerNow("x").presentation?.featureGating == gating)
    }
    // Nor does one that looks alike make up for one that is missing.
    let notes = try Matcher(.init(zone: .utc)).load(Self.config(second: "cafe"))
    #expect(notes.count { $0.kind == .unknownPaywall } == 1)
  }

  @Test("a simulation counts each of two variants that look alike")
  func simulation() throws {
    var options = MatchingOptions.iOS
    options.variantChoice = .deterministic(.userOrAlias)
    let (config, _) = try ConfigDecoder(rules: options.config).decode(Self.config())
    let simulation = Simulation(
      config, options: options, random: SeededRandomSource(seed: 1), now: WallTime(milliseconds: 0))
    var expected = [0, 0]
    for number in 0..<40 {
      simulation.add(Context(user: Context.Layer(["id": .string("user \(number)")])))
      let chosen = DeterministicBucketing.choose(
        from: config.triggers[0].audiences[0].variants, unitID: "user \(number)",
        experimentID: "1")
      expected[chosen.map { Array($0.id.utf8) } == Array(Self.composed.utf8) ? 0 : 1] += 1
    }
    #expect(simulation.tallies.first?.variants.map(\.count) == expected)
    #expect(!expected.contains(0))
  }

  @Test(
    "a filter asks the history for exactly the event that it names", arguments: StoreKind.allCases)
  func history(_ kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let matcher = try Matcher(.init(store: kind.open(in: folder), zone: .utc))
    try matcher.events.track(Self.composed)
    func count(_ first: String, _ second: String) throws -> FilterAnswer {
      try matcher.evaluate(
        "device.placementsInDay(\"\(first)\") * 10 + device.placementsInDay(\"\(second)\")",
        for: MatchRequest("x"))
    }
    #expect(try count(Self.composed, Self.decomposed) == .value(10))
    #expect(try count(Self.decomposed, Self.composed) == .value(1))
    withExtendedLifetime(folder) {}
  }
}
