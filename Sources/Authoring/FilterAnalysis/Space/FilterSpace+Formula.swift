/// How failures of conditions are read.
package enum FailureReading {
  /// As the engine does.
  case asFailures
  /// As if the condition were merely false.
  case asFalse
}

extension FilterSpace {
  /// The users who match a filter.
  package func matches(_ formula: Formula) throws(Diagram.TooLarge) -> Diagram.Node {
    try users(formula, where: .match)
  }

  /// The users for whom a formula has one of some outcomes.
  package func users(
    _ formula: Formula, where goal: OutcomeSet, reading: FailureReading = .asFailures
  ) throws(Diagram.TooLarge) -> Diagram.Node {
    if goal.isEmpty { return .none }
    if goal == .all { return .everyone }
    switch formula.kind {
    case .condition(let number):
      var goal = goal
      if reading == .asFalse {
        goal.remove(.failure)
        if goal.contains(Outcome.false) { goal.insert(.failure) }
      }
      return try users(condition: number, where: goal)
    case .constant(let outcome): return goal.contains(outcome) ? .everyone : .none
    case .not: return try users(formula, connectives.not, goal, reading)
    case .doubleNot: return try users(formula, connectives.doubleNot, goal, reading)
    case .all: return try users(formula.children, connectives.and, goal, reading)
    case .any: return try users(formula.children, connectives.or, goal, reading)
    case .conditional: return try conditionalUsers(formula, goal, reading)
    }
  }

  private func users(
    _ formula: Formula, _ table: [Outcome], _ goal: OutcomeSet, _ reading: FailureReading
  ) throws(Diagram.TooLarge) -> Diagram.Node {
    var inner: OutcomeSet = []
    for outcome in Outcome.allCases where goal.contains(table[Int(outcome.rawValue)]) {
      inner.insert(OutcomeSet(outcome))
    }
    return try users(formula.children[0], where: inner, reading: reading)
  }

  /// A chain of one operator: `((a op b) op c) op d`.
  private func users(
    _ operands: [Formula], _ table: OperandTable, _ goal: OutcomeSet, _ reading: FailureReading
  ) throws(Diagram.TooLarge) -> Diagram.Node {
    let links = try links(operands, table, reading)
    // From the whole down to the first link: which outcomes of each beginning are asked for.
    var goals: [[OutcomeSet]] = [[goal]]
    for link in links.dropFirst().reversed() {
      var wanted: [OutcomeSet] = []
      for goal in goals[goals.count - 1] {
        for left in link.left(goal, table) where !wanted.contains(left) { wanted.append(left) }
      }
      goals.append(wanted)
    }
    // And back up again.
    var known: [OutcomeSet: Diagram.Node] = [.all: .everyone]
    for (link, wanted) in zip(links, goals.reversed()) {
      var next: [OutcomeSet: Diagram.Node] = [.all: .everyone]
      for goal in wanted where !goal.isEmpty && goal != .all {
        next[goal] = try users(link, goal, after: known, table, reading)
      }
      known = next
    }
    return known[goal] ?? .none
  }

  /// The users for whom a chain up to a link has one of some outcomes.
  ///
  /// - Parameter known: The same of the chain before the link.
  private func users(
    _ link: ChainLink, _ goal: OutcomeSet, after known: [OutcomeSet: Diagram.Node],
    _ table: OperandTable, _ reading: FailureReading
  ) throws(Diagram.TooLarge) -> Diagram.Node {
    var total = Diagram.Node.none
    for (left, right) in link.rows(goal, table) {
      guard let before = known[left], before != .none else { continue }
      let users: Diagram.Node
      switch right {
      case .outcomes(let outcomes):
        guard case .operand(let operand, _) = link else { continue }
        users = try self.users(operand, where: outcomes, reading: reading)
      case .runs(let level, let runs): users = try diagram.node(level: level, runs)
      }
      let both = try diagram.and(before, users)
      total = try diagram.or(total, both)
    }
    return total
  }

  /// The operands of a chain, with those in one that lie beside each other and ask for one value.
  private func links(
    _ operands: [Formula], _ table: OperandTable, _ reading: FailureReading
  ) throws(Diagram.TooLarge) -> [ChainLink] {
    var links: [ChainLink] = []
    var index = 0
    while index < operands.count {
      let source = sourceAsked(by: operands[index])
      var end = index + 1
      while source != nil, end < operands.count, sourceAsked(by: operands[end]) == source {
        end += 1
      }
      if let source, end - index > 1 {
        let conditions = operands[index..<end].map { operand -> Int in
          if case .condition(let number) = operand.kind { number } else { 0 }
        }
        let runs = try changes(
          conditions[...], of: source, isFirst: index == 0, table, reading)
        links.append(.group(level: levelOfSource[source], runs))
      } else {
        links.append(.operand(operands[index], isFirst: index == 0))
      }
      index = end
    }
    return links
  }

  /// The source that a condition is about; `nil` for anything else than a condition about one.
  private func sourceAsked(by formula: Formula) -> Int? {
    guard case .condition(let number) = formula.kind, conditions[number].reason == nil,
      conditions[number].reads.count == 1
    else { return nil }
    return conditions[number].reads[0]
  }

  /// What some conditions about one source make of the outcome before them, by class. Halves are
  /// put together, so that many conditions take little more than one after the other.
  private func changes(
    _ conditions: ArraySlice<Int>, of source: Int, isFirst: Bool, _ table: OperandTable,
    _ reading: FailureReading
  ) throws(Diagram.TooLarge) -> [ChainLink.Run] {
    guard conditions.count > 1 else {
      let number = conditions[conditions.startIndex]
      return try outcomes(of: number, source: source).map { run in
        let outcome =
          reading == .asFalse && run.outcome == .failure ? Outcome.false : run.outcome
        return ChainLink.Run(
          start: run.start,
          change: isFirst
            ? OutcomeChange(always: outcome) : OutcomeChange { table.result($0, outcome) })
      }
    }
    let middle = conditions.startIndex + conditions.count / 2
    let first = try changes(conditions[..<middle], of: source, isFirst: isFirst, table, reading)
    let second = try changes(conditions[middle...], of: source, isFirst: false, table, reading)
    try diagram.spend(first.count + second.count)
    return ChainLink.joined(first, second)
  }

  private func conditionalUsers(
    _ formula: Formula, _ goal: OutcomeSet, _ reading: FailureReading
  ) throws(Diagram.TooLarge) -> Diagram.Node {
    var total = Diagram.Node.none
    for outcome in Outcome.allCases {
      let table = connectives.conditional[Int(outcome.rawValue)]
      let condition = try users(
        formula.children[0], where: OutcomeSet(outcome), reading: reading)
      if condition == .none { continue }
      for row in table.rows(goal) {
        let first = try users(formula.children[1], where: row.left, reading: reading)
        let second = try users(formula.children[2], where: row.right, reading: reading)
        let branches = try diagram.and(first, second)
        let both = try diagram.and(condition, branches)
        total = try diagram.or(total, both)
      }
    }
    return total
  }
}
