/// A nondeterministic automaton over the symbols of a ``SymbolMap``.
///
/// Of two ways out of a state the first is preferred, which only searches for groups care for.
struct Automaton: Sendable {
  enum Operation: UInt8, Sendable {
    /// Goes on to `next` by a symbol from `first` up to and including `second`.
    case range
    /// Goes on to `next` by a symbol of the set `first`.
    case set
    /// Goes on to `next`, or else to `second`.
    case split
    /// Goes on to `next` where the assertion `first` holds.
    case assertion
    /// Goes on to `next`, keeping the place in slot `first`.
    case save
    /// Goes on to `next`.
    case jump
    case match
    case fail
  }

  struct State: Sendable {
    var operation: Operation
    var first: UInt16 = 0
    var second: UInt32 = 0
    var next: UInt32 = 0
  }

  var states: [State] = []
  var start: UInt32 = 0
  /// The ranges of symbols of each set, one after another.
  var setRanges: [(lower: UInt16, upper: UInt16)] = []
  /// Where the ranges of each set start, and where the last ends.
  var setStarts: [Int] = [0]
  /// What assertions ask about neighbours.
  var relevant: Neighbor = []

  /// Whether a state goes on by a symbol.
  @inline(__always)
  func accepts(_ symbol: UInt16, _ state: State) -> Bool {
    if state.operation == .range {
      return symbol >= state.first && UInt32(symbol) <= state.second
    }
    var low = setStarts[Int(state.first)]
    var high = setStarts[Int(state.first) &+ 1]
    while low < high {
      let middle = (low &+ high) / 2
      if setRanges[middle].upper < symbol { low = middle &+ 1 } else { high = middle }
    }
    return low < setStarts[Int(state.first) &+ 1] && setRanges[low].lower <= symbol
  }
}
