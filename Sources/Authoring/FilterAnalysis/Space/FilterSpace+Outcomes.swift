package import ExpressionEngine

/// Classes beside each other for which a condition comes to the same.
package struct OutcomeRun: Equatable {
  /// The first class.
  package let start: Int
  package let outcome: Outcome
}

// The outcomes of conditions, and the users for whom they come to them.

extension FilterSpace {
  /// The context of a user of whom one source is known.
  package func context(_ source: Int, _ number: Int) -> Context {
    if let known = contexts[source][number] { return known }
    var draft = UserDraft()
    draft.set(sources[source], to: partitions[source].classes[number])
    contexts[source][number] = draft.context
    return draft.context
  }

  /// The outcomes of a condition about one source, in the order of the classes.
  package func outcomes(of number: Int, source: Int) -> [OutcomeRun] {
    if let known = outcomes[number] { return known }
    let condition = conditions[number]
    var runs: [OutcomeRun] = []
    for index in partitions[source].askedClasses(for: condition, source) {
      let outcome = condition.outcome(context(source, index))
      if runs.last?.outcome != outcome { runs.append(OutcomeRun(start: index, outcome: outcome)) }
    }
    outcomes[number] = runs
    return runs
  }

  /// The outcome of a condition about one source for a class.
  package func outcome(of number: Int, source: Int, class index: Int) -> Outcome? {
    outcomes(of: number, source: source).last { $0.start <= index }?.outcome
  }

  /// Whether a condition may fail for anybody.
  package func mayFail(_ number: Int) -> Bool {
    let condition = conditions[number]
    guard condition.reason == nil, condition.reads.count == 1 else { return true }
    return outcomes(of: number, source: condition.reads[0]).contains { $0.outcome == .failure }
  }

  /// The users for whom a condition comes to one of some outcomes.
  package func users(condition number: Int, where goal: OutcomeSet) throws(Diagram.TooLarge)
    -> Diagram.Node
  {
    let place = number * OutcomeSet.count + Int(goal.rawValue)
    if let known = conditionSets[place] { return known }
    let node = try makeUsers(condition: number, where: goal)
    conditionSets[place] = node
    return node
  }

  private func makeUsers(
    condition number: Int, where goal: OutcomeSet
  ) throws(Diagram.TooLarge) -> Diagram.Node {
    let condition = conditions[number]
    if let level = levelOfFree[number], let outcomes = freeOutcomes[number] {
      return try diagram.node(level: level, where: outcomes.map { goal.contains($0) })
    }
    if condition.reads.isEmpty {
      let outcome = condition.outcome(UserDraft().context)
      return goal.contains(outcome) ? .everyone : .none
    }
    if condition.reads.count == 1 {
      let source = condition.reads[0]
      let runs = outcomes(of: number, source: source).map { run in
        Diagram.Run(
          start: UInt32(truncatingIfNeeded: run.start),
          target: goal.contains(run.outcome) ? .everyone : .none)
      }
      guard !runs.isEmpty else { return .none }
      return try diagram.node(level: levelOfSource[source], runs)
    }
    let reads = condition.reads.sorted { levelOfSource[$0] < levelOfSource[$1] }
    return try joint(condition, reads[...], UserDraft(), goal)
  }

  private func joint(
    _ condition: Condition, _ reads: ArraySlice<Int>, _ draft: UserDraft, _ goal: OutcomeSet
  ) throws(Diagram.TooLarge) -> Diagram.Node {
    guard let source = reads.first else {
      return goal.contains(condition.outcome(draft.context)) ? .everyone : .none
    }
    var branches: [Diagram.Run] = []
    for (index, valueClass) in partitions[source].classes.enumerated() {
      var draft = draft
      draft.set(sources[source], to: valueClass)
      branches.append(
        Diagram.Run(
          start: UInt32(truncatingIfNeeded: index),
          target: try joint(condition, reads.dropFirst(), draft, goal)))
    }
    return try diagram.node(level: levelOfSource[source], branches)
  }
}

extension Partition {
  /// The classes that a condition has to be evaluated for, in order: between two of the constants that
  /// it compares a number or a text with, it comes to the same.
  package func askedClasses(for condition: Condition, _ source: Int) -> [Int] {
    guard !condition.asksEachClass else { return Array(classes.indices) }
    let needs = condition.needs[source] ?? Needs()
    var asked: [Int] = []
    var index = 0
    while index < classes.count {
      if index == numbers.lowerBound, !numbers.isEmpty {
        asked += Self.asked(numbers, numberCells, needs.numbers, <)
        index = numbers.upperBound
      } else if index == texts.lowerBound, !texts.isEmpty {
        // The empty text has a size of its own.
        let points = needs.sizes.isEmpty ? needs.texts : needs.texts.union([[]])
        asked += Self.asked(texts, textCells, points) { $0.lexicographicallyPrecedes($1) }
        index = texts.upperBound
      } else {
        asked.append(index)
        index += 1
      }
    }
    return asked
  }

  /// The first of some ordered classes, and those where one of some points begins or ends.
  private static func asked<Bound: Hashable>(
    _ range: Range<Int>, _ cells: [Cell<Bound>], _ points: Set<Bound>,
    _ precedes: (Bound, Bound) -> Bool
  ) -> [Int] {
    var offsets: Set<Int> = [0]
    for point in points {
      // The first class that does not lie below the point.
      var low = 0
      var high = cells.count
      while low < high {
        let middle = (low + high) / 2
        if let lower = cells[middle].lower, !precedes(lower, point) {
          high = middle
        } else {
          low = middle + 1
        }
      }
      offsets.insert(low)
      if low < cells.count, cells[low].isPoint, cells[low].lower == point {
        offsets.insert(low + 1)
      }
    }
    return offsets.filter { $0 < cells.count }.sorted().map { range.lowerBound + $0 }
  }
}
