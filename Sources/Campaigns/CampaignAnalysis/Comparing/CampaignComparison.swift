import AudienceFilters
import ExpressionEngine
public import FilterAnalysis
import FilterAuthoring

/// Finds exactly the users who get another decision from a new config than from an old one.
///
/// A decision is what a user gets whose limits are not used up: the audience, its variants and its
/// limit.
public struct CampaignComparison {
  private let old: AnalysisModel
  private let new: AnalysisModel
  private let space: FilterSpace
  private let oldFilters: [[Int?]]
  private let newFilters: [[Int?]]

  /// Prepares a comparison.
  ///
  /// - Parameters:
  ///   - old: The config as it was.
  ///   - new: The config as it is to be, in the dialect and for the platform of the old one.
  ///   - schema: The types of the attributes; `nil`, the default, lets every attribute be anything, so
  ///     that no user is left out.
  ///   - placement: Only this placement is looked at; `nil` for all.
  ///   - limits: How much work it may be.
  public init(
    old: AnalysisModel, new: AnalysisModel, schema: AttributeSchema? = nil,
    placement: String? = nil, limits: AnalysisLimits = AnalysisLimits()
  ) {
    self.old = old.narrowed(to: placement)
    self.new = new.narrowed(to: placement)
    let space = FilterSpace(old, schema: schema, limits: limits)
    func numbers(_ model: AnalysisModel) -> [[Int?]] {
      model.placements.map { entry in
        entry.audiences.map { audience in
          audience.filter.flatMap { space.add($0, legacyKeys: audience.legacyKeys) }
        }
      }
    }
    oldFilters = numbers(self.old)
    newFilters = numbers(self.new)
    space.cut()
    self.space = space
  }

  /// Returns the changes.
  public func changes() -> CampaignChanges {
    var result = CampaignChanges()
    var writer = SetWriter(space)
    let oldNumbers = Dictionary(
      uniqueKeysWithValues: old.placements.enumerated().map { ($0.element.name, $0.offset) })
    for (number, placement) in new.placements.enumerated() {
      let before = oldNumbers[placement.name]
      compare(
        placement.name, before.map { (old.placements[$0], oldFilters[$0]) },
        (placement, newFilters[number]), &writer, &result)
    }
    let names = Set(new.placements.map(\.name))
    for (number, placement) in old.placements.enumerated() where !names.contains(placement.name) {
      compare(placement.name, (placement, oldFilters[number]), nil, &writer, &result)
    }
    return result
  }

  private typealias Side = (placement: AnalysisModel.Placement, filters: [Int?])

  private func compare(
    _ name: String, _ old: Side?, _ new: Side?, _ writer: inout SetWriter,
    _ result: inout CampaignChanges
  ) {
    let before: PlacementDecisions
    let after: PlacementDecisions
    do throws(Diagram.TooLarge) {
      before = try PlacementDecisions(name, old?.placement, old?.filters ?? [], space)
      after = try PlacementDecisions(name, new?.placement, new?.filters ?? [], space)
      let changes = try self.changes(before, after, &writer, &result)
      guard !changes.isEmpty || old == nil || new == nil else {
        result.unchanged.append(name)
        return
      }
      noteFreeParts(before.formulas + after.formulas, &result)
      result.placements.append(
        PlacementChange(
          name: name, kind: old == nil ? .added : new == nil ? .removed : .changed,
          changes: changes))
    } catch {
      result.openQuestions.append(
        OpenQuestion(
          placement: name, audience: nil, question: "which users get another decision",
          reason: OpenQuestion.limitReached))
    }
  }

  private func changes(
    _ before: PlacementDecisions, _ after: PlacementDecisions, _ writer: inout SetWriter,
    _ result: inout CampaignChanges
  ) throws(Diagram.TooLarge) -> [DecisionChange] {
    var changes: [DecisionChange] = []
    for (old, oldUsers) in before.decisions {
      for (new, newUsers) in after.decisions where !Self.areSame(old, new) {
        guard try !space.diagram.areDisjoint(oldUsers, newUsers) else { continue }
        let users = try space.diagram.and(oldUsers, newUsers)
        switch space.search(users) {
        case .nobody: continue
        case .undecided:
          result.openQuestions.append(
            OpenQuestion(
              placement: before.name, audience: nil,
              question: "whether any user moves from \(Self.name(old)) to \(Self.name(new))",
              reason: OpenQuestion.limitReached))
        case .found(let user):
          let text = try writer.text(users)
          let others = try space.diagram.without(.everyone, oldUsers)
          let among = try writer.text(users, ignoring: others)
          let search = WitnessSearch(space: space, formulas: before.formulas + after.formulas)
          let witness = search.witness(user) { context in
            before.engineDecision(context) == old?.index
              && after.engineDecision(context) == new?.index
          }
          changes.append(
            DecisionChange(
              old: old, new: new, filters: text.filters, likelyCount: text.likelyCount,
              isExact: text.isExact, filtersAmongOld: among.isExact ? among.filters : [],
              witness: witness,
              assumptions: witness == nil ? search.assumptions(of: user) : []))
        }
      }
    }
    return changes
  }

  /// Notes the parts that were treated as unknown where something changes.
  private func noteFreeParts(_ formulas: [Formula], _ result: inout CampaignChanges) {
    for number in formulas.flatMap({ FilterSpace.conditions(of: $0) }) {
      let condition = space.conditions[number]
      guard let reason = condition.reason else { continue }
      let part = FreePart(text: condition.text, reason: reason)
      if !result.freeParts.contains(part) { result.freeParts.append(part) }
    }
  }

  private static func areSame(_ old: Decision?, _ new: Decision?) -> Bool {
    guard let old, let new else { return old == nil && new == nil }
    return old.isSame(as: new)
  }

  private static func name(_ decision: Decision?) -> String {
    decision.map { "\"\($0.audience.experimentID)\"" } ?? "nothing"
  }
}

/// The decisions of a placement for each user.
struct PlacementDecisions {
  let name: String
  /// The decisions with their users; `nil` for users without a decision.
  let decisions: [(Decision?, Diagram.Node)]
  let formulas: [Formula]
  private let engine: EngineFilters?
  private let sets: PlacementSets?

  init(
    _ name: String, _ placement: AnalysisModel.Placement?, _ filters: [Int?], _ space: FilterSpace
  ) throws(Diagram.TooLarge) {
    self.name = name
    guard let placement else {
      decisions = [(nil, .everyone)]
      formulas = []
      engine = nil
      sets = nil
      return
    }
    let sets = try PlacementSets(placement, filters: filters, space: space)
    var decisions: [(Decision?, Diagram.Node)] = []
    var covered = Diagram.Node.none
    for (index, entry) in sets.entries.enumerated() where !entry.isClosed {
      let users = try space.diagram.without(entry.users, covered)
      covered = try space.diagram.or(covered, entry.users)
      if users != .none {
        decisions.append((Decision(index: index, audience: entry.audience), users))
      }
    }
    let others = try space.diagram.without(.everyone, covered)
    if others != .none { decisions.append((nil, others)) }
    self.decisions = decisions
    self.sets = sets
    formulas = sets.entries.compactMap { $0.filter?.formula }
    engine = EngineFilters(sets: sets, space: space)
  }

  /// The audience that the engine decides on; `nil` for none.
  func engineDecision(_ context: Context) -> Int? {
    guard let sets, let engine else { return nil }
    return sets.entries.indices.first {
      !sets.entries[$0].isClosed && engine.matches($0, context)
    }
  }
}
