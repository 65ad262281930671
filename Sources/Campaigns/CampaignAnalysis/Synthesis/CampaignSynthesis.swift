import AudienceFilters
import ExpressionEngine
public import FilterAnalysis

/// Finds few users who test a config: every audience, both sides of every boundary, missing
/// attributes, the order where audiences overlap, every variant, and every limit with the time
/// after which it opens again.
///
/// The expected results are those of the engine today. A file of users shows when they change.
public struct CampaignSynthesis {
  private let model: AnalysisModel
  private let space: FilterSpace
  private let filters: [[Int?]]

  /// Something that a user of a set tests.
  private struct Target {
    let users: Diagram.Node
    /// The purposes of testing one of them.
    var purposes: [String]
  }

  /// Targets, of which each has other users.
  private struct Targets {
    var all: [Target] = []
    private var places: [Diagram.Node: Int] = [:]

    mutating func add(_ users: Diagram.Node, _ purpose: String) {
      guard users != .none else { return }
      if let place = places[users] {
        all[place].purposes.append(purpose)
      } else {
        places[users] = all.count
        all.append(Target(users: users, purposes: [purpose]))
      }
    }
  }

  /// Prepares a synthesis; see ``CampaignProver/init(_:schema:placement:limits:)``.
  public init(
    _ model: AnalysisModel, schema: AttributeSchema? = .builtIn,
    limits: AnalysisLimits = AnalysisLimits()
  ) {
    self.model = model
    let space = FilterSpace(model, schema: schema, limits: limits)
    filters = model.placements.map { placement in
      placement.audiences.map { audience in
        audience.filter.flatMap { space.add($0, legacyKeys: audience.legacyKeys) }
      }
    }
    space.cut(cutsNeighbours: true)
    self.space = space
  }

  /// The users.
  public func suite() -> SyntheticSuite {
    var suite = SyntheticSuite()
    for (number, placement) in model.placements.enumerated() {
      do throws(Diagram.TooLarge) {
        let sets = try PlacementSets(placement, filters: filters[number], space: space)
        var stories = SyntheticStories(
          placement, in: model, users: try users(sets, placement, &suite))
        stories.addLimits()
        stories.addVariants()
        suite.users += stories.users
        suite.openQuestions += stories.openQuestions
      } catch {
        suite.openQuestions.append(
          OpenQuestion(
            placement: placement.name, audience: nil, question: "which users test it",
            reason: OpenQuestion.limitReached))
      }
    }
    return suite
  }

  private func users(
    _ sets: PlacementSets, _ placement: AnalysisModel.Placement, _ suite: inout SyntheticSuite
  ) throws(Diagram.TooLarge) -> [SyntheticUser] {
    var users: [SyntheticUser] = []
    let targets = try targets(sets)
    let formulas = sets.entries.compactMap { $0.filter?.formula }
    let search = WitnessSearch(space: space, formulas: formulas)
    let maker = DecisionMaker(placement.name, in: model)
    var isOpen = [Bool](repeating: true, count: targets.count)
    for index in targets.indices where isOpen[index] {
      guard let user = try user(for: targets, isOpen, from: index) else {
        isOpen[index] = false
        continue
      }
      let levels = user.path.filter { if case .free = space.levels[$0] { true } else { false } }
      let witness = search.witness(user) { context in
        levels.allSatisfy { level in
          guard case .free(let number) = space.levels[level] else { return true }
          let wanted = space.freeOutcomes[number]?[user[level]]
          return space.outcome(of: number, context) == wanted
        }
      }
      guard let witness else {
        isOpen[index] = false
        suite.openQuestions.append(
          OpenQuestion(
            placement: placement.name, audience: nil, question: targets[index].purposes[0],
            reason: "no user was found for whom \(search.assumptions(of: user).formattedList)"))
        continue
      }
      var purposes: [String] = []
      for other in targets.indices
      where isOpen[other] && space.contains(targets[other].users, user) {
        isOpen[other] = false
        purposes += targets[other].purposes
      }
      isOpen[index] = false
      if purposes.isEmpty { purposes = targets[index].purposes }
      if purposes.count > Self.maximumPurposes + 1 {
        let others = purposes.count - Self.maximumPurposes
        purposes.removeLast(others)
        purposes.append("and \(others) more")
      }
      let decision = maker.decision(witness.context).map {
        Decision(index: $0, audience: placement.audiences[$0])
      }
      users.append(
        SyntheticUser(
          placement: placement.name, user: witness, expected: decision,
          purposes: purposes))
    }
    return users
  }

