/// A deterministic automaton with all its states, for patterns that have few.
///
/// Immutable, so that any number of threads can search with it at once. A search reads each byte once and
/// neither allocates nor counts references.
final class FullTable: Sendable {
  /// In `symbols`, a byte of a scalar that is not ASCII.
  private static let isLonger: UInt8 = 0xFF

  /// States are numbered by the place of their row, in units of this many bytes.
  private static let unit = 8

  // Written once, in `init`, and freed in `deinit`.
  /// A row for each state: its shortcut, the next states by symbol, and that at the end of the text.
  nonisolated(unsafe) private let rows: UnsafeMutableRawPointer
  /// The symbols of bytes, followed by the loops that each byte stays in, a bit for each.
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
    let width = map.count + 1
    let rowCount = lazy.table.count / width
    let stride =
      (MemoryLayout<Shortcut>.stride + width * 2 + Self.unit - 1) / Self.unit
    guard let first = lazy.start, rowCount * stride <= Int(UInt16.max), map.count < 0xFF else {
      return nil
    }
    func number(of state: UInt32) -> UInt16 {
      UInt16(truncatingIfNeeded: Int(state) / width * stride)
    }
    self.map = map
    start = number(of: first)
    match = number(of: lazy.match)
    end = map.count
    size = rowCount * stride * Self.unit + 512

    symbols = .allocate(capacity: 512)
    symbols.initialize(repeating: 0, count: 512)
    for byte in 0..<256 {
      symbols[byte] = byte < 0x80 ? UInt8(truncatingIfNeeded: map.ascii[byte]) : Self.isLonger
    }
    skip = Self.skip(lazy.table, first, map)
    rows = .allocate(
      byteCount: rowCount * stride * Self.unit, alignment: MemoryLayout<Shortcut>.alignment)
    let finder = ShortcutFinder(lazy.table, map)
    var loopBit: UInt8 = 1
    for row in 0..<rowCount {
      let state = UInt32(row * width)
      var shortcut = Shortcut()
      if state == first, skip != nil {
        shortcut.kind = .skip
      } else if let (word, length, target) = finder.literal(from: state) {
        shortcut = Shortcut(
          kind: .literal, detail: UInt8(truncatingIfNeeded: length), target: number(of: target),
          literal: word)
      } else if loopBit != 0, state > lazy.match, let bytes = finder.loop(of: state) {
        shortcut.kind = .loop
        shortcut.detail = loopBit
        for byte in bytes { symbols[256 + Int(byte)] |= loopBit }
        loopBit &<<= 1
      }
      let place = rows + row * stride * Self.unit
      place.initializeMemory(as: Shortcut.self, to: shortcut)
      (place + MemoryLayout<Shortcut>.stride).initializeMemory(
        as: UInt16.self, from: (0..<width).map { number(of: lazy.table[Int(state) + $0]) },
        count: width)
    }
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
  }

  @inline(__always)
  private func next(_ state: UInt16, _ symbol: Int) -> UInt16 {
    (rows + (Int(state) &* Self.unit &+ MemoryLayout<Shortcut>.stride))
      .assumingMemoryBound(to: UInt16.self)[symbol]
  }

  /// Whether there is a match in a text.
  @inline(__always)
  func search(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let rows = rows
    let symbols = symbols
    let match = match
    var state = start
    guard let textStart = text.baseAddress, text.count > 0 else {
      return state == match || self.next(state, end) == match
    }
    var next = textStart
    let textEnd = next + text.count
    while next < textEnd, state > match {
      let row = rows + Int(state) &* Self.unit
      let shortcut = row.assumingMemoryBound(to: Shortcut.self)
      switch shortcut.pointee.kind {
      case .none: break
      case .skip: next = skipped(next, textEnd)
      case .loop: next = left(shortcut.pointee.detail, next, textEnd)
      case .literal:
        let length = Int(shortcut.pointee.detail)
        if textEnd - next >= length, next - textStart >= 8 &- length {
          guard shortcut.pointee.precedes(next + length) else { return false }
          next += length
          state = shortcut.pointee.target
          continue
        }
      }
      if next == textEnd { break }
      var symbol = symbols[Int(next.pointee)]
      if symbol == Self.isLonger {
        let longer = longer(next, textEnd)
        symbol = longer.symbol
        next += longer.length
      } else {
        next += 1
      }
      state =
        (row + MemoryLayout<Shortcut>.stride)
        .assumingMemoryBound(to: UInt16.self)[Int(symbol)]
    }
    if state > match { state = self.next(state, end) }
    return state == match
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

  /// Returns the first byte that the first state does not skip, or the end.
  @inline(never)
  private func skipped(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    skip?.advance(start, end) ?? start
  }

  /// Returns the first byte that is not in a loop, or the end.
  @inline(__always)
  private func left(
    _ loopBit: UInt8, _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    let loops = symbols + 256
    var next = start
    while end - next >= 4 {
      let all =
        loops[Int(next[0])] & loops[Int(next[1])] & loops[Int(next[2])] & loops[Int(next[3])]
      if all & loopBit == 0 { break }
      next += 4
    }
    while next < end, loops[Int(next.pointee)] & loopBit != 0 { next += 1 }
    return next
  }
}
