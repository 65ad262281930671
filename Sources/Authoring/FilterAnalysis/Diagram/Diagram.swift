/// An ordered multi-valued decision diagram of sets of users. Every path tests values in the same
/// order; equal nodes are shared.
///
/// So two sets are equal if and only if they are the same node. The branches of a node are runs of
/// adjacent classes.
package struct Diagram {
  /// A node, which stands for a set.
  package struct Node: Hashable {
    package let index: UInt32

    /// The empty set.
    package static let none = Node(index: 0)
    /// The set of all users.
    package static let everyone = Node(index: 1)

    package var isTerminal: Bool { index < 2 }
  }

  /// The classes from one up to the next run's, and where they lead to.
  package struct Run: Equatable {
    package var start: UInt32
    package var target: Node
  }

  /// How two sets make one.
  package enum Operation: UInt64 {
    case and
    case or
    /// The first without the second.
    case without
    /// In one of them, not in both.
    case differ
  }

  /// There would be more nodes, branches or steps than allowed, or more nodes on one way than can
  /// be walked.
  package struct TooLarge: Error {}

  /// The most that all sets together may take.
  package struct Limits {
    var nodes: Int
    /// The most branches of all nodes.
    var branches: Int
    /// The most steps of operations and searches: each goes on from one branch.
    var steps: Int
  }

  private struct Entry {
    let level: Int32
    let firstRun: Int32
    let runCount: Int32
    let hash: UInt32
    /// The most nodes on a way from here to a terminal.
    let height: Int32
  }

  private var entries: [Entry] = []
  private var runs: [Run] = []
  /// The nodes by hash; 0 is free, as the terminals are never searched.
  private var table: [UInt32]
  /// Results of operations, the newest of each place.
  private var cacheKeys: [UInt64]
  private var cacheValues: [UInt32]
  /// What searches for the likeliest user noted of each node; see `Diagram+Likeliest.swift`.
  package var steps: [LikeliestStep] = []
  package var searches: UInt32 = 0
  private let limits: Limits
  /// The number of steps so far.
  private var stepCount = 0

  /// The level of the terminals, below all others.
  private static let terminalLevel = Int32.max
  private static let cacheSize = 1 << 16
  /// The most nodes on a way: walking them recurses as deep, and must not exhaust a small stack.
  package static let maximumHeight = 500

  package init(_ limits: Limits) {
    self.limits = limits
    table = [UInt32](repeating: 0, count: 1 << 12)
    cacheKeys = [UInt64](repeating: .max, count: Self.cacheSize)
    cacheValues = [UInt32](repeating: 0, count: Self.cacheSize)
    let terminal = Entry(
      level: Self.terminalLevel, firstRun: 0, runCount: 0, hash: 0, height: 0)
    entries = [terminal, terminal]
  }

  /// The number of nodes so far.
  package var count: Int { entries.count }

  /// Counts steps before they are made.
  package mutating func spend(_ steps: Int) throws(TooLarge) {
    guard steps <= limits.steps - stepCount else {
      stepCount = limits.steps
      throw TooLarge()
    }
    stepCount += steps
  }

  /// The level of the value that a node tests; lower levels are tested first.
  package func level(_ node: Node) -> Int { Int(entries[Int(node.index)].level) }

  /// The branches of a node.
  package func branches(_ node: Node) -> ArraySlice<Run> {
    let entry = entries[Int(node.index)]
    return runs[Int(entry.firstRun)..<Int(entry.firstRun + entry.runCount)]
  }

  /// Where a class leads to.
  package func target(_ node: Node, _ number: Int) -> Node {
    let entry = entries[Int(node.index)]
    var low = Int(entry.firstRun)
    var high = low + Int(entry.runCount)
    while high - low > 1 {
      let middle = (low + high) / 2
      if runs[middle].start <= UInt32(truncatingIfNeeded: number) {
        low = middle
      } else {
        high = middle
      }
    }
    return runs[low].target
  }

  /// Whether a user is in a set.
  package func contains(_ node: Node, _ user: FoundUser) -> Bool {
    var node = node
    while !node.isTerminal { node = target(node, user[level(node)]) }
    return node == .everyone
  }

  // MARK: Making nodes

  /// The node with some branches, which may repeat each other.
  package mutating func node(level: Int, _ branches: [Run]) throws(TooLarge) -> Node {
    var merged: [Run] = []
    merged.reserveCapacity(branches.count)
    for run in branches where merged.last?.target != run.target { merged.append(run) }
    if merged.count == 1 { return merged[0].target }
    return try unique(Int32(truncatingIfNeeded: level), merged)
  }

  /// The set of the users whose value is of one of some classes.
  package mutating func node(level: Int, where isIn: [Bool]) throws(TooLarge) -> Node {
    var branches: [Run] = []
    for (index, isIn) in isIn.enumerated() {
      let target: Node = isIn ? .everyone : .none
      if branches.last?.target != target {
        branches.append(Run(start: UInt32(truncatingIfNeeded: index), target: target))
      }
    }
    guard !branches.isEmpty else { return .none }
    return try node(level: level, branches)
  }

  private mutating func unique(_ level: Int32, _ branches: [Run]) throws(TooLarge) -> Node {
    var hash = UInt32(truncatingIfNeeded: level) &* 0x9E37_79B1
    for run in branches {
      hash = (hash ^ run.start) &* 0x85EB_CA6B
      hash = (hash ^ run.target.index) &* 0xC2B2_AE35
      hash ^= hash >> 15
    }
    let mask = table.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while table[place] != 0 {
      let entry = entries[Int(table[place])]
      if entry.hash == hash, entry.level == level, Int(entry.runCount) == branches.count,
        runs[Int(entry.firstRun)..<Int(entry.firstRun + entry.runCount)].elementsEqual(branches)
      {
        return Node(index: table[place])
      }
      place = (place + 1) & mask
    }
    let height = branches.reduce(0) { max($0, entries[Int($1.target.index)].height) } + 1
    guard entries.count < limits.nodes, branches.count <= limits.branches - runs.count,
      height <= Self.maximumHeight
    else { throw TooLarge() }
    let node = Node(index: UInt32(truncatingIfNeeded: entries.count))
    entries.append(
      Entry(
        level: level, firstRun: Int32(truncatingIfNeeded: runs.count),
        runCount: Int32(truncatingIfNeeded: branches.count), hash: hash, height: height))
    runs += branches
    table[place] = node.index
    if entries.count * 2 > table.count { grow() }
    return node
  }

  private mutating func grow() {
    table = [UInt32](repeating: 0, count: table.count * 2)
    let mask = table.count - 1
    for index in 2..<entries.count {
      var place = Int(truncatingIfNeeded: entries[index].hash) & mask
      while table[place] != 0 { place = (place + 1) & mask }
      table[place] = UInt32(truncatingIfNeeded: index)
    }
  }

  // MARK: Operations

  package mutating func and(_ left: Node, _ right: Node) throws(TooLarge) -> Node {
    try apply(.and, left, right, depth: 0)
  }

  package mutating func or(_ left: Node, _ right: Node) throws(TooLarge) -> Node {
    try apply(.or, left, right, depth: 0)
  }

  /// The users of one set who are not in another.
  package mutating func without(_ left: Node, _ right: Node) throws(TooLarge) -> Node {
    try apply(.without, left, right, depth: 0)
  }

  /// The users who are in one set and not in the other.
  package mutating func differ(_ left: Node, _ right: Node) throws(TooLarge) -> Node {
    try apply(.differ, left, right, depth: 0)
  }

  /// The result of an operation where it is known at once.
  private static func shortcut(_ operation: Operation, _ left: Node, _ right: Node) -> Node? {
    switch operation {
    case .and:
      if left == .none || right == .none { return Node.none }
      if left == .everyone || left == right { return right }
      if right == .everyone { return left }
    case .or:
      if left == .everyone || right == .everyone { return .everyone }
      if left == .none || left == right { return right }
      if right == .none { return left }
    case .without:
      if left == .none || right == .everyone || left == right { return Node.none }
      if right == .none { return left }
    case .differ:
      if left == right { return Node.none }
      if left == .none { return right }
      if right == .none { return left }
    }
    return nil
  }

  private mutating func apply(
    _ operation: Operation, _ first: Node, _ second: Node, depth: Int
  ) throws(TooLarge) -> Node {
    guard depth < Self.maximumHeight else { throw TooLarge() }
    if let result = Self.shortcut(operation, first, second) { return result }
    var left = first
    var right = second
    if operation != .without, left.index > right.index { swap(&left, &right) }
    let key = operation.rawValue << 62 | UInt64(left.index) << 31 | UInt64(right.index)
    let place = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 48)
    if cacheKeys[place] == key { return Node(index: cacheValues[place]) }
    let result = try combine(operation, left, right, depth: depth + 1)
    cacheKeys[place] = key
    cacheValues[place] = result.index
    return result
  }

  private mutating func combine(
    _ operation: Operation, _ left: Node, _ right: Node, depth: Int
  ) throws(TooLarge) -> Node {
    let a = entries[Int(left.index)]
    let b = entries[Int(right.index)]
    try spend(Int(a.runCount) + Int(b.runCount))
    let level = min(a.level, b.level)
    var branches: [Run] = []
    // A node that tests a later value is the same for all classes.
    var i = Int(a.firstRun)
    var j = Int(b.firstRun)
    let lastA = a.level == level ? i + Int(a.runCount) - 1 : i
    let lastB = b.level == level ? j + Int(b.runCount) - 1 : j
    var start: UInt32 = 0
    while true {
      let x = a.level == level ? runs[i].target : left
      let y = b.level == level ? runs[j].target : right
      let target = try apply(operation, x, y, depth: depth)
      if branches.last?.target != target { branches.append(Run(start: start, target: target)) }
      let nextA = i < lastA ? runs[i + 1].start : .max
      let nextB = j < lastB ? runs[j + 1].start : .max
      start = min(nextA, nextB)
      if start == .max { break }
      if nextA == start { i += 1 }
      if nextB == start { j += 1 }
    }
    if branches.count == 1 { return branches[0].target }
    return try unique(level, branches)
  }

  // MARK: Questions

  /// Whether no user is in both sets. Makes no nodes.
  package mutating func areDisjoint(_ left: Node, _ right: Node) throws(TooLarge) -> Bool {
    var seen: Set<UInt64> = []
    return try areDisjoint(left, right, &seen)
  }

  private mutating func areDisjoint(
    _ left: Node, _ right: Node, _ seen: inout Set<UInt64>
  ) throws(TooLarge) -> Bool {
    if left == .none || right == .none { return true }
    if left == .everyone || right == .everyone || left == right { return false }
    let key = UInt64(min(left.index, right.index)) << 32 | UInt64(max(left.index, right.index))
    guard seen.insert(key).inserted else { return true }
    let a = entries[Int(left.index)]
    let b = entries[Int(right.index)]
    try spend(Int(a.runCount) + Int(b.runCount))
    let level = min(a.level, b.level)
    var i = Int(a.firstRun)
    var j = Int(b.firstRun)
    let lastA = a.level == level ? i + Int(a.runCount) - 1 : i
    let lastB = b.level == level ? j + Int(b.runCount) - 1 : j
    while true {
      let x = a.level == level ? runs[i].target : left
      let y = b.level == level ? runs[j].target : right
      if try !areDisjoint(x, y, &seen) { return false }
      let nextA = i < lastA ? runs[i + 1].start : .max
      let nextB = j < lastB ? runs[j + 1].start : .max
      let start = min(nextA, nextB)
      if start == .max { return true }
      if nextA == start { i += 1 }
      if nextB == start { j += 1 }
    }
  }

  /// The levels that a set depends on, in order.
  package func levels(of node: Node) -> [Int] {
    var seen: Set<Node> = []
    var levels: Set<Int> = []
    var work = [node]
    while let next = work.popLast() {
      guard !next.isTerminal, seen.insert(next).inserted else { continue }
      levels.insert(level(next))
      for run in branches(next) { work.append(run.target) }
    }
    return levels.sorted()
  }
}
