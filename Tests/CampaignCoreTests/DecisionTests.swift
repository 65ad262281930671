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
