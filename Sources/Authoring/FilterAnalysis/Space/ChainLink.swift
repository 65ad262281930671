/// What operands of a chain make of the outcome of the operands before them.
package struct OutcomeChange: Equatable {
  /// By the outcome before, three bits each.
  private var bits: UInt16 = 0

  package init(_ result: (Outcome) -> Outcome) {
    for outcome in Outcome.allCases {
      bits |= UInt16(result(outcome).rawValue) << (3 * UInt16(outcome.rawValue))
    }
  }

  /// The change to an outcome whatever was before.
  package init(always outcome: Outcome) { self.init { _ in outcome } }

  package func callAsFunction(_ outcome: Outcome) -> Outcome {
    Outcome(rawValue: UInt8(bits >> (3 * UInt16(outcome.rawValue)) & 7)) ?? .failure
  }

  /// Returns what this change and another one after it make together.
  func then(_ next: OutcomeChange) -> OutcomeChange {
    var result = self
    result.bits = 0
    var shift: UInt16 = 0
    for _ in Outcome.allCases {
      result.bits |= (next.bits >> (3 * (bits >> shift & 7)) & 7) << shift
      shift += 3
    }
    return result
  }

  /// The outcomes before that lead to one of some outcomes.
  package func left(_ goal: OutcomeSet) -> OutcomeSet {
    var left: OutcomeSet = []
    for outcome in Outcome.allCases where goal.contains(self(outcome)) {
      left.insert(OutcomeSet(outcome))
    }
    return left
  }
}

/// A part of a chain of one operator.
package enum ChainLink {
  /// The classes from one up to the next run's, and what the conditions make of what was before.
  package struct Run {
    var start: Int
    var change: OutcomeChange
  }

  /// What the link has to be for an outcome of the whole.
  package enum Right {
    case outcomes(OutcomeSet)
    case runs(level: Int, [Diagram.Run])
  }

  /// One operand.
  case operand(Formula, isFirst: Bool)
  /// Conditions about one source.
  case group(level: Int, [Run])

  /// The ways to one of some outcomes: the outcomes before, and what the link has to be for them.
  package func rows(_ goal: OutcomeSet, _ table: OperandTable) -> [(left: OutcomeSet, right: Right)]
  {
    switch self {
    case .operand(_, isFirst: true): return [(.all, .outcomes(goal))]
    case .operand(_, isFirst: false):
      return table.rows(goal).map { ($0.left, .outcomes($0.right)) }
    case .group(let level, let runs):
      return left(goal, table).map { left in
        let branches = runs.map { run in
          Diagram.Run(
            start: UInt32(clamping: run.start),
            target: run.change.left(goal) == left ? .everyone : .none)
        }
        return (left, .runs(level: level, branches))
      }
    }
  }

  /// The outcomes before in each of the ways.
  package func left(_ goal: OutcomeSet, _ table: OperandTable) -> [OutcomeSet] {
    switch self {
    case .operand(_, isFirst: true): return [.all]
    case .operand(_, isFirst: false): return table.rows(goal).map { $0.left }
    case .group(_, let runs):
      var found: [OutcomeSet] = []
      for run in runs {
        let left = run.change.left(goal)
        if !left.isEmpty, !found.contains(left) { found.append(left) }
      }
      return found
    }
  }

  /// The runs of conditions and of those after them.
  package static func joined(_ first: [Run], _ second: [Run]) -> [Run] {
    var result: [Run] = []
    result.reserveCapacity(first.count + second.count)
    var i = 0
    var j = 0
    var start = 0
    while i < first.count, j < second.count {
      let change = first[i].change.then(second[j].change)
      if result.last?.change != change { result.append(Run(start: start, change: change)) }
      let nextFirst = i + 1 < first.count ? first[i + 1].start : .max
      let nextSecond = j + 1 < second.count ? second[j + 1].start : .max
      start = min(nextFirst, nextSecond)
      if start == .max { break }
      if nextFirst == start { i += 1 }
      if nextSecond == start { j += 1 }
    }
    return result
  }
}
