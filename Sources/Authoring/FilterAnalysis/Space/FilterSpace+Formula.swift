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

  /// The users for whom a formula comes to one of some outcomes.
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
    guard operands.count > 1 else { return try users(operands[0], where: goal, reading: reading) }
    if let path = table.path(goal, count: operands.count) {
      var node = Diagram.Node.everyone
      for (operand, goal) in zip(operands, path) where node != .none {
        let next = try users(operand, where: goal, reading: reading)
        node = try diagram.and(node, next)
      }
      return node
    }
    // From the whole down to the first two operands: which outcomes of each beginning are asked for.
    var goals: [[OutcomeSet]] = [[goal]]
    for _ in operands.indices.dropFirst(2) {
      var wanted: [OutcomeSet] = []
      for goal in goals[goals.count - 1] {
        for row in table.rows(goal) where !wanted.contains(row.left) { wanted.append(row.left) }
      }
      goals.append(wanted)
    }
    // And back up again.
    var known = [Diagram.Node](repeating: .none, count: OutcomeSet.count)
    for (index, operand) in operands.enumerated().dropFirst() {
      var next = [Diagram.Node](repeating: .none, count: OutcomeSet.count)
      for wanted in goals[operands.count - 1 - index] {
        var total = Diagram.Node.none
        for row in table.rows(wanted) {
          let left: Diagram.Node
          if index == 1 {
            left = try users(operands[0], where: row.left, reading: reading)
          } else {
            left = known[Int(row.left.rawValue)]
          }
          if left == .none { continue }
          let right = try users(operand, where: row.right, reading: reading)
          let both = try diagram.and(left, right)
          total = try diagram.or(total, both)
        }
        next[Int(wanted.rawValue)] = total
      }
      known = next
    }
    return known[Int(goal.rawValue)]
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
