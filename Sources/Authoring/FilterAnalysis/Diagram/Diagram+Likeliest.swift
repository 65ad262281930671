/// The cheapest way on from a node, as far as one search knows it.
package struct LikeliestStep {
  /// The number of the search.
  package var search: UInt32 = 0
  /// The class to take.
  package var number: UInt32 = 0
  /// The cost of the way, `Int.max` if there is none.
  package var cost = Int.max
  package var next = Diagram.Node.none
}

extension Diagram {
  /// The likeliest user of a set: the classes on the path to it, by level; `nil` for the empty set.
  ///
  /// - Parameter cheapest: The cheapest class of a level from one class up to another, with its
  ///   cost.
  package mutating func likeliest(
    _ node: Node, cheapest: (_ level: Int, _ classes: Range<Int>) -> (number: Int, cost: Int)?
  ) throws(TooLarge) -> [(level: Int, number: Int)]? {
    if steps.count < count {
      let more = [LikeliestStep](repeating: LikeliestStep(), count: max(count - steps.count, 1_024))
      steps += more
    }
    searches &+= 1
    guard try cost(of: node, cheapest) != nil else { return nil }
    var path: [(level: Int, number: Int)] = []
    var node = node
    while !node.isTerminal {
      let step = steps[Int(node.index)]
      path.append((level(node), Int(step.number)))
      node = step.next
    }
    return path
  }

  private mutating func cost(
    of node: Node, _ cheapest: (_ level: Int, _ classes: Range<Int>) -> (number: Int, cost: Int)?
  ) throws(TooLarge) -> Int? {
    if node == .none { return nil }
    if node == .everyone { return 0 }
    let known = steps[Int(node.index)]
    if known.search == searches { return known.cost < Int.max ? known.cost : nil }
    var best = LikeliestStep(search: searches)
    let branches = branches(node)
    try spend(branches.count)
    for index in branches.indices {
      guard let rest = try cost(of: branches[index].target, cheapest) else { continue }
      let end = index + 1 < branches.endIndex ? Int(branches[index + 1].start) : Int.max
      guard let choice = cheapest(level(node), Int(branches[index].start)..<end),
        choice.cost < Int.max
      else { continue }
      let total = rest + choice.cost
      if total < best.cost {
        best.cost = total
        best.number = UInt32(truncatingIfNeeded: choice.number)
        best.next = branches[index].target
      }
    }
    steps[Int(node.index)] = best
    return best.cost < Int.max ? best.cost : nil
  }
}
