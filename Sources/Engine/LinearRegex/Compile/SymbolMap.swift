/// Maps scalars to symbols, so that scalars which a pattern never tells apart are the same symbol.
struct SymbolMap: Sendable {
  /// The symbol of each ASCII scalar.
  private(set) var ascii: [UInt16]
  /// Where symbols change, in ordinals; the first is 0.
  private(set) var starts: [UInt32] = [0]
  /// The symbol from each start on.
  private(set) var symbols: [UInt16] = [0]
  /// The properties that assertions may ask about, for each symbol.
  private(set) var neighbors: [Neighbor]
  /// The number of symbols, the end of the text not counted.
  let count: Int
  /// The symbol of the end of the text.
  var end: UInt16 { UInt16(truncatingIfNeeded: count) }

  /// Finds the symbols of a tree.
  init(_ node: RegexNode) {
    var collector = SetCollector()
    collector.visit(node)
    var edges: [(ordinal: UInt32, set: Int)] = []
    let sets = collector.allSets
    for (number, set) in sets.enumerated() {
      for edge in set.edges where edge < ScalarSet.limit { edges.append((edge, number)) }
    }
    for single in collector.singles {
      edges.append((single, -1))
      if single &+ 1 < ScalarSet.limit { edges.append((single &+ 1, -1)) }
    }
    edges.sort { $0.ordinal < $1.ordinal }

    // Scalars are the same symbol if they are in the same sets; a literal is a symbol of its own.
    var membership = [UInt64](repeating: 0, count: sets.count / 64 &+ 1)
    var known: [[UInt64]: UInt16] = [:]
    var index = 0
    var ordinal: UInt32 = 0
    var neighbors: [Neighbor] = []
    while true {
      while index < edges.count, edges[index].ordinal == ordinal {
        let set = edges[index].set
        if set >= 0 { membership[set / 64] ^= 1 << UInt64(set % 64) }
        index &+= 1
      }
      var symbol = UInt16(truncatingIfNeeded: neighbors.count)
      let isSingle = collector.singles.contains(ordinal)
      if !isSingle, let found = known[membership] {
        symbol = found
      } else {
        if !isSingle { known[membership] = symbol }
        neighbors.append(collector.neighbor(membership))
      }
      if ordinal == 0 {
        symbols[0] = symbol
      } else {
        starts.append(ordinal)
        symbols.append(symbol)
      }
      guard index < edges.count else { break }
      ordinal = edges[index].ordinal
    }
    count = neighbors.count
    self.neighbors = neighbors
    self.neighbors.append(.edge)
    ascii = []
    var position = 0
    for scalar in UInt32(0)..<0x80 {
      while position &+ 1 < starts.count, starts[position &+ 1] <= scalar { position &+= 1 }
      ascii.append(symbols[position])
    }
  }

  /// A scalar of each symbol, the most readable one: a letter, a digit, or a sign of ASCII before
  /// any other.
  var representatives: [(symbol: UInt16, scalar: Unicode.Scalar)] {
    var result: [UInt16: Unicode.Scalar] = [:]
    let readable = Array(
      "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars)
    let others = (UInt32(0x20)..<0x7F).compactMap { Unicode.Scalar($0) }
    for scalar in readable + others {
      let symbol = ascii[Int(scalar.value)]
      if result[symbol] == nil { result[symbol] = scalar }
    }
    for (start, symbol) in zip(starts, symbols) where result[symbol] == nil {
      result[symbol] = Unicode.Scalar(ScalarSet.scalar(at: start))
    }
    return result.sorted { $0.key < $1.key }.map { (symbol: $0.key, scalar: $0.value) }
  }

  /// The symbol of a scalar. O(log n).
  func symbol(of ordinal: UInt32) -> UInt16 {
    symbols[place(of: ordinal)]
  }

  /// The last place in `starts` that is not after an ordinal.
  private func place(of ordinal: UInt32) -> Int {
    var low = 0
    var high = starts.count
    while high &- low > 1 {
      let middle = (low &+ high) / 2
      if starts[middle] <= ordinal { low = middle } else { high = middle }
    }
    return low
  }

  /// The symbols of a set, as ascending ranges. The set must be one of the tree's.
  func ranges(of set: ScalarSet) -> [Automaton.SymbolRange] {
    var runs: [Automaton.SymbolRange] = []
    for index in 0..<set.rangeCount {
      let end = set.edges[2 &* index &+ 1]
      var position = place(of: set.edges[2 &* index])
      while position < starts.count, starts[position] < end {
        let symbol = symbols[position]
        if let last = runs.last, symbol == last.upper &+ 1 {
          runs[runs.count &- 1].upper = symbol
        } else {
          runs.append(Automaton.SymbolRange(lower: symbol, upper: symbol))
        }
        position &+= 1
      }
    }
    runs.sort { $0.lower < $1.lower }
    var result: [Automaton.SymbolRange] = []
    for run in runs {
      if let last = result.last, run.lower <= last.upper &+ 1 {
        result[result.count &- 1].upper = max(last.upper, run.upper)
      } else {
        result.append(run)
      }
    }
    return result
  }
}

/// Gathers the sets that a tree tells apart.
private struct SetCollector {
  /// The scalars of literals, as ordinals.
  private(set) var singles: Set<UInt32> = []
  private var sets: [ScalarSet] = []
  private var known: Set<ScalarSet> = []
  private var assertions: Neighbor = []

  mutating func visit(_ node: RegexNode) {
    switch node.kind {
    case .empty, .never: break
    case .literal(let ordinals): singles.formUnion(ordinals)
    case .set(let set): if known.insert(set).inserted { sets.append(set) }
    case .assertion(let assertion): assertions.formUnion(assertion.relevant)
    case .repetition(let inner, _, _, _): visit(inner)
    case .capture(_, let inner): visit(inner)
    case .sequence(let nodes), .choice(let nodes): for inner in nodes { visit(inner) }
    }
  }

  /// The properties of neighbours that assertions ask for, with the sets that have them.
  private var properties: [(Neighbor, ScalarSet)] {
    var result: [(Neighbor, ScalarSet)] = []
    if assertions.contains(.lineFeed) { result.append((.lineFeed, ScalarSet(ordinal: 0x0A))) }
    if assertions.contains(.carriageReturn) {
      result.append((.carriageReturn, ScalarSet(ordinal: 0x0D)))
    }
    if assertions.contains(.word) { result.append((.word, UnicodeTables.set(UnicodeTables.word))) }
    if assertions.contains(.asciiWord) {
      result.append(
        (.asciiWord, ScalarSet(edges: [0x30, 0x3A, 0x41, 0x5B, 0x5F, 0x60, 0x61, 0x7B])))
    }
    return result
  }

  /// The sets of properties, then all others.
  var allSets: [ScalarSet] { properties.map { $0.1 } + sets }

  /// Returns the properties that follow from a membership in `allSets`.
  func neighbor(_ membership: [UInt64]) -> Neighbor {
    var result: Neighbor = []
    var bit: UInt64 = 1
    for candidate in [Neighbor.lineFeed, .carriageReturn, .word, .asciiWord]
    where assertions.contains(candidate) {
      if membership[0] & bit != 0 { result.insert(candidate) }
      bit <<= 1
    }
    return result
  }
}
