import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// The search for a single change.

extension ChangeSearch {
  /// The largest number of attributes and calls that are tried one by one.
  static let singleLimit = 32
  /// The largest number of nodes that are evaluated in trying them.
  private static let effort = 4_000_000

  /// Returns the change of one attribute with which the filter matches, whatever the plans were.
  ///
  /// A plan decides for each condition whether it must hold; one value may also turn several
  /// conditions around at once, make a part fail no longer, or change a condition that no plan
  /// knows.
  func single(_ root: ExplainedParts.Part) -> [Explanation.Change]? {
    guard !isNoCondition(root.node) else { return nil }
    var plains: [(goal: Goal, plain: PlainCondition)] = []
    var work = [root]
    while let part = work.popLast(), plains.count < 8 * Self.singleLimit {
      if let plain = PlainCondition(part.node, in: outline) {
        for wanted in [true, false] {
          plains.append((Goal(node: part.node, wanted: wanted), plain))
        }
      }
      work += part.children.reversed()
    }
    var trials = max(200, Self.effort / max(tree.nodes.count, 1))
    for target in targets().prefix(Self.singleLimit) {
      let mine = plains.filter { $0.plain.target == target }
      let current = current(target)
      let values = Self.unique(candidates(mine, current) + mentioned.values(current: current))
      for value in values where value != current || current == nil {
        trials -= 1
        guard trials > 0 else { return nil }
        let world = ChangedWorld(context).setting(target, to: value)
        guard matches(world) else { continue }
        return [change(setting(target, current, value, mine, in: world))]
      }
    }
    return nil
  }

  /// Returns the setting with the requirements that it meets; conditions that have not changed are
  /// not mentioned.
  func setting(
    _ target: ChangeTarget, _ current: Value?, _ value: Value?,
    _ conditions: [(goal: Goal, plain: PlainCondition)], in world: ChangedWorld
  ) -> Setting {
    let before = ChangedWorld(context)
    let met = conditions.filter { isReached($0.goal, in: world) && !isReached($0.goal, in: before) }
    let requirements = Self.unique(
      met.map { $0.plain.requirement(wanted: $0.goal.wanted, current: current) })
    let plain = value.map { "to be \($0.shortLiteral)" } ?? "to be missing"
    return Setting(
      target: target, current: current,
      requirement: requirements.isEmpty ? plain : requirements.joined(separator: " and "),
      value: value)
  }

  /// Returns the attributes and calls that the filter reads, in source order.
  func targets() -> [ChangeTarget] {
    var seen: Set<ChangeTarget> = []
    var result: [ChangeTarget] = []
    var inner: Set<NodeID> = []
    for (index, node) in tree.nodes.enumerated().reversed() {
      // `user.address` in `user.address.city` is not an attribute of its own.
      let id = NodeID(UInt32(index))
      if inner.contains(id) {
        if node.kind == .select || node.kind == .index { inner.insert(node.operand) }
        continue
      }
      guard [.select, .index, .call].contains(node.kind),
        let target = ChangeTarget(id, in: outline)
      else { continue }
      if node.kind != .call { inner.insert(node.operand) }
      guard target.call != nil || outline.freePath(id) != nil,
        seen.insert(target).inserted
      else { continue }
      result.append(target)
    }
    return result.reversed()
  }

  func matches(_ world: ChangedWorld) -> Bool {
    runs.value(of: tree.root, in: world) == .bool(true)
  }

  /// Returns the changes without those that are not needed for a match. A plan may ask for too
  /// much: the other side of a `||` may already hold, or one change may include another.
  func irreducible(_ changes: [Setting]) -> [Setting] {
    var kept = changes
    for change in changes where kept.count > 1 {
      let fewer = kept.filter { $0.target != change.target }
      let world = fewer.reduce(ChangedWorld(context)) { $0.setting($1.target, to: $1.value) }
      if matches(world) { kept = fewer }
    }
    return kept
  }

  /// Returns a value as the filter reads it: the texts "true" and "false" are bools in the
  /// superscript dialect (docs/spec/superscript.md §4).
  func read(_ value: Value) -> Value {
    guard tree.dialect.name == .superscript else { return value }
    switch value {
    case .string("true"): return .bool(true)
    case .string("false"): return .bool(false)
    default: return value
    }
  }

  static func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
    var seen: Set<Element> = []
    return elements.filter { seen.insert($0).inserted }
  }

  func isReached(_ goal: Goal, in world: ChangedWorld) -> Bool {
    guard let value = runs.value(of: goal.node, in: world) else { return false }
    if tree.dialect.name == .cel || goal.node == tree.root {
      return value == .bool(goal.wanted)
    }
    return value.isTruthy == goal.wanted
  }
}
