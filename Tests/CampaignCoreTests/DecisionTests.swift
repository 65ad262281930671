import CampaignCore
import ExpressionEngine
import TestSupport
import Testing

/// The pure core of matching, without any matcher.
@Suite("Decisions")
struct DecisionTests {
  private static func audience(_ number: Int, _ expression: String?) -> Audience {
    var audience = Audience(
      campaignID: "c", experimentID: "e\(number)",
      variants: [
        Variant(id: "v\(number)", kind: .treatment, percentage: 100, paywallIdentifier: "p")
      ])
    audience.expression = expression
    return audience
  }

  private static func campaigns(_ audiences: [Audience]) -> CompiledCampaigns {
    var config = CampaignConfig(buildID: "b")
    config.triggers = [CampaignTrigger(placement: "open", audiences: audiences)]
    return CompiledCampaigns(config)
  }

  private static func situation(
    _ campaigns: CompiledCampaigns, user: [String: Value] = [:]
  ) -> MatchSituation {
    MatchSituation(
      now: WallTime(seconds: 1_000_000),
      attributes: BaseAttributes(user: user, identity: UserIdentity(aliasID: "a", seed: 1)),
      assignments: BucketedAssignments(campaigns, unitID: "a"))
  }

  @Test("deciding twice is the same, because nothing changes")
  func pure() throws {
    var limited = Self.audience(0, "device.placementsInDay(\"open\") == 1")
    limited.limit = OccurrenceLimit(key: "k", maximum: 1, interval: .infinity)
    let campaigns = Self.campaigns([limited])
    let situation = Self.situation(campaigns)
    let first = try campaigns.decide(MatchRequest("open"), in: situation)
    #expect(first.result.experiment?.id == "e0")
    // The placement counts in the decision, and is to be recorded by whoever carries it out.
    #expect(
      first.effects.first == .record(placement: "open", parameters: [:]), "\(first.effects)")
    #expect(
      first.effects.last
        == .present(
          try #require(first.result.experiment), gating: .nonGated, limitKey: "k"))
    #expect(try campaigns.decide(MatchRequest("open"), in: situation) == first)
  }

  @Test("a look has no effects")
  func look() throws {
    let campaigns = Self.campaigns([Self.audience(0, nil)])
    let request = MatchRequest("open", kind: .getPresentationResult)
    let decision = try campaigns.decide(request, in: Self.situation(campaigns))
    #expect(decision.result.experiment?.id == "e0")
    #expect(decision.effects.isEmpty)
  }

  /// The effects of a decision by their names.
  private static func effects(
    _ kind: RequestKind, _ variant: Variant.Kind?, _ options: MatchingOptions
  ) throws -> [String] {
    var audience = audience(0, variant == nil ? "user.nobody == 1" : nil)
    audience.variants[0].kind = variant ?? .treatment
    audience.limit = OccurrenceLimit(key: "k", maximum: 1, interval: .infinity)
    var config = CampaignConfig(buildID: "b")
    config.triggers = [CampaignTrigger(placement: "open", audiences: [audience])]
    let campaigns = CompiledCampaigns(config, options: options)
    return try campaigns.decide(
      MatchRequest("open", kind: kind), in: situation(campaigns)
    ).effects.map { effect in
      switch effect {
      case .record: "record"
      case .fireTrigger: "fire"
      case .trackRequest: "track"
      case .confirm: "confirm"
      case .countOccurrence: "count"
      case .present: "present"
      }
    }
  }

  /// The effects of a kind of request that finds a paywall, a holdout, or nothing.
  struct KindEffects: Sendable {
    let kind: RequestKind
    var options = MatchingOptions.iOS
    let paywall: [String]
    let holdout: [String]
    let nothing: [String]
  }

  /// The options without the effects of a look.
  private static let withoutPeek: MatchingOptions = {
    var options = MatchingOptions.iOS
    options.peekEffects = []
    return options
  }()
  private static let withPeek: MatchingOptions = {
    var options = MatchingOptions.iOS
    options.peekEffects = .iOS
    return options
  }()

