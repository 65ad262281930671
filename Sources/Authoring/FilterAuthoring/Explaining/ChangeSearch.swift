import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// Finds the smallest set of attribute changes that makes a filter match.
///
/// A plan is a set of goals: conditions that must hold, or must not hold. The search combines plans
/// along `&&`, `||`, `!` and `? :` and keeps the cheapest few. It tries each plan on a copy of the
/// context, with values that the filter itself mentions, and lets the engine decide whether the
/// goals are reached. It suggests only changes with which the whole filter is true.
struct ChangeSearch {
  /// A condition and its required truth value.
  struct Goal: Hashable {
    let node: NodeID
    let wanted: Bool
  }

  /// Goals that together decide the filter.
  private struct Plan {
    var goals: [Goal]
    /// The attributes and calls that must change.
    var cost: Set<ChangeTarget>
  }

  /// The number of plans that are kept at every step.
  private static let width = 12
  /// The largest number of attributes in a plan. Longer lists do not help and take long to find.
  private static let maximumCost = 16

  let outline: FilterOutline
  let context: Context
  var tree: SyntaxTree { outline.tree }
  /// The budget of an attempt. There can be thousands of them, so that filters that need more are
  /// not changed.
  private static let trialLimits = EvaluationLimits(steps: 10_000, memory: 1 << 20)

  /// The environment of attempts.
  let environment: FilterEnvironment
  let runs: TrialRuns
  let mentioned: MentionedValues

  init(outline: FilterOutline, context: Context) {
    self.outline = outline
    self.context = context
    var environment = outline.environment
    let limits = environment.limits
    environment.limits = EvaluationLimits(
      steps: min(limits.steps, Self.trialLimits.steps),
      memory: min(limits.memory, Self.trialLimits.memory))
    self.environment = environment
    runs = TrialRuns(outline.tree, environment: environment)
    mentioned = MentionedValues(outline.tree, context)
  }

  /// Returns the changes, in the order of the filter; `nil` if no plan succeeds.
  func changes(for root: ExplainedParts.Part) -> [Explanation.Change]? {
    var best: [Explanation.Change]?
    for plan in plans(root, wanted: true) {
      if let best, plan.cost.count >= best.count { continue }
      if let found = attempt(plan), found.count < best?.count ?? .max { best = found }
    }
    if best?.count == 1 { return best }
    return single(root) ?? best
  }

  /// Returns why nothing is offered: the first condition that no value was found for, or that the
  /// conditions are not met together.
  func obstacle(for root: ExplainedParts.Part) -> String? {
    guard root.kind == .all else { return nil }
    var conditions: [ExplainedParts.Part] = []
    var work = [root]
    while let part = work.popLast(), conditions.count < Self.singleLimit {
      if part.kind == .all { work += part.children.reversed() } else { conditions.append(part) }
    }
    for condition in conditions {
      let goal = Goal(node: condition.node, wanted: true)
      let isMet =
        isReached(goal, in: ChangedWorld(context))
        || plans(condition, wanted: true).contains { values(of: $0) != nil }
      if !isMet {
        let text = tree.text(ofNode: condition.node).shortened(to: 100)
        return "No value was found with which `\(text)` holds"
      }
    }
    return "Each condition can hold, but no values were found with which all of them do"
  }

  // MARK: Plans

  private func plans(_ part: ExplainedParts.Part, wanted: Bool) -> [Plan] {
    switch part.kind {
    case .all, .any:
      let needsEvery = (part.kind == .all) == wanted
      return needsEvery ? every(part.children, wanted) : one(of: part.children, wanted)
    case .not:
      guard let operand = part.children.first else { return [] }
      return plans(operand, wanted: tree[part.node].op == .doubleNot ? wanted : !wanted)
    case .conditional:
      guard part.children.count == 3 else { return [] }
      let first = product(
        plans(part.children[0], wanted: true), plans(part.children[1], wanted: wanted))
      let second = product(
        plans(part.children[0], wanted: false), plans(part.children[2], wanted: wanted))
      return Self.cheapest(first + second)
    case .comparison, .loop, .call, .value: return leaf(part, wanted)
    }
  }

  private func every(_ parts: [ExplainedParts.Part], _ wanted: Bool) -> [Plan] {
    var result = [Plan(goals: [], cost: [])]
    for part in parts {
      result = product(result, plans(part, wanted: wanted))
      if result.isEmpty { return [] }
    }
    return result
  }

  private func one(of parts: [ExplainedParts.Part], _ wanted: Bool) -> [Plan] {
    Self.cheapest(parts.flatMap { plans($0, wanted: wanted) })
  }

  private func product(_ left: [Plan], _ right: [Plan]) -> [Plan] {
    var result: [Plan] = []
    for one in left {
      for other in right {
        result.append(Plan(goals: one.goals + other.goals, cost: one.cost.union(other.cost)))
      }
    }
    return Self.cheapest(result)
  }

