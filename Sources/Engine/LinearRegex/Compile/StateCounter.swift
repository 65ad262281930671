/// Counts the states that the reference makes for a pattern, one after another, until they exceed
/// the limit of ``CompiledSize``.
///
/// The states of large classes are shared through hash tables of fixed size, in which a state
/// replaces another one of the same place. Which states meet depends on their numbers, so each copy
/// of a class is counted by itself.
struct StateCounter {
  private let isBackward: Bool
  private var stateCount = 0
  private var size = 0
  private var isExceeded = false
  /// The sequences of the sets counted so far.
  private var sequences: [ScalarSet: Sequences] = [:]
  private var forwardTable: ForwardTable
  private var backwardTable: BackwardTable

  private init(isBackward: Bool) {
    self.isBackward = isBackward
    forwardTable = ForwardTable(places: isBackward ? 0 : 10_000)
    backwardTable = BackwardTable(places: isBackward ? 1_000 : 0)
  }

  /// Whether the automaton of a pattern is within the limit.
  static func fits(_ node: RegexNode, isBackward: Bool) -> Bool {
    var counter = StateCounter(isBackward: isBackward)
    // The search for a start, unless there is only one.
    if node.requires(isBackward ? .textEnd : .textStart, isBackward: isBackward) {
      counter.add(states: 1)
    } else {
      counter.add(states: 3, transitions: 1, alternatives: 2)
    }
    counter.count(.capture(0, node))
    counter.add(states: 1)
    return !counter.isExceeded
  }

  private mutating func add(
    states: Int, transitions: Int = 0, alternatives: Int = 0
  ) {
    stateCount &+= states
    size &+=
      states * CompiledSize.state + transitions * CompiledSize.transition
      + alternatives * CompiledSize.alternative
    isExceeded = isExceeded || size > CompiledSize.limit
  }

  private mutating func count(_ node: RegexNode) {
    guard !isExceeded else { return }
    switch node.kind {
    case .empty, .assertion: add(states: 1)
    case .never: add(states: 2)
    case .literal(let ordinals):
      for ordinal in ordinals where !isExceeded {
        add(states: UTF8Ranges.length(ofOrdinal: ordinal))
      }
    case .set(let set): count(set)
    case .capture(_, let inner):
      add(states: isBackward ? 0 : 1)
      count(inner)
      add(states: isBackward ? 0 : 1)
    case .sequence(let nodes):
      for index in nodes.indices { count(nodes[isBackward ? nodes.count &- 1 &- index : index]) }
    case .choice(let nodes):
      if !countTree(nodes) { countChoice(nodes) }
    case .repetition(let inner, let minimum, let maximum, _):
      countRepetition(inner, Int(minimum), maximum.map { Int($0) })
    }
  }

  private mutating func countChoice(_ nodes: [RegexNode]) {
    for (index, inner) in nodes.enumerated() where !isExceeded {
      count(inner)
      // The branch and the end are made when a second alternative is found.
      add(states: index == 1 ? 2 : 0, alternatives: 1)
    }
  }

  private mutating func countRepetition(_ inner: RegexNode, _ minimum: Int, _ maximum: Int?) {
    guard let maximum else {
      if minimum > 0 { return countCopies(of: inner, minimum) { $0.branch() } }
      if inner.canBeEmpty {
        count(inner)
        branch()
        branch()
        return add(states: 1)
      }
      branch()
      return count(inner)
    }
    if minimum == 0, maximum == 1 {
      branch()
      count(inner)
      return add(states: 1)
    }
    countCopies(of: inner, minimum) { counter in
      if minimum == 0 { counter.add(states: 1) }
    }
    guard minimum < maximum else { return }
    add(states: 1)
    countCopies(of: inner, maximum &- minimum, before: { $0.branch() })
  }

  private mutating func branch() { add(states: 1, alternatives: 2) }

  /// Counts a number of copies, each with what comes before it, and then what comes after all.
  private mutating func countCopies(
    of node: RegexNode, _ copies: Int, before: (inout StateCounter) -> Void = { _ in },
    after: (inout StateCounter) -> Void = { _ in }
  ) {
    let varies = node.hasLargeSet
    var done = 0
    while done < copies, !isExceeded {
      let (oldCount, oldSize) = (stateCount, size)
      before(&self)
      count(node)
      done &+= 1
      guard !varies, size > oldSize else { continue }
      // All further copies are of the same size.
      let rest = min(copies &- done, CompiledSize.limit / (size &- oldSize) &+ 1)
      let more = (stateCount &- oldCount) &* rest
      size &+= (size &- oldSize) &* rest
      stateCount &+= more
      isExceeded = isExceeded || size > CompiledSize.limit
      done = copies
    }
    after(&self)
  }

  // MARK: Sets