  @Test(
    "each kind of request has its effects",
    arguments: [
      KindEffects(
        kind: .presentation, paywall: ["record", "fire", "track", "confirm", "present"],
        holdout: ["record", "fire", "track", "confirm", "count"],
        nothing: ["record", "fire", "track"]),
      KindEffects(
        kind: .getPaywall, paywall: ["record", "fire", "confirm", "present"],
        holdout: ["record", "fire", "track", "confirm", "count"],
        nothing: ["record", "fire", "track"]),
      KindEffects(
        kind: .getPresentationResult, options: withoutPeek, paywall: [], holdout: [], nothing: []),
      KindEffects(
        kind: .getPresentationResult, options: withPeek, paywall: ["confirm"],
        holdout: ["fire", "confirm", "count"], nothing: ["fire"]),
      KindEffects(
        kind: .getPresentationResult, options: .android, paywall: ["confirm"],
        holdout: ["confirm", "count"], nothing: []),
      KindEffects(
        kind: .handleImplicitTrigger, paywall: ["confirm"],
        holdout: ["fire", "confirm", "count"], nothing: ["fire"]),
      KindEffects(
        kind: .handleImplicitTrigger, options: .android, paywall: ["confirm"],
        holdout: ["confirm", "count"], nothing: []),
      KindEffects(
        kind: .confirmAllAssignments, paywall: ["confirm"], holdout: ["confirm"], nothing: []),
    ])
  func effects(_ wanted: KindEffects) throws {
    #expect(try Self.effects(wanted.kind, .treatment, wanted.options) == wanted.paywall)
    #expect(try Self.effects(wanted.kind, .holdout, wanted.options) == wanted.holdout)
    #expect(try Self.effects(wanted.kind, nil, wanted.options) == wanted.nothing)
  }

