/// A way from a state of a ``FullTable`` that is shorter than a step for each byte.
///
/// A walk through the table waits for each state before it can look up the next one. There are
/// three shortcuts: a literal, without which nothing can match any more, is one comparison with one
/// state after it; one of a few words up to the end of the text is the result; and in a run, as of
/// `[a-z]+`, bytes leave the state as it is, so that none waits for the one before it.
struct Shortcut: BitwiseCopyable {
  /// The ``length`` of a shortcut to the end of the text, which is an `Int` of 32 bits, too.
  static let words = UInt32(Int32.max)

  /// The number of bytes of the literal, two to eight; 0 for a run, and without a shortcut.
  var length: UInt32 = 0
  /// The state after the literal; the index of the first word; or the place of the run plus 1, 0
  /// without a run.
  var target: UInt32 = 0
  /// The bytes of the literal, the first one lowest; or the number of words.
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

/// A word that ends a text.
struct FinalWord: BitwiseCopyable {
  /// The number of bytes, at most sixteen.
  let length: Int
  /// The first eight bytes, the first one lowest; not used for fewer than eight.
  let first: UInt64
  /// The last eight bytes, or all of fewer.
  let last: UInt64

  /// The word without bytes, to which they are prepended.
  static let empty = FinalWord(length: 0, first: 0, last: 0)

  /// Returns the word after a byte.
  func prepending(_ byte: UInt8) -> FinalWord {
    FinalWord(
      length: length + 1, first: first << 8 | UInt64(byte),
      last: length < 8 ? last << 8 | UInt64(byte) : last)
  }

  /// Whether the word is what remains of a text of at least eight bytes.
  ///
  /// - Parameters:
  ///   - place: The start of the remaining text, which is not empty.
  ///   - ending: The last eight bytes of the text, the first one lowest.
  @inline(__always)
  func isRest(_ place: UnsafePointer<UInt8>, _ count: Int, _ ending: UInt64) -> Bool {
    guard length == count else { return false }
    guard count >= 8 else { return ending &>> (64 &- 8 &* UInt64(count)) == last }
    let beginning = UnsafeRawPointer(place).loadUnaligned(as: UInt64.self)
    return ending == last && UInt64(littleEndian: beginning) == first
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
  /// The results of ``words(from:)``.
  private var known: [UInt32: [FinalWord]?] = [:]

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

  /// Returns 1 for each byte that leaves a state as it is, 0 for the others; `nil` if all change
  /// it.
  func run(from state: UInt32) -> [UInt8]? {
    guard (0..<map.count).contains(where: { table[Int(state) + $0] == state }) else { return nil }
    var run = [UInt8](repeating: 0, count: 256)
    for byte in 0..<0x80 where table[Int(state) + Int(map.ascii[byte])] == state { run[byte] = 1 }
    return run.contains(1) ? run : nil
  }

  private static let maximumWords = 4
  private static let maximumWordLength = 16

  /// Returns the words of which a text that has reached a state must have one left to match, the
  /// empty one included; `nil` if they are many or long.
  ///
  /// Each state is computed once. The recursion is at most as deep as a ``FullTable`` has states.
  mutating func words(from state: UInt32) -> [FinalWord]? {
    if let known = known[state] { return known }
    // A cycle has no end.
    known[state] = .some(nil)
    var words: [FinalWord] = []
    if table[Int(state) + map.count] == UInt32(stride) { words.append(.empty) }
    for symbol in 0..<map.count {
      let target = table[Int(state) + symbol]
      if target == LazyTable.dead { continue }
      // After a match, a text may go on.
      guard target != UInt32(stride), let byte = bytes[symbol],
        let rest = self.words(from: target), words.count + rest.count <= Self.maximumWords
      else { return nil }
      for word in rest {
        guard word.length < Self.maximumWordLength else { return nil }
        words.append(word.prepending(byte))
      }
    }
    known[state] = words
    return words
  }
}
