/// Properties of a valid regular expression that are visible without matching it.
struct PatternShape {
  /// The offset of an anchor that can never hold.
  private(set) var impossible: Int?
  /// A repeated group that contains a repetition.
  private(set) var nestedRepetition: Range<Int>?

  /// An alternative that is being parsed.
  private struct Level {
    var start: Int
    /// Whether this alternative must already have matched a character.
    var needsBefore = false
    /// The offset of a `$` in this alternative.
    var end: Int?
    var hasRepetition = false
    /// The number of items, other than repetitions, that must match a character.
    var fixedItems = 0
    var repeatedItems = 0
  }

  private let pattern: [UInt8]
  private var index = 0
  /// The alternatives that are open, from the outermost in.
  private var levels: [Level] = []
  /// The alternative that is being read.
  private var level = Level(start: 0)
  /// Whether anchors have their usual meaning; flags such as `(?m)` change it.
  private var anchorsMean = true

  /// Reads a pattern.
  ///
  /// - Complexity: O(n) in its length.
  init(_ pattern: [UInt8]) {
    self.pattern = pattern
    while index < pattern.count { readNext() }
    if !anchorsMean { impossible = nil }
  }

  private mutating func readNext() {
    let start = index
    switch pattern[index] {
    case UInt8(ascii: "("): openGroup()
    case UInt8(ascii: ")"): closeGroup()
    case UInt8(ascii: "|"):
      level.needsBefore = false
      level.end = nil
      level.fixedItems += 1
      index += 1
    case UInt8(ascii: "^"):
      if levels.isEmpty, level.needsBefore { impossible = impossible ?? index }
      index += 1
    case UInt8(ascii: "$"):
      if levels.isEmpty { level.end = index }
      index += 1
    case UInt8(ascii: "\\"):
      index = min(index + 2, pattern.count)
      // Word boundaries and similar assertions consume no character.
      addItem(
        consumes: !pattern[start..<index].dropFirst().contains { Self.assertions.contains($0) })
    case UInt8(ascii: "["):
      index = endOfClass()
      addItem(consumes: true)
    default:
      index += 1
      addItem(consumes: true)
    }
  }

  private static let assertions = Array("bBAz".utf8)

  private mutating func openGroup() {
    let start = index
    index += 1
    if index < pattern.count, pattern[index] == UInt8(ascii: "?") {
      let ends = Array(":>)".utf8)
      let end = pattern[index...].firstIndex { ends.contains($0) } ?? pattern.count
      anchorsMean = anchorsMean && !pattern[start..<end].contains(UInt8(ascii: "m"))
      index = min(end + 1, pattern.count)
      // Flags alone are not a group.
      if end < pattern.count, pattern[end] == UInt8(ascii: ")") { return }
    }
    levels.append(level)
    level = Level(start: start)
  }

  private mutating func closeGroup() {
    index += 1
    guard let outer = levels.popLast() else { return }
    let inner = level
    level = outer
    let (minimum, isUnbounded) = readQuantifier()
    // `(a+)+` is ambiguous; `(a+,)+` is not, because the comma separates the rounds.
    if isUnbounded, inner.hasRepetition, inner.fixedItems == 0, inner.repeatedItems == 1 {
      nestedRepetition = nestedRepetition ?? inner.start..<index
    }
    level.hasRepetition = level.hasRepetition || inner.hasRepetition
    count(isUnbounded: isUnbounded, mustMatch: minimum > 0 && inner.needsBefore)
  }

  /// Reads the quantifier of an item.
  private mutating func addItem(consumes: Bool) {
    let (minimum, isUnbounded) = readQuantifier()
    count(isUnbounded: isUnbounded, mustMatch: minimum > 0 && consumes)
  }

  private mutating func count(isUnbounded: Bool, mustMatch: Bool) {
    if isUnbounded {
      level.hasRepetition = true
      level.repeatedItems += 1
    } else {
      level.fixedItems += 1
    }
    guard mustMatch else { return }
    if let end = level.end { impossible = impossible ?? end }
    level.needsBefore = true
  }

  /// Reads a quantifier, if there is one.
  ///
  /// - Returns: Its minimum, and whether it is unbounded.
  private mutating func readQuantifier() -> (minimum: Int, isUnbounded: Bool) {
    guard index < pattern.count else { return (1, false) }
    let result: (Int, Bool)
    switch pattern[index] {
    case UInt8(ascii: "*"): result = (0, true)
    case UInt8(ascii: "+"): result = (1, true)
    case UInt8(ascii: "?"): result = (0, false)
    case UInt8(ascii: "{"):
      guard let close = pattern[index...].firstIndex(of: UInt8(ascii: "}")) else {
        return (1, false)
      }
      let parts = pattern[(index + 1)..<close].split(
        separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      let minimum = parts.first.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
      index = close
      result = (minimum, parts.count == 2 && parts[1].isEmpty)
    default: return (1, false)
    }
    index += 1
    if index < pattern.count, pattern[index] == UInt8(ascii: "?") { index += 1 }
    return result
  }

  /// Returns the offset after the closing bracket of a class that starts here.
  private func endOfClass() -> Int {
    var index = index + 1
    if index < pattern.count, pattern[index] == UInt8(ascii: "^") { index += 1 }
    if index < pattern.count, pattern[index] == UInt8(ascii: "]") { index += 1 }
    var depth = 1
    while index < pattern.count {
      switch pattern[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
      index += 1
    }
    return min(index, pattern.count)
  }
}
