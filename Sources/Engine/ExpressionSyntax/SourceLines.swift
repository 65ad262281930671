/// The lines of a source, for finding the line and column of many offsets.
package struct SourceLines: Sendable {
  /// A place in a line, and the number of characters before it in that line.
  private struct Milestone {
    var offset: Int
    var characters: Int
  }

  /// The source.
  package let source: SourceText
  /// The offsets at which lines start; the first is 0. LF, CR LF and CR end a line.
  package private(set) var starts: [Int] = [0]
  /// Places in order: every start of a line, and places inside lines that are long.
  private var milestones: [Milestone] = [Milestone(offset: 0, characters: 0)]

  /// The number of bytes after which a line gets another milestone.
  private static let stride = 512

  /// Finds the lines of a source.
  ///
  /// - Complexity: O(n) in the length of the text.
  package init(_ source: SourceText) {
    self.source = source
    var index = 0
    while index < source.bytes.count {
      let byte = source.bytes[index]
      let isInLine = byte != 0x0A && byte != 0x0D
      if isInLine { addMilestone(at: index) }
      index += 1
      if isInLine { continue }
      if byte == 0x0D, index < source.bytes.count, source.bytes[index] == 0x0A { index += 1 }
      starts.append(index)
      milestones.append(Milestone(offset: index, characters: 0))
    }
  }

  /// Adds a milestone if the last one is far and a character certainly starts here, as it does
  /// between two ASCII bytes.
  private mutating func addMilestone(at index: Int) {
    guard let last = milestones.last, index - last.offset >= Self.stride,
      source.bytes[index] < 0x80, source.bytes[index - 1] < 0x80
    else { return }
    let count = characters(in: last.offset..<index)
    milestones.append(Milestone(offset: index, characters: last.characters + count))
  }

  private func characters(in range: Range<Int>) -> Int {
    String(decoding: source.bytes[range], as: UTF8.self).count
  }

  /// Returns the index of the line with an offset, from 0.
  ///
  /// - Complexity: O(log n) in the number of lines.
  package func line(of offset: Int) -> Int {
    Self.lastIndex(in: starts) { $0 <= offset }
  }

  /// Returns the line and column of a byte offset. An offset past the end counts as the end.
  ///
  /// - Complexity: O(log n) in the length of the text, unless most of the line is not ASCII.
  package func location(of offset: UInt32) -> SourceLocation {
    let end = min(Int(offset), source.bytes.count)
    let milestone = milestones[Self.lastIndex(in: milestones) { $0.offset <= end }]
    let column = milestone.characters + characters(in: milestone.offset..<end) + 1
    return SourceLocation(line: line(of: end) + 1, column: column)
  }

  /// Returns the last index whose element satisfies a condition that the first elements satisfy; 0
  /// if there is none.
  private static func lastIndex<Element>(
    in elements: [Element], where condition: (Element) -> Bool
  ) -> Int {
    var low = 0
    var high = elements.count
    while low + 1 < high {
      let middle = low + (high - low) / 2
      if condition(elements[middle]) { low = middle } else { high = middle }
    }
    return low
  }
}
