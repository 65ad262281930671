/// A way through several bytes from one state of a ``FullTable``, without a look-up for each.
///
/// A walk through the table waits for each state before it can look up the next one.
struct Shortcut: BitwiseCopyable {
  enum Kind: UInt8 {
    /// The state has no shortcut.
    case none
    /// From the first state to where a match could start (``ByteSkip``).
    case skip
    /// Over the bytes that leave the state as it is, as in `[a-z]+`.
    case loop
    /// Over a text without which nothing can match any more.
    case literal
  }

  var kind = Kind.none
  /// The bit that marks the bytes of a loop, or the number of bytes of a literal, two to eight.
  var detail: UInt8 = 0
  /// The state after the literal.
  var target: UInt16 = 0
  /// The bytes of the literal, the first one lowest.
  var literal: UInt64 = 0

  /// Whether the bytes before a place are the literal.
  ///
  /// - Parameter place: A place with at least eight bytes before it.
  @inline(__always)
  func precedes(_ place: UnsafePointer<UInt8>) -> Bool {
    let word = UnsafeRawPointer(place - 8).loadUnaligned(as: UInt64.self)
    return UInt64(littleEndian: word) &>> (64 &- 8 &* UInt64(detail)) == literal
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

  /// Returns the ASCII bytes that leave a state as it is, or `nil` if there are less than two.
  func loop(of state: UInt32) -> [UInt8]? {
    let bytes = (0..<0x80 as Range<UInt8>).filter { byte in
      table[Int(state) + Int(map.ascii[Int(byte)])] == state
    }
    return bytes.count > 1 ? bytes : nil
  }
}
