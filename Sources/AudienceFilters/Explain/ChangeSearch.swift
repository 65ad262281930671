import ExpressionEngine
import ExpressionSyntax

/// Finds the smallest set of attribute changes that makes a filter match.
///
/// A plan is a set of goals: conditions that must hold, or must not hold. The search combines plans
/// along `&&`, `||`, `!` and `? :` and keeps the cheapest few. It tries each plan on a copy of the
/// context, with values that the filter itself mentions, and lets the engine decide whether the
/// goals are reached. It suggests only changes with which the whole filter is true.
struct ChangeSearch {
  /// A condition and its required truth value.
  struct Goal: Hashable {
    let node: UInt32
    let wanted: Bool
  }

  /// Goals that together decide the filter.
  private struct Plan {
    var goals: [Goal]
    /// The paths of the attributes that must change.
    var cost: Set<AttributePath>
  }

  /// The number of plans that are kept at every step.
  private static let width = 12
  /// The largest number of attributes in a plan. Longer lists help nobody and take long to find.
  private static let maximumCost = 16

  let outline: ConditionOutline
  let context: Context
  private var tree: SyntaxTree { outline.tree }

  init(outline: ConditionOutline, context: Context) {
    self.outline = outline
    self.context = context
  }

  /// Returns the changes, in the order of the filter; `nil` if no plan succeeds.
  func changes(for root: ConditionOutline.Part) -> [Explanation.Change]? {
    var best: [Explanation.Change]?
    for plan in plans(root, wanted: true) {
      if let best, plan.cost.count >= best.count { continue }
      if let found = attempt(plan), found.count < best?.count ?? .max { best = found }
    }
    return best
  }

  // MARK: Plans

  private func plans(_ part: ConditionOutline.Part, wanted: Bool) -> [Plan] {
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

  private func every(_ parts: [ConditionOutline.Part], _ wanted: Bool) -> [Plan] {
    var result = [Plan(goals: [], cost: [])]
    for part in parts {
      result = product(result, plans(part, wanted: wanted))
      if result.isEmpty { return [] }
    }
    return result
  }

  private func one(of parts: [ConditionOutline.Part], _ wanted: Bool) -> [Plan] {
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

  private func leaf(_ part: ConditionOutline.Part, _ wanted: Bool) -> [Plan] {
    let goal = Goal(node: part.node.index, wanted: wanted)
    if isReached(goal, in: context) { return [Plan(goals: [goal], cost: [])] }
    guard let target = PlainCondition(tree, part.node, outline: outline) else { return [] }
    return [Plan(goals: [goal], cost: [target.path])]
  }

  // MARK: Trying a plan

  private func attempt(_ plan: Plan) -> [Explanation.Change]? {
    var changed = context
    var changes: [Explanation.Change] = []
    let targets = plan.goals.compactMap { goal in
      PlainCondition(tree, NodeID(goal.node), outline: outline).map { (goal: goal, plain: $0) }
    }
    for path in Self.unique(targets.map({ $0.plain.path })) where plan.cost.contains(path) {
      let mine = targets.filter { $0.plain.path == path }
      let current = context.value(at: path)
      let candidates = mine.flatMap {
        $0.plain.candidates(wanted: $0.goal.wanted, current: current)
      }
      let candidate = candidates.first { candidate in
        let trial = changed.setting(path, to: candidate.value)
        return mine.allSatisfy { isReached($0.goal, in: trial) }
      }
      guard let candidate else { return nil }
      changed = changed.setting(path, to: candidate.value)
      let requirements = Self.unique(
        mine.filter { !isReached($0.goal, in: context) || mine.count > 1 }
          .map { $0.plain.requirement(wanted: $0.goal.wanted) })
      changes.append(
        Explanation.Change(
          path: path, current: current.map(read),
          requirement: requirements.joined(separator: " and "),
          example: candidate.value))
    }
    guard !changes.isEmpty, matches(changed) else { return nil }
    return irreducible(changes)
  }

  private func matches(_ context: Context) -> Bool {
    Explainer.outcome(
      of: tree.root, in: tree, environment: outline.environment, context: context,
      isWorded: false)
      == .value(.bool(true))
  }

  /// Returns the changes without those that are not needed for a match. A plan may ask for too
  /// much: the other side of a `||` may already hold, or one change may include another.
  private func irreducible(_ changes: [Explanation.Change]) -> [Explanation.Change] {
    var kept = changes
    for change in changes where kept.count > 1 {
      let fewer = kept.filter { $0.path != change.path }
      if matches(fewer.reduce(context) { $0.setting($1.path, to: $1.example) }) { kept = fewer }
    }
    return kept
  }

  /// Returns a value as the filter reads it: the texts "true" and "false" are bools in the
  /// superscript dialect (docs/spec/superscript.md §4).
  private func read(_ value: Value) -> Value {
    guard tree.dialect.name == .superscript else { return value }
    switch value {
    case .string("true"): return .bool(true)
    case .string("false"): return .bool(false)
    default: return value
    }
  }

  private static func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
    var seen: Set<Element> = []
    return elements.filter { seen.insert($0).inserted }
  }

  private func isReached(_ goal: Goal, in context: Context) -> Bool {
    let outcome = Explainer.outcome(
      of: NodeID(goal.node), in: tree, environment: outline.environment, context: context,
      isWorded: false)
    guard case .value(let value) = outcome else { return false }
    if tree.dialect.name == .cel || goal.node == tree.root.index {
      return value == .bool(goal.wanted)
    }
    return value.isTruthy == goal.wanted
  }
}
