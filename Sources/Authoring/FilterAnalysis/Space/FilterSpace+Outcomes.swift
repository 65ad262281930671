package import ExpressionEngine

/// Adjacent classes for which a condition has the same outcome.
package struct OutcomeRun: Equatable {
  /// The first class.
  package let start: Int
  package let outcome: Outcome
}

// The outcomes of conditions, and the users for each outcome.

extension FilterSpace {
  /// A filter as the engine runs it.
  package func compiled(_ number: Int) -> Filter? {
    evaluationsLeft -= 1
    if let known = compiledFilters[number] { return known }
    let text = filters[number].text
    evaluationsLeft -= 20 + text.utf8.count / 8
    let compiled = try? Filter(text, environment: environment)
    if compiledFilters.count < Self.keptPrograms { compiledFilters[number] = compiled }
    return compiled
  }

  /// The outcome of a condition that the engine computes.
  package func outcome(of number: Int, _ context: Context) -> Outcome {
    fragment(number).map { Outcome($0, context) } ?? .failure
  }

  private func fragment(_ number: Int) -> CompiledFragment? {
    if let known = fragments[number] { return known }
    guard let (tree, node) = conditions[number].place else { return nil }
    let fragment = try? CompiledFragment(tree, node, environment: environment)
    if fragments.count < Self.keptPrograms { fragments[number] = fragment }
    return fragment
  }

  /// The most compiled filters and conditions that are kept; the others are compiled again.
  package static let keptPrograms = 8_192

  /// The context of a user of whom one source is known.
  private func context(_ source: Int, _ number: Int) -> Context {
    let place = ClassPlace(source: source, number: number)
    if let known = contexts[place] { return known }
    var draft = UserDraft()
    draft.set(sources[source], to: partitions[source].classes[number])
    let context = draft.context
    if contexts.count < Self.keptContexts { contexts[place] = context }
    return context
  }

  private static let keptContexts = 10_000

  /// The outcomes of a condition about one source, in the order of the classes.
  package func outcomes(of number: Int, source: Int) throws(Diagram.TooLarge) -> [OutcomeRun] {
    if let known = outcomes[number] { return known }
    let condition = conditions[number]
    let asked = partitions[source].askedClasses(for: condition, source)
    try diagram.spend(asked.count * Self.stepsOfEvaluation)
    let fragment = fragment(number)
    let runs = self.runs(source, asked) { context in
      fragment.map { Outcome($0, context) } ?? .failure
    }
    outcomes[number] = runs
    return runs
  }

  /// The steps that an evaluation counts as.
  private static let stepsOfEvaluation = 50

  /// The outcomes that a question has for some classes of a source, as runs.
  private func runs(
    _ source: Int, _ asked: [Int], _ outcome: (Context) -> Outcome
  ) -> [OutcomeRun] {
    var runs: [OutcomeRun] = []
    for index in asked {
      let outcome = outcome(context(source, index))
      if runs.last?.outcome != outcome { runs.append(OutcomeRun(start: index, outcome: outcome)) }
    }
    return runs
  }

  /// The outcomes of a condition that no filter has, for each class of a source.
  package func outcomes(
    of fragment: CompiledFragment, source: Int
  ) throws(Diagram.TooLarge) -> [Outcome] {
    let classes = partitions[source].classes.indices
    try diagram.spend(classes.count * Self.stepsOfEvaluation)
    return classes.map { Outcome(fragment, context(source, $0)) }
  }

  /// The outcome of a condition about one source for a class.
  package func outcome(
    of number: Int, source: Int, class index: Int
  ) throws(Diagram.TooLarge) -> Outcome? {
    try outcomes(of: number, source: source).last { $0.start <= index }?.outcome
  }

  /// Whether a condition may fail for anybody.
  package func mayFail(_ number: Int) -> Bool {
    let condition = conditions[number]
    guard condition.reason == nil, condition.reads.count == 1 else { return true }
    let outcomes = try? outcomes(of: number, source: condition.reads[0])
    return outcomes?.contains { $0.outcome == .failure } ?? true
  }

