import CampaignCore
import TestSupport
import Testing

@Suite("Variants")
struct VariantTests {
  static func variants(_ weights: [Int64]) -> [Variant] {
    weights.enumerated().map { Variant(id: "v\($0)", kind: .treatment, percentage: $1) }
  }

  /// Chi-square of observed counts against weights.
  static func chiSquare(_ counts: [Int], weights: [Int64]) -> Double {
    let total = Double(counts.reduce(0, +))
    let sum = Double(weights.reduce(0, +))
    return zip(counts, weights).reduce(0) { result, pair in
      let expected = total * Double(pair.1) / sum
      return result + (Double(pair.0) - expected) * (Double(pair.0) - expected) / expected
    }
  }

  @Test(
    "random choice follows the weights (chi-square, 0.1 % level)",
    arguments: [[50, 50], [34, 33, 33], [1, 99], [10, 20, 30, 40], [7, 5, 3]] as [[Int64]])
  func randomShares(weights: [Int64]) {
    let chooser = VariantChooser(random: SeededRandomSource(seed: 42))
    let variants = Self.variants(weights)
    var counts = [Int](repeating: 0, count: weights.count)
    for _ in 0..<50_000 {
      let chosen = chooser.choose(from: variants)
      counts[variants.firstIndex { $0.id == chosen?.id } ?? 0] += 1
    }
    // The 0.1 % critical values for 1 to 3 degrees of freedom.
    #expect(Self.chiSquare(counts, weights: weights) < [10.83, 13.82, 16.27][weights.count - 2])
  }

  @Test(
    "deterministic choice follows the weights (chi-square, 0.1 % level)",
    arguments: [[50, 50], [34, 33, 33], [1, 99], [10, 20, 30, 40], [7, 5, 3]] as [[Int64]])
  func deterministicShares(weights: [Int64]) {
    let variants = Self.variants(weights)
    var counts = [Int](repeating: 0, count: weights.count)
    for unit in 0..<50_000 {
      let chosen = DeterministicBucketing.choose(
        from: variants, unitID: "user-\(unit)", experimentID: "e")
      counts[variants.firstIndex { $0.id == chosen?.id } ?? 0] += 1
    }
    #expect(Self.chiSquare(counts, weights: weights) < [10.83, 13.82, 16.27][weights.count - 2])
  }

  @Test(
    "the variant with the largest weight per cost wins, however close it is",
    arguments: [[50, 50], [1, 1, 1, 1, 1, 1, 1, 1], [99, 1], [0, 40, 40, 20], [0, 0]] as [[Int64]])
  func largestRatio(weights: [Int64]) {
    let variants = Self.variants(weights)
    let allZero = weights.allSatisfy { $0 == 0 }
    for unit in 0..<20_000 {
      let ratios = variants.map { variant in
        let hash = DeterministicBucketing.hash(
          unitID: "\(unit)", experimentID: "e", variantID: variant.id)
        // Doubles are exact enough: costs have 38 bits at most, and equal ones are of one hash.
        return Double(allZero ? 1 : variant.percentage)
          / Double(DeterministicBucketing.cost(of: hash))
      }
      let chosen = DeterministicBucketing.choose(
        from: variants, unitID: "\(unit)", experimentID: "e")
      let best = ratios.indices.max { ratios[$0] < ratios[$1] }
      #expect(chosen?.id == best.map { variants[$0].id })
    }
  }

  @Test("when a weight grows, units only move to that variant")
  func monotone() {
    let before = Self.variants([20, 30, 50])
    let after = Self.variants([45, 30, 50])
    var moved = 0
    for unit in 0..<20_000 {
      let old = DeterministicBucketing.choose(from: before, unitID: "\(unit)", experimentID: "e")
      let new = DeterministicBucketing.choose(from: after, unitID: "\(unit)", experimentID: "e")
      if old?.id != new?.id {
        moved += 1
        #expect(new?.id == "v0")
      }
    }
    // From 20 to 36 percent: one in six moves, and nobody moves without reason.
    #expect((2_800...3_600).contains(moved))
  }

