/// The formulas of a set's filters, laid out for columns: a node has a bit for each user.
///
/// The nodes are those of a ``FilterGraphBuilder``. Conditions are computed from the columns of
/// their attributes, inner nodes from earlier ones.
///
/// Unchecked `Sendable`: nothing is written after `init`.
final class BatchPlan: @unchecked Sendable {
  /// A condition that holds at runs of positions.
  struct PositionCondition {
    let node: Int
    let runs: [ClosedRange<UInt32>]
    /// A byte for each position of the line, if there are many runs: 1 where the condition holds.
    let table: [UInt8]

    /// The number of runs from which a table is faster.
    static let manyRuns = 4

    init(node: Int, runs: [ClosedRange<UInt32>], places: UInt32) {
      self.node = node
      self.runs = runs
      var table: [UInt8] = []
      if runs.count >= Self.manyRuns {
        table = [UInt8](repeating: 0, count: Int(places))
        for run in runs { for position in run { table[Int(position)] = 1 } }
      }
      self.table = table
    }

    func holds(at position: UInt32) -> Bool { runs.contains { $0.contains(position) } }
  }

  struct TestCondition {
    let node: Int
    let test: AttributeTest
    let constant: Slot
    /// Whether the node is true where the test does not hold.
    let isOpposite: Bool
    /// Whether the condition is true of a missing attribute.
    let isInitial: Bool
    /// The node of the users for which the test fails, if filters depend on it.
    var failures: Int?
  }

  struct Attribute {
    let number: Int
    let path: AttributePath
    let reference: AttributeReference
    let line: ValueLine
    let texts: TextIndex
    let ints: IntIndex
    /// The code of a ``ComputedAttribute``; empty for an attribute of contexts.
    let code: [UInt32]
    var conditions: [PositionCondition] = []
    var tests: [TestCondition] = []
    /// The texts that tests look for in lists, and the tests of each of them.
    var members: TextIndex
    var memberTests: [[Int]] = []

    /// Whether values are read as the superscript dialect reads them.
    var isNormalized: Bool { reference.isSuperscript }

    /// Whether conditions depend on the attribute.
    var isUsed: Bool { !conditions.isEmpty || !tests.isEmpty }
  }

  /// A conjunction or disjunction of earlier nodes.
  struct Inner {
    let node: Int
    let isAnd: Bool
    let children: Range<Int>
  }

  /// Filters that must be evaluated for the users of a node, because a condition fails.
  struct Guard {
    let node: Int
    let filters: [Int]
  }

  let attributes: [Attribute]
  let inner: [Inner]
  let children: [UInt32]
  let nodeCount: Int
  /// The node of each filter.
  let roots: [Int]
  let guards: [Guard]
  /// The filters that must be evaluated when their formulas are true.
  let checked: [FilterGraph.CheckedFilter]
  let set: FilterSet
  /// The attributes that ``checked`` filters read; `nil` for all.
  let checkedPaths: Set<AttributePath>?
  /// The attributes that any filter may read when it is evaluated for one user; `nil` for all.
  let neededPaths: Set<AttributePath>?
  /// The memory of names and constants.
  private let arena: Arena

  /// The node that is always false, and the one that is always true.
  static let falseNode = 0
  static let trueNode = 1

  init(_ set: FilterSet) {
    self.set = set
    var checked: [FilterGraph.CheckedFilter] = []
    var builder = FilterSet.again { () throws(FilterError) in
      try set.read(0..<set.count, checks: false, guardsMissing: true, checked: &checked)
    }
    self.checked = checked
    var arena = Arena()
    swap(&arena, &builder.reader.arena)
    var layout = BatchPlanLayout(builder, &arena)
    layout.addGuards(builder)
    attributes = layout.attributes
    inner = layout.inner
    children = layout.children
    nodeCount = layout.nodeCount
    roots = builder.roots.map { layout.numbers[Int($0)] ?? Self.falseNode }
    guards = layout.guards
    checkedPaths = Self.paths(of: checked)
    neededPaths = checkedPaths?
      .union(layout.attributes.filter { $0.code.isEmpty }.map { $0.path })
    self.arena = arena
  }

