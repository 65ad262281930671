import AudienceFilters
import ExpressionEngine
import ExpressionSyntax

/// All filters of one or two configs with the values that they read, cut into classes, and the sets of
/// users that they select.
///
/// Add all filters first, then call ``cut()``, then ask.
final class FilterSpace {
  /// The question that the diagrams ask at one level.
  enum Level: Equatable {
    case source(Int)
    /// The outcome of a condition that is taken as free.
    case free(Int)
  }

  let dialect: Dialect.Name
  let environment: FilterEnvironment
  let connectives: Connectives
  let schema: AttributeSchema?
  let limits: AnalysisLimits

  var filters: [AnalyzedFilter] = []
  var conditions: [Condition] = []
  var sources: [Source] = []
  var domains: [Domain] = []
  var partitions: [Partition] = []
  var levels: [Level] = []
  /// The classes of each level; those of a free condition are its outcomes.
  var classes: [[ValueClass]] = []
  var levelOfSource: [Int] = []
  var levelOfFree: [Int: Int] = [:]
  var freeOutcomes: [Int: [Outcome]] = [:]
  /// The constraints that hold for all users, whatever the filters are.
  var constraints: [Diagram.Node] = []
  /// The class of each level that a user has who need not have any other.
  var defaults: [Int] = []
  /// The least cost of a class, by level.
  var leastCosts: [Int] = []
  var diagram: Diagram

  private var sourceNumbers: [Source: Int] = [:]
  private var conditionNumbers: [ConditionKey: Int] = [:]
  private var filterNumbers: [FilterKey: Int?] = [:]
  private var contexts: [[Context?]] = []
  private var outcomes: [Int: [Outcome]] = [:]
  private var conditionSets: [ConditionSetKey: Diagram.Node] = [:]

  private struct ConditionKey: Hashable {
    let text: [UInt8]
    let reads: [Int]
  }

  private struct FilterKey: Hashable {
    let text: [UInt8]
    let legacyKeys: Set<String>
  }

  private struct ConditionSetKey: Hashable {
    let condition: Int
    let goal: OutcomeSet
  }

  init(dialect: Dialect.Name, schema: AttributeSchema?, limits: AnalysisLimits) {
    self.dialect = dialect
    self.schema = schema
    self.limits = limits
    environment = HistoryAnswers.environment(dialect: dialect)
    connectives = .of(dialect)
    diagram = Diagram(limit: limits.nodes)
  }

  // MARK: Filters

  /// Adds a filter.
  ///
  /// - Returns: Its number; `nil` for a text that does not compile.
  func add(_ text: String, legacyKeys: Set<String>) -> Int? {
    let key = FilterKey(text: Array(text.utf8), legacyKeys: legacyKeys)
    if let known = filterNumbers[key] { return known }
    let number = read(text, legacyKeys)
    filterNumbers[key] = .some(number)
    return number
  }

  private func read(_ text: String, _ legacyKeys: Set<String>) -> Int? {
    guard let tree = try? parse(SourceText(text), dialect: environment.dialect),
      (try? CompiledFragment(tree, tree.root, environment: environment)) != nil
    else { return nil }
    let reader = FormulaReader(tree: tree) { self.condition(tree, $0, legacyKeys) }
    filters.append(AnalyzedFilter(tree: tree, formula: reader.formula(tree.root)))
    return filters.count - 1
  }

  private func condition(_ tree: SyntaxTree, _ node: NodeID, _ legacyKeys: Set<String>) -> Int {
    let scan = ConditionScan(tree, node, environment: environment, legacyKeys: legacyKeys)
    let reads = scan.reads.map { number(of: $0) }
    let key = ConditionKey(text: Array(tree.source.bytes(of: tree[node].span)), reads: reads)
    if let known = conditionNumbers[key] { return known }
    var needs: [Int: Needs] = [:]
    for (source, needed) in scan.needs { needs[number(of: source)] = needed }
    let index = conditions.count
    conditionNumbers[key] = index
    let fragment = try? CompiledFragment(tree, node, environment: environment)
    conditions.append(
      Condition(
        text: tree.text(ofNode: node), reads: reads, needs: needs,
        reason: fragment == nil ? .depth : scan.reason,
        fragment: fragment, possible: Self.possible(tree, node)))
    return index
  }