  @Test("when a variant is added, units only move to it, and order does not matter")
  func addition() {
    let before = Self.variants([50, 50])
    let after = Self.variants([50, 50, 25])
    for unit in 0..<5_000 {
      let old = DeterministicBucketing.choose(from: before, unitID: "\(unit)", experimentID: "e")
      let new = DeterministicBucketing.choose(from: after, unitID: "\(unit)", experimentID: "e")
      let turned = DeterministicBucketing.choose(
        from: after.reversed(), unitID: "\(unit)", experimentID: "e")
      #expect(new?.id == old?.id || new?.id == "v2")
      #expect(new?.id == turned?.id)
    }
  }

  @Test("experiments are independent of each other")
  func independence() {
    let variants = Self.variants([50, 50])
    let agreeing = (0..<20_000).filter { unit in
      DeterministicBucketing.choose(from: variants, unitID: "\(unit)", experimentID: "a")?.id
        == DeterministicBucketing.choose(from: variants, unitID: "\(unit)", experimentID: "b")?.id
    }.count
    #expect((9_700...10_300).contains(agreeing))
  }

  @Test(
    "test vectors of the bucketing hash, for implementations in other languages",
    arguments: [
      ("alice", "50", "a", 0xC6BD_65EE_0F98_2AE2, 1_568_791_465),
      ("alice", "50", "b", 0xBC62_252F_AF3B_9FC9, 1_900_403_290),
      ("bob", "50", "a", 0xD4B1_F929_096D_6D38, 1_148_286_477),
      ("", "", "", 0x5509_F800_BDAE_F57E, 6_828_775_879),
      ("user_1", "exp-1", "treatment", 0xFC5C_A353_B9D9_41F2, 88_690_560),
      ("$SuperwallAlias:0", "770", "7701", 0x84CD_188D_67DF_532F, 4_066_801_911),
      ("José", "экс", "变体", 0x1166_4161_33E4_D31A, 16_660_313_160),
    ] as [(String, String, String, UInt64, UInt64)])
  func vectors(unit: String, experiment: String, variant: String, hash: UInt64, cost: UInt64) {
    let found = DeterministicBucketing.hash(
      unitID: unit, experimentID: experiment, variantID: variant)
    #expect(found == hash)
    #expect(DeterministicBucketing.cost(of: found) == cost)
  }

  @Test("the cost is the binary logarithm, exactly at powers of two")
  func cost() {
    #expect(DeterministicBucketing.cost(of: 1 << 63 | 1) <= 1 << 32)
    #expect(DeterministicBucketing.cost(of: .max) >= 1)
    #expect(DeterministicBucketing.cost(of: 0) == 64 << 32)
    var random = SeededGenerator(seed: 12)
    for _ in 0..<1_000 {
      let first = UInt64.random(in: .min ... .max, using: &random)
      let second = UInt64.random(in: .min ... .max, using: &random)
      if first | 1 <= second | 1 {
        #expect(
          DeterministicBucketing.cost(of: first) >= DeterministicBucketing.cost(of: second))
      }
    }
  }

  @Test("edges of the choice")
  func edges() {
    let chooser = VariantChooser(random: SeededRandomSource(seed: 1))
    #expect(chooser.choose(from: []) == nil)
    #expect(DeterministicBucketing.choose(from: [], unitID: "u", experimentID: "e") == nil)
    let huge = Self.variants([.max, .max, .min])
    #expect(chooser.choose(from: huge) != nil)
    #expect(DeterministicBucketing.choose(from: huge, unitID: "u", experimentID: "e")?.id != "v2")
    let zeros = Self.variants([0, 0, 0])
    #expect(Set((0..<200).compactMap { _ in chooser.choose(from: zeros)?.id }).count == 3)
    let chosen = Set(
      (0..<200).compactMap {
        DeterministicBucketing.choose(from: zeros, unitID: "\($0)", experimentID: "e")?.id
      })
    #expect(chosen.count == 3)
  }
}
