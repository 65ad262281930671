/// Follows the automaton from sets of states to sets of states.
///
/// A set is kept as its leaves: the states that wait for a symbol, and the assertions that wait to
/// see what comes next. Whether there is a match is known as soon as a state can reach the end.
///
/// A search may start anywhere, so that every set has the leaves of the start. Where they are
/// always the same they are left out, and only what they lead to by a symbol is added.
struct StateClosure: ~Copyable {
  /// The result of following a set.
  enum Outcome {
    case states
    case match
  }

  private let automaton: Automaton
  private let wordCount: Int
  /// The work done since this was made: states visited, and words of bits looked through.
  private(set) var steps = 0
  /// The leaves that were found, in ascending order.
  private(set) var leaves: [UInt32] = []
  /// The leaves that waited for a symbol after assertions were decided.
  private var resolved: [UInt32] = []
  /// Whether one of `leaves` is an assertion.
  private(set) var hasAssertion = false

  /// The leaves of the start, if they are the same everywhere.
  private var startLeaves: [UInt32]?
  /// Where each symbol leads from `startLeaves`; `nil` until it is asked for.
  private var startTargets: [[UInt32]?] = []

  // Allocated in `init` and freed in `deinit`; the stack has room for each state once.
  private let visited: UnsafeMutablePointer<UInt64>
  private let waiting: UnsafeMutablePointer<UInt64>
  private let stack: UnsafeMutablePointer<UInt32>
  private var lowWord: Int
  private var highWord = 0

  /// - Parameter symbolCount: The number of symbols.
  init(_ automaton: Automaton, symbolCount: Int) {
    self.automaton = automaton
    wordCount = automaton.stateCount / 64 &+ 1
    visited = .allocate(capacity: wordCount)
    visited.initialize(repeating: 0, count: wordCount)
    waiting = .allocate(capacity: wordCount)
    waiting.initialize(repeating: 0, count: wordCount)
    stack = .allocate(capacity: automaton.stateCount &+ 1)
    lowWord = wordCount
    findStart(symbolCount)
  }

  deinit {
    visited.deallocate()
    waiting.deallocate()
    stack.deallocate()
  }

  private mutating func findStart(_ symbolCount: Int) {
    for state in 0..<automaton.stateCount
    where automaton.states[state].operation == .assertion {
      // The leaves of the start may depend on the symbol before; it is followed each time.
      return
    }
    // A pattern that matches the empty text matches at once.
    guard !follow(automaton.start, before: [], after: nil) else { return discard() }
    collect()
    startLeaves = leaves
    startTargets = [[UInt32]?](repeating: nil, count: symbolCount)
  }

  /// The first set, before any symbol.
  mutating func start(_ edge: Neighbor) -> Outcome {
    if startLeaves != nil {
      leaves.removeAll(keepingCapacity: true)
      hasAssertion = false
      return .states
    }
    if follow(automaton.start, before: edge, after: nil) {
      discard()
      return .match
    }
    collect()
    return .states
  }

  /// The set after a symbol, and whether a match ends before it or right after it.
  ///
  /// - Parameters:
  ///   - current: The leaves before the symbol.
  ///   - before: The properties of the symbol before, for assertions.
  ///   - symbol: The symbol; at the end of the text, one that no state accepts.
  ///   - after: The properties of the symbol, for assertions.
  ///   - isEnd: Whether the text ends here.
  mutating func advance(
    _ current: ArraySlice<UInt32>, before: Neighbor, _ symbol: UInt16, after: Neighbor,
    isEnd: Bool
  ) -> Outcome {
    if hasPendingAssertion(current) {
      for leaf in current {
        let state = automaton.states[Int(leaf)]
        if state.operation != .assertion {
          wait(leaf)
        } else if holds(state, before, after), follow(state.next, before: before, after: after) {
          discard()
          return .match
        }
      }
      collect()
      if isEnd { return .states }
      // A list of its own, because `leaves` changes.
      swap(&leaves, &resolved)
      return consume(resolved[...], symbol, after)
    }
    return isEnd ? .states : consume(current, symbol, after)
  }

  private mutating func consume(
    _ current: ArraySlice<UInt32>, _ symbol: UInt16, _ after: Neighbor
  ) -> Outcome {
    steps &+= current.count
    var isMatch = false
    let automaton = automaton
    for leaf in current {
      let state = automaton.states[Int(leaf)]
      guard automaton.accepts(symbol, state) else { continue }
      isMatch = follow(state.next, before: after, after: nil)
      if isMatch { break }
    }
    if !isMatch {
      if startLeaves == nil {
        isMatch = follow(automaton.start, before: after, after: nil)
      } else {
        for target in targets(of: symbol) where !isMatch {
          isMatch = follow(target, before: after, after: nil)
        }
      }
    }
    if isMatch {
      discard()
      return .match
    }
    collect()
    return .states
  }