  /// The attributes and variables that a filter reads; `nil` if it reads a whole layer.
  static func paths(of requirements: Requirements) -> [AttributePath]? {
    var paths: [AttributePath] = []
    for attribute in requirements.attributes {
      if let root = attribute.root {
        paths.append(AttributePath(root: root, names: [attribute.name]))
      } else if Root(layerNamed: attribute.name) != nil {
        return nil
      } else {
        paths.append(AttributePath(root: attribute.name))
      }
    }
    return paths
  }

  private static func paths(of checked: [FilterGraph.CheckedFilter]) -> Set<AttributePath>? {
    var paths: Set<AttributePath> = []
    for entry in checked {
      guard let own = Self.paths(of: entry.filter.requirements) else { return nil }
      paths.formUnion(own)
    }
    return paths
  }
}

/// Numbers the nodes that are needed, and sorts them by what they are computed from.
private struct BatchPlanLayout {
  var attributes: [BatchPlan.Attribute] = []
  var inner: [BatchPlan.Inner] = []
  var children: [UInt32] = []
  var guards: [BatchPlan.Guard] = []
  var numbers: [Int?]
  private(set) var nodeCount = 2

  init(_ builder: borrowing FilterGraphBuilder, _ arena: inout Arena) {
    numbers = [Int?](repeating: nil, count: builder.nodes.count)
    addAttributes(builder, &arena)
    let isLive = Self.liveNodes(builder)
    numbers[Int(GraphNodeTable.falseNode)] = BatchPlan.falseNode
    numbers[Int(GraphNodeTable.trueNode)] = BatchPlan.trueNode
    for id in numbers.indices where isLive[id] && numbers[id] == nil { add(id, builder) }
    for index in attributes.indices { indexMembers(index, &arena) }
  }

  private mutating func addAttributes(
    _ builder: borrowing FilterGraphBuilder, _ arena: inout Arena
  ) {
    for (number, line) in builder.lines.enumerated() {
      let reference = builder.reader.references[number]
      let root = Root.allCases[Int(reference.root) % ContextStorage.rootCount]
      let name = reference.name.isA(.string) ? reference.name.text : ""
      attributes.append(
        BatchPlan.Attribute(
          number: number,
          path: root == .other
            ? AttributePath(root: name) : AttributePath(root: root.name, names: [name]),
          reference: reference, line: line,
          texts: TextIndex(line.texts, in: &arena), ints: IntIndex(line),
          code: builder.reader.codes[number],
          members: TextIndex(UnsafeBufferPointer(start: nil, count: 0), in: &arena)))
    }
  }

  private static func liveNodes(_ builder: borrowing FilterGraphBuilder) -> [Bool] {
    var isLive = [Bool](repeating: false, count: builder.nodes.count)
    for root in builder.roots { isLive[Int(root)] = true }
    for entry in builder.reader.guards where entry.test != .max {
      isLive[Int(builder.conditionNodes[Int(entry.test)].node)] = true
    }
    for id in isLive.indices.reversed() where isLive[id] {
      for operand in builder.nodes[id].operands { isLive[Int(operand)] = true }
    }
    return isLive
  }

  private mutating func add(_ id: Int, _ builder: borrowing FilterGraphBuilder) {
    let node = nodeCount
    nodeCount += 1
    numbers[id] = node
    switch builder.nodes[id] {
    case .positions(let attribute, let positions):
      let places = attributes[attribute].line.count
      attributes[attribute].conditions.append(
        BatchPlan.PositionCondition(node: node, runs: Array(positions), places: places))
    case .test(let number):
      let condition = builder.reader.conditions[number]
      guard case .test(let test, let constant) = condition.claim else { return }
      attributes[Int(condition.attribute)].tests.append(
        BatchPlan.TestCondition(
          node: node, test: test, constant: constant.map { builder.texts[Int($0)] } ?? .null,
          isOpposite: condition.isNegated, isInitial: condition.holdsForMissing))
    case .and(let operands): addInner(node, operands, isAnd: true)
    case .or(let operands): addInner(node, operands, isAnd: false)
    }
  }

