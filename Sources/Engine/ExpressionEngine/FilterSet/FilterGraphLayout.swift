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
  var listStarts: [UInt32] = []
  var lists: [UInt32] = []
  var initialRoots: [UInt32] = []
  var initialCount = 0

  /// The data of a node of the builder.
  private struct Node {
    var isLive = false
    /// Whether the node is true when all attributes are missing.
    var isInitial = false
    /// The node's number in the graph, or ``none``.
    var number = FilterGraphLayout.none
    /// The operand that the node is attached to, if it does not count.
    var access = FilterGraphLayout.none
    var parentCount: UInt32 = 0
    var filterCount: UInt32 = 0
    /// The number of words of its lists of conjunctions, and the number of conjunctions.
    var candidateWords: UInt32 = 0
    var candidateCount: UInt32 = 0
    /// The header of its list. The filters of roots that are true at the start are in a separate
    /// list.
    var listHeader: FilterGraph.ListHeader {
      FilterGraph.ListHeader(
        parentCount: parentCount, filterCount: isInitial ? 0 : filterCount,
        hasCandidates: candidateCount > 0)
    }
    /// The estimated share of contexts for which the node is true.
    var share: Float = 0
  }

  private static let none = UInt32.max
  private var nodes: [Node]
  /// The set conditions of each attribute.
  private var sets: [[UInt32]]

  private typealias Kind = FilterGraphBuilder.Kind

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
    if nodes[Int(rarest)].candidateCount == 0 { hangingCount += 1 }
    nodes[Int(rarest)].candidateCount &+= 1
    nodes[Int(rarest)].candidateWords &+=
      UInt32(truncatingIfNeeded: 1 &+ operands.count) &+ nodes[id].filterCount
  }

  // MARK: Lists

  /// The positions in ``lists`` at which the next parent, filter and conjunction of each node are
  /// written.
  ///
  /// The filters of a conjunction that is attached to an operand are in the operand's list.
  private struct Cursors {
    var parents: [UInt32]
    var filters: [UInt32]
    /// The word before the first conjunction holds their number.
    var candidates: [UInt32]
  }

  mutating func makeLists(_ builder: borrowing FilterGraphBuilder) {
    var cursors = placeLists()
    writeHeaders(cursors)
    writeParents(builder, &cursors)
    writeFilters(builder, &cursors)
  }

  /// Finds out where the list of each node starts, and how long all lists are.
  private mutating func placeLists() -> Cursors {
    let none = [UInt32](repeating: 0, count: nodes.count)
    var cursors = Cursors(parents: none, filters: none, candidates: none)
    var end: UInt32 = 0
    for id in nodes.indices where nodes[id].number != Self.none {
      listStarts.append(end)
      let node = nodes[id]
      let header = node.listHeader
      cursors.parents[id] = end &+ header.wordCount
      cursors.filters[id] = cursors.parents[id] &+ header.parentCount
      end = cursors.filters[id] &+ header.filterCount
      cursors.candidates[id] = end &+ 1
      if header.hasCandidates { end = cursors.candidates[id] &+ node.candidateWords }
    }
    lists = [UInt32](repeating: 0, count: Int(end))
    return cursors
  }

  private mutating func writeHeaders(_ cursors: Cursors) {
    for id in nodes.indices where nodes[id].number != Self.none {
      let node = nodes[id]
      let header = node.listHeader
      header.write(to: &lists, at: Int(listStarts[Int(node.number)]))
      if header.hasCandidates { lists[Int(cursors.candidates[id]) &- 1] = node.candidateCount }
    }
  }

  /// Writes each conjunction into the list of the operand that it is attached to, and any other
  /// node into the lists of its operands.
  private mutating func writeParents(
    _ builder: borrowing FilterGraphBuilder, _ cursors: inout Cursors
  ) {
    for id in nodes.indices where nodes[id].isLive {
      let bounds = builder.nodes.bounds(UInt32(truncatingIfNeeded: id))
      guard builder.nodes[bounds.lowerBound] >= Kind.and else { continue }
      let access = nodes[id].access
      guard access != Self.none else {
        for position in bounds.dropFirst() {
          let child = Int(builder.nodes[position])
          lists[Int(cursors.parents[child])] = nodes[id].number
          cursors.parents[child] &+= 1
        }
        continue
      }
      var next = Int(cursors.candidates[Int(access)])
      lists[next] = UInt32(truncatingIfNeeded: bounds.count &- 2)
      lists[next &+ 1] = nodes[id].filterCount
      next &+= 2
      for position in bounds.dropFirst() where builder.nodes[position] != access {
        lists[next] = nodes[Int(builder.nodes[position])].number
        next &+= 1
      }
      cursors.filters[id] = UInt32(truncatingIfNeeded: next)
      cursors.candidates[Int(access)] = cursors.filters[id] &+ nodes[id].filterCount
    }
  }

  /// Writes each filter into the list of its root.
  private mutating func writeFilters(
    _ builder: borrowing FilterGraphBuilder, _ cursors: inout Cursors
  ) {
    var checkedNumber: UInt32 = 0
    for (filter, root) in builder.roots.enumerated() {
      var word = builder.firstFilter &+ UInt32(truncatingIfNeeded: filter)
      if builder.reader.isChecked[filter] {
        // Checked filters keep their numbers even if their formulas are never true.
        word = checkedNumber | FilterGraph.isChecked
        checkedNumber &+= 1
      }
      let node = nodes[Int(root)]
      if !node.isLive { continue }
      if node.isInitial {
        initialRoots.append(node.number)
        initialRoots.append(word)
      } else {
        lists[Int(cursors.filters[Int(root)])] = word
        cursors.filters[Int(root)] &+= 1
      }
    }
  }

  /// Drops everything that a bitmap does not need.
  mutating func dropNodes() {
    start = []
    hangingCount = 0
    initialCount = 0
  }

  // MARK: Trees, tests, guards

  mutating func makeTrees(_ builder: borrowing FilterGraphBuilder) {
    for attribute in attributes.indices {
      let count = Int(attributes[attribute].line.count)
      attributes[attribute].tree = treeEnds.count
      var counts = [UInt32](repeating: 0, count: 2 &* count &+ 1)
      forEachItem(builder, attribute, count) { tree, _ in counts[tree] &+= 1 }
      var end = UInt32(truncatingIfNeeded: treeItems.count)
      for tree in counts.indices {
        let size = counts[tree]
        counts[tree] = end
        end &+= size
      }
      treeItems.append(
        contentsOf: repeatElement(0, count: Int(end) &- treeItems.count))
      var items = treeItems
      treeItems = []
      forEachItem(builder, attribute, count) { tree, item in
        items[Int(counts[tree])] = item
        counts[tree] &+= 1
      }
      treeItems = items
      // The list of tree node i is between the ends of i - 1 and i; there is no node 0.
      treeEnds.append(contentsOf: counts[0..<(2 &* count)])
    }
  }

  /// Calls `body` with every tree node in the cover of a condition's positions. A condition that is
  /// true for a missing attribute is listed at the positions where it is no longer true.
  private func forEachItem(
    _ builder: borrowing FilterGraphBuilder, _ attribute: Int, _ count: Int,
    _ body: (Int, UInt32) -> Void
  ) {
    for id in sets[attribute] {
      let node = nodes[Int(id)]
      let bounds = builder.nodes.bounds(id)
      if node.isInitial {
        var next = 0
        for position in stride(from: bounds.lowerBound + 1, to: bounds.upperBound, by: 2) {
          let (first, last) = (Int(builder.nodes[position]), Int(builder.nodes[position + 1]))
          cover(next, first, count) { body($0, node.number | FilterGraph.retracts) }
          next = last + 1
        }
        cover(next, count, count) { body($0, node.number | FilterGraph.retracts) }
      } else {
        for position in stride(from: bounds.lowerBound + 1, to: bounds.upperBound, by: 2) {
          let (first, last) = (Int(builder.nodes[position]), Int(builder.nodes[position + 1]))
          cover(first, last + 1, count) { body($0, node.number) }
        }
      }
    }
  }

  /// Calls `body` with the nodes of a segment tree that together cover a range of positions.
  private func cover(_ first: Int, _ end: Int, _ count: Int, _ body: (Int) -> Void) {
    var (left, right) = (first &+ count, end &+ count)
    while left < right {
      if left & 1 == 1 {
        body(left)
        left &+= 1
      }
      if right & 1 == 1 {
        right &-= 1
        body(right)
      }
      left >>= 1
      right >>= 1
    }
  }

  mutating func makeTests(_ builder: borrowing FilterGraphBuilder) {
    for attribute in attributes.indices {
      attributes[attribute].isSensitive = sets[attribute].contains { nodes[Int($0)].isInitial }
    }
    var byAttribute: [(attribute: UInt32, test: FilterGraph.Test)] = []
    for id in nodes.indices where nodes[id].number != Self.none {
      let head = builder.nodes[builder.nodes.bounds(UInt32(truncatingIfNeeded: id)).lowerBound]
      guard head & Kind.mask == Kind.test else { continue }
      let condition = head & ~Kind.mask
      let bounds = builder.reader.conditions.bounds(condition)
      let words = bounds.map { builder.reader.conditions[$0] }
      guard let test = AttributeTest(rawValue: words[2]) else { continue }
      let isOpposite = ConditionFlags(rawValue: words[1]).contains(.complement)
      byAttribute.append(
        (
          words[0],
          FilterGraph.Test(
            test: test, constant: words.count > 3 ? builder.texts[Int(words[3])] : .null,
            condition: condition, ifTrue: isOpposite ? .max : nodes[id].number,
            ifFalse: isOpposite ? nodes[id].number : .max, isInitial: nodes[id].isInitial)
        ))
      if nodes[id].isInitial { attributes[Int(words[0])].isSensitive = true }
    }
    byAttribute.sort { ($0.attribute, $0.test.condition) < ($1.attribute, $1.test.condition) }
    for (attribute, test) in byAttribute {
      let index = Int(attribute)
      if attributes[index].tests.isEmpty {
        attributes[index].tests.first = tests.count
      }
      tests.append(test)
      attributes[index].tests.end = tests.count
    }
  }

  mutating func makeGuards(_ builder: borrowing FilterGraphBuilder) {
    let entries = sortedGuards(builder)
    var previous: FilterReader.Guard?
    for entry in entries {
      if let previous, previous.order == entry.order { continue }
      let attribute = Int(entry.attribute)
      let isFirst = previous?.group ?? (.max, 0, 0) != entry.group
      if isFirst {
        if attributes[attribute].guards.isEmpty {
          attributes[attribute].guards.first = guards.count
          attributes[attribute].isSensitive = true
        }
        guards.append(
          FilterGraph.Guard(
            kinds: entry.kinds, test: entry.test,
            filters: FilterGraph.Part(
              first: guardedFilters.count, end: guardedFilters.count)))
        attributes[attribute].guards.end = guards.count
        attributes[attribute].guardedKinds.formUnion(entry.kinds)
      }
      NumberRuns.append(
        entry.filter, after: isFirst ? nil : previous?.filter, to: &guardedFilters)
      guards[guards.count - 1].filters.end = guardedFilters.count
      previous = entry
    }
  }

  /// Returns the guards of filters that are complete in their order. Those of an attribute are put
  /// together first; they have the order of their filters then, and most of them one group.
  private func sortedGuards(_ builder: borrowing FilterGraphBuilder) -> [FilterReader.Guard] {
    var ends = [Int](repeating: 0, count: attributes.count)
    for entry in builder.reader.guards where builder.reader.isComplete[Int(entry.filter)] {
      ends[Int(entry.attribute)] &+= 1
    }
    var count = 0
    for attribute in ends.indices {
      let size = ends[attribute]
      ends[attribute] = count
      count &+= size
    }
    var sorted = [FilterReader.Guard](repeating: .none, count: count)
    for entry in builder.reader.guards where builder.reader.isComplete[Int(entry.filter)] {
      sorted[ends[Int(entry.attribute)]] = entry
      ends[Int(entry.attribute)] &+= 1
    }
    sorted.withUnsafeMutableBufferPointer { sorted in
      var start = 0
      for end in ends {
        var part = UnsafeMutableBufferPointer(rebasing: sorted[start..<end])
        part.sort { $0.order < $1.order }
        start = end
      }
    }
    return sorted
  }

  /// The total size in bytes, including the maximum padding of each row.
  var byteCount: Int {
    func size<Element>(_ row: [Element]) -> Int { row.count * MemoryLayout<Element>.stride + 32 }
    return size(attributes) * 2 + size(code) + size(tests) + size(guards) + size(guardedFilters)
      + size(treeEnds) + size(treeItems) + size(start) + size(listStarts) + size(lists)
      + size(initialRoots) + 64
  }

  /// A hash table with the numbers of the attributes.
  func attributeTable() -> [UInt32] {
    var size = 8
    while size < 2 * attributes.count { size *= 2 }
    var table = [UInt32](repeating: 0, count: size)
    for (number, attribute) in attributes.enumerated() where attribute.code.isEmpty {
      var bucket = FilterGraph.bucket(attribute.reference.hash, attribute.reference.root, size)
      while table[bucket] != 0 { bucket = (bucket + 1) & (size - 1) }
      table[bucket] = UInt32(truncatingIfNeeded: number + 1)
    }
    return table
  }
}