  private mutating func count(_ set: ScalarSet) {
    if set.isASCII { return add(states: 2, transitions: set.rangeCount) }
    let known = sequences[set] ?? make(set)
    if isBackward { countBackward(known) } else { countForward(known) }
  }

  private mutating func make(_ set: ScalarSet) -> Sequences {
    let made = Sequences(of: set)
    sequences[set] = made
    return made
  }

  /// Counts states with one transition each, which are shared by sequences with equal starts.
  private mutating func countBackward(_ sequences: Sequences) {
    backwardTable.removeAll()
    let end = UInt32(truncatingIfNeeded: stateCount &+ 1)
    add(states: 2)
    var start = 0
    for stop in sequences.ends where !isExceeded {
      var next = end
      for range in sequences.ranges[start..<stop] {
        let number = UInt32(truncatingIfNeeded: stateCount)
        next = backwardTable.state(range, to: next, orNew: number)
        if next == number { add(states: 1) }
      }
      add(states: 0, alternatives: 1)
      start = stop
    }
  }

  /// Counts states with all their transitions, which are shared by sequences with equal ends.
  private mutating func countForward(_ sequences: Sequences) {
    forwardTable.removeAll()
    let end = UInt32(truncatingIfNeeded: stateCount)
    add(states: 1)
    var open = OpenStates()
    var start = 0
    for stop in sequences.ends where !isExceeded {
      let common = open.common(with: sequences.ranges[start..<stop])
      close(&open, to: common, end)
      open.append(sequences.ranges[(start &+ common)..<stop])
      start = stop
    }
    close(&open, to: 0, end)
    _ = state(open.transitions[0])
  }

  /// Finishes the states beyond a depth, and the transition of the last one that stays.
  private mutating func close(_ open: inout OpenStates, to depth: Int, _ end: UInt32) {
    var next = end
    while open.count > depth &+ 1 {
      open.finishLast(to: next)
      next = state(open.transitions[open.count &- 1])
      open.removeLast()
    }
    open.finishLast(to: next)
  }

  /// Returns the number of a state with the transitions, which is made unless the table has it.
  private mutating func state(_ transitions: [UInt32]) -> UInt32 {
    let number = UInt32(truncatingIfNeeded: stateCount)
    let found = forwardTable.state(transitions, orNew: number)
    if found == number { add(states: 1, transitions: transitions.count / 2) }
    return found
  }

  // MARK: Alternatives

  /// Counts alternatives that are all literals, for which the reference builds a tree. Returns
  /// false if they are not.
  private mutating func countTree(_ nodes: [RegexNode]) -> Bool {
    var children: [[UInt8: Int]] = [[:]]
    var isFinal = [false]
    for node in nodes {
      guard case .literal(let ordinals) = node.kind else { return false }
      var bytes: [UInt8] = []
      for ordinal in ordinals { UTF8Ranges.append(ordinal, to: &bytes) }
      if isBackward { bytes.reverse() }
      var current = 0
      for byte in bytes {
        if let next = children[current][byte] {
          current = next
        } else {
          children[current][byte] = children.count
          current = children.count
          children.append([:])
          isFinal.append(false)
        }
      }
      isFinal[current] = true
    }
    add(states: 1)
    for (index, transitions) in children.enumerated() where !transitions.isEmpty {
      add(
        states: 2, transitions: transitions.count > 1 ? transitions.count : 0,
        alternatives: isFinal[index] ? 2 : 1)
    }
    return true
  }
}

extension RegexNode {
  /// Whether it has a set beyond ASCII, whose states depend on how many there are before it.
  fileprivate var hasLargeSet: Bool {
    switch kind {
    case .empty, .never, .literal, .assertion: false
    case .set(let set): !set.isASCII
    case .repetition(let inner, _, _, _), .capture(_, let inner): inner.hasLargeSet
    case .sequence(let nodes), .choice(let nodes): nodes.contains { $0.hasLargeSet }
    }
  }

  /// Whether every match begins, or backwards ends, where an assertion holds.
  fileprivate func requires(_ assertion: Assertion, isBackward: Bool) -> Bool {
    switch kind {
    case .empty, .never, .literal, .set: return false
    case .assertion(let own): return own == assertion
    case .repetition(let inner, let minimum, _, _):
      return minimum > 0 && inner.requires(assertion, isBackward: isBackward)
    case .capture(_, let inner): return inner.requires(assertion, isBackward: isBackward)
    case .choice(let nodes):
      return nodes.allSatisfy { $0.requires(assertion, isBackward: isBackward) }
    case .sequence(let nodes):
      for index in nodes.indices {
        let node = nodes[isBackward ? nodes.count &- 1 &- index : index]
        if node.requires(assertion, isBackward: isBackward) { return true }
        if !node.isZeroWidth { return false }
      }
      return false
    }
  }
}
