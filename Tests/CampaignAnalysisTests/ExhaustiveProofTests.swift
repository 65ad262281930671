import AudienceFilters
import CampaignAnalysis
import ExpressionEngine
import FilterAnalysis
import Foundation
import TestSupport
import Testing

/// The prover against every user that small configs can tell apart.
@Suite("Proofs, against all users")
struct ExhaustiveProofTests {
  /// As many as `SWEXPR_CONFIGS` says; `make prove-all` takes 1,000.
  static let count =
    ProcessInfo.processInfo.environment["SWEXPR_CONFIGS"].flatMap { Int($0) } ?? Effort.times(20)

  /// The users who match a filter, by number.
  struct Matches: Equatable {
    var bits: [Bool]

    init(_ filter: Filter) { bits = SmallWorld.users.map { filter.matches($0) } }

    var isEmpty: Bool { !bits.contains(true) }

    mutating func subtract(_ other: Matches) {
      for index in bits.indices where other.bits[index] { bits[index] = false }
    }

    func intersects(_ other: Matches) -> Bool { zip(bits, other.bits).contains { $0 && $1 } }
  }

  @Test("what is proved holds, witnesses show it, and nothing is left open", arguments: 0..<4)
  func proofs(_ part: Int) throws {
    var random = TestRandom(state: UInt64(part))
    for _ in 0..<(Self.count / 4) { try check(&random) }
  }

  @Test("so it is with many audiences, which are looked up by their classes")
  func manyAudiences() throws {
    var random = TestRandom(state: 99)
    try check(&random, count: 40)
  }

  /// - Parameter count: The number of audiences; by default a few.
  private func check(_ random: inout TestRandom, count: Int? = nil) throws {
    let made = (0..<(count ?? 2 + random.below(3))).map { _ in SmallWorld.filter(&random) }
    let audiences = made.enumerated().map { index, filter in
      AnalysisModel.Audience(
        experimentID: "e\(index)", filter: filter.text, limit: SmallWorld.limit(&random))
    }
    let model = AnalysisModel(placements: [.init(name: "open", audiences: audiences)])
    let proof = CampaignProver(model, schema: nil).proof()
    let text = Comment(
      rawValue: audiences.map { "\($0.filter ?? "") \($0.limit.map { "\($0)" } ?? "")" }.joined(
        separator: "\n"))
    #expect(proof.openQuestions.isEmpty, text)
    #expect(proof.freeParts.isEmpty, text)
    let filters = try audiences.map { try Filter($0.filter ?? "true") }
    let matches = filters.map { Matches($0) }
    func found(_ kind: Finding.Kind, _ index: Int?) -> Finding? {
      proof.findings.first { $0.kind == kind && $0.audience?.index == index }
    }
    for index in audiences.indices {
      #expect((found(.deadAudience, index) != nil) == matches[index].isEmpty, text)
      if matches[index].isEmpty { continue }
      var hard = matches[index]
      var soft = matches[index]
      for earlier in 0..<index {
        soft.subtract(matches[earlier])
        if covers(audiences[earlier], audiences[index]) { hard.subtract(matches[earlier]) }
      }
      let shadow = found(.shadowedAudience, index)
      #expect((shadow != nil) == hard.isEmpty, text)
      if let shadow {
        var rest = matches[index]
        for place in shadow.related { rest.subtract(matches[place.index]) }
        #expect(rest.isEmpty, "the audiences that are named do not cover it\n\(text)")
      } else {
        #expect((found(.afterLimit, index) != nil) == soft.isEmpty, text)
        let overlap = (0..<index).filter { matches[index].intersects(matches[$0]) }
        let named = found(.partlyShadowed, index)?.related.map(\.index) ?? []
        #expect(named == overlap, text)
        if let witness = found(.partlyShadowed, index)?.witness, let first = overlap.first {
          #expect(
            filters[index].matches(witness.context) && filters[first].matches(witness.context))
        } else {
          #expect(overlap.isEmpty, text)
        }
      }
      if count == nil {
        try checkRedundancy(
          found(.redundantCondition, index), made[index], matches[index], text)
      }
      if let failing = found(.failingFilter, index) {
        let witness = try #require(failing.witness)
        #expect(!filters[index].matches(witness.context), text)
        // Some failures make a whole filter null.
        let value = try? Filter(failing.conditions[0]).evaluate(witness.context)
        #expect(value == nil || value == .null, text)
      }
    }
    var nobody = Matches(try Filter("true"))
    for match in matches { nobody.subtract(match) }
    let unreached = found(.unreachedUsers, nil)
    #expect((unreached != nil) == !nobody.isEmpty, text)
    if let unreached {
      let witness = try #require(unreached.witness)
      #expect(!filters.contains { $0.matches(witness.context) }, text)
    }
  }

  private func checkRedundancy(
    _ finding: Finding?, _ filter: MadeFilter, _ matches: Matches, _ text: Comment
  ) throws {
    if let finding {
      let shorter = try #require(finding.shorterFilter)
      #expect(Matches(try Filter(shorter)) == matches, "\(shorter)\n\(text)")
      #expect(shorter.utf8.count < filter.text.utf8.count, text)
    } else {
      for shorter in filter.droppingOperands {
        #expect(Matches(try Filter(shorter.text)) != matches, "\(shorter.text)\n\(text)")
      }
    }
  }

  /// Whether nobody whom one audience takes ever comes to another, by the words of the
  /// specification.
  private func covers(
    _ earlier: AnalysisModel.Audience, _ later: AnalysisModel.Audience
  ) -> Bool {
    guard let limit = earlier.limit else { return true }
    guard let other = later.limit, other.key == limit.key, other.maximum <= limit.maximum else {
      return false
    }
    return (other.minutes ?? .max) >= (limit.minutes ?? .max)
  }
}