  /// A user who tests an open target, and as many others as fit in.
  private func user(
    for targets: [Target], _ isOpen: [Bool], from first: Int
  ) throws(Diagram.TooLarge) -> FoundUser? {
    var users = targets[first].users
    var tried = 0
    for index in targets.indices.dropFirst(first + 1) where isOpen[index] {
      tried += 1
      if tried > Self.maximumMerges { break }
      let both = try space.diagram.and(users, targets[index].users)
      if both != .none { users = both }
    }
    if case .found(let user) = space.search(users) { return user }
    // Together they break what holds for all users; alone the first may not.
    if case .found(let user) = space.search(targets[first].users) { return user }
    return nil
  }

  private static let maximumMerges = 256
  /// The most purposes of a user that are named.
  private static let maximumPurposes = 24
  /// The most classes of a condition that each get a user.
  private static let maximumClasses = 48

  // MARK: Targets

  private func targets(_ sets: PlacementSets) throws(Diagram.TooLarge) -> [Target] {
    var targets = Targets()
    var covered = Diagram.Node.none
    for (index, entry) in sets.entries.enumerated() where !entry.isClosed {
      let name = "\"\(entry.audience.experimentID)\""
      if let filter = entry.filter {
        try addBoundaries(filter, beyond: covered, name, to: &targets)
      }
      for (later, other) in sets.entries.enumerated().dropFirst(index + 1) where !other.isClosed {
        let both = try space.diagram.and(entry.users, other.users)
        let users = try space.diagram.without(both, covered)
        targets.add(
          users, "\(name) comes before \"\(sets.entries[later].audience.experimentID)\"")
      }
      let own = try space.diagram.without(entry.users, covered)
      targets.add(own, "\(name) is reached")
      covered = try space.diagram.or(covered, entry.users)
    }
    let others = try space.diagram.without(.everyone, covered)
    targets.add(others, "no audience is reached")
    return targets.all
  }

  /// Adds for each condition that decides about a filter the classes beside its constants.
  private func addBoundaries(
    _ filter: OutlinedFilter, beyond covered: Diagram.Node, _ name: String,
    to targets: inout Targets
  ) throws(Diagram.TooLarge) {
    for (number, holds, fails) in filter.formula.settlingConditions {
      let isTrue = try space.matches(holds)
      let isFalse = try space.matches(fails)
      let differ = try space.diagram.differ(isTrue, isFalse)
      let deciding = try space.diagram.without(differ, covered)
      if deciding == .none { continue }
      let condition = space.conditions[number]
      for (level, index) in interesting(number) {
        let isIn = space.classes[level].indices.map { $0 == index }
        let node = try space.diagram.node(level: level, where: isIn)
        let users = try space.diagram.and(deciding, node)
        if users == .none { continue }
        let value = space.classes[level][index]
        let what =
          value.kind == .missing
          ? "missing"
          : value.value?.literal ?? (value.kind == .outcome ? "an outcome" : "no object")
        targets.add(users, "\(name): `\(condition.text)` with \(what)")
      }
    }
  }

  /// The classes that lie beside what a condition compares with, by level.
  private func interesting(_ number: Int) -> [(level: Int, index: Int)] {
    if let level = space.levelOfFree[number] {
      return space.classes[level].indices.map { (level, $0) }
    }
    let condition = space.conditions[number]
    return condition.reads.flatMap { source -> [(level: Int, index: Int)] in
      let level = space.levelOfSource[source]
      let classes = space.classes[level]
      guard classes.count > Self.maximumClasses else { return classes.indices.map { (level, $0) } }
      let needs = condition.needs[source] ?? Needs()
      let isOwn = classes.map { entry -> Bool in
        guard entry.isSingle, let value = entry.value else { return entry.kind != .number }
        if let number = value.exactNumber { return needs.numbers.contains(number) }
        if case .string(let text) = value { return needs.texts.contains(text.codePoints) }
        return true
      }
      return classes.indices.filter { index in
        isOwn[index] || (index > 0 && isOwn[index - 1])
          || (index + 1 < classes.count && isOwn[index + 1])
      }.map { (level, $0) }
    }
  }
}

extension Formula {
  /// For each place of a condition the formula in which it is true, and that in which it is false.
  var settlingConditions: [(condition: Int, holds: Formula, fails: Formula)] {
    if case .condition(let number) = kind {
      var holds = self
      var fails = self
      holds.kind = .constant(.true)
      fails.kind = .constant(.false)
      return [(number, holds, fails)]
    }
    return children.indices.flatMap { index in
      children[index].settlingConditions.map { inner in
        var holds = self
        var fails = self
        holds.children[index] = inner.holds
        fails.children[index] = inner.fails
        return (inner.condition, holds, fails)
      }
    }
  }
}
