import AudienceFilters
import CampaignAnalysis
import ExpressionEngine
import FilterAnalysis
import Foundation
import Testing

/// Changes of the sample config, against many users of it.
@Suite("Comparisons, against many users")
struct SampleUserTests {
  /// As many as `SWEXPR_USERS` says; `make prove-all` sets 1,000,000.
  static let count =
    ProcessInfo.processInfo.environment["SWEXPR_USERS"].flatMap { Int($0) } ?? 4_000

  /// An edit of the sample config.
  enum Edit: CaseIterable {
    case version, order, operand, removal, seed, week, variants, limit, kinds

    func apply(to model: inout AnalysisModel) {
      func change(_ experiment: String, _ edit: (inout AnalysisModel.Audience) -> Void) {
        for number in model.placements.indices {
          for index in model.placements[number].audiences.indices
          where model.placements[number].audiences[index].experimentID == experiment {
            edit(&model.placements[number].audiences[index])
          }
        }
      }
      func replace(_ experiment: String, _ text: String, _ other: String) {
        change(experiment) { $0.filter = $0.filter?.replacing(text, with: other) }
      }
      switch self {
      case .version: replace("fc-202", "005.002.000", "005.004.000")
      case .order:
        if let number = model.placements.firstIndex(where: { $0.name == "open_forecast" }) {
          model.placements[number].audiences.swapAt(1, 2)
        }
      case .operand: replace("fc-203", " && !(user.email.endsWith(\"@tidewise.example\"))", "")
      case .removal:
        for number in model.placements.indices {
          model.placements[number].audiences.removeAll { $0.experimentID == "tide-102" }
        }
      case .seed: replace("tide-101", "user.seed < 50", "user.seed <= 50")
      case .week: replace("log-301", ">= 5", "> 5")
      case .variants: change("fc-204") { $0.variants[0].paywall = "other" }
      case .limit: change("log-302") { $0.limit?.maximum = 7 }
      case .kinds: replace("log-303", "user.isLoggedIn", "user.isLoggedIn == true")
      }
    }
  }

  /// A user of the sample app, now and then with values that nobody expects.
  static func user(_ random: inout TestRandom) -> Context {
    var user: [Value.Key: Value] = ["seed": .int(Int64(random.below(100)))]
    func set(_ members: inout [Value.Key: Value], _ name: Value.Key, _ values: [Value?]) {
      members[name] =
        random.isLucky(percent: 2)
        ? random.pick([.null, 3, "x", true, [], ["x"], [:]]) : random.pick(values)
    }
    set(&user, "email", [nil, "a@b.example", "c@tidewise.example"])
    set(&user, "homeSpot", [nil, nil, "Croyde", ["id": 1]])
    set(&user, "isLoggedIn", [true, false, nil])
    set(&user, "sessions", (8...22).map { .int($0) } + [nil])
    set(&user, "tags", [nil, [], ["longboard"], ["foil", "longboard"], "longboard"])
    var device: [Value.Key: Value] = [:]
    set(&device, "activeEntitlements", [[], [], ["skipper"], ["crew", "skipper"], ["crew"]])
    set(
      &device, "appVersionPadded",
      ["005.001.999", "005.002.000", "005.003.001", "005.004.000", "005.010.000"])
    set(&device, "interfaceType", ["iphone", "ipad"])
    set(&device, "preferredLanguageCode", ["pt", "es", "en", "de"])
    set(&device, "ipCountry", [nil, "Portugal", "Ireland"])
    // The matcher computes these two.
    device["daysSince_app_install"] = random.pick((12...16).map { .int($0) } + [nil])
    device["hoursSince_paywall_close"] = random.pick((22...26).map { .int($0) } + [nil])
    var params: [Value.Key: Value] = [:]
    set(&params, "days", (2...9).map { .int($0) } + [nil, "5", 3.5])
    return Context(
      variables: ["user": .map(user), "device": .map(device), "params": .map(params)]
    ).replacing(
      hostState: HistoryAnswers([
        "placementsInWeek(session_logged)": .int(Int64(3 + random.below(5)))
      ]))
  }

  @Test("the filters of a change select its users, to the user", arguments: Edit.allCases)
  func users(_ edit: Edit) throws {
    let old = try InjectedFaultTests.sample()
    var new = old
    edit.apply(to: &new)
    let changes = CampaignComparison(old: old, new: new).changes()
    #expect(changes.openQuestions.isEmpty)
    try #require(!changes.placements.isEmpty)
    let environment = old.environment
    var random = TestRandom(state: 41)
    var changed = 0
    let placements = try changes.placements.map { placement in
      (
        changes: try placement.changes.map { change in
          (change, try change.filters.map { try Filter($0, environment: environment) })
        },
        old: Decisions(placement.name, old), new: Decisions(placement.name, new)
      )
    }
    let unchanged = changes.unchanged.map { (Decisions($0, old), Decisions($0, new)) }
    for number in 0..<Self.count {
      let context = Self.user(&random)
      for placement in placements {
        let before = placement.old.maker.decision(context)
        let after = placement.new.maker.decision(context)
        let isChange = placement.old.content(before) != placement.new.content(after)
        changed += isChange ? 1 : 0
        for (change, filters) in placement.changes {
          let isMeant = isChange && change.old?.index == before && change.new?.index == after
          let isSelected = filters.contains { $0.matches(context) }
          if change.isExact ? isSelected != isMeant : isSelected && !isMeant {
            Issue.record("user \(number) \(context.snapshot()): \(change.filters)")
          }
        }
      }
      // One of the other placements, in turn.
      if !unchanged.isEmpty {
        let (one, other) = unchanged[number % unchanged.count]
        let same =
          one.content(one.maker.decision(context)) == other.content(other.maker.decision(context))
        #expect(same)
      }
    }
    print("\(edit): \(changed) of \(Self.count) users change")
    #expect(changed > 0)
  }

  /// The decisions of a placement, and what they give.
  private struct Decisions {
    let maker: DecisionMaker
    private let audiences: [AnalysisModel.Audience]

    init(_ placement: String, _ model: AnalysisModel) {
      maker = DecisionMaker(placement, in: model)
      audiences = model.placements.last { $0.name == placement }?.audiences ?? []
    }

    /// The audience without its filter.
    func content(_ index: Int?) -> AnalysisModel.Audience? {
      guard let index else { return nil }
      var audience = audiences[index]
      audience.filter = nil
      audience.legacyKeys = []
      return audience
    }
  }
}
