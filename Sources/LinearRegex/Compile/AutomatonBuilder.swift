/// Builds the automaton of a tree.
struct AutomatonBuilder: ~Copyable {
  /// A piece of the automaton; `end` is a state whose `next` is still open.
  private struct Piece {
    var start: UInt32
    var end: UInt32
  }

  private let symbols: SymbolMap
  private let keepsGroups: Bool
  private var automaton = Automaton()
  private var setNumbers: [ScalarSet: UInt16] = [:]

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
    builder.automaton.start = whole.start
    return builder.automaton
  }

  private mutating func add(
    _ operation: Automaton.Operation, first: UInt16 = 0, second: UInt32 = 0
  ) -> UInt32 {
    automaton.states.append(
      Automaton.State(operation: operation, first: first, second: second))
    return UInt32(automaton.states.count &- 1)
  }

  private mutating func connect(_ state: UInt32, _ next: UInt32) {
    automaton.states[Int(state)].next = next
  }

  private mutating func single(
    _ operation: Automaton.Operation, first: UInt16 = 0, second: UInt32 = 0
  ) -> Piece {
    let state = add(operation, first: first, second: second)
    return Piece(start: state, end: state)
  }

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
      automaton.relevant.formUnion(assertion.relevant)
      return single(.assertion, first: UInt16(assertion.rawValue))
    case .repetition(let inner, let minimum, let maximum, let isGreedy):
      return repetition(inner, minimum, maximum, isGreedy)
    case .capture(let number, let inner): return capture(number, inner)
    case .sequence(let nodes): return row(nodes.count) { $0.piece(nodes[$1]) }
    case .choice(let nodes): return choice(nodes)
    }
  }

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
    let ranges = symbols.ranges(of: set)
    if ranges.count == 1 {
      return single(.range, first: ranges[0].lower, second: UInt32(ranges[0].upper))
    }
    if let number = setNumbers[set] { return single(.set, first: number) }
    let number = UInt16(truncatingIfNeeded: automaton.setStarts.count &- 1)
    automaton.setRanges.append(contentsOf: ranges)
    automaton.setStarts.append(automaton.setRanges.count)
    setNumbers[set] = number
    return single(.set, first: number)
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

  private mutating func choice(_ nodes: [RegexNode]) -> Piece {
    let end = add(.jump)
    var splits: [UInt32] = []
    var starts: [UInt32] = []
    for (index, node) in nodes.enumerated() {
      if index < nodes.count &- 1 { splits.append(add(.split)) }
      let inner = piece(node)
      starts.append(inner.start)
      connect(inner.end, end)
    }
    for (index, split) in splits.enumerated() {
      connect(split, starts[index])
      automaton.states[Int(split)].second =
        index &+ 1 < splits.count ? splits[index &+ 1] : starts[index &+ 1]
    }
    return Piece(start: splits.first ?? starts.first ?? end, end: end)
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
    automaton.states[Int(split)].next = isGreedy ? taken : exit
    automaton.states[Int(split)].second = isGreedy ? exit : taken
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
      // What can be empty must be entered once before the loop, or preferences would be wrong.
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
