// The lists of the nodes: what becomes true, or is checked, when a node is true.

extension FilterGraphLayout {
  mutating func makeLists(_ builder: borrowing FilterGraphBuilder) {
    placeLists()
    writeParents(builder)
    writeFilters(builder)
  }

  /// Finds out where the lists of each node start, and how long all lists are.
  private mutating func placeLists() {
    var end = FilterGraph.ListStarts()
    for id in nodes.indices where nodes[id].isNumbered {
      nodes[id].next = end
      listStarts.append(end)
      end.parents &+= nodes[id].parentCount
      // The filters of roots that are true at the start are in a list of their own.
      if !nodes[id].isInitial { end.filters &+= nodes[id].filterCount }
      end.conjunctions &+= nodes[id].conjunctionWords
    }
    listStarts.append(end)
    parents = [UInt32](repeating: 0, count: Int(end.parents))
    rootFilters = [UInt32](repeating: 0, count: Int(end.filters))
    conjunctions = [UInt32](repeating: 0, count: Int(end.conjunctions))
  }

  /// Writes each conjunction that is attached to an operand into the list of that operand, and any
  /// other node into the lists of its operands.
  private mutating func writeParents(_ builder: borrowing FilterGraphBuilder) {
    for id in nodes.indices where nodes[id].isLive {
      let operands = builder.nodes[id].operands
      guard !nodes[id].isAttached else {
        writeConjunction(id, operands)
        continue
      }
      for operand in operands {
        let next = Int(nodes[Int(operand)].next.parents)
        parents[next] = nodes[id].number
        nodes[Int(operand)].next.parents &+= 1
      }
    }
  }

  /// Writes the number of the other operands, the number of filters, and the other operands; the
  /// filters come later.
  private mutating func writeConjunction(_ id: Int, _ operands: GraphNode.Operands) {
    let access = nodes[id].access
    var next = Int(nodes[Int(access)].next.conjunctions)
    conjunctions[next] = UInt32(truncatingIfNeeded: operands.count &- 1)
    conjunctions[next &+ 1] = nodes[id].filterCount
    next &+= 2
    for operand in operands where operand != access {
      conjunctions[next] = nodes[Int(operand)].number
      next &+= 1
    }
    nodes[id].next.conjunctions = UInt32(truncatingIfNeeded: next)
    nodes[Int(access)].next.conjunctions =
      UInt32(truncatingIfNeeded: next) &+ nodes[id].filterCount
  }

  /// Writes each filter into the list of its root.
  private mutating func writeFilters(_ builder: borrowing FilterGraphBuilder) {
    var checkedNumber: UInt32 = 0
    for (filter, root) in builder.roots.enumerated() {
      var word = builder.firstFilter &+ UInt32(truncatingIfNeeded: filter)
      if builder.reader.coverage[filter].isChecked {
        // Checked filters keep their numbers even if their formulas are never true.
        word = checkedNumber | FilterGraph.isChecked
        checkedNumber &+= 1
      }
      let node = nodes[Int(root)]
      if !node.isLive { continue }
      if node.isInitial {
        initialRoots.append(node.number)
        initialRoots.append(word)
      } else if !node.isAttached {
        rootFilters[Int(node.next.filters)] = word
        nodes[Int(root)].next.filters &+= 1
      } else {
        conjunctions[Int(node.next.conjunctions)] = word
        nodes[Int(root)].next.conjunctions &+= 1
      }
    }
  }
}