  /// The users for whom a condition has one of some outcomes.
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
      let outcome = outcome(of: number, UserDraft().context)
      return goal.contains(outcome) ? .everyone : .none
    }
    if condition.reads.count == 1 {
      let source = condition.reads[0]
      let runs = try outcomes(of: number, source: source).map { run in
        Diagram.Run(
          start: UInt32(truncatingIfNeeded: run.start),
          target: goal.contains(run.outcome) ? .everyone : .none)
      }
      guard !runs.isEmpty else { return .none }
      return try diagram.node(level: levelOfSource[source], runs)
    }
    let reads = condition.reads.sorted { levelOfSource[$0] < levelOfSource[$1] }
    return try joint(number, reads[...], UserDraft(), goal)
  }

  private func joint(
    _ number: Int, _ reads: ArraySlice<Int>, _ draft: UserDraft, _ goal: OutcomeSet
  ) throws(Diagram.TooLarge) -> Diagram.Node {
    guard let source = reads.first else {
      try diagram.spend(Self.stepsOfEvaluation)
      return goal.contains(outcome(of: number, draft.context)) ? .everyone : .none
    }
    var branches: [Diagram.Run] = []
    for (index, valueClass) in partitions[source].classes.enumerated() {
      var draft = draft
      draft.set(sources[source], to: valueClass)
      branches.append(
        Diagram.Run(
          start: UInt32(truncatingIfNeeded: index),
          target: try joint(number, reads.dropFirst(), draft, goal)))
    }
    return try diagram.node(level: levelOfSource[source], branches)
  }
}

extension Partition {
  /// The classes that a condition has to be evaluated for, in order: between two of the constants
  /// that it compares a number or a text with, its outcome is the same.
  package func askedClasses(for condition: Condition, _ source: Int) -> [Int] {
    guard !condition.asksEachClass else { return Array(classes.indices) }
    return askedClasses(for: condition.needs[source] ?? Needs())
  }

  /// The same for a condition with some needs.
  func askedClasses(for needs: Needs) -> [Int] {
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
      } else if index == searchedTexts.lowerBound, needs.suffixes.isEmpty, needs.infixes.isEmpty,
        needs.sizes.isSubset(of: [0]), !searchedTexts.isEmpty
      {
        asked += askedSearchedTexts(needs)
        index = searchedTexts.upperBound
      } else {
        asked.append(index)
        index += 1
      }
    }
    return asked
  }

  /// The classes where texts with a prefix begin or end, and those beside constants: classes that
  /// are told apart by searches lie in the order of their texts, too.
  private func askedSearchedTexts(_ needs: Needs) -> [Int] {
    var asked: Set<Int> = [searchedTexts.lowerBound]
    for text in needs.texts.union([[]]) {
      let first = firstSearchedText { !$0.lexicographicallyPrecedes(text) }
      asked.formUnion([first, first + 1])
    }
    for prefix in needs.prefixes {
      asked.insert(firstSearchedText { !$0.lexicographicallyPrecedes(prefix) })
      asked.insert(
        firstSearchedText { !$0.lexicographicallyPrecedes(prefix) && !$0.starts(with: prefix) })
    }
    return asked.filter { searchedTexts.contains($0) }.sorted()
  }

  /// The first class of texts that a condition holds for, which holds for all after it.
  private func firstSearchedText(
    where holds: (LazyMapSequence<String.UnicodeScalarView, UInt32>) -> Bool
  ) -> Int {
    var (low, high) = (searchedTexts.lowerBound, searchedTexts.upperBound)
    while low < high {
      let middle = (low + high) / 2
      guard case .string(let text)? = classes[middle].value else { return middle }
      if holds(text.unicodeScalars.lazy.map { $0.value }) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
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