  @Test("which requests say that they waited in vain")
  func timeouts() {
    func tracking(_ options: MatchingOptions) -> [RequestKind] {
      RequestKind.allCases.filter { RequestEffects(kind: $0, options: options).tracksTimeout }
    }
    #expect(tracking(Self.withoutPeek) == [.presentation, .getPaywall, .handleImplicitTrigger])
    #expect(
      tracking(Self.withPeek)
        == [.presentation, .getPaywall, .getPresentationResult, .handleImplicitTrigger])
  }

  @Test("a number that is not finite in a parameter fails all filters, but no audience without one")
  func nonFinite() throws {
    let campaigns = Self.campaigns([Self.audience(0, "true"), Self.audience(1, nil)])
    func found(_ parameter: Value, isStandardEvent: Bool = false) throws -> [String?] {
      try [ReportDetail.result, .full].map { detail in
        var request = MatchRequest("open", parameters: ["x": parameter])
        request.detail = detail
        request.isStandardEvent = isStandardEvent
        return try campaigns.decide(request, in: Self.situation(campaigns)).result.experiment?.id
      }
    }
    for number in [Double.nan, .infinity] {
      #expect(try found(.map(["k": .list([.double(number)])])) == ["e1", "e1"])
      // A number of the app itself is dropped before.
      #expect(try found(.double(number)) == ["e0", "e0"])
      #expect(try found(.double(number), isStandardEvent: true) == ["e1", "e1"])
    }
    #expect(try found(.map(["k": .list([1.5])])) == ["e0", "e0"])
  }

  @Test(
    "what a request reports of its context has what no filter reads, where a config asks for it")
  func expressionParameters() throws {
    var config = CampaignConfig(buildID: "b")
    config.triggers = [
      CampaignTrigger(placement: "open", audiences: [Self.audience(0, "params.read == 1")])
    ]
    for isEnabled in [false, true] {
      config.toggles = [
        CampaignConfig.Toggle(key: "enable_expression_params", isEnabled: isEnabled)
      ]
      let campaigns = CompiledCampaigns(config)
      let decision = try campaigns.decide(
        MatchRequest("open", parameters: ["read": 1, "unread": "too"]),
        in: Self.situation(campaigns, user: ["name": "Ann"]))
      #expect(decision.result.experiment?.id == "e0")
      let texts = decision.effects.compactMap { effect -> String? in
        if case .trackRequest(let request) = effect { request.expressionParameters } else { nil }
      }
      #expect(texts.count == (isEnabled ? 1 : 0))
      #expect(texts.allSatisfy { $0.contains(#""unread":"too""#) && $0.contains("Ann") })
    }
  }

  @Test("limits count the occurrences they are given")
  func limits() throws {
    var limited = Self.audience(0, nil)
    limited.limit = OccurrenceLimit(key: "k", maximum: 2, interval: .minutes(1))
    let campaigns = Self.campaigns([limited, Self.audience(1, nil)])
    var situation = Self.situation(campaigns)
    var occurrences = OccurrenceLog()
    for (seconds, wanted) in [(1_000_000, "e0"), (999_990, "e0"), (999_000, "e1"), (0, "e1")] {
      situation.occurrences = occurrences
      let decision = try campaigns.decide(MatchRequest("open"), in: situation)
      #expect(decision.result.experiment?.id == wanted)
      occurrences.add(key: "k", at: WallTime(seconds: Int64(seconds)))
    }
  }

  /// Filters of which some are false for everybody, some fail and some do not compile.
  private static let manyFilters: [String?] = (0..<200).map { number in
    switch number % 9 {
    case 0: "user.n == \(number)"
    case 1: "user.text == \"t\(number)\" && user.n > 3"
    case 2: "user.n + user.text == \(number)"
    case 3: "not a filter"
    case 4: "device.placementsSinceInstall(\"open\") == \(number)"
    case 5: "user.list.contains(\(number))"
    case 6: "params.x > \(number * 10)"
    case 7: "user.n < \(-number)"
    default: "user.flag == true && user.n == \(number % 40)"
    }
  }

  @Test(
    "many audiences tried at once match as one after the other", arguments: 0..<Effort.times(12))
  func manyAudiences(_ seed: Int) throws {
    let random = SeededRandomSource(seed: UInt64(seed))
    func draw(_ bound: UInt64) -> Int64 { Int64(random.uniform(below: bound)) }
    var audiences = Self.manyFilters.enumerated().map { Self.audience($0.offset, $0.element) }
    var shuffler = Shuffler(random: random)
    audiences.shuffle(using: &shuffler)
    for index in audiences.indices where draw(5) == 0 {
      audiences[index].limit = OccurrenceLimit(
        key: "k\(draw(3))", maximum: draw(3), interval: .infinity)
    }
    if draw(2) == 0 { audiences.insert(Self.audience(900, nil), at: Int(draw(150))) }
    let campaigns = Self.campaigns(audiences)
    for _ in 0..<10 {
      var situation = Self.situation(
        campaigns,
        user: [
          "n": .int(draw(250)), "text": .string("t\(draw(200))"),
          "list": .list([.int(draw(200)), .int(draw(200))]), "flag": .bool(draw(2) == 0),
        ])
      var occurrences = OccurrenceLog()
      occurrences.add(key: "k1", at: situation.now)
      situation.occurrences = occurrences
      var request = MatchRequest("open", parameters: ["x": .int(draw(2_000))])
      let quick = try campaigns.decide(request, in: situation)
      // With full detail audiences are tried one after the other.
      request.detail = .full
      let thorough = try campaigns.decide(request, in: situation)
      #expect(quick.result == thorough.result)
      #expect(quick.effects == thorough.effects)
    }
  }
}

/// A random source as the standard library wants it.
private struct Shuffler: RandomNumberGenerator {
  let random: SeededRandomSource
  mutating func next() -> UInt64 { random.uniform(below: .max) }
}
