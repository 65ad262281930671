/// Builds the automaton of a tree.
struct AutomatonBuilder: ~Copyable {
  /// A piece of the automaton; `end` is a state whose `next` is still open.
  private struct Piece {
    var start: UInt32
    var end: UInt32
  }

  private let symbols: SymbolMap
  private let keepsGroups: Bool
  private var states: [Automaton.State] = []
  private var setRanges: [Automaton.SymbolRange] = []
  private var setStarts = [0]
  private var relevant: Neighbor = []
  /// The state that each set becomes.
  private var setStates: [ScalarSet: Automaton.State] = [:]

  private init(symbols: SymbolMap, keepsGroups: Bool) {
    self.symbols = symbols
    self.keepsGroups = keepsGroups
  }

  /// Builds an automaton. O(n) in the number of its states, which ``CompiledSize`` bounds.
  ///
  /// - Parameter keepsGroups: Whether states keep the places of groups.
  static func build(_ node: RegexNode, _ symbols: SymbolMap, keepsGroups: Bool) -> Automaton {
    var builder = AutomatonBuilder(symbols: symbols, keepsGroups: keepsGroups)
    let whole = builder.capture(0, node)
    let match = builder.add(.match)
    builder.connect(whole.end, match)
    return Automaton(
      builder.states, start: whole.start, relevant: builder.relevant,
      setRanges: builder.setRanges, setStarts: builder.setStarts)
  }

  private mutating func add(
    _ operation: Automaton.Operation, first: UInt16 = 0, second: UInt32 = 0
  ) -> UInt32 {
    states.append(
      Automaton.State(operation: operation, first: first, second: second))
    return UInt32(states.count &- 1)
  }

  private mutating func connect(_ state: UInt32, _ next: UInt32) {
    states[Int(state)].next = next
  }

  private mutating func single(
    _ operation: Automaton.Operation, first: UInt16 = 0, second: UInt32 = 0
  ) -> Piece {
    let state = add(operation, first: first, second: second)
    return Piece(start: state, end: state)
  }

  // Not inlined: the functions here call each other, and copies of them are tens of kilobytes.
  @inline(never)
  private mutating func piece(_ node: RegexNode) -> Piece {
    switch node.kind {
    case .empty: return single(.jump)
    case .never: return single(.fail)
    case .literal(let ordinals):
      return row(ordinals.count) { builder, index in
        let symbol = builder.symbols.symbol(of: ordinals[index])
        return builder.single(.range, first: symbol, second: UInt32(symbol))
      }
    case .set(let set): return self.set(set)
    case .assertion(let assertion):
      relevant.formUnion(assertion.relevant)
      return single(.assertion, first: UInt16(assertion.rawValue))
    case .repetition(let inner, let minimum, let maximum, let isGreedy):
      return repetition(inner, minimum, maximum, isGreedy)
    case .capture(let number, let inner): return capture(number, inner)
    case .sequence(let nodes): return row(nodes.count) { $0.piece(nodes[$1]) }
    case .choice(let nodes): return choice(nodes)
    }
  }

  @inline(never)
  private mutating func row(
    _ count: Int, _ make: (inout AutomatonBuilder, Int) -> Piece
  ) -> Piece {
    guard count > 0 else { return single(.jump) }
    var result = make(&self, 0)
    for index in 1..<max(count, 1) {
      let next = make(&self, index)
      connect(result.end, next.start)
      result.end = next.end
    }
    return result
  }

  private mutating func set(_ set: ScalarSet) -> Piece {
    let state = setStates[set] ?? makeState(of: set)
    return single(state.operation, first: state.first, second: state.second)
  }

  private mutating func makeState(of set: ScalarSet) -> Automaton.State {
    let ranges = symbols.ranges(of: set)
    var state = Automaton.State(operation: .range)
    if ranges.count == 1 {
      state.first = ranges[0].lower
      state.second = UInt32(ranges[0].upper)
    } else {
      state.operation = .set
      state.first = UInt16(truncatingIfNeeded: setStarts.count &- 1)
      setRanges.append(contentsOf: ranges)
      setStarts.append(setRanges.count)
    }
    setStates[set] = state
    return state
  }

  private mutating func capture(_ number: Int, _ node: RegexNode) -> Piece {
    guard keepsGroups else { return piece(node) }
    let start = add(.save, first: UInt16(truncatingIfNeeded: 2 &* number))
    let inner = piece(node)
    let end = add(.save, first: UInt16(truncatingIfNeeded: 2 &* number &+ 1))
    connect(start, inner.start)
    connect(inner.end, end)
    return Piece(start: start, end: end)
  }

  // MARK: Alternatives

  private mutating func choice(_ nodes: [RegexNode]) -> Piece {
    if keepsGroups { return choice(nodes.count) { $0.piece(nodes[$1]) } }
    return factoredChoice(nodes.map { Self.units(of: $0)[...] }, depth: 0)
  }

