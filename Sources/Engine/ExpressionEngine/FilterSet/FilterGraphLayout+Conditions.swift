// What changes the conditions: the positions of values, tests, and failures.

extension FilterGraphLayout {
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
            condition: condition, node: nodes[id].number, isOpposite: isOpposite,
            isInitial: nodes[id].isInitial)
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
}
