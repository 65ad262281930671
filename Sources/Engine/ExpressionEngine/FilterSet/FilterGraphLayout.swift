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

  typealias Kind = FilterGraphBuilder.Kind

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
    nodes[Int(FilterGraphBuilder.trueNode)].isLive = true
    nodes[Int(FilterGraphBuilder.falseNode)].isLive = false
    // Tests that guard a filter are run even if its formula no longer needs them.
    for entry in builder.reader.guards where entry.test != .max {
      nodes[Int(builder.conditionNodes[Int(entry.test)].node)].isLive = true
    }
    for id in nodes.indices.reversed() where nodes[id].isLive {
      let bounds = builder.nodes.bounds(UInt32(truncatingIfNeeded: id))
      guard builder.nodes[bounds.lowerBound] >= Kind.and else { continue }
      for position in bounds.dropFirst() {
        let child = Int(builder.nodes[position])
        nodes[child].isLive = true
        nodes[child].parentCount &+= 1
      }
    }
  }

  /// Computes which nodes are true at the start, and how rare each node is.
  private mutating func weigh(_ builder: borrowing FilterGraphBuilder) {
    for id in nodes.indices where nodes[id].isLive {
      let bounds = builder.nodes.bounds(UInt32(truncatingIfNeeded: id))
      let head = builder.nodes[bounds.lowerBound]
      switch head & Kind.mask {
      case Kind.set:
        let line = builder.lines[Int(head)]
        var covered: UInt32 = 0
        for position in stride(from: bounds.lowerBound + 1, to: bounds.upperBound, by: 2) {
          let (first, last) = (builder.nodes[position], builder.nodes[position + 1])
          if first <= ValueLine.missing, last >= ValueLine.missing { nodes[id].isInitial = true }
          covered &+= last &- first &+ 1
        }
        nodes[id].share = Float(covered) / Float(line.count)
      case Kind.test:
        let bounds = builder.reader.conditions.bounds(head & ~Kind.mask)
        let flags = ConditionFlags(
          rawValue: builder.reader.conditions[bounds.lowerBound + 1])
        nodes[id].isInitial = flags.contains(.missing)
        nodes[id].share = 0.5
      case Kind.and:
        var (isInitial, share) = (true, Float(1))
        for position in bounds.dropFirst() {
          let child = nodes[Int(builder.nodes[position])]
          isInitial = isInitial && child.isInitial
          share = min(share, child.share)
        }
        (nodes[id].isInitial, nodes[id].share) = (isInitial, share)
      default:
        var (isInitial, share) = (false, Float(0))
        for position in bounds.dropFirst() {
          let child = nodes[Int(builder.nodes[position])]
          isInitial = isInitial || child.isInitial
          share += child.share
        }
        (nodes[id].isInitial, nodes[id].share) = (isInitial, share)
      }
    }
  }

  private mutating func number(_ builder: borrowing FilterGraphBuilder) {
    for id in nodes.indices where nodes[id].isLive {
      let bounds = builder.nodes.bounds(UInt32(truncatingIfNeeded: id))
      let head = builder.nodes[bounds.lowerBound]
      let isAnd = head & Kind.mask == Kind.and
      if isAnd, nodes[id].parentCount == 0, !nodes[id].isInitial {
        hang(id, builder, bounds.dropFirst())
        continue
      }
      nodes[id].number = UInt32(truncatingIfNeeded: start.count)
      if nodes[id].isInitial { initialCount += 1 }
      switch head & Kind.mask {
      case Kind.set:
        start.append(nodes[id].isInitial ? 0 : 1)
        sets[Int(head)].append(UInt32(truncatingIfNeeded: id))
      case Kind.test:
        start.append(nodes[id].isInitial ? 0 : 1)
      default:
        var count = isAnd ? bounds.count - 1 : 1
        for position in bounds.dropFirst() where nodes[Int(builder.nodes[position])].isInitial {
          count -= 1
        }
        start.append(Int8(truncatingIfNeeded: count))
      }
    }
  }

  /// Attaches a conjunction to its rarest operand that is not true at the start.
  private mutating func hang(
    _ id: Int, _ builder: borrowing FilterGraphBuilder, _ operands: Range<Int>
  ) {
    var rarest = Self.none
    var share = Float.infinity
    for position in operands {
      let operand = builder.nodes[position]
      nodes[Int(operand)].parentCount &-= 1
      if !nodes[Int(operand)].isInitial, nodes[Int(operand)].share < share {
        (rarest, share) = (operand, nodes[Int(operand)].share)
      }
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
