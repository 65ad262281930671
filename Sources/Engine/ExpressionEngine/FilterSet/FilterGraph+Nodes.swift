// Which nodes become true, and which filters with them.

extension FilterGraph {
  /// Notifies parents that nodes that were true at the start no longer are.
  func retract(_ scratch: inout FilterGraphScratch) {
    var head = 0
    while head < scratch.retractedCount {
      let (first, end) = lists(of: scratch.retracted[head])
      head &+= 1
      for position in first.parents..<end.parents {
        let parent = Int(parents[Int(position)])
        let left = scratch.left[parent]
        scratch.left[parent] = left &+ 1
        if left == 0 {
          scratch.retracted[scratch.retractedCount] = UInt32(truncatingIfNeeded: parent)
          scratch.retractedCount &+= 1
        }
      }
    }
  }

  /// Notifies parents and filters of nodes that have become true.
  func propagate(
    _ scratch: inout FilterGraphScratch, _ matches: UnsafeMutablePointer<UInt64>
  ) {
    let left = scratch.left
    let queue = scratch.queue
    let parents = parents.baseAddress.unsafelyUnwrapped
    let rootFilters = rootFilters.baseAddress.unsafelyUnwrapped
    var head = 0
    var tail = scratch.queueCount
    var candidateCount = 0
    while head < tail {
      let node = queue[head]
      let (first, end) = lists(of: node)
      head &+= 1
      for position in first.parents..<end.parents {
        let parent = parents[Int(position)]
        let count = left[Int(parent)] &- 1
        left[Int(parent)] = count
        if count == 0 {
          queue[tail] = parent
          tail &+= 1
        }
      }
      for position in first.filters..<end.filters {
        report(rootFilters[Int(position)], &scratch, matches)
      }
      if first.conjunctions != end.conjunctions {
        scratch.candidates[candidateCount] = node
        candidateCount &+= 1
      }
    }
    scratch.candidateCount = candidateCount
  }

  /// Checks the conjunctions whose rarest operand is true.
  func checkCandidates(
    _ scratch: inout FilterGraphScratch, _ matches: UnsafeMutablePointer<UInt64>
  ) {
    guard scratch.candidateCount > 0, let words = conjunctions.baseAddress else { return }
    let left = scratch.left
    for index in 0..<scratch.candidateCount {
      let (first, end) = lists(of: scratch.candidates[index])
      var next = words + Int(first.conjunctions)
      while next < words + Int(end.conjunctions) {
        var operand = next + 2
        let filters = operand + Int(next[0])
        next = filters + Int(next[1])
        while operand < filters, left[Int(operand.pointee)] <= 0 { operand += 1 }
        guard operand == filters else { continue }
        var filter = filters
        while filter < next {
          report(filter.pointee, &scratch, matches)
          filter += 1
        }
      }
    }
  }

  /// Records that the formula of a filter is true.
  @inline(__always)
  func report(
    _ filter: UInt32, _ scratch: inout FilterGraphScratch, _ matches: UnsafeMutablePointer<UInt64>
  ) {
    if filter & Self.isChecked == 0 {
      matches[Int(filter >> 6)] |= 1 << UInt64(filter & 63)
    } else {
      scratch.checked[scratch.checkedCount] = filter & ~Self.isChecked
      scratch.checkedCount &+= 1
    }
  }
}
