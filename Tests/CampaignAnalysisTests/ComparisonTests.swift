import AudienceFilters
import CampaignAnalysis
import ExpressionEngine
import Foundation
import Synchronization
import Testing

@Suite("Comparisons of two configs")
struct ComparisonTests {
  /// As many as `SWEXPR_PAIRS` says; `make prove-all` takes 500.
  static let count = ProcessInfo.processInfo.environment["SWEXPR_PAIRS"].flatMap { Int($0) } ?? 20

  private static func audience(
    _ id: String, _ filter: String?, _ random: inout TestRandom
  ) -> AnalysisModel.Audience {
    let limit = SmallWorld.limit(&random)
    let weights = random.pick([[100], [50, 50]] as [[Int64]])
    return AnalysisModel.Audience(
      experimentID: id, filter: filter, limit: limit,
      variants: weights.enumerated().map { index, weight in
        AnalysisModel.Variant(id: "\(id)\(index)", weight: weight, paywall: "p")
      })
  }

  /// A config and another that differs a little, or only in how it is written.
  private static func pair(_ random: inout TestRandom) -> (AnalysisModel, AnalysisModel) {
    var old: [AnalysisModel.Audience] = []
    var made: [MadeFilter] = []
    for index in 0..<(2 + random.below(2)) {
      made.append(SmallWorld.filter(&random))
      old.append(audience("e\(index)", made[index].text, &random))
    }
    var new = old
    let index = random.below(new.count)
    switch random.below(8) {
    case 0: new.swapAt(0, 1)
    case 1: new.remove(at: index)
    case 2: new.insert(audience("new", SmallWorld.filter(&random).text, &random), at: index)
    case 3: new[index].variants = [AnalysisModel.Variant(id: "v", weight: 1, paywall: "q")]
    case 4: new[index].filter = "!(!(\(made[index].text)))"
    case 5: new[index].filter = "(\(made[index].text)) && (true || user.a == 3)"
    case 6: new[index].filter = random.pick(made[index].droppingOperands + [made[index]]).text
    default: new[index].filter = SmallWorld.filter(&random).text
    }
    func model(_ audiences: [AnalysisModel.Audience]) -> AnalysisModel {
      AnalysisModel(placements: [.init(name: "open", audiences: audiences)])
    }
    return (model(old), model(new))
  }

  @Test("the filters select exactly the users whose decision differs", arguments: 0..<4)
  func pairs(_ part: Int) throws {
    var random = TestRandom(state: 1_000 + UInt64(part))
    for _ in 0..<(Self.count / 4) {
      let (old, new) = Self.pair(&random)
      try check(old, new, &random)
    }
    // A test of pairs that all differ would say nothing about equal ones.
    if Self.count >= 100 { #expect(Self.emptyCount.withLock { $0 } > 0) }
  }

  /// The number of pairs without changes.
  private static let emptyCount = Mutex(0)

  private func check(
    _ old: AnalysisModel, _ new: AnalysisModel, _ random: inout TestRandom
  ) throws {
    func lines(_ model: AnalysisModel) -> String {
      model.placements[0].audiences.map { "\($0.experimentID) \($0.filter ?? "")" }
        .joined(separator: "\n")
    }
    let text = Comment(rawValue: lines(old) + "\n->\n" + lines(new))
    let changes = CampaignComparison(old: old, new: new).changes()
    #expect(changes.openQuestions.isEmpty, text)
    let list = changes.placements.first?.changes ?? []
    let filters = try list.map { try $0.filters.map { try Filter($0) } }
    let among = try list.map { try $0.filtersAmongOld.map { try Filter($0) } }
    let before = DecisionMaker("open", in: old)
    let after = DecisionMaker("open", in: new)
    func content(_ model: AnalysisModel, _ index: Int?) -> AnalysisModel.Audience? {
      guard let index else { return nil }
      var audience = model.placements[0].audiences[index]
      audience.filter = nil
      return audience
    }
    let users = SmallWorld.users
    // Where nothing changes, for anybody; otherwise some will do, as witnesses show the rest.
    let step = changes.isEmpty ? 1 : 1 + random.below(13)
    var differ = 0
    if changes.isEmpty { Self.emptyCount.withLock { $0 += 1 } }
    for number in stride(from: random.below(step), to: users.count, by: step) {
      let context = users[number]
      let pair = (before.decision(context), after.decision(context))
      let isChange = content(old, pair.0) != content(new, pair.1)
      if isChange { differ += 1 }
      for (index, change) in list.enumerated() {
        let isSelected = filters[index].contains { $0.matches(context) }
        let isMeant = isChange && change.old?.index == pair.0 && change.new?.index == pair.1
        if change.isExact {
          #expect(isSelected == isMeant, "\(context.snapshot()) \(change.filters)\n\(text)")
        } else {
          #expect(!isSelected || isMeant, text)
        }
      }
      if isChange { #expect(!list.isEmpty, text) }
      for (index, change) in list.enumerated()
      where change.old?.index == pair.0 && !among[index].isEmpty {
        let isSelected = among[index].contains { $0.matches(context) }
        let isMeant = isChange && change.new?.index == pair.1
        #expect(isSelected == isMeant, "\(context.snapshot()) \(change.filtersAmongOld)\n\(text)")
      }
    }
    for change in list {
      let witness = try #require(change.witness, text)
      #expect(before.decision(witness.context) == change.old?.index, text)
      #expect(after.decision(witness.context) == change.new?.index, text)
      #expect(change.isExact, "\(change.filters)\n\(text)")
    }
    // A difference that the sampled users show is told; one that is told has a witness, so that a
    // comparison without changes is one without differences.
    #expect(differ == 0 || !changes.isEmpty, text)
  }

  @Test("neighbouring values of a number are one filter")
  func neighbours() {
    let days = "device.daysSinceInstall"
    let changes = CampaignComparison(
      old: ProverTests.model("user.a == 1 && (\(days) <= 9 || \(days) == 35)"),
      new: ProverTests.model("false")
    ).changes().placements.flatMap(\.changes)
    #expect(
      changes.map(\.filters) == [
        ["\(days) <= 9 && user.a == 1", "\(days) == 35 && user.a == 1"]
      ])
  }

  @Test("a boundary that moved, as a filter")
  func boundary() throws {
    let change = try #require(
      CampaignComparison(
        old: ProverTests.model("user.age >= 18 && user.plan == \"free\""),
        new: ProverTests.model("user.age >= 21 && user.plan == \"free\"")
      ).changes().placements.first?.changes)
    #expect(change.map(\.filters) == [["user.age >= 18 && user.age < 21 && user.plan == \"free\""]])
  }
}
