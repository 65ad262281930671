// What changes the conditions: the positions of values, tests, and failures.

extension FilterGraphLayout {
  /// Makes the segment tree of each attribute: a node lists the conditions that change at its
  /// positions.
  mutating func makeTrees(_ builder: borrowing FilterGraphBuilder) {
    for attribute in attributes.indices {
      let tree = SegmentTree(positionCount: Int(attributes[attribute].line.count))
      attributes[attribute].tree = treeEnds.count
      // The length of each list, then its next place, which is its end when all items are written.
      var places = [UInt32](repeating: 0, count: tree.nodeCount)
      forEachItem(of: attribute, tree, builder) { node, _ in places[node] &+= 1 }
      var end = UInt32(truncatingIfNeeded: treeItems.count)
      for node in places.indices {
        let length = places[node]
        places[node] = end
        end &+= length
      }
      var items = treeItems
      treeItems = []
      items.append(contentsOf: repeatElement(0, count: Int(end) &- items.count))
      forEachItem(of: attribute, tree, builder) { node, item in
        items[Int(places[node])] = item
        places[node] &+= 1
      }
      treeItems = items
      // The list of tree node i is between the ends of i - 1 and i; there is no node 0.
      treeEnds += places
    }
  }

  /// Calls `body` with every tree node in the cover of a condition's positions. A condition that is
  /// true for a missing attribute is listed at the positions where it is no longer true.
  private func forEachItem(
    of attribute: Int, _ tree: SegmentTree, _ builder: borrowing FilterGraphBuilder,
    _ body: (Int, UInt32) -> Void
  ) {
    for id in sets[attribute] {
      let number = nodes[Int(id)].number
      let positions = builder.nodes.positions(of: id)
      if nodes[Int(id)].isInitial {
        positions.forEachGap(in: 0..<attributes[attribute].line.count) { gap in
          tree.cover(Int(gap.lowerBound), Int(gap.upperBound)) {
            body($0, number | FilterGraph.retracts)
          }
        }
      } else {
        for run in positions {
          tree.cover(Int(run.lowerBound), Int(run.upperBound) &+ 1) { body($0, number) }
        }
      }
    }
  }

  mutating func makeTests(_ builder: borrowing FilterGraphBuilder) {
    for attribute in attributes.indices {
      attributes[attribute].isSensitive = sets[attribute].contains { nodes[Int($0)].isInitial }
    }
    var byAttribute: [(attribute: Int, test: FilterGraph.Test)] = []
    for id in nodes.indices where nodes[id].isNumbered {
      guard case .test(let number) = builder.nodes[id] else { continue }
      let condition = builder.reader.conditions[number]
      guard case .test(let test, let constant) = condition.claim else { continue }
      let attribute = Int(condition.attribute)
      byAttribute.append(
        (
          attribute,
          FilterGraph.Test(
            test: test, constant: constant.map { builder.texts[Int($0)] } ?? .null,
            condition: number, node: nodes[id].number, isOpposite: condition.isNegated,
            isInitial: nodes[id].isInitial)
        ))
      if nodes[id].isInitial { attributes[attribute].isSensitive = true }
    }
    byAttribute.sort { ($0.attribute, $0.test.condition) < ($1.attribute, $1.test.condition) }
    for (attribute, test) in byAttribute {
      if attributes[attribute].tests.isEmpty { attributes[attribute].tests.first = tests.count }
      tests.append(test)
      attributes[attribute].tests.end = tests.count
    }
  }

  mutating func makeGuards(_ builder: borrowing FilterGraphBuilder) {
    var previous = FilterReader.Guard.none
    for (index, entry) in sortedGuards(builder).enumerated() {
      if index > 0, previous.order == entry.order { continue }
      let isFirst = index == 0 || previous.group != entry.group
      if isFirst { beginGuard(entry) }
      NumberRuns.append(entry.filter, after: isFirst ? nil : previous.filter, to: &guardedFilters)
      guards[guards.count - 1].filters.end = guardedFilters.count
      previous = entry
    }
  }

  /// Adds a guard without filters.
  private mutating func beginGuard(_ entry: FilterReader.Guard) {
    let attribute = Int(entry.attribute)
    if attributes[attribute].guards.isEmpty {
      attributes[attribute].guards.first = guards.count
      attributes[attribute].isSensitive = true
    }
    let end = guardedFilters.count
    guards.append(
      FilterGraph.Guard(
        kinds: entry.kinds, test: entry.test, filters: FilterGraph.Part(first: end, end: end)))
    attributes[attribute].guards.end = guards.count
    attributes[attribute].guardedKinds.formUnion(entry.kinds)
  }

  /// Returns the guards of filters that are complete in their order. Those of an attribute are put
  /// together first; they have the order of their filters then, and most of them one group.
  private func sortedGuards(_ builder: borrowing FilterGraphBuilder) -> [FilterReader.Guard] {
    var ends = [Int](repeating: 0, count: attributes.count)
    for entry in builder.reader.guards where builder.reader.coverage[Int(entry.filter)] != .part {
      ends[Int(entry.attribute)] &+= 1
    }
    var count = 0
    for attribute in ends.indices {
      let size = ends[attribute]
      ends[attribute] = count
      count &+= size
    }
    var sorted = [FilterReader.Guard](repeating: .none, count: count)
    for entry in builder.reader.guards where builder.reader.coverage[Int(entry.filter)] != .part {
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
}

/// A binary tree over a line of positions, which are its last nodes. The children of node n are the
/// nodes 2n and 2n + 1; the root is node 1, and there is no node 0.
private struct SegmentTree {
  let positionCount: Int

  var nodeCount: Int { 2 &* positionCount }

  /// Calls `body` with the fewest nodes that together have the positions of a range.
  func cover(_ first: Int, _ end: Int, _ body: (Int) -> Void) {
    var (left, right) = (first &+ positionCount, end &+ positionCount)
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
}
