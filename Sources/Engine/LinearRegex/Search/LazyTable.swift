/// A deterministic automaton that is built while it searches, within bounds of memory and work.
///
/// States are numbered by where their row starts in the table. The two first rows are the state
/// from which nothing can match any more, and the one in which a match has been found.
struct LazyTable: ~Copyable {
  static let dead: UInt32 = 0
  private static let unknown = UInt32.max
  /// The maximum size of the table and of the sets of its states, in bytes, except for one set and
  /// row.
  static let maximumSize = 2 << 20

  private let program: RegexProgram.Core
  private var closure: StateClosure
  private(set) var table: [UInt32] = []
  private let stride: Int
  /// The first state; `nil` before it is known.
  private(set) var start: UInt32?

  /// The leaves of all sets, one after another, and where those of each state start.
  private var leaves: [UInt32] = []
  private var leafStarts: [Int] = []
  private var before: [Neighbor] = []
  /// Buckets of states by hash: the number of a row plus 1.
  private var buckets: [UInt32] = []
  /// How often the table was full and was emptied.
  private(set) var clearCount = 0

  /// The state in which a match has been found.
  var match: UInt32 { UInt32(stride) }
  /// The number of states.
  var stateCount: Int { before.count }
  /// The number of states of the automaton that were visited.
  var steps: Int { closure.steps }
  /// The size of the table and the sets, in bytes.
  var size: Int { (table.count &+ leaves.count &+ buckets.count) &* 4 &+ before.count &* 16 }

  init(_ program: RegexProgram.Core) {
    self.program = program
    closure = StateClosure(program.automaton, symbolCount: program.symbols.count)
    stride = program.symbols.count &+ 1
    clear()
  }

  private mutating func clear() {
    table.removeAll(keepingCapacity: true)
    leaves.removeAll(keepingCapacity: true)
    leafStarts.removeAll(keepingCapacity: true)
    leafStarts.append(0)
    before.removeAll(keepingCapacity: true)
    buckets = [UInt32](repeating: 0, count: 64)
    start = nil
    // The dead state stays dead, and a match stays a match.
    for state in [Self.dead, match] {
      table.append(contentsOf: repeatElement(state, count: stride))
      leafStarts.append(0)
      before.append([])
    }
  }

  /// The state before the first symbol.
  mutating func firstState() -> UInt32 {
    if let start { return start }
    let state: UInt32
    switch closure.start(.edge) {
    case .match: state = match
    case .states: state = intern(.edge)
    }
    start = state
    return state
  }

  /// The state after a symbol, from the table or new.
  ///
  /// A new state may need the room of old ones; then `state`, and every other, loses its number.
  @inline(__always)
  mutating func next(_ state: UInt32, _ symbol: UInt16) -> UInt32 {
    let known = table[Int(state) &+ Int(symbol)]
    return known != Self.unknown ? known : compute(state, symbol)
  }

  @inline(never)
  private mutating func compute(_ state: UInt32, _ symbol: UInt16) -> UInt32 {
    let row = Int(state) / stride
    let isEnd = symbol == program.symbols.end
    let after = program.symbols.neighbors[Int(symbol)]
    let target: UInt32
    switch follow(row, symbol, after, isEnd) {
    case .match: target = match
    case .states:
      if isEnd {
        target = Self.dead
      } else {
        if size > Self.maximumSize {
          clear()
          clearCount &+= 1
          return intern(after)
        }
        target = intern(after)
      }
    }
    table[Int(state) &+ Int(symbol)] = target
    return target
  }

  /// Follows the set of a state. Not inlined, so that the slice of the leaves is gone before more
  /// are appended, which would copy them all.
  @inline(never)
  private mutating func follow(
    _ row: Int, _ symbol: UInt16, _ after: Neighbor, _ isEnd: Bool
  ) -> StateClosure.Outcome {
    closure.advance(
      leaves[leafStarts[row]..<leafStarts[row &+ 1]], before: before[row], symbol, after: after,
      isEnd: isEnd)
  }

  // MARK: States

