package import ExpressionEngine
package import ExpressionSyntax

/// All filters of one or two configs with the values that they read, cut into classes, and the sets
/// of users that they select.
///
/// Add all filters first, then call ``cut()``, then ask.
package final class FilterSpace {
  /// The question that the diagrams ask at one level.
  package enum Level: Equatable {
    case source(Int)
    /// The outcome of a condition that is treated as unknown.
    case free(Int)
  }

  package let dialect: Dialect.Name
  package let rules: HistoryRules
  package let environment: FilterEnvironment
  package let connectives: Connectives
  package let schema: AttributeSchema?
  package let limits: AnalysisLimits
  /// Whether attributes that the schema does not call optional are always there.
  package let trustsSchema: Bool

  package var filters: [OutlinedFilter] = []
  package var conditions: [Condition] = []
  package var sources: [Source] = []
  package var domains: [Domain] = []
  package var partitions: [Partition] = []
  package var levels: [Level] = []
  /// The classes of each level; those of a free condition are its outcomes.
  package var classes: [[ValueClass]] = []
  package var levelOfSource: [Int] = []
  package var levelOfFree: [Int: Int] = [:]
  package var freeOutcomes: [Int: [Outcome]] = [:]
  /// The constraints that hold for all users, whatever the filters are.
  package var constraints: [Diagram.Node] = []
  /// The class of each level that a user has who need not have any other.
  package var defaults: [Int] = []
  /// The least cost of a class, by level.
  package var leastCosts: [Int] = []
  package var diagram: Diagram

  private var sourceNumbers: [Source: Int] = [:]
  private var conditionNumbers: [ConditionKey: Int] = [:]
  private var filterNumbers: [FilterKey: Int?] = [:]
  private var writtenConditions: [WrittenCondition: Int] = [:]
  /// The number of nodes of all trees.
  private var nodeCount = 0
  /// Users of whom one source is known, as many as are kept.
  package var contexts: [ClassPlace: Context] = [:]
  /// The outcomes of each condition about one source, once they were asked for.
  package var outcomes: [[OutcomeRun]?] = []
  /// The users of each condition, by the bits of the outcomes, once they were asked for.
  package var conditionSets: [Int: Diagram.Node] = [:]

  /// The number of evaluations that are left for finding witnesses.
  package var evaluationsLeft = 4_000_000
  /// Compiled filters and conditions by number, as many as are kept.
  package var compiledFilters: [Int: Filter] = [:]
  package var fragments: [Int: CompiledFragment] = [:]

  /// A class of a source.
  package struct ClassPlace: Hashable {
    let source: Int
    let number: Int
  }

  private struct ConditionKey: Hashable {
    let text: [UInt8]
    let reads: [Int]
  }

  /// A condition as it is written, which is the same in every place.
  private struct WrittenCondition: Hashable {
    let text: [UInt8]
    let legacyKeys: Set<String>
  }

  private struct PartitionKey: Hashable {
    let needs: Needs
    let domain: Domain
  }

  private struct FilterKey: Hashable {
    let text: [UInt8]
    let legacyKeys: Set<String>
  }

  /// - Parameters:
  ///   - environment: The environment of the filters, which are added afterwards. Functions that
  ///     read the history are replaced.
  ///   - rules: The rules by which the platform reads its history.
  ///   - schema: The attributes; `nil` if they are not known.
  ///   - limits: How much work it may be.
  ///   - trustsSchema: Whether attributes that the schema does not call optional are always there.
  package init(
    _ environment: FilterEnvironment, rules: HistoryRules = HistoryRules(),
    schema: AttributeSchema?, limits: AnalysisLimits, trustsSchema: Bool = false
  ) {
    self.trustsSchema = trustsSchema
    dialect = environment.dialect.name
    self.rules = rules
    self.schema = schema
    self.limits = limits
    self.environment = HistoryAnswers.environment(environment, rules: rules)
    connectives = .of(dialect)
    diagram = Diagram(
      Diagram.Limits(nodes: limits.nodes, branches: limits.branches, steps: limits.steps))
  }

  // MARK: Filters

  /// Adds a filter.
  ///
  /// - Returns: Its number; `nil` for a text that does not compile.
  package func add(_ text: String, legacyKeys: Set<String>) -> Int? {
    let key = FilterKey(text: Array(text.utf8), legacyKeys: legacyKeys)
    if let known = filterNumbers[key] { return known }
    let number = read(text, legacyKeys)
    filterNumbers[key] = .some(number)
    return number
  }

  private func read(_ text: String, _ legacyKeys: Set<String>) -> Int? {
    let parsed = ParsedFilter(SourceText(text), environment: environment)
    guard let tree = parsed.tree, let compiled = parsed.filter else { return nil }
    let number = add(tree, text, legacyKeys: legacyKeys)
    if compiledFilters.count < Self.keptPrograms { compiledFilters[number] = compiled }
    return number
  }

  /// Adds a filter that is parsed already, and compiles.
  ///
  /// - Returns: Its number.
  package func add(
    _ tree: SyntaxTree, _ text: String, legacyKeys: Set<String> = []
  ) -> Int {
    nodeCount += tree.nodes.count
    // A tree has several nodes for each condition.
    guard nodeCount <= limits.conditions * Self.nodesPerCondition,
      conditions.count < limits.conditions
    else { return addWhole(tree, text) }
    let outline = FilterOutline(tree, environment: environment)
    let formula = outline.formula(tree.root) { self.condition(outline, $0, legacyKeys) }
    filters.append(OutlinedFilter(text: text, tree: tree, formula: formula))
    return filters.count - 1
  }

  private static let nodesPerCondition = 12

  /// Adds a filter as one condition that may be anything, without its tree.
  private func addWhole(_ tree: SyntaxTree, _ text: String) -> Int {
    conditions.append(
      Condition(
        text: text, reads: [], needs: [:], reason: .size, place: nil, possible: .all))
    var root = tree[tree.root]
    root.kind = .boolLiteral
    let leaf = SyntaxTree(
      source: tree.source, dialect: tree.dialect, nodes: [root], children: [],
      comments: [])
    filters.append(
      OutlinedFilter(
        text: text, tree: leaf,
        formula: Formula(kind: .condition(conditions.count - 1), node: leaf.root, children: [])))
    return filters.count - 1
  }

  private func condition(
    _ outline: FilterOutline, _ node: NodeID, _ legacyKeys: Set<String>
  ) -> Int {
    let tree = outline.tree
    let written = WrittenCondition(
      text: Array(tree.source.text(of: tree[node].span).utf8), legacyKeys: legacyKeys)
    if let known = writtenConditions[written] { return known }
    let number = readCondition(outline, node, written)
    writtenConditions[written] = number
    return number
  }

  private func readCondition(
    _ outline: FilterOutline, _ node: NodeID, _ written: WrittenCondition
  ) -> Int {
    let tree = outline.tree
    let scan = ConditionScan(outline, node, legacyKeys: written.legacyKeys)
    let reads = scan.reads.map { number(of: $0) }
    let key = ConditionKey(text: written.text, reads: reads)
    if let known = conditionNumbers[key] { return known }
    var needs: [Int: Needs] = [:]
    for (source, needed) in scan.needs { needs[number(of: source)] = needed }
    let index = conditions.count
    conditionNumbers[key] = index
    let fragment = try? CompiledFragment(tree, node, environment: environment)
    if fragments.count < Self.keptPrograms { fragments[index] = fragment }
    conditions.append(
      Condition(
        text: tree.text(ofNode: node), reads: reads, needs: needs,
        reason: fragment == nil ? .depth : scan.reason,
        place: fragment == nil ? nil : (tree, node), possible: Self.possible(outline, node)))
    return index
  }

  /// The outcomes that a condition can have, by its form alone.
  private static func possible(_ outline: FilterOutline, _ id: NodeID) -> OutcomeSet {
    let isBool =
      switch outline.shape(of: id) {
      case .comparison, .presence, .search, .loop: true
      case .call(let name, _): ["matches", "all", "exists", "exists_one"].contains(name)
      default: false
      }
    return isBool ? [OutcomeSet(.true), OutcomeSet(.false), .failure] : .all
  }

  private func number(of source: Source) -> Int {
    if let known = sourceNumbers[source] { return known }
    sourceNumbers[source] = sources.count
    sources.append(source)
    domains.append(
      Domain(source, schema: schema, rules: rules, trustsSchema: trustsSchema))
    return sources.count - 1
  }

  // MARK: Classes

  /// Cuts the values into classes. No filter may be added afterwards.
  ///
  /// - Parameter cutsNeighbours: Whether the numbers beside each constant are classes of their own.
  package func cut(cutsNeighbours: Bool = false) {
    freeWholeObjects()
    cutSources(cutsNeighbours: cutsNeighbours)
    freeJointConditions()
    orderLevels()
    outcomes = conditions.map { _ in nil }
    for (level, kind) in levels.enumerated() {
      switch kind {
      case .source:
        let missing = classes[level].firstIndex { $0.kind == .missing }
        defaults.append(missing ?? Self.cheapest(classes[level]))
      case .free: defaults.append(Self.cheapest(classes[level]))
      }
      leastCosts.append(classes[level].map { $0.cost }.min() ?? 0)
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
          || (source.path.names.isEmpty && AttributeRoots.contains(source.path.root))
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
    // Attributes that are compared with the same things are cut alike.
    var known: [PartitionKey: Partition] = [:]
    var budget = ClassBudget(
      steps: Self.cutSources * Partition.steps(searchLimit: limits.classes))
    var isTooFine = [Bool](repeating: false, count: sources.count)
    for source in sources.indices {
      let key = PartitionKey(needs: needs[source], domain: domains[source])
      if let partition = known[key] {
        partitions.append(partition)
        continue
      }
      do throws(Partition.TooManyClasses) {
        let partition = try Partition(
          key.needs, key.domain, dialect: dialect, searchLimit: limits.classes, &budget)
        known[key] = partition
        partitions.append(partition)
      } catch {
        isTooFine[source] = true
        partitions.append(kinds(of: domains[source], &known))
      }
    }
    for index in conditions.indices where conditions[index].reason == nil {
      guard conditions[index].reads.contains(where: { isTooFine[$0] }) else { continue }
      conditions[index].reason = .tooManyClasses
    }
  }

  /// The number of sources that may be cut into as many classes as one may have.
  private static let cutSources = 4

  /// The partition of a source that nothing is compared with: only the kinds, which are few; a
  /// range may be enumerated.
  private func kinds(of domain: Domain, _ known: inout [PartitionKey: Partition]) -> Partition {
    let key = PartitionKey(needs: Needs(), domain: domain)
    if let partition = known[key] { return partition }
    var budget = ClassBudget(steps: Partition.steps(searchLimit: limits.classes))
    let partition =
      (try? Partition(
        key.needs, domain, dialect: dialect, searchLimit: limits.classes, &budget))
      ?? Partition.empty
    known[key] = partition
    return partition
  }

  /// Conditions that read several sources are looked at for each combination of classes, if these
  /// are few; so are those that nothing can be said of but whose sources have few values.
  private func freeJointConditions() {
    for index in conditions.indices {
      let condition = conditions[index]
      let count = condition.reads.reduce(1) { product, source in
        product > limits.combinations ? product : product * partitions[source].classes.count
      }
      if condition.reason == nil {
        if condition.reads.count > 1, count > limits.combinations {
          conditions[index].reason = .tooManyClasses
        }
      } else if condition.reason != .wholeObject, condition.reason != .function,
        !condition.reads.isEmpty, count <= limits.combinations,
        condition.reads.allSatisfy({ domains[$0].isEnumerated })
      {
        conditions[index].reason = nil
        conditions[index].asksEachClass = true
      }
    }
  }

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
      let outcomes = Array(condition.possible.members)
      freeOutcomes[index] = outcomes
      classes.append(
        outcomes.map { outcome in
          let cost = outcome == .false ? 5 : outcome == .true ? 6 : 20
          return ValueClass(kind: .outcome, value: nil, cost: cost, isSingle: true)
        })
    }
  }
}