  /// Where the start leads by a symbol.
  private mutating func targets(of symbol: UInt16) -> [UInt32] {
    if let known = startTargets[Int(symbol)] { return known }
    var targets: [UInt32] = []
    for leaf in startLeaves ?? [] {
      let state = automaton.states[Int(leaf)]
      if automaton.accepts(symbol, state) { targets.append(state.next) }
    }
    startTargets[Int(symbol)] = targets
    return targets
  }

  /// Counts work that was done elsewhere.
  mutating func charge(_ work: Int) { steps &+= work }

  private func hasPendingAssertion(_ current: ArraySlice<UInt32>) -> Bool {
    guard !automaton.relevant.isEmpty else { return false }
    for leaf in current where automaton.states[Int(leaf)].operation == .assertion { return true }
    return false
  }

  private func holds(_ state: Automaton.State, _ before: Neighbor, _ after: Neighbor) -> Bool {
    Assertion(rawValue: UInt8(truncatingIfNeeded: state.first))?.holds(
      before: before, after: after) ?? false
  }

  // MARK: Sets

  /// Makes `leaves` of the bits, and clears them.
  private mutating func collect() {
    leaves.removeAll(keepingCapacity: true)
    hasAssertion = false
    guard lowWord <= highWord else { return }
    let checksAssertions = !automaton.relevant.isEmpty
    for word in lowWord...highWord {
      visited[word] = 0
      var bits = waiting[word]
      waiting[word] = 0
      while bits != 0 {
        let leaf = UInt32(word &* 64 &+ bits.trailingZeroBitCount)
        leaves.append(leaf)
        bits &= bits &- 1
        if checksAssertions, automaton.states[Int(leaf)].operation == .assertion {
          hasAssertion = true
        }
      }
    }
    steps &+= (highWord &- lowWord) / 4 &+ leaves.count
    lowWord = wordCount
    highWord = 0
  }

  private mutating func discard() {
    guard lowWord <= highWord else { return }
    for word in lowWord...highWord {
      visited[word] = 0
      waiting[word] = 0
    }
    lowWord = wordCount
    highWord = 0
  }

  @inline(__always)
  private mutating func wait(_ state: UInt32) {
    let word = Int(state / 64)
    waiting[word] |= 1 << UInt64(state % 64)
    lowWord = min(lowWord, word)
    highWord = max(highWord, word)
  }

  /// Notes that a state is visited.
  ///
  /// - Returns: Whether it was not visited before.
  @inline(__always)
  private mutating func mark(_ state: UInt32) -> Bool {
    let word = Int(state / 64)
    let bit: UInt64 = 1 << UInt64(state % 64)
    if visited[word] & bit != 0 { return false }
    visited[word] |= bit
    lowWord = min(lowWord, word)
    highWord = max(highWord, word)
    return true
  }

  /// Adds the leaves that can be reached from a state without a symbol.
  ///
  /// - Parameter after: The symbol that follows; `nil` while it is not known, so that assertions on
  ///   it become leaves.
  /// - Returns: Whether the end can be reached.
  private mutating func follow(_ start: UInt32, before: Neighbor, after: Neighbor?) -> Bool {
    guard mark(start) else { return false }
    let states = automaton.states
    stack[0] = start
    var depth = 1
    while depth > 0 {
      depth &-= 1
      var number = stack[depth]
      // Goes on with the first way out, and keeps the other for later.
      while true {
        steps &+= 1
        let state = states[Int(number)]
        switch state.operation {
        case .range, .set:
          wait(number)
        case .split:
          if mark(state.second) {
            stack[depth] = state.second
            depth &+= 1
          }
          if mark(state.next) {
            number = state.next
            continue
          }
        case .jump, .save:
          if mark(state.next) {
            number = state.next
            continue
          }
        case .fail: break
        case .match: return true
        case .assertion:
          guard let assertion = Assertion(rawValue: UInt8(truncatingIfNeeded: state.first))
          else { break }
          if after != nil || assertion.looksBehindOnly {
            if assertion.holds(before: before, after: after ?? []), mark(state.next) {
              number = state.next
              continue
            }
          } else {
            wait(number)
          }
        }
        break
      }
    }
    return false
  }
}
