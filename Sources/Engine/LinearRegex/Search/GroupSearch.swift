/// Finds the first match and its groups by following all states at once, in the order of
/// preference.
struct GroupSearch: ~Copyable {
  private let program: RegexProgram.Core
  private let slotCount: Int
  private var scratch: [Int]
  private var stack: [Frame] = []
  /// The number of states visited.
  private(set) var steps = 0

  /// The states of one position, the preferred first, each with its slots.
  private struct ThreadList {
    var states: [UInt32] = []
    var slots: [Int] = []
    private var sparse: [UInt32]

    init(_ stateCount: Int) { sparse = [UInt32](repeating: 0, count: stateCount) }

    func contains(_ state: UInt32) -> Bool {
      let place = sparse[Int(state)]
      return place < states.count && states[Int(place)] == state
    }

    mutating func insert(_ state: UInt32) {
      sparse[Int(state)] = UInt32(states.count)
      states.append(state)
    }

    mutating func removeAll() {
      states.removeAll(keepingCapacity: true)
      slots.removeAll(keepingCapacity: true)
    }
  }

  private enum Frame {
    case explore(UInt32)
    case restore(slot: Int, value: Int)
  }

  init(_ program: RegexProgram.Core, groupCount: Int) {
    self.program = program
    slotCount = 2 &* (groupCount &+ 1)
    scratch = [Int](repeating: -1, count: slotCount)
  }

  /// Finds the first match at or after a position, which must be a boundary of scalars.
  ///
  /// - Returns: The places of the groups, two each, the whole match first, -1 for a group that took
  ///   no part; empty if there is no match; `nil` if the steps were not enough.
  mutating func firstMatch(
    in text: UnsafeBufferPointer<UInt8>, from position: Int, stepLimit: Int
  ) -> [Int]? {
    var current = ThreadList(program.automaton.stateCount)
    var upcoming = ThreadList(program.automaton.stateCount)
    var found: [Int] = []
    var index = position
    var before = neighbor(endingAt: position, text)
    while true {
      let (symbol, length) = symbol(at: index, text)
      let after = program.symbols.neighbors[Int(symbol)]
      if found.isEmpty {
        // A match that starts here is preferred less than those that started before.
        for slot in scratch.indices { scratch[slot] = -1 }
        follow(program.automaton.start, &current, index, before, after)
      }
      if current.states.isEmpty { break }
      upcoming.removeAll()
      let next = length > 0 ? self.symbol(at: index &+ length, text).symbol : symbol
      let nextAfter = program.symbols.neighbors[Int(next)]
      for place in current.states.indices {
        let state = program.automaton.states[Int(current.states[place])]
        let slots = place &* slotCount
        steps &+= 1
        if state.operation == .match {
          found = Array(current.slots[slots..<slots &+ slotCount])
          break
        }
        guard length > 0, state.operation == .range || state.operation == .set,
          program.automaton.accepts(symbol, state)
        else { continue }
        for slot in 0..<slotCount { scratch[slot] = current.slots[slots &+ slot] }
        follow(state.next, &upcoming, index &+ length, after, nextAfter)
      }
      if steps > stepLimit { return nil }
      swap(&current, &upcoming)
      guard length > 0 else { break }
      index &+= length
      before = after
    }
    return found
  }

  private func symbol(
    at index: Int, _ text: UnsafeBufferPointer<UInt8>
  ) -> (symbol: UInt16, length: Int) {
    guard index < text.count else { return (program.symbols.end, 0) }
    let step = UTF8Decoder.decode(text, at: index)
    return (program.symbols.symbol(of: ScalarSet.ordinal(of: step.scalar)), step.length)
  }

  private func neighbor(
    endingAt position: Int, _ text: UnsafeBufferPointer<UInt8>
  ) -> Neighbor {
    guard position > 0 else { return .edge }
    var start = position &- 1
    while start > 0, text[start] & 0xC0 == 0x80 { start &-= 1 }
    return program.symbols.neighbors[Int(symbol(at: start, text).symbol)]
  }

  /// Adds the states that can be reached from a state without a symbol, with the slots in
  /// `scratch`.
  private mutating func follow(
    _ start: UInt32, _ list: inout ThreadList, _ index: Int, _ before: Neighbor,
    _ after: Neighbor
  ) {
    stack.append(.explore(start))
    while let frame = stack.popLast() {
      guard case .explore(let number) = frame else {
        if case .restore(let slot, let value) = frame { scratch[slot] = value }
        continue
      }
      if list.contains(number) { continue }
      list.insert(number)
      list.slots.append(contentsOf: scratch)
      steps &+= 1
      let state = program.automaton.states[Int(number)]
      switch state.operation {
      case .split:
        stack.append(.explore(state.second))
        stack.append(.explore(state.next))
      case .jump: stack.append(.explore(state.next))
      case .save:
        let slot = Int(state.first)
        if slot < slotCount {
          stack.append(.restore(slot: slot, value: scratch[slot]))
          scratch[slot] = index
        }
        stack.append(.explore(state.next))
      case .assertion:
        if let assertion = Assertion(rawValue: UInt8(truncatingIfNeeded: state.first)),
          assertion.holds(before: before, after: after)
        {
          stack.append(.explore(state.next))
        }
      case .range, .set, .match, .fail: break
      }
    }
  }
}
