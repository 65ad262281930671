import CampaignMatcher
import ExpressionEngine
import Testing

/// Names are the same when their bytes are, not when they look alike (spec/campaigns.md §2.1).
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
      try transaction.record(Self.composed, at: Instant(milliseconds: 1))
      try transaction.addOccurrence(key: Self.composed, at: Instant(milliseconds: 1))
      try transaction.save(
        Assignment(experimentID: Self.composed, variant: variant, isSent: true))
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

  @Test(
    "a filter asks the history for exactly the event that it names", arguments: StoreKind.allCases)
  func history(_ kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let matcher = try Matcher(store: kind.open(in: folder), zone: .utc)
    try matcher.track(Self.composed)
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