  private mutating func addInner(_ node: Int, _ operands: GraphNode.Operands, isAnd: Bool) {
    let first = children.count
    for operand in operands {
      children.append(UInt32(truncatingIfNeeded: numbers[Int(operand)] ?? BatchPlan.falseNode))
    }
    inner.append(BatchPlan.Inner(node: node, isAnd: isAnd, children: first..<children.count))
  }

  /// Indexes the texts that tests look for in lists.
  private mutating func indexMembers(_ index: Int, _ arena: inout Arena) {
    var tests: [(text: Slot, test: Int)] = []
    for (number, test) in attributes[index].tests.enumerated()
    where test.test == .member || test.test == .contains {
      tests.append((test.constant, number))
    }
    tests.sort { Slot.byteOrder($0.text, $1.text) < 0 }
    var texts: [Slot] = []
    for (text, test) in tests {
      if let last = texts.last, Slot.byteOrder(last, text) == 0 {
        attributes[index].memberTests[texts.count - 1].append(test)
      } else {
        texts.append(text)
        attributes[index].memberTests.append([test])
      }
    }
    attributes[index].members = TextIndex(arena.copyRow(texts), in: &arena)
  }

  // MARK: Guards

  /// Adds the filters that must be evaluated when a condition fails.
  mutating func addGuards(_ builder: borrowing FilterGraphBuilder) {
    var filters: [Int: [Int]] = [:]
    var positions: [UInt64: Int] = [:]
    for entry in builder.reader.guards where builder.reader.coverage[Int(entry.filter)] != .part {
      let attribute = Int(entry.attribute)
      var kinds = entry.kinds.subtracting(.undeclared)
      var nodes: [Int] = []
      if entry.test != .max {
        let test = Int(builder.conditionNodes[Int(entry.test)].node)
        if let node = failures(of: test, attribute) { nodes.append(node) }
        kinds.formIntersection(.missing)
      }
      if !kinds.isEmpty {
        let key = UInt64(entry.attribute) << 16 | UInt64(kinds.rawValue)
        let node = positions[key] ?? addCondition(of: attribute, kinds)
        positions[key] = node
        nodes.append(node)
      }
      for node in nodes { filters[node, default: []].append(Int(entry.filter)) }
    }
    guards = filters.sorted { $0.key < $1.key }.map { entry in
      BatchPlan.Guard(node: entry.key, filters: Array(Set(entry.value)).sorted())
    }
  }

  /// Returns the node of the users for which a test fails.
  private mutating func failures(of id: Int, _ attribute: Int) -> Int? {
    guard let node = numbers[id],
      let test = attributes[attribute].tests.firstIndex(where: { $0.node == node })
    else { return nil }
    if let known = attributes[attribute].tests[test].failures { return known }
    attributes[attribute].tests[test].failures = nodeCount
    nodeCount += 1
    return nodeCount - 1
  }

  /// Adds a condition that an attribute has a value of some kinds.
  private mutating func addCondition(of attribute: Int, _ kinds: PositionKinds) -> Int {
    let line = attributes[attribute].line
    var runs: [ClosedRange<UInt32>] = []
    for position in ValueLine.missing..<ValueLine.firstNumber
    where kinds.contains(line.kind(at: position)) {
      runs.append(position...position)
    }
    if kinds.contains(.number) { runs.append(ValueLine.firstNumber...line.lastNumber) }
    if kinds.contains(.text) { runs.append(line.firstText...(line.count - 1)) }
    attributes[attribute].conditions.append(
      BatchPlan.PositionCondition(node: nodeCount, runs: runs, places: line.count))
    nodeCount += 1
    return nodeCount - 1
  }
}
