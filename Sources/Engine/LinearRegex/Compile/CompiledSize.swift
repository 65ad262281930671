/// How much memory the reference would need for a pattern, which it refuses beyond 10 MiB.
///
/// The reference builds an automaton over the bytes of UTF-8, forwards and backwards. Bounds that
/// are quick to compute allow nearly all patterns; ``StateCounter`` decides about the others.
struct CompiledSize {
  /// The largest size that is allowed, in bytes.
  static let limit = 10 * 1_024 * 1_024

  /// The bytes of a state.
  static let state = 32
  /// The bytes of a transition of a state with several.
  static let transition = 8
  /// The bytes of an alternative of a state that only branches.
  static let alternative = 4

  private enum Bound {
    /// From the number of ranges of each set.
    case quick
    /// From the bytes of each set, as if no two of its sequences shared a state.
    case close
  }

  private var known: [ScalarSet: Int] = [:]

  /// Whether the reference would refuse a pattern for its size.
  static func isExceeded(by node: RegexNode) -> Bool {
    var size = CompiledSize()
    if size.total(node, .quick) <= limit || size.total(node, .close) <= limit { return false }
    if size.least(node) > limit { return true }
    return !StateCounter.fits(node, isBackward: false)
      || !StateCounter.fits(node, isBackward: true)
  }

  /// Returns a size that a pattern has at least: a state for each copy of a literal or a set.
  private func least(_ node: RegexNode) -> Int {
    switch node.kind {
    case .empty, .assertion, .never: return 0
    case .literal, .set: return Self.state
    case .capture(_, let inner): return least(inner)
    case .sequence(let nodes): return nodes.reduce(0) { add($0, least($1)) }
    // Alternatives may share states.
    case .choice(let nodes): return nodes.reduce(0) { max($0, least($1)) }
    case .repetition(let inner, let minimum, let maximum, _):
      return multiply(least(inner), Int(maximum ?? minimum))
    }
  }

  /// The automaton with its search prefix, the group of the whole match and the final state.
  private mutating func total(_ node: RegexNode, _ bound: Bound) -> Int {
    add(size(node, bound), 6 * Self.state + 16)
  }

  private func add(_ left: Int, _ right: Int) -> Int {
    let (sum, overflows) = left.addingReportingOverflow(right)
    return overflows ? .max : sum
  }

  private func multiply(_ left: Int, _ right: Int) -> Int {
    let (product, overflows) = left.multipliedReportingOverflow(by: right)
    return overflows ? .max : product
  }

  private mutating func size(_ node: RegexNode, _ bound: Bound) -> Int {
    switch node.kind {
    case .empty, .assertion: return Self.state
    case .never: return 2 * Self.state
    case .literal(let ordinals):
      var length = 0
      for ordinal in ordinals { length &+= UTF8Ranges.length(ofOrdinal: ordinal) }
      return length &* Self.state
    case .set(let set): return size(of: set, bound)
    case .capture(_, let inner): return add(size(inner, bound), 2 * Self.state)
    case .sequence(let nodes):
      var sum = 0
      for inner in nodes { sum = add(sum, size(inner, bound)) }
      return sum
    case .choice(let nodes):
      var sum = 2 * Self.state
      for inner in nodes { sum = add(sum, add(size(inner, bound), Self.alternative)) }
      // A tree of literals takes two states and a transition for each byte.
      return multiply(sum, 3)
    case .repetition(let inner, let minimum, let maximum, _):
      // Each copy of an optional part has a branch, and an open end has two of them.
      let copies = Int(max(maximum ?? minimum, 1))
      let branch = Self.state + 2 * Self.alternative
      return add(multiply(add(size(inner, bound), branch), copies), 2 * branch + Self.state)
    }
  }

  private mutating func size(of set: ScalarSet, _ bound: Bound) -> Int {
    if set.isASCII { return 2 * Self.state + set.rangeCount * Self.transition }
    if bound == .quick {
      // A range takes at most seven sequences of four bytes.
      return multiply(set.rangeCount, 7 * 4 * (Self.state + Self.transition)) + 2 * Self.state
    }
    if let size = known[set] { return size }
    var size = 2 * Self.state
    UTF8Ranges.forEach(in: set) { sequence in
      size += sequence.count * (Self.state + Self.transition)
    }
    known[set] = size
    return size
  }
}
