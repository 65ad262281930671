/// A literal without which nothing can match any more from a state of a ``FullTable`` on.
///
/// A walk through the table waits for each state before it can look up the next one. A literal is one
/// comparison, with one state after it.
struct Shortcut: BitwiseCopyable {
  /// The number of bytes of the literal, two to eight; 0 without a shortcut.
  var length: UInt32 = 0
  /// The state after the literal.
  var target: UInt32 = 0
  /// The bytes of the literal, the first one lowest.
  var literal: UInt64 = 0

  /// Whether the bytes before a place are the literal.
  ///
  /// - Parameter place: A place with at least eight bytes before it.
  @inline(__always)
  func precedes(_ place: UnsafePointer<UInt8>) -> Bool {
    let word = UnsafeRawPointer(place - 8).loadUnaligned(as: UInt64.self)
    return UInt64(littleEndian: word) &>> (64 &- 8 &* UInt64(length)) == literal
  }
}

/// Finds the shortcuts of a complete table.
struct ShortcutFinder {
  /// The rows of the table, `stride` entries each, as ``LazyTable`` numbers them.
  let table: [UInt32]
  let stride: Int
  let map: SymbolMap
  /// The byte of each symbol that is a single ASCII scalar.
  private let bytes: [UInt8?]

  init(_ table: [UInt32], _ map: SymbolMap) {
    self.table = table
    self.map = map
    stride = map.count + 1
    var sizes = [UInt32](repeating: 0, count: map.count)
    var bytes = [UInt8?](repeating: nil, count: map.count)
    for (index, symbol) in map.symbols.enumerated() {
      let start = map.starts[index]
      let end = index + 1 < map.starts.count ? map.starts[index + 1] : ScalarSet.limit
      sizes[Int(symbol)] += end - start
      let isByte = sizes[Int(symbol)] == 1 && start < 0x80
      bytes[Int(symbol)] = isByte ? UInt8(truncatingIfNeeded: start) : nil
    }
    self.bytes = bytes
  }

  /// Returns the only byte with which a state does not fail, and the next state.
  private func onlyWay(from state: UInt32) -> (byte: UInt8, target: UInt32)? {
    var way: (byte: UInt8, target: UInt32)?
    for symbol in 0..<map.count {
      let target = table[Int(state) + symbol]
      guard target != LazyTable.dead else { continue }
      guard way == nil, let byte = bytes[symbol] else { return nil }
      way = (byte, target)
    }
    return way
  }

  /// Returns the literal that a state requires, and the state after it.
  func literal(from start: UInt32) -> (word: UInt64, length: Int, target: UInt32)? {
    var word: UInt64 = 0
    var length = 0
    var state = start
    while length < 8, state > UInt32(stride), let way = onlyWay(from: state) {
      word |= UInt64(way.byte) << UInt64(8 * length)
      length += 1
      state = way.target
    }
    return length > 1 ? (word, length, state) : nil
  }
}
