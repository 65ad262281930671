/// A deterministic automaton with all its states, for patterns that have few.
///
/// Immutable, so that any number of threads can search with it at once. A search reads each byte
/// once and neither allocates nor counts references.
final class FullTable: Sendable {
  /// In a row, the next state on a byte of a scalar that is not ASCII: the scalar decides.
  private static let isLonger = UInt32.max

  // Written once, in `init`, and freed in `deinit`.
  /// A row for each state: its shortcut, and the next states by symbol, that at the end of the text
  /// included. A state is the offset of its row in bytes, so that one addition leads to the row.
  nonisolated(unsafe) private let rows: UnsafeMutableRawPointer
  /// The symbols of bytes. Those of scalars that are not ASCII share one symbol.
  nonisolated(unsafe) private let symbols: UnsafeMutablePointer<UInt8>
  /// For each distinct run, 1 for the bytes that belong to it, 0 for the others.
  nonisolated(unsafe) private let runs: UnsafeMutablePointer<UInt8>
  /// The words of all shortcuts to the end of a text.
  nonisolated(unsafe) private let words: UnsafeMutablePointer<FinalWord>
  private let start: UInt32
  private let match: UInt32
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
    let width = map.count + 1
    let rowCount = lazy.table.count / width
    let head = MemoryLayout<Shortcut>.stride
    let stride = (head + (width + 1) * MemoryLayout<UInt32>.stride + head - 1) / head * head
    guard let first = lazy.start, map.count < 0xFF else { return nil }
    func number(of state: UInt32) -> UInt32 {
      UInt32(truncatingIfNeeded: Int(state) / width * stride)
    }
    self.map = map
    start = number(of: first)
    match = number(of: lazy.match)
    end = map.count

    symbols = .allocate(capacity: 256)
    for byte in 0..<256 {
      (symbols + byte).initialize(
        to: UInt8(truncatingIfNeeded: byte < 0x80 ? Int(map.ascii[byte]) : width))
    }
    skip = Self.skip(lazy.table, first, map)
    rows = .allocate(byteCount: rowCount * stride, alignment: MemoryLayout<Shortcut>.alignment)
    var finder = ShortcutFinder(lazy.table, map)
    var words: [FinalWord] = []
    var runs: [UInt8] = []
    for row in 0..<rowCount {
      let state = UInt32(row * width)
      var shortcut = Shortcut()
      if state <= lazy.match {
        // A search ends there.
      } else if let rest = finder.words(from: state), rest.contains(where: { $0.length > 1 }) {
        shortcut = Shortcut(
          length: Shortcut.words, target: UInt32(truncatingIfNeeded: words.count),
          literal: UInt64(rest.count))
        words += rest
      } else if let (word, length, target) = finder.literal(from: state) {
        shortcut = Shortcut(length: UInt32(length), target: number(of: target), literal: word)
      } else if let run = finder.run(from: state) {
        shortcut = Shortcut(target: UInt32(truncatingIfNeeded: Self.place(of: run, in: &runs)) + 1)
      }
      let place = rows + row * stride
      place.initializeMemory(as: Shortcut.self, to: shortcut)
      (place + head).initializeMemory(
        as: UInt32.self, from: (0..<width).map { number(of: lazy.table[Int(state) + $0]) },
        count: width)
      (place + head).storeBytes(of: Self.isLonger, toByteOffset: 4 * width, as: UInt32.self)
    }
    self.words = .allocate(capacity: words.count)
    self.words.initialize(from: words, count: words.count)
    self.runs = .allocate(capacity: runs.count)
    self.runs.initialize(from: runs, count: runs.count)
    size = rowCount * stride + 256 + words.count * MemoryLayout<FinalWord>.stride + runs.count
  }

  /// Returns where a row of 256 bytes starts among others, after adding it if it is new.
  private static func place(of run: [UInt8], in runs: inout [UInt8]) -> Int {
    for place in stride(from: 0, to: runs.count, by: 256) where runs[place...].starts(with: run) {
      return place
    }
    runs += run
    return runs.count - 256
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
    rows.deallocate()
    symbols.deallocate()
    words.deallocate()
    runs.deallocate()
  }

  /// Returns the states that follow a state, by symbol.
  @inline(__always)
  private func successors(_ state: UInt32) -> UnsafePointer<UInt32> {
    (UnsafeRawPointer(rows) + (Int(state) &+ MemoryLayout<Shortcut>.stride))
      .assumingMemoryBound(to: UInt32.self)
  }

  /// Whether there is a match in a text.
  ///
  /// Not inlined, so that callers that do not get here save no registers for it.
  @inline(never)
  func search(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let symbols = symbols
    let match = match
    var state = start
    guard let textStart = text.baseAddress, text.count > 0 else {
      return state == match || successors(state)[end] == match
    }
    var next = textStart
    let textEnd = next + text.count
    while next < textEnd, state > match {
      if state == start, let skip {
        next = skip.advance(next, textEnd)
        if next == textEnd { break }
      }
      let shortcut = (UnsafeRawPointer(rows) + Int(state)).assumingMemoryBound(to: Shortcut.self)
      if shortcut.pointee.length == Shortcut.words, textEnd - textStart >= 8 {
        return isRest(shortcut, next, textEnd)
      }
      let length = Int(shortcut.pointee.length)
      if length > 0, textEnd - next >= length, next - textStart >= 8 &- length {
        guard shortcut.pointee.precedes(next + length) else { return false }
        next += length
        state = shortcut.pointee.target
        continue
      }
      let successors = successors(state)
      if length == 0, shortcut.pointee.target > 0 {
        let run = runs + (Int(shortcut.pointee.target) &- 1)
        while run[Int(next.pointee)] != 0 {
          next += 1
          if next == textEnd { return successors[end] == match }
        }
      }
      var target = successors[Int(symbols[Int(next.pointee)])]
      if target == Self.isLonger {
        let longer = longer(next, textEnd)
        next += longer.length
        target = successors[Int(longer.symbol)]
      } else {
        next += 1
      }
      state = target
    }
    return state > match ? successors(state)[end] == match : state == match
  }

  /// Whether what remains of a text is one of the words of a shortcut.
  @inline(__always)
  private func isRest(
    _ shortcut: UnsafePointer<Shortcut>, _ next: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> Bool {
    let ending = UInt64(
      littleEndian: UnsafeRawPointer(end - 8).loadUnaligned(as: UInt64.self))
    let words = UnsafeBufferPointer(
      start: words + Int(shortcut.pointee.target), count: Int(shortcut.pointee.literal))
    return words.contains { $0.isRest(next, end - next, ending) }
  }

  /// Returns the symbol of a scalar that is not ASCII, and its number of bytes.
  @inline(never)
  private func longer(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> (symbol: UInt8, length: Int) {
    let step = UTF8Decoder.decode(start, end - start)
    let symbol = map.symbol(of: ScalarSet.ordinal(of: step.scalar))
    return (UInt8(truncatingIfNeeded: symbol), step.length)
  }
}
