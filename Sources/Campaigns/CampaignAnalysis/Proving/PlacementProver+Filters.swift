import ExpressionEngine
import FilterAnalysis
import FilterAuthoring

// Findings about one filter by itself.

extension PlacementProver {
  /// Filters of more conditions are not looked at condition by condition.
  static let conditionLimit = 256

  // MARK: Redundancy

  /// Finds conditions that can be left out, one after the other, until none is left.
  mutating func checkRedundancy(_ index: Int, _ filter: OutlinedFilter) {
    var formula = filter.formula
    var dropped: [String] = []
    guard formula.conditionCount <= Self.conditionLimit else {
      return leaveOpen(
        index, "whether \(name(index)) has superfluous conditions",
        "it has more than \(Self.conditionLimit) of them")
    }
    do throws(Diagram.TooLarge) {
      while let (shorter, text) = try withoutOne(formula, filter, sets.entries[index].users) {
        formula = shorter
        dropped.append(text)
      }
    } catch {
      return leaveOpen(index, "whether \(name(index)) has superfluous conditions")
    }
    guard !dropped.isEmpty else { return }
    let text = filter.text(reducedTo: formula)
    let what = dropped.map { "`\($0)`" }
    var finding = finding(
      .redundantCondition, index,
      "\(name(index)) matches the same users without \(what.formattedList)")
    finding.conditions = dropped
    finding.shorterFilter = text
    add(finding)
  }

  /// A formula without one operand that changes nothing, and the operand's text.
  private func withoutOne(
    _ formula: Formula, _ filter: OutlinedFilter, _ users: Diagram.Node
  ) throws(Diagram.TooLarge) -> (Formula, String)? {
    let needed = try operandsThatCount(formula, users)
    for (shorter, operand) in formula.droppingOperands where !needed.contains(operand.node) {
      let others = try space.matches(shorter)
      if others != users {
        let difference = try space.diagram.differ(others, users)
        guard space.isEmpty(difference) == true else { continue }
      }
      return (shorter, filter.text(of: operand))
    }
    return nil
  }

  /// Operands at the top that change who matches, because nothing else depends on their values: the
  /// others can all be true, or all false, while such a one is not.
  private func operandsThatCount(
    _ formula: Formula, _ users: Diagram.Node
  ) throws(Diagram.TooLarge) -> Set<NodeID> {
    guard formula.kind == .all || formula.kind == .any, space.constraints.isEmpty else { return [] }
    let isAll = formula.kind == .all
    let witnesses = isAll ? users : try space.users(formula, where: OutcomeSet(.false))
    guard witnesses != .none else { return [] }
    var readers: [Int: Int] = [:]
    for number in FilterSpace.conditions(of: formula) {
      for level in space.levels(deciding: number) { readers[level, default: 0] += 1 }
    }
    var needed: Set<NodeID> = []
    for operand in formula.children {
      guard case .condition(let number) = operand.kind,
        space.levels(deciding: number).allSatisfy({ readers[$0] == 1 })
      else { continue }
      let other = try space.users(condition: number, where: OutcomeSet(isAll ? .false : .true))
      if other != .none { needed.insert(operand.node) }
    }
    return needed
  }

  // MARK: Failures

  /// Finds users who match but for a condition that fails.
  mutating func checkFailures(_ index: Int, _ filter: OutlinedFilter) {
    guard FilterSpace.conditions(of: filter.formula).contains(where: space.mayFail) else { return }
    let users: Diagram.Node
    do throws(Diagram.TooLarge) {
      let lenient = try space.users(filter.formula, where: .match, reading: .asFalse)
      users = try space.diagram.without(lenient, sets.entries[index].users)
    } catch {
      return leaveOpen(index, "whether the filter of \(name(index)) fails")
    }
    guard users != .none, case .found(let user) = space.search(users, isLikely: true) else {
      return
    }
    let search = witnessSearch(filter)
    let witness = search.witness(user) { !engineMatches(index, $0) && failing(filter, $0) != nil }
    // A failure that only a free part could have is not reported.
    if witness == nil, space.evaluationsLeft <= 0 {
      return leaveOpen(index, "whether the filter of \(name(index)) fails")
    }
    guard let witness, let text = failing(filter, witness.context) else { return }
    var finding = finding(
      .failingFilter, index,
      "`\(text)` fails for some users, so that they do not match \(name(index)) whatever else is true"
    )
    finding.conditions = [text]
    finding.witness = witness
    add(finding)
  }

