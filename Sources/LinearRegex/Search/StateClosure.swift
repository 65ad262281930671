/// Follows the automaton from sets of states to sets of states.
///
/// A set is kept as its leaves: the states that wait for a symbol, and the assertions that wait to see
/// what comes next. Whether there is a match is known as soon as a state can reach the end.
struct StateClosure: ~Copyable {
  /// What following a set led to.
  enum Outcome {
    case states
    case match
  }

  let automaton: Automaton
  /// The number of states that were visited since this was made.
  private(set) var steps = 0
  /// The leaves that were found, in ascending order once `finish` has been called.
  private(set) var leaves: [UInt32] = []
  /// Whether one of `leaves` is an assertion.
  private(set) var hasAssertion = false

  private var stack: [UInt32] = []
  private var visited: [UInt64]
  private var touched: [Int] = []

  init(_ automaton: Automaton) {
    self.automaton = automaton
    visited = [UInt64](repeating: 0, count: automaton.states.count / 64 &+ 1)
  }

  /// The first set, before any symbol.
  mutating func start(_ edge: Neighbor) -> Outcome {
    begin()
    if follow(automaton.start, before: edge, behind: nil) { return .match }
    finish()
    return .states
  }

  /// The set behind a symbol, and whether a match ends before it or right behind it.
  ///
  /// - Parameters:
  ///   - current: The leaves before the symbol.
  ///   - before: What assertions know of the symbol before.
  ///   - symbol: The symbol; at the end of the text, one that no state accepts.
  ///   - behind: What assertions know of the symbol.
  ///   - isEnd: Whether the text ends here.
  mutating func advance(
    _ current: ArraySlice<UInt32>, before: Neighbor, _ symbol: UInt16, behind: Neighbor,
    isEnd: Bool
  ) -> Outcome {
    begin()
    var seeds = current
    if hasPendingAssertion(current) {
      for leaf in current {
        let state = automaton.states[Int(leaf)]
        if state.operation != .assertion {
          if mark(leaf) { leaves.append(leaf) }
        } else if holds(state, before, behind),
          follow(state.next, before: before, behind: behind)
        {
          return .match
        }
      }
      seeds = leaves[...]
      begin()
    }
    if isEnd { return .states }
    for leaf in seeds {
      let state = automaton.states[Int(leaf)]
      steps &+= 1
      if automaton.accepts(symbol, state), follow(state.next, before: behind, behind: nil) {
        return .match
      }
    }
    if follow(automaton.start, before: behind, behind: nil) { return .match }
    finish()
    return .states
  }

  private func hasPendingAssertion(_ current: ArraySlice<UInt32>) -> Bool {
    guard !automaton.relevant.isEmpty else { return false }
    for leaf in current where automaton.states[Int(leaf)].operation == .assertion { return true }
    return false
  }

  private func holds(_ state: Automaton.State, _ before: Neighbor, _ behind: Neighbor) -> Bool {
    Assertion(rawValue: UInt8(truncatingIfNeeded: state.first))?.holds(
      before: before, behind: behind) ?? false
  }

  // MARK: Sets

  private mutating func begin() {
    for word in touched { visited[word] = 0 }
    touched.removeAll(keepingCapacity: true)
    leaves.removeAll(keepingCapacity: true)
    hasAssertion = false
  }

  private mutating func finish() {
    // Assertions are leaves to wait for; equal sets must be equal lists.
    leaves.sort()
  }

  private mutating func mark(_ state: UInt32) -> Bool {
    let word = Int(state / 64)
    let bit: UInt64 = 1 << UInt64(state % 64)
    if visited[word] & bit != 0 { return false }
    if visited[word] == 0 { touched.append(word) }
    visited[word] |= bit
    return true
  }

  /// Adds the leaves that can be reached from a state without a symbol.
  ///
  /// - Parameter behind: The symbol that follows; `nil` while it is not known, so that assertions on it
  ///   become leaves.
  /// - Returns: Whether the end can be reached.
  private mutating func follow(_ start: UInt32, before: Neighbor, behind: Neighbor?) -> Bool {
    stack.append(start)
    while let number = stack.popLast() {
      guard mark(number) else { continue }
      steps &+= 1
      let state = automaton.states[Int(number)]
      switch state.operation {
      case .range, .set: leaves.append(number)
      case .split:
        stack.append(state.second)
        stack.append(state.next)
      case .jump, .save: stack.append(state.next)
      case .fail: break
      case .match:
        stack.removeAll(keepingCapacity: true)
        return true
      case .assertion:
        guard let assertion = Assertion(rawValue: UInt8(truncatingIfNeeded: state.first)) else {
          break
        }
        if let behind {
          if assertion.holds(before: before, behind: behind) { stack.append(state.next) }
        } else if assertion.looksBehindOnly {
          if assertion.holds(before: before, behind: []) { stack.append(state.next) }
        } else {
          leaves.append(number)
          hasAssertion = true
        }
      }
    }
    return false
  }
}
