/// Lays out a graph for evaluation: numbers the nodes that are needed, and builds their lists.
struct FilterGraphLayout {
  var attributes: [FilterGraph.Attribute]
  /// The code of computed attributes.
  var code: [UInt32] = []
  var tests: [FilterGraph.Test] = []
  var guards: [FilterGraph.Guard] = []
  var guardedFilters: [UInt8] = []
  /// The number of nodes that conjunctions are attached to.
  var hangingCount = 0
  var treeEnds: [UInt32] = []
  var treeItems: [UInt32] = []
  var start: [Int8] = []
  var listStarts: [FilterGraph.ListStarts] = []
  var parents: [UInt32] = []
  var rootFilters: [UInt32] = []
  var conjunctions: [UInt32] = []
  var initialRoots: [UInt32] = []
  var initialCount = 0

  /// The data of a node of the builder.
  struct Node {
    var isLive = false
    /// Whether the node is true when all attributes are missing.
    var isInitial = false
    /// The node's number in the graph, or ``none``.
    var number = FilterGraphLayout.none
    /// The operand that the node is attached to, if it does not count.
    var access = FilterGraphLayout.none
    var parentCount: UInt32 = 0
    var filterCount: UInt32 = 0
    /// The number of words of the conjunctions that are attached to it.
    var conjunctionWords: UInt32 = 0
    /// Whether the node is in the graph, rather than dropped or attached to another node.
    var isNumbered: Bool { number != FilterGraphLayout.none }
    var isAttached: Bool { access != FilterGraphLayout.none }
    /// Where the next element of each of its lists is written. A conjunction that is attached to
    /// another node has its filters in the list of that node.
    var next = FilterGraph.ListStarts()
    /// The estimated share of contexts for which the node is true.
    var share: Float = 0
  }

  static let none = UInt32.max
  var nodes: [Node]
  /// The set conditions of each attribute.
  private(set) var sets: [[UInt32]]

  init(_ builder: borrowing FilterGraphBuilder) {
    nodes = [Node](repeating: Node(), count: builder.nodes.count)
    sets = [[UInt32]](repeating: [], count: builder.lines.count)
    attributes = []
    for (number, line) in builder.lines.enumerated() {
      let reference = builder.reader.references[number]
      attributes.append(
        FilterGraph.Attribute(
          reference: reference,
          number: builder.reader.codes[number].isEmpty
            ? AttributeNumbers.number(hash: reference.hash, reference.name) ?? Decision.unnumbered
            : Decision.unnumbered,
          line: line, code: addCode(builder.reader.codes[number]),
          failures: builder.reader.failures[number]))
    }
    markLive(builder)
    weigh(builder)
    number(builder)
  }

  /// Appends the code of a computed attribute, and returns its range.
  private mutating func addCode(_ code: [UInt32]) -> FilterGraph.Part {
    defer { self.code += code }
    return FilterGraph.Part(first: self.code.count, end: self.code.count + code.count)
  }

  // MARK: Nodes

  private mutating func markLive(_ builder: borrowing FilterGraphBuilder) {
    for root in builder.roots {
      nodes[Int(root)].isLive = true
      nodes[Int(root)].filterCount &+= 1
    }
    nodes[Int(GraphNodeTable.trueNode)].isLive = true
    nodes[Int(GraphNodeTable.falseNode)].isLive = false
    // Tests that guard a filter are run even if its formula no longer needs them.
    for entry in builder.reader.guards where entry.test != .max {
      nodes[Int(builder.conditionNodes[Int(entry.test)].node)].isLive = true
    }
    for id in nodes.indices.reversed() where nodes[id].isLive {
      for operand in builder.nodes[id].operands {
        nodes[Int(operand)].isLive = true
        nodes[Int(operand)].parentCount &+= 1
      }
    }
  }

  /// Computes which nodes are true at the start, and how rare each node is.
  private mutating func weigh(_ builder: borrowing FilterGraphBuilder) {
    for id in nodes.indices where nodes[id].isLive {
      let (isInitial, share): (Bool, Float)
      switch builder.nodes[id] {
      case .positions(let attribute, let positions):
        isInitial = positions.contains(ValueLine.missing)
        share = Float(positions.positionCount) / Float(builder.lines[attribute].count)
      case .test(let condition):
        isInitial = builder.reader.conditions[condition].holdsForMissing
        share = 0.5
      case .and(let operands):
        isInitial = operands.allSatisfy { nodes[Int($0)].isInitial }
        share = operands.reduce(1) { min($0, nodes[Int($1)].share) }
      case .or(let operands):
        isInitial = operands.contains { nodes[Int($0)].isInitial }
        share = operands.reduce(0) { $0 + nodes[Int($1)].share }
      }
      (nodes[id].isInitial, nodes[id].share) = (isInitial, share)
    }
  }

  /// Numbers the nodes that have a count, and attaches the others.
  private mutating func number(_ builder: borrowing FilterGraphBuilder) {
    for id in nodes.indices where nodes[id].isLive {
      let isInitial = nodes[id].isInitial
      let count: Int
      switch builder.nodes[id] {
      case .positions(let attribute, _):
        count = isInitial ? 0 : 1
        sets[attribute].append(UInt32(truncatingIfNeeded: id))
      case .test: count = isInitial ? 0 : 1
      case .and(let operands):
        if nodes[id].parentCount == 0, !isInitial {
          attach(id, operands)
          continue
        }
        count = operands.count { !nodes[Int($0)].isInitial }
      case .or(let operands):
        count = 1 - operands.count { nodes[Int($0)].isInitial }
      }
      nodes[id].number = UInt32(truncatingIfNeeded: start.count)
      if isInitial { initialCount += 1 }
      start.append(Int8(truncatingIfNeeded: count))
    }
  }

  /// Attaches a conjunction to its rarest operand that is not true at the start.
  private mutating func attach(_ id: Int, _ operands: GraphNode.Operands) {
    var rarest = Self.none
    var share = Float.infinity
    for operand in operands {
      let node = nodes[Int(operand)]
      nodes[Int(operand)].parentCount &-= 1
      if !node.isInitial, node.share < share { (rarest, share) = (operand, node.share) }
    }
    nodes[id].access = rarest
    if nodes[Int(rarest)].conjunctionWords == 0 { hangingCount += 1 }
    nodes[Int(rarest)].conjunctionWords &+=
      UInt32(truncatingIfNeeded: 1 &+ operands.count) &+ nodes[id].filterCount
  }

  /// Drops everything that a bitmap does not need.
  mutating func dropNodes() {
    start = []
    hangingCount = 0
    initialCount = 0
  }

  /// The total size in bytes, including the maximum padding of each row.
  var byteCount: Int {
    func size<Element>(_ row: [Element]) -> Int { row.count * MemoryLayout<Element>.stride + 32 }
    return size(attributes) + size(code) + size(computed) + size(tests) + size(guards)
      + size(guardedFilters) + size(treeEnds) + size(treeItems) + size(start) + size(listStarts)
      + size(parents) + size(rootFilters) + size(conjunctions) + size(initialRoots) + 64
  }

  /// The numbers of the computed attributes.
  var computed: [UInt32] {
    attributes.indices.filter { !attributes[$0].code.isEmpty }
      .map { UInt32(truncatingIfNeeded: $0) }
  }
}