  private static func cheapest(_ plans: [Plan]) -> [Plan] {
    let affordable = plans.filter { $0.cost.count <= maximumCost }
    let sorted = affordable.enumerated().sorted {
      ($0.element.cost.count, $0.offset) < ($1.element.cost.count, $1.offset)
    }
    return sorted.prefix(width).map { $0.element }
  }

  private func leaf(_ part: ExplainedParts.Part, _ wanted: Bool) -> [Plan] {
    let goal = Goal(node: part.node, wanted: wanted)
    if isReached(goal, in: ChangedWorld(context)) { return [Plan(goals: [goal], cost: [])] }
    guard !isNoCondition(part.node) else { return [] }
    if let plain = PlainCondition(part.node, in: outline) {
      return [Plan(goals: [goal], cost: [plain.target])]
    }
    guard !exceedsBudget(part.node),
      let targets = OpaqueCondition(part.node, in: outline)?.targets
    else { return [] }
    // One of them, or two together.
    var plans = targets.map { Plan(goals: [goal], cost: [$0]) }
    for (index, first) in targets.enumerated() {
      plans += targets.dropFirst(index + 1).map { Plan(goals: [goal], cost: [first, $0]) }
    }
    return plans
  }

  /// Returns whether a part takes more than an attempt may, so that it is not known whether it
  /// holds already.
  private func exceedsBudget(_ id: NodeID) -> Bool {
    let outcome = Explainer.outcome(
      of: id, in: tree, environment: environment, context: context, isWorded: false)
    guard case .failure(let diagnostic) = outcome else { return false }
    return diagnostic.id.rawValue.hasPrefix("E06")
  }

  /// Returns whether a filter is only an attribute that holds something else than a bool, so that
  /// the filter is wrong, not the attribute.
  func isNoCondition(_ id: NodeID) -> Bool {
    guard id == tree.root, [.select, .index].contains(tree[id].kind),
      let plain = PlainCondition(id, in: outline)
    else { return false }
    switch current(plain.target).map(read) {
    case .bool, .null, nil: return false
    default: return true
    }
  }

  // MARK: Trying a plan

  /// A goal with the condition that it is about.
  private struct GoalCondition {
    let goal: Goal
    /// The condition, if it is on one attribute and constants.
    let plain: PlainCondition?
    let opaque: OpaqueCondition?
    /// The attributes and calls that the plan changes for it.
    let targets: [ChangeTarget]
  }

  /// The largest number of values that are tried for all targets of a plan together.
  private static let planTrials = 1_500
  /// The largest number of values for one of several targets.
  private static let fewCandidates = 40
  /// The largest number of values for any other target.
  private static let manyCandidates = 400

  /// Returns the values with which the goals of a plan are reached.
  private func values(of plan: Plan) -> [ChangeTarget: Value?]? {
    let conditions = conditions(of: plan)
    let targets = Self.unique(conditions.flatMap { $0.targets })
    var trials = Self.planTrials
    return assignment(
      of: choices(targets, conditions)[...], ChangedWorld(context), [:], trials: &trials)
  }

  private func conditions(of plan: Plan) -> [GoalCondition] {
    plan.goals.map { goal -> GoalCondition in
      if let plain = PlainCondition(goal.node, in: outline) {
        let targets = plan.cost.contains(plain.target) ? [plain.target] : []
        return GoalCondition(goal: goal, plain: plain, opaque: nil, targets: targets)
      }
      let opaque = OpaqueCondition(goal.node, in: outline)
      return GoalCondition(
        goal: goal, plain: nil, opaque: opaque,
        targets: (opaque?.targets ?? []).filter { plan.cost.contains($0) })
    }
  }

  private func attempt(_ plan: Plan) -> [Explanation.Change]? {
    let conditions = conditions(of: plan)
    let targets = Self.unique(conditions.flatMap { $0.targets })
    var trials = Self.planTrials
    guard
      let values = assignment(
        of: choices(targets, conditions)[...], ChangedWorld(context), [:], trials: &trials)
    else { return nil }
    var changed = ChangedWorld(context)
    var changes: [Setting] = []
    for target in targets {
      let value = values[target] ?? nil
      let current = current(target)
      changed = changed.setting(target, to: value)
      let mine = conditions.filter { $0.targets.contains(target) }
      // A value that was searched says more than one of the conditions on it.
      let isSearched = mine.contains { $0.plain == nil }
      let requirements = Self.unique(
        mine.compactMap { condition -> String? in
          guard !isSearched, let plain = condition.plain,
            !isReached(condition.goal, in: ChangedWorld(context)) || mine.count > 1
          else { return nil }
          return plain.requirement(wanted: condition.goal.wanted, current: current)
        })
      let plainly = value.map { "to be \($0.shortLiteral)" } ?? "to be missing"
      changes.append(
        Setting(
          target: target, current: current,
          requirement: requirements.isEmpty ? plainly : requirements.joined(separator: " and "),
          value: value))
    }
    guard !changes.isEmpty, matches(changed) else { return nil }
    return irreducible(changes).map(change)
  }

