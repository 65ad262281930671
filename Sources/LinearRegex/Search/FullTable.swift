/// A deterministic automaton with all its states, for patterns that have few.
///
/// Immutable, so that any number of threads can search with it at once. A search reads each byte once and
/// neither allocates nor counts references.
final class FullTable: Sendable {
  /// In `symbols`, a byte of a scalar that is not ASCII.
  private static let isLonger: UInt8 = 0xFF

  // Written once, in `init`, and freed in `deinit`.
  nonisolated(unsafe) private let table: UnsafeMutablePointer<UInt16>
  nonisolated(unsafe) private let symbols: UnsafeMutablePointer<UInt8>
  private let start: UInt16
  private let match: UInt16
  private let end: Int
  private let map: SymbolMap
  /// How to skip to where a match could start; `nil` where most bytes matter.
  private let skip: ByteSkip?

  /// The number of bytes of the table.
  let size: Int

  /// Copies a table that is complete.
  ///
  /// - Returns: `nil` if it is too large.
  init?(_ lazy: borrowing LazyTable, _ map: SymbolMap) {
    guard let first = lazy.start, lazy.table.count < Int(UInt16.max), map.count < 0xFF else {
      return nil
    }
    self.map = map
    start = UInt16(first)
    match = UInt16(lazy.match)
    end = map.count
    size = lazy.table.count * 2 + 256
    table = .allocate(capacity: lazy.table.count)
    for index in 0..<lazy.table.count {
      (table + index).initialize(to: UInt16(truncatingIfNeeded: lazy.table[index]))
    }
    symbols = .allocate(capacity: 256)
    for byte in 0..<256 {
      (symbols + byte).initialize(
        to: byte < 0x80 ? UInt8(truncatingIfNeeded: map.ascii[byte]) : Self.isLonger)
    }
    skip = Self.skip(lazy.table, first, map)
  }

  /// Returns the bytes that the first state skips, because it does not leave for another state on
  /// them.
  private static func skip(_ table: [UInt32], _ start: UInt32, _ map: SymbolMap) -> ByteSkip? {
    func stays(_ symbol: UInt16) -> Bool { table[Int(start) + Int(symbol)] == start }
    var longerStay = true
    for (index, symbol) in map.symbols.enumerated() {
      let end = index + 1 < map.starts.count ? map.starts[index + 1] : ScalarSet.limit
      if end > 0x80, !stays(symbol) { longerStay = false }
    }
    return ByteSkip { byte in byte < 0x80 ? stays(map.ascii[Int(byte)]) : longerStay }
  }

  deinit {
    table.deallocate()
    symbols.deallocate()
  }

  /// Whether there is a match in a text.
  func search(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let table = table
    let symbols = symbols
    let match = match
    var state = start
    guard var next = text.baseAddress, text.count > 0 else {
      return state == match || table[Int(state) &+ end] == match
    }
    let textEnd = next + text.count
    while next < textEnd, state > match {
      if state == start, let skip {
        next = skip.advance(next, textEnd)
        if next == textEnd { break }
      }
      // Where bytes leave the state as it is, as in `[a-z]+`, each needs not wait for the one before.
      let row = table + Int(state)
      var symbol = symbols[Int(next.pointee)]
      while symbol != Self.isLonger, row[Int(symbol)] == state {
        next += 1
        if next == textEnd { return row[end] == match }
        symbol = symbols[Int(next.pointee)]
      }
      if symbol == Self.isLonger {
        let step = UTF8Decoder.decode(next, textEnd - next)
        symbol = UInt8(
          truncatingIfNeeded: map.symbol(of: ScalarSet.ordinal(of: step.scalar)))
        next += step.length
      } else {
        next += 1
      }
      state = row[Int(symbol)]
    }
    if state > match { state = table[Int(state) &+ end] }
    return state == match
  }
}