  @inline(never)
  private mutating func choice(
    _ count: Int, _ make: (inout AutomatonBuilder, Int) -> Piece
  ) -> Piece {
    let end = add(.jump)
    var start = end
    var previous: UInt32?
    for index in 0..<count {
      let split = index < count &- 1 ? add(.split) : nil
      let inner = make(&self, index)
      connect(inner.end, end)
      if let split { connect(split, inner.start) }
      let entry = split ?? inner.start
      if let previous { states[Int(previous)].second = entry } else { start = entry }
      previous = split
    }
    return Piece(start: start, end: end)
  }

  /// The parts of a node that must match one after another.
  private static func units(of node: RegexNode) -> [RegexNode] {
    switch node.kind {
    case .empty: []
    case .literal(let ordinals): ordinals.map { .literal([$0]) }
    case .sequence(let nodes): nodes.flatMap { units(of: $0) }
    case .capture(_, let inner): units(of: inner)
    default: [node]
    }
  }

  /// Alternatives of which those that start alike share their start. The order is lost.
  @inline(never)
  private mutating func factoredChoice(_ rows: [ArraySlice<RegexNode>], depth: Int) -> Piece {
    var groups: [(first: RegexNode?, rests: [ArraySlice<RegexNode>])] = []
    var numbers: [RegexNode: Int] = [:]
    var hasEmpty = false
    for row in rows {
      guard let first = row.first else {
        if !hasEmpty { groups.append((nil, [])) }
        hasEmpty = true
        continue
      }
      if let number = numbers[first] {
        groups[number].rests.append(row.dropFirst())
      } else {
        numbers[first] = groups.count
        groups.append((first, [row.dropFirst()]))
      }
    }
    return choice(groups.count) { builder, index in
      guard let first = groups[index].first else { return builder.single(.jump) }
      let rests = groups[index].rests
      let start = builder.piece(first)
      let rest =
        rests.count == 1
        ? builder.row(rests[0])
        : depth < Self.maximumDepth
          ? builder.factoredChoice(rests, depth: depth &+ 1)
          : builder.choice(rests.count) { $0.row(rests[$1]) }
      builder.connect(start.end, rest.start)
      return Piece(start: start.start, end: rest.end)
    }
  }

  /// The number of common units in a row that alternatives share.
  private static let maximumDepth = 100

  private mutating func row(_ nodes: ArraySlice<RegexNode>) -> Piece {
    row(nodes.count) { $0.piece(nodes[nodes.startIndex &+ $1]) }
  }

  // MARK: Repetitions

  /// A state that goes to `taken` or past it; the way past it is open as the `next` of `exit`.
  private mutating func fork(_ isGreedy: Bool, taken: UInt32, exit: UInt32) -> UInt32 {
    let split = add(.split)
    setFork(split, isGreedy, taken: taken, exit: exit)
    return split
  }

  private mutating func setFork(
    _ split: UInt32, _ isGreedy: Bool, taken: UInt32, exit: UInt32
  ) {
    states[Int(split)].next = isGreedy ? taken : exit
    states[Int(split)].second = isGreedy ? exit : taken
  }

  private mutating func repetition(
    _ node: RegexNode, _ minimum: UInt32, _ maximum: UInt32?, _ isGreedy: Bool
  ) -> Piece {
    guard let maximum else { return unbounded(node, minimum, isGreedy) }
    let required = row(Int(minimum)) { builder, _ in builder.piece(node) }
    guard maximum > minimum else { return required }
    let exit = add(.jump)
    var end = required.end
    for _ in minimum..<maximum {
      let split = add(.split)
      let inner = piece(node)
      setFork(split, isGreedy, taken: inner.start, exit: exit)
      connect(end, split)
      end = inner.end
    }
    connect(end, exit)
    return Piece(start: required.start, end: exit)
  }

  private mutating func unbounded(
    _ node: RegexNode, _ minimum: UInt32, _ isGreedy: Bool
  ) -> Piece {
    let exit = add(.jump)
    if minimum == 0 {
      let inner = piece(node)
      let loop = fork(isGreedy, taken: inner.start, exit: exit)
      connect(inner.end, loop)
      // A node that can be empty must be entered once before the loop, or preferences would be
      // wrong.
      let start = node.canBeEmpty ? fork(isGreedy, taken: inner.start, exit: exit) : loop
      return Piece(start: start, end: exit)
    }
    let required = row(Int(minimum) &- 1) { builder, _ in builder.piece(node) }
    let last = piece(node)
    let loop = fork(isGreedy, taken: last.start, exit: exit)
    connect(last.end, loop)
    guard minimum > 1 else { return Piece(start: last.start, end: exit) }
    connect(required.end, last.start)
    return Piece(start: required.start, end: exit)
  }
}