  /// The outcomes that a condition can have, by its form alone.
  private static func possible(_ tree: SyntaxTree, _ id: NodeID) -> OutcomeSet {
    let node = tree[id]
    let bools: Set<String> = [
      "has", "startsWith", "endsWith", "contains", "matches", "all", "exists", "exists_one",
    ]
    let isBool =
      node.op.isComparison || (node.kind == .call && bools.contains(tree.name(of: node)))
    return isBool ? [OutcomeSet(.true), OutcomeSet(.false), .failure] : .all
  }

  private func number(of source: Source) -> Int {
    if let known = sourceNumbers[source] { return known }
    sourceNumbers[source] = sources.count
    sources.append(source)
    domains.append(Domain(source, schema: schema))
    return sources.count - 1
  }

  // MARK: Classes

  /// Cuts the values into classes. No filter may be added afterwards.
  ///
  /// - Parameter cutsNeighbours: Whether the numbers beside each constant are classes of their own.
  func cut(cutsNeighbours: Bool = false) {
    freeWholeObjects()
    cutSources(cutsNeighbours: cutsNeighbours)
    freeJointConditions()
    orderLevels()
    contexts = partitions.map { $0.classes.map { _ in nil } }
    for (level, kind) in levels.enumerated() {
      switch kind {
      case .source:
        let missing = classes[level].firstIndex { $0.kind == .missing }
        defaults.append(missing ?? Self.cheapest(classes[level]))
      case .free: defaults.append(Self.cheapest(classes[level]))
      }
      leastCosts.append(classes[level].map(\.cost).min() ?? 0)
    }
    addConstraints()
  }

  private static func cheapest(_ classes: [ValueClass]) -> Int {
    classes.indices.min { classes[$0].cost < classes[$1].cost } ?? 0
  }

  /// A condition that reads an object whose members others read is not independent of those.
  private func freeWholeObjects() {
    var prefixes: Set<AttributePath> = []
    for source in sources where source.kind == .attribute {
      var names = source.path.names
      while !names.isEmpty {
        names.removeLast()
        prefixes.insert(AttributePath(root: source.path.root, names: names))
      }
    }
    for index in conditions.indices where conditions[index].reason == nil {
      let readsWhole = conditions[index].reads.contains { number in
        let source = sources[number]
        guard source.kind == .attribute else { return false }
        return prefixes.contains(source.path)
          || (source.path.names.isEmpty && Source.roots.contains(source.path.root))
      }
      if readsWhole { conditions[index].reason = .wholeObject }
    }
  }

  private func cutSources(cutsNeighbours: Bool) {
    var needs = [Needs](repeating: Needs(), count: sources.count)
    for condition in conditions where condition.reason == nil {
      for (source, needed) in condition.needs { needs[source].formUnion(needed) }
    }
    if cutsNeighbours { for source in needs.indices { needs[source].addNeighbours() } }
    for source in sources.indices {
      do throws(Partition.TooManyClasses) {
        partitions.append(try Partition(needs[source], domains[source], dialect: dialect))
      } catch {
        for index in conditions.indices
        where conditions[index].reason == nil && conditions[index].reads.contains(source) {
          conditions[index].reason = .tooManyClasses
        }
        // Without needs there are only the kinds, which are few; a range may be enumerated.
        partitions.append(
          (try? Partition(Needs(), domains[source], dialect: dialect)) ?? Partition.empty)
      }
    }
  }

  /// Conditions that read several sources are looked at for each combination of classes, if these are
  /// few; so are those that nothing can be said of but whose sources have few values.
  private func freeJointConditions() {
    for index in conditions.indices {
      let condition = conditions[index]
      let count = condition.reads.reduce(1) { product, source in
        product > Self.jointLimit ? product : product * partitions[source].classes.count
      }
      if condition.reason == nil {
        if condition.reads.count > 1, count > Self.jointLimit {
          conditions[index].reason = .tooManyClasses
        }
      } else if condition.reason != .wholeObject, condition.reason != .function,
        !condition.reads.isEmpty, count <= Self.jointLimit,
        condition.reads.allSatisfy({ domains[$0].isEnumerated })
      {
        conditions[index].reason = nil
        conditions[index].asksEachClass = true
      }
    }
  }

