import AudienceFilters
import CampaignAnalysis
import CampaignCore
import CampaignMatcher
import ExpressionEngine
import Foundation
import TestSupport
import Testing

/// Faults that were put into configs are found, and configs without faults are not accused.
@Suite("Injected faults")
struct InjectedFaultTests {
  /// A config whose audiences are narrow before wide, and otherwise apart.
  static func cleanModel(_ random: inout TestRandom) -> AnalysisModel {
    var placements: [AnalysisModel.Placement] = []
    for number in 0..<(1 + random.below(3)) {
      var audiences: [AnalysisModel.Audience] = []
      for plan in 0..<(1 + random.below(4)) {
        let wide = "user.plan == \"plan\(plan)\" && \(others(&random, salt: 2 * plan))"
        let narrow = "\(wide) && \(others(&random, salt: 2 * plan + 1))"
        for filter in [narrow, wide] {
          let id = "p\(number)e\(audiences.count)"
          audiences.append(
            AnalysisModel.Audience(
              experimentID: id, filter: filter, limit: SmallWorld.limit(&random),
              variants: [
                .init(id: id + "a", weight: 60, paywall: "pw"),
                .init(id: id + "b", weight: 40, paywall: "pw2"),
              ]))
        }
        // A limit of the wide one never closes the narrow one after it, nor the other way round.
        audiences[audiences.count - 1].limit = nil
      }
      placements.append(.init(name: "place\(number)", audiences: audiences))
    }
    return AnalysisModel(placements: placements, paywalls: ["pw", "pw2"])
  }

  /// A condition that says something of its own: each salt has its own attributes.
  private static func others(_ random: inout TestRandom, salt: Int) -> String {
    let form = random.below(10)
    // Each form has attributes of its own, so that all comparisons of one are of one type.
    let name = "x\(salt)f\(form)"
    return [
      "user.\(name) >= \(1 + random.below(40))", "user.\(name) in [\"a\", \"b\"]",
      "user.\(name) != \"c\"", "params.\(name) == \(random.below(9))",
      "(user.\(name) > 20 || params.\(name) == true)", "user.\(name).contains(\"mail\")",
      "device.placementsInDay(\"\(name)\") >= 3", "user.\(name) == null",
      "!(user.\(name) == \"x\")", "user.\(name) > 3 && user.\(name) < 9",
    ][form]
  }

  @Test("clean configs have no faults")
  func clean() {
    var random = TestRandom(state: 7)
    for _ in 0..<Effort.times(60) {
      let model = Self.cleanModel(&random)
      let proof = CampaignProver(model).proof()
      #expect(proof.faults.isEmpty, "\(proof.text()) \(model)")
      #expect(proof.openQuestions.isEmpty)
    }
  }

  /// A fault, and the kind of finding that tells of it.
  enum Fault: CaseIterable {
    case shadow, contradiction, duplicate, swap, weight, closedLimit

    var kind: Finding.Kind {
      switch self {
      case .shadow, .swap: .shadowedAudience
      case .contradiction: .deadAudience
      case .duplicate: .redundantCondition
      case .weight: .unreachableVariant
      case .closedLimit: .closedLimit
      }
    }

    /// Puts the fault into a pair of audiences, the narrow one at an even position.
    ///
    /// - Returns: The position at which it is to be found.
    func inject(_ audiences: inout [AnalysisModel.Audience], at index: Int) -> Int {
      let even = index / 2 * 2
      switch self {
      case .shadow:
        var copy = audiences[index]
        copy.experimentID = "copy"
        copy.limit = nil
        audiences.insert(copy, at: 0)
        return index + 1
      case .swap:
        audiences.swapAt(even, even + 1)
        return even + 1
      case .contradiction:
        audiences[index].filter? += " && user.plan == \"none\""
        return index
      case .duplicate:
        let clause = audiences[index].filter?.split(separator: " && ").first ?? ""
        audiences[index].filter? += " && \(clause)"
        return index
      case .weight:
        audiences[index].variants[1].weight = 0
        return index
      case .closedLimit:
        audiences[index].limit = AnalysisModel.Limit(key: "z", maximum: 0)
        return index
      }
    }
  }

  @Test("every injected fault is found where it is", arguments: Fault.allCases)
  func injected(_ fault: Fault) {
    var random = TestRandom(state: 11)
    for _ in 0..<Effort.times(12) {
      var model = Self.cleanModel(&random)
      let number = random.below(model.placements.count)
      let count = model.placements[number].audiences.count
      let index = fault.inject(&model.placements[number].audiences, at: random.below(count))
      let found = CampaignProver(model).proof().faults.contains {
        $0.kind == fault.kind && $0.placement == model.placements[number].name
          && $0.audience?.index == index
      }
      #expect(found, "\(fault) at \(index) of \(model.placements[number])")
    }
  }

  static func sample() throws -> AnalysisModel {
    let document = try ConfigDocument(
      json: TestFiles.text("corpus/campaigns/sample/config.json"))
    return AnalysisModel(try ConfigDecoder().decode(document).config)
  }

  /// The sample with a fault at an audience, and the position at which it is to be found; `nil`
  /// where the audience has nothing to put it into.
  private static func sample(
    _ clean: AnalysisModel, with fault: Fault, _ number: Int, _ index: Int
  ) -> (model: AnalysisModel, index: Int)? {
    var model = clean
    var found = index
    let audience = clean.placements[number].audiences[index]
    switch fault {
    case .contradiction:
      guard let filter = audience.filter else { return nil }
      model.placements[number].audiences[index].filter =
        "user.never == 1 && user.never == 2 && (\(filter))"
    case .duplicate:
      guard let filter = audience.filter else { return nil }
      model.placements[number].audiences[index].filter = "(\(filter)) && (\(filter))"
    case .weight:
      guard audience.variants.count(where: { $0.weight > 0 }) > 1 else { return nil }
      model.placements[number].audiences[index].variants[0].weight = 0
    case .swap:
      // An audience that takes everyone shadows the one that came before it.
      guard index > 0, audience.filter == nil, audience.limit == nil else { return nil }
      model.placements[number].audiences.swapAt(index - 1, index)
    case .shadow, .closedLimit:
      found = fault.inject(&model.placements[number].audiences, at: index)
    }
    return (model, found)
  }

  @Test("faults in the sample config are found, each in every audience", arguments: Fault.allCases)
  func sampleFaults(_ fault: Fault) throws {
    let clean = try Self.sample()
    var tried = 0
    for (number, placement) in clean.placements.enumerated() {
      for index in placement.audiences.indices {
        guard let (model, place) = Self.sample(clean, with: fault, number, index) else { continue }
        tried += 1
        let found = CampaignProver(model).proof().faults.contains {
          $0.kind == fault.kind && $0.placement == placement.name && $0.audience?.index == place
        }
        #expect(found, "\(fault) at \(placement.name) \(index)")
      }
    }
    #expect(tried > 0)
  }
}