  /// The text of the first condition that fails.
  private func failing(_ filter: OutlinedFilter, _ context: Context) -> String? {
    FilterSpace.conditions(of: filter.formula)
      .first { space.conditions[$0].place != nil && space.outcome(of: $0, context) == .failure }.map
    { space.conditions[$0].text }
  }

  // MARK: Missing attributes

  /// Finds attributes that users need not have although the filter compares them.
  mutating func noteMissing(_ index: Int, _ filter: OutlinedFilter) {
    var names: [String] = []
    var conditions: [String] = []
    var user: FoundUser?
    // By source whether a user without it matches.
    var known: [Int: FoundUser?] = [:]
    for number in Set(FilterSpace.conditions(of: filter.formula)).sorted() {
      let condition = space.conditions[number]
      guard condition.reason == nil, condition.reads.count == 1 else { continue }
      let source = condition.reads[0]
      let level = space.levelOfSource[source]
      guard let missing = space.classes[level].firstIndex(where: { $0.kind == .missing }),
        let outcome = try? space.outcome(of: number, source: source, class: missing),
        outcome == .true, space.isComparison(condition, source)
      else { continue }
      let found = known[source] ?? userWithout(level, missing, sets.entries[index].users)
      known[source] = .some(found)
      guard let found else { continue }
      if user == nil { user = found }
      if names.last != space.sources[source].text, !names.contains(space.sources[source].text) {
        names.append(space.sources[source].text)
      }
      conditions.append(condition.text)
    }
    guard let user else { return }
    var finding = finding(
      .missingAttribute, index,
      "\(name(index)) also matches users without \(names.map { "`\($0)`" }.formattedList)")
    finding.conditions = conditions
    finding.witness = witnessSearch(filter).witness(user) { engineMatches(index, $0) }
    if finding.witness == nil {
      finding.assumptions = witnessSearch(filter).assumptions(of: user)
    }
    add(finding)
  }

  /// A user of a set whose value at a level is missing.
  private func userWithout(_ level: Int, _ missing: Int, _ users: Diagram.Node) -> FoundUser? {
    let isIn = space.classes[level].indices.map { $0 == missing }
    guard let node = try? space.diagram.node(level: level, where: isIn),
      let both = try? space.diagram.and(node, users),
      case .found(let found) = space.search(both)
    else { return nil }
    return found
  }
}

extension FilterSpace {
  /// Whether a condition that holds for a missing value does so by the value that replaces it, and
  /// not because it tests for presence.
  func isComparison(_ condition: Condition, _ source: Int) -> Bool {
    guard let needs = condition.needs[source] else { return false }
    return !needs.numbers.isEmpty || !needs.texts.isEmpty || needs.expected.contains(.bool)
  }

  /// The users who meet all operands of a conjunction.
  func matchesAsOperands(_ formula: Formula) throws(Diagram.TooLarge) -> Diagram.Node {
    guard formula.children.count == 1 else { return try matches(formula) }
    // One operand of `&&` alone need not be a bool.
    return try users(formula.children[0], where: [OutcomeSet(.true), OutcomeSet(.truthy)])
  }
}

extension Formula {
  /// The formula without one operand of `&&` or `||`, for each operand there is.
  var droppingOperands: [(formula: Formula, operand: Formula)] {
    var result: [(formula: Formula, operand: Formula)] = []
    for index in children.indices {
      if kind == .all || kind == .any {
        var fewer = children
        let operand = fewer.remove(at: index)
        let rest =
          fewer.count == 1 ? fewer[0] : Formula(kind: kind, node: node, children: fewer)
        result.append((rest, operand))
      }
      for (child, operand) in children[index].droppingOperands {
        var copy = self
        copy.children[index] = child
        result.append((copy, operand))
      }
    }
    return result
  }
}