  /// The most combinations of classes that one condition is looked at for.
  private static let jointLimit = 20_000

  /// Sources that many conditions read come first, free conditions last.
  private func orderLevels() {
    var uses = [Int](repeating: 0, count: sources.count)
    for condition in conditions where condition.reason == nil {
      for source in condition.reads { uses[source] += 1 }
    }
    let order = sources.indices.sorted { (uses[$1], $0) < (uses[$0], $1) }
    levelOfSource = [Int](repeating: 0, count: sources.count)
    for source in order {
      levelOfSource[source] = levels.count
      levels.append(.source(source))
      classes.append(partitions[source].classes)
    }
    for (index, condition) in conditions.enumerated() where condition.reason != nil {
      levelOfFree[index] = levels.count
      levels.append(.free(index))
      let outcomes = Outcome.allCases.filter { condition.possible.contains($0) }
      freeOutcomes[index] = outcomes
      classes.append(
        outcomes.map { outcome in
          let cost = outcome == .false ? 5 : outcome == .true ? 6 : 20
          return ValueClass(kind: .outcome, value: nil, cost: cost, isSingle: true)
        })
    }
  }

  // MARK: Outcomes

  /// The context of a user of whom one source is known.
  func context(_ source: Int, _ number: Int) -> Context {
    if let known = contexts[source][number] { return known }
    var draft = UserDraft()
    draft.set(sources[source], to: partitions[source].classes[number])
    contexts[source][number] = draft.context
    return draft.context
  }

  /// The outcomes of a condition about one source, by class.
  func outcomes(of number: Int, source: Int) -> [Outcome] {
    if let known = outcomes[number] { return known }
    let condition = conditions[number]
    let partition = partitions[source]
    let isOrdered = !condition.asksEachClass
    func ask(_ index: Int) -> Outcome { condition.outcome(context(source, index)) }
    var result: [Outcome] = []
    result.reserveCapacity(partition.classes.count)
    let needs = condition.needs[source] ?? Needs()
    // The empty text has a size of its own.
    let ownTexts = needs.sizes.isEmpty ? needs.texts : needs.texts.union([[]])
    var last: Outcome?
    for index in partition.classes.indices {
      // Between two of the condition's own constants nothing changes.
      if isOrdered, partition.numbers.contains(index) {
        let cell = partition.numberCells[index - partition.numbers.lowerBound]
        let isOwn = cell.isPoint && cell.lower.map(needs.numbers.contains) ?? false
        if index == partition.numbers.lowerBound { last = nil }
        let outcome = isOwn ? ask(index) : last ?? ask(index)
        last = isOwn ? nil : outcome
        result.append(outcome)
      } else if isOrdered, partition.texts.contains(index) {
        let cell = partition.textCells[index - partition.texts.lowerBound]
        let isOwn = cell.isPoint && cell.lower.map(ownTexts.contains) ?? false
        if index == partition.texts.lowerBound { last = nil }
        let outcome = isOwn ? ask(index) : last ?? ask(index)
        last = isOwn ? nil : outcome
        result.append(outcome)
      } else {
        result.append(ask(index))
      }
    }
    outcomes[number] = result
    return result
  }

  /// The users for whom a condition comes to one of some outcomes.
  func users(condition number: Int, where goal: OutcomeSet) throws(Diagram.TooLarge) -> Diagram.Node
  {
    let key = ConditionSetKey(condition: number, goal: goal)
    if let known = conditionSets[key] { return known }
    let node = try makeUsers(condition: number, where: goal)
    conditionSets[key] = node
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
      let isIn = outcomes(of: number, source: source).map { goal.contains($0) }
      return try diagram.node(level: levelOfSource[source], where: isIn)
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

/// How much work an analysis may be.
public struct AnalysisLimits: Sendable, Hashable {
  /// The most nodes of all diagrams together.
  public var nodes: Int
  /// The most users that are looked at to settle one question.
  public var attempts: Int

  /// Creates limits.
  public init(nodes: Int = 1_000_000, attempts: Int = 2_000) {
    self.nodes = nodes
    self.attempts = attempts
  }
}