  /// The number of the state of the leaves that the closure has found.
  private mutating func intern(_ neighbor: Neighbor) -> UInt32 {
    // Without leaves nothing can match any more, unless a match can still start later.
    if closure.leaves.isEmpty, program.isAnchored { return Self.dead }
    let neighbor = closure.hasAssertion ? neighbor : []
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(neighbor.rawValue)
    for leaf in closure.leaves { hash = (hash ^ UInt64(leaf)) &* 0x0000_0100_0000_01B3 }
    var bucket = Int(truncatingIfNeeded: (hash ^ hash >> 32) & UInt64(buckets.count &- 1))
    while buckets[bucket] != 0 {
      let row = Int(buckets[bucket] &- 1)
      if before[row] == neighbor,
        leaves[leafStarts[row]..<leafStarts[row &+ 1]] == closure.leaves[...]
      {
        return UInt32(row &* stride)
      }
      bucket = (bucket &+ 1) & (buckets.count &- 1)
    }
    let row = before.count
    buckets[bucket] = UInt32(row &+ 1)
    leaves.append(contentsOf: closure.leaves)
    leafStarts.append(leaves.count)
    before.append(neighbor)
    table.append(contentsOf: repeatElement(Self.unknown, count: stride))
    // A row of a pattern with thousands of symbols is work too.
    closure.charge(stride / 16)
    if before.count &* 2 > buckets.count { grow() }
    return UInt32(row &* stride)
  }

  private mutating func grow() {
    buckets = [UInt32](repeating: 0, count: buckets.count &* 2)
    for row in 2..<before.count {
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(before[row].rawValue)
      for leaf in leaves[leafStarts[row]..<leafStarts[row &+ 1]] {
        hash = (hash ^ UInt64(leaf)) &* 0x0000_0100_0000_01B3
      }
      var bucket = Int(truncatingIfNeeded: (hash ^ hash >> 32) & UInt64(buckets.count &- 1))
      while buckets[bucket] != 0 { bucket = (bucket &+ 1) & (buckets.count &- 1) }
      buckets[bucket] = UInt32(row &+ 1)
    }
  }

  // MARK: Searching

  /// Whether there is a match in a text.
  ///
  /// - Parameter stepLimit: How many states of the automaton may be visited.
  /// - Returns: `nil` if that was not enough.
  mutating func search(_ text: UnsafeBufferPointer<UInt8>, stepLimit: Int) -> Bool? {
    let (limit, overflows) = steps.addingReportingOverflow(stepLimit)
    let lastStep = overflows ? .max : limit
    var state = firstState()
    var index = 0
    while index < text.count {
      if let symbol = walk(&state, text, &index) {
        state = compute(state, symbol)
        if steps > lastStep { return nil }
      }
      if state <= match { return state == match }
    }
    if state <= match { return state == match }
    return next(state, program.symbols.end) == match
  }

  /// Follows what the table knows.
  ///
  /// - Returns: The symbol that it knows no next state for; `nil` at the end of the text, or if the
  ///   search is over.
  @inline(__always)
  private func walk(
    _ state: inout UInt32, _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int
  ) -> UInt16? {
    let match = match
    let count = text.count
    let symbols = program.symbols
    return table.withUnsafeBufferPointer { table in
      symbols.ascii.withUnsafeBufferPointer { ascii in
        while index < count, state > match {
          let byte = text[index]
          var symbol: UInt16
          var length = 1
          if byte < 0x80 {
            symbol = ascii[Int(byte)]
          } else {
            let step = UTF8Decoder.decode(text, at: index)
            symbol = symbols.symbol(of: ScalarSet.ordinal(of: step.scalar))
            length = step.length
          }
          index &+= length
          let next = table[Int(state) &+ Int(symbol)]
          if next == Self.unknown { return symbol }
          state = next
        }
        return nil
      }
    }
  }

  // MARK: Completing

  /// Builds all states.
  ///
  /// - Returns: Whether they were all built within the limits.
  mutating func complete(stateLimit: Int, stepLimit: Int) -> Bool {
    _ = firstState()
    var row = 2
    while row < stateCount {
      for symbol in 0...program.symbols.end {
        _ = next(UInt32(row &* stride), symbol)
        if stateCount > stateLimit || steps > stepLimit || clearCount > 0 { return false }
      }
      row &+= 1
    }
    return true
  }
}
