import CampaignAnalysis
import ExpressionEngine
import Testing

@Suite("What a test of a user says")
struct VerdictTests {
  private static func placement(_ name: String, _ weights: [Int64]) -> AnalysisModel.Placement {
    AnalysisModel.Placement(
      name: name,
      audiences: [
        AnalysisModel.Audience(
          experimentID: "e", filter: nil, limit: nil,
          variants: weights.enumerated().map { index, weight in
            AnalysisModel.Variant(id: "v\(index)", weight: weight, paywall: "p")
          })
      ])
  }

  private static let model = AnalysisModel(placements: [
    placement("two", [30, 70]), placement("one", [5]), placement("none", [0, 0]),
  ])

  private func failures(_ placement: String, _ members: [Value.Key: Value]) throws -> [String] {
    var test: [Value.Key: Value] = [
      "placement": .string(placement), "context": .map([:]), "expect": "e",
    ]
    test.merge(members) { _, new in new }
    return try UserTest(reading: .map(test)).failures(Self.model.decisionMakers())
  }

  @Test(
    "a drawn number decides about the variant, and none beyond the weights is drawn",
    arguments: [
      ("two", 0, "v0"), ("two", 29, "v0"), ("two", 30, "v1"), ("two", 99, "v1"),
      ("two", 100, nil), ("one", 0, "v0"), ("one", 77, "v0"), ("none", 0, "v0"),
      ("none", 1, "v1"), ("none", 2, nil),
    ] as [(String, Int64, String?)])
  func draws(_ placement: String, _ draw: Int64, _ variant: String?) throws {
    for expected in ["v0", "v1"] {
      let found = try failures(placement, ["variant": .string(expected), "draw": .int(draw)])
      let text = "\(placement) gives e \(variant ?? "no variant"), expected \(expected)"
      #expect(found == (expected == variant ? [] : [text]))
    }
  }

  @Test("without a number each variant that can be drawn is right")
  func undrawn() throws {
    #expect(try failures("two", ["variant": "v0"]) == [])
    #expect(try failures("two", ["variant": "v2"]) == ["two gives e v0 or v1, expected v2"])
    #expect(try failures("two", ["expect": .null]) == ["two gives e, expected nothing"])
    #expect(try failures("nowhere", [:]) == ["the config has no placement nowhere"])
  }
}