  /// The values that are tried for one target of a plan.
  private struct Choice {
    let target: ChangeTarget
    /// The values; `nil` removes an attribute.
    let candidates: [Value?]
    /// The goals of the conditions of which this is the last target.
    let decided: [Goal]
  }

  private func choices(_ targets: [ChangeTarget], _ conditions: [GoalCondition]) -> [Choice] {
    targets.enumerated().map { index, target in
      let later = Set(targets[(index + 1)...])
      let mine = conditions.filter { $0.targets.contains(target) }
      let isFree = mine.allSatisfy { $0.plain == nil && $0.targets.count > 1 }
      return Choice(
        target: target,
        candidates: Array(
          candidates(mine, target).prefix(isFree ? Self.fewCandidates : Self.manyCandidates)),
        decided: mine.filter { later.isDisjoint(with: $0.targets) }.map { $0.goal })
    }
  }

  /// Returns a value for each target with which all conditions hold; `nil` removes an attribute.
  private func assignment(
    of choices: ArraySlice<Choice>, _ world: ChangedWorld, _ values: [ChangeTarget: Value?],
    trials: inout Int
  ) -> [ChangeTarget: Value?]? {
    guard let choice = choices.first else { return values }
    for value in choice.candidates {
      trials -= 1
      guard trials > 0 else { return nil }
      let trial = world.setting(choice.target, to: value)
      guard choice.decided.allSatisfy({ isReached($0, in: trial) }) else { continue }
      var next = values
      next[choice.target] = .some(value)
      if let found = assignment(of: choices.dropFirst(), trial, next, trials: &trials) {
        return found
      }
    }
    return nil
  }

  private func candidates(_ conditions: [GoalCondition], _ target: ChangeTarget) -> [Value?] {
    let current = current(target)
    let plains = conditions.compactMap { condition in
      condition.plain.map { (goal: condition.goal, plain: $0) }
    }
    var result = plains.isEmpty ? [] : candidates(plains, current)
    let opaque = conditions.compactMap { $0.opaque }
    guard !opaque.isEmpty else { return result }
    let own = opaque.map { $0.candidates(for: target, in: outline) }
    result += own.joined().map { Optional($0) }
    result += Self.unions(of: own.joined() + result.compactMap { $0 }, with: current)
      .map { Optional($0) }
    result += mentioned.values(current: current)
    return Self.unique(result)
  }

  /// The largest number of lists that are joined with each other.
  private static let joinedLists = 10

  /// Returns lists with the elements of two: several conditions on one list may each need an
  /// element of their own.
  private static func unions(of values: [Value], with current: Value?) -> [Value] {
    var lists: [[Value]] = []
    for case .list(let elements) in [current].compactMap({ $0 }) + values {
      if !elements.isEmpty, !lists.contains(elements), lists.count < joinedLists {
        lists.append(elements)
      }
    }
    var result: [Value] = []
    for (index, first) in lists.enumerated() {
      for second in lists.dropFirst(index + 1) {
        result.append(.list(first + second.filter { !first.contains($0) }))
      }
    }
    return result
  }

  /// A target with the value that it is to have.
  struct Setting {
    let target: ChangeTarget
    let current: Value?
    let requirement: String
    let value: Value?
  }

  func change(_ setting: Setting) -> Explanation.Change {
    Explanation.Change(
      path: setting.target.path, call: setting.target.call == nil ? nil : setting.target.text,
      current: setting.current.map(read), requirement: setting.requirement, example: setting.value)
  }

  /// Returns the present value of a target; `nil` if it is missing.
  func current(_ target: ChangeTarget) -> Value? {
    guard target.call != nil else { return context.value(at: target.path) }
    let value = runs.value(of: target.node, in: ChangedWorld(context))
    return value == .null ? nil : value
  }

  /// Returns values with which goals on one target may be reached; `nil` removes an attribute.
  func candidates(
    _ goals: [(goal: Goal, plain: PlainCondition)], _ current: Value?
  ) -> [Value?] {
    var together = CandidateValues()
    for (goal, plain) in goals { plain.collect(into: &together, wanted: goal.wanted) }
    let own = goals.flatMap { $0.plain.candidates(wanted: $0.goal.wanted, current: current) }
    let all = own.map { $0.value } + together.values(current: current).map { Optional($0) }
    return Self.unique(Array(all.prefix(Self.manyCandidates)))
  }
}
