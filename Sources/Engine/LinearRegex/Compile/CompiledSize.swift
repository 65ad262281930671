/// How much memory the reference would need for a pattern, which it refuses beyond 10 MiB.
///
/// The reference builds an automaton over the bytes of UTF-8, forwards and backwards, of 32 bytes a
/// state, 8 for a transition and 4 for an alternative. What it shares in a class through a hash
/// table of fixed size is shared here always, so that sizes of large classes come out a little
/// smaller.
struct CompiledSize {
  /// The largest size that is allowed, in bytes.
  static let limit = 10 * 1_024 * 1_024

  private static let state = 32
  private static let transition = 8
  private static let alternative = 4

  private enum Direction {
    /// An upper bound for both directions, which is quick to compute.
    case bound
    case forward
    case backward
  }

  private var known: [ScalarSet: Int] = [:]

  /// Whether the reference would refuse a pattern for its size.
  static func isExceeded(by node: RegexNode) -> Bool {
    var size = CompiledSize()
    if size.total(node, .bound) <= limit { return false }
    if size.total(node, .forward) > limit { return true }
    size.known = [:]
    return size.total(node, .backward) > limit
  }

  /// The automaton with its search prefix, the group of the whole match and the final state.
  private mutating func total(_ node: RegexNode, _ direction: Direction) -> Int {
    let groups = direction == .backward ? 0 : 2 * Self.state
    return add(size(node, direction), 4 * Self.state + 16 + groups)
  }

  private func add(_ left: Int, _ right: Int) -> Int {
    let (sum, overflows) = left.addingReportingOverflow(right)
    return overflows ? .max : sum
  }

  private func multiply(_ left: Int, _ right: Int) -> Int {
    let (product, overflows) = left.multipliedReportingOverflow(by: right)
    return overflows ? .max : product
  }

  private mutating func size(_ node: RegexNode, _ direction: Direction) -> Int {
    switch node.kind {
    case .empty, .never, .assertion: return Self.state
    case .literal(let ordinals):
      var length = 0
      for ordinal in ordinals { length &+= UTF8Ranges.length(ofOrdinal: ordinal) }
      return length &* Self.state
    case .set(let set): return size(of: set, direction)
    case .capture(_, let inner):
      return add(size(inner, direction), direction == .backward ? 0 : 2 * Self.state)
    case .sequence(let nodes):
      var sum = 0
      for inner in nodes { sum = add(sum, size(inner, direction)) }
      return sum
    case .choice(let nodes):
      if direction != .bound, let size = trieSize(nodes, isBackward: direction == .backward) {
        return size
      }
      var sum = 2 * Self.state
      for inner in nodes { sum = add(sum, add(size(inner, direction), Self.alternative)) }
      // A tree of literals takes two states and a transition for each byte.
      return direction == .bound ? multiply(sum, 3) : sum
    case .repetition(let inner, let minimum, let maximum, _):
      return repetitionSize(inner, minimum, maximum, direction)
    }
  }

  private mutating func repetitionSize(
    _ inner: RegexNode, _ minimum: UInt32, _ maximum: UInt32?, _ direction: Direction
  ) -> Int {
    let once = size(inner, direction)
    let union = Self.state + 2 * Self.alternative
    guard let maximum else {
      if minimum == 0 {
        return add(once, inner.canBeEmpty ? 2 * union + Self.state : union)
      }
      return add(multiply(once, Int(minimum)), union)
    }
    if minimum == 0, maximum == 1 { return add(once, union + Self.state) }
    let required = minimum == 0 ? Self.state : multiply(once, Int(minimum))
    if minimum == maximum { return required }
    let optional = multiply(add(once, union), Int(maximum &- minimum))
    return add(add(required, optional), Self.state)
  }

  // MARK: Sets

  private mutating func size(of set: ScalarSet, _ direction: Direction) -> Int {
    if set.isASCII { return 2 * Self.state + set.rangeCount * Self.transition }
    if direction == .bound {
      // A range takes at most seven sequences of four bytes.
      return multiply(set.rangeCount, 7 * 4 * (Self.state + Self.transition)) + 2 * Self.state
    }
    if let size = known[set] { return size }
    let size = direction == .forward ? forwardSize(of: set) : backwardSize(of: set)
    known[set] = size
    return size
  }

  /// The size of the smallest automaton of the set's UTF-8.
  private func forwardSize(of set: ScalarSet) -> Int {
    var counter = UTF8TrieCounter()
    UTF8Ranges.forEach(in: set) { counter.insert($0) }
    let (states, transitions) = counter.finish()
    return (states + 1) * Self.state + transitions * Self.transition
  }

  /// The size of the backward automaton, in which sequences share the states of equal starts.
  private func backwardSize(of set: ScalarSet) -> Int {
    var starts: Set<[UInt16]> = []
    var sequences = 0
    UTF8Ranges.forEach(in: set) { sequence in
      sequences += 1
      for length in 1...sequence.count { starts.insert(Array(sequence[..<length])) }
    }
    return (starts.count + 2) * Self.state + sequences * Self.alternative
  }

  // MARK: Alternatives

  /// The size of alternatives that are all literals, for which the reference builds a tree; `nil`
  /// if they are not.
  private func trieSize(_ nodes: [RegexNode], isBackward: Bool) -> Int? {
    var children: [[UInt8: Int]] = [[:]]
    var isFinal = [false]
    for node in nodes {
      guard case .literal(let ordinals) = node.kind else { return nil }
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
    var size = Self.state
    for (index, transitions) in children.enumerated() where !transitions.isEmpty {
      size += 2 * Self.state + Self.alternative * (isFinal[index] ? 2 : 1)
      if transitions.count > 1 { size += transitions.count * Self.transition }
    }
    return size
  }
}

/// Counts the states of the smallest automaton of sorted sequences of byte ranges.
struct UTF8TrieCounter {
  private struct Node {
    var transitions: [UInt32] = []
    var last: UInt16?
  }

  private var frozen: [[UInt32]: UInt32] = [:]
  private var open = [Node()]
  private var transitionCount = 0

  /// Adds a sequence, which must not come before an earlier one.
  mutating func insert(_ sequence: [UInt16]) {
    var common = 0
    while common < open.count, common < sequence.count, open[common].last == sequence[common] {
      common &+= 1
    }
    freeze(from: common)
    guard common < sequence.count, common < open.count else { return }
    open[common].last = sequence[common]
    for range in sequence[(common &+ 1)...] { open.append(Node(last: range)) }
  }

  mutating func finish() -> (states: Int, transitions: Int) {
    freeze(from: 0)
    _ = number(of: open[0].transitions)
    return (frozen.count, transitionCount)
  }

  private mutating func freeze(from depth: Int) {
    var next: UInt32 = 0
    while open.count > depth &+ 1 {
      guard var node = open.popLast() else { return }
      close(&node, next)
      next = number(of: node.transitions)
    }
    close(&open[open.count &- 1], next)
  }

  private func close(_ node: inout Node, _ next: UInt32) {
    guard let last = node.last else { return }
    node.transitions.append(UInt32(last))
    node.transitions.append(next)
    node.last = nil
  }

  private mutating func number(of transitions: [UInt32]) -> UInt32 {
    if let number = frozen[transitions] { return number }
    let number = UInt32(frozen.count &+ 1)
    frozen[transitions] = number
    transitionCount += transitions.count / 2
    return number
  }
}
