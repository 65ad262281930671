/// A nondeterministic automaton over the symbols of a ``SymbolMap``.
///
/// Of two ways out of a state the first is preferred, which only searches for groups care for.
/// Immutable; the states lie in memory of their own, so that reading one neither counts references
/// nor checks bounds. Every number of a state in it is one that the builder made.
final class Automaton: Sendable {
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

  /// Symbols from `lower` up to and including `upper`.
  struct SymbolRange: Sendable {
    var lower: UInt16
    var upper: UInt16
  }

  // Written once, in `init`, and freed in `deinit`.
  nonisolated(unsafe) let states: UnsafePointer<State>
  let stateCount: Int
  let start: UInt32
  /// The properties of neighbours that assertions ask about.
  let relevant: Neighbor
  /// The ranges of symbols of each set, one after another.
  nonisolated(unsafe) private let setRanges: UnsafePointer<SymbolRange>
  /// Where the ranges of each set start, and where the last ends.
  nonisolated(unsafe) private let setStarts: UnsafePointer<Int>

  init(
    _ states: [State], start: UInt32, relevant: Neighbor, setRanges: [SymbolRange],
    setStarts: [Int]
  ) {
    self.states = Self.copy(states)
    self.stateCount = states.count
    self.start = start
    self.relevant = relevant
    self.setRanges = Self.copy(setRanges)
    self.setStarts = Self.copy(setStarts)
  }

  deinit {
    states.deallocate()
    setRanges.deallocate()
    setStarts.deallocate()
  }

  private static func copy<Element: Sendable>(_ elements: [Element]) -> UnsafePointer<Element> {
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(elements.count, 1))
    _ = memory.initialize(from: elements)
    return UnsafePointer(memory.baseAddress ?? .allocate(capacity: 1))
  }

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
