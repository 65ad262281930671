/// The text of a document in UTF-8, with an index of its lines.
package struct DocumentText: Sendable {
  /// The text.
  package private(set) var bytes: [UInt8]
  /// The unit of columns.
  package let encoding: PositionEncoding

  /// The offsets at which lines start; the first is 0. LF, CR LF and CR end a line.
  private var lineStarts: [Int] = []
  /// The number of UTF-16 units before each block of ``blockSize`` bytes; empty if the text is
  /// ASCII, where bytes are units.
  private var unitsBefore: [Int] = []

  private static let blockSize = 64

  /// Creates a text.
  package init(_ text: String, encoding: PositionEncoding = .utf16) {
    bytes = Array(text.utf8)
    self.encoding = encoding
    index()
  }

  /// The whole text.
  package var string: String { String(decoding: bytes, as: UTF8.self) }

  /// The number of lines.
  package var lineCount: Int { lineStarts.count }

  /// Replaces a part of the text.
  ///
  /// - Complexity: O(n) in the length of the text.
  package mutating func replace(from start: Position, to end: Position, with text: String) {
    let from = offset(of: start)
    let to = max(from, offset(of: end))
    bytes.replaceSubrange(from..<to, with: text.utf8)
    index()
  }

  // MARK: Positions

  /// Returns the position of an offset, which is clamped to the text.
  ///
  /// - Complexity: O(log lines).
  package func position(of offset: Int) -> Position {
    let offset = min(max(offset, 0), bytes.count)
    let line = self.line(of: offset)
    return Position(line: line, character: units(before: offset) - units(before: lineStarts[line]))
  }

  /// Returns the offset of a position. A column past the end of its line is the end of the line; a
  /// line past the last one is the end of the text. A column inside a character is its start.
  ///
  /// - Complexity: O(log n).
  package func offset(of position: Position) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < lineStarts.count else { return bytes.count }
    let start = lineStarts[position.line]
    let end = lineEnd(position.line)
    // No unit takes less than a byte, so a column that is cut off here is past the end of the line.
    let character = min(max(position.character, 0), end - start)
    return offset(ofUnit: units(before: start) + character, from: start, to: end)
  }

  /// Returns the line of an offset inside the text.
  func line(of offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// Returns the end of a line, before its line break.
  func lineEnd(_ line: Int) -> Int {
    let start = lineStarts[line]
    var end = line + 1 < lineStarts.count ? lineStarts[line + 1] : bytes.count
    if line + 1 < lineStarts.count {
      if end > start, bytes[end - 1] == 0x0A { end -= 1 }
      if end > start, bytes[end - 1] == 0x0D { end -= 1 }
    }
    return end
  }

  // MARK: Cursors

  /// Finds the positions of offsets that mostly grow, without starting anew for each.
  struct Cursor {
    private let text: DocumentText
    private var offset = 0
    private var position = Position(line: 0, character: 0)
    private var lineEnd: Int

    init(_ text: DocumentText) {
      self.text = text
      lineEnd = text.lineEnd(0)
    }

    /// Returns the position of an offset inside the text.
    mutating func position(of target: Int) -> Position {
      if target >= offset, target <= lineEnd {
        position.character += text.unitCount(offset..<target)
      } else {
        position = text.position(of: target)
        lineEnd = text.lineEnd(position.line)
      }
      offset = target
      return position
    }
  }

  /// Returns the number of units that begin in a range.
  private func unitCount(_ range: Range<Int>) -> Int {
    unitsBefore.isEmpty ? range.count : utf16Count(range)
  }

  // MARK: The index

  private mutating func index() {
    lineStarts.removeAll(keepingCapacity: true)
    unitsBefore.removeAll(keepingCapacity: true)
    lineStarts.append(0)
    let hasWideUnits = bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      var all: UInt8 = 0
      while index < bytes.count {
        let byte = bytes[index]
        index += 1
        all |= byte
        guard byte <= 0x0D else { continue }
        if byte == 0x0D, index < bytes.count, bytes[index] == 0x0A { index += 1 }
        if byte == 0x0A || byte == 0x0D { lineStarts.append(index) }
      }
      return all >= 0x80
    }
    guard hasWideUnits, encoding == .utf16 else { return }
    var units = 0
    var start = 0
    while start < bytes.count {
      unitsBefore.append(units)
      let end = min(start + Self.blockSize, bytes.count)
      units += utf16Count(start..<end)
      start = end
    }
    unitsBefore.append(units)
  }

  /// Returns the number of units before an offset in the whole text.
  private func units(before offset: Int) -> Int {
    guard !unitsBefore.isEmpty else { return offset }
    let block = offset / Self.blockSize
    return unitsBefore[block] + utf16Count(block * Self.blockSize..<offset)
  }

  /// Returns the start of the character that contains a unit of the whole text.
  private func offset(ofUnit unit: Int, from start: Int, to end: Int) -> Int {
    guard !unitsBefore.isEmpty else {
      // Bytes are units, but a column of UTF-8 may be inside a character.
      var offset = min(unit, end)
      while offset > start, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
      return offset
    }
    // The last block that begins at or before the unit.
    var low = start / Self.blockSize
    var high = end / Self.blockSize + 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if unitsBefore[middle] <= unit { low = middle } else { high = middle }
    }
    var offset = max(low * Self.blockSize, start)
    var units = self.units(before: offset)
    // A block may begin inside a character, whose units the block before it counts.
    while offset < end, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
    while offset < end {
      units += bytes[offset] >= 0xF0 ? 2 : 1
      guard units <= unit else { break }
      offset += 1
      while offset < end, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
    }
    return offset
  }

  /// The number of UTF-16 units of which the first byte is in a range.
  private func utf16Count(_ range: Range<Int>) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var count = 0
      for index in range {
        let byte = bytes[index]
        count += (byte & 0xC0 != 0x80 ? 1 : 0) + (byte >= 0xF0 ? 1 : 0)
      }
      return count
    }
  }
}
