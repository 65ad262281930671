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

  init(_ pattern: [UInt8]) {
    var levels = [Level(start: 0)]
    var index = 0
    // Flags such as `(?m)` change the meaning of anchors; then nothing is reported.
    var anchorsMean = true
    while index < pattern.count {
      let start = index
      switch pattern[index] {
      case UInt8(ascii: "\\"): index += 2
      case UInt8(ascii: "["): index = Self.endOfClass(pattern, index)
      case UInt8(ascii: "("):
        if index + 1 < pattern.count, pattern[index + 1] == UInt8(ascii: "?") {
          while index + 1 < pattern.count, pattern[index] != UInt8(ascii: ":"),
            pattern[index] != UInt8(ascii: ">"), pattern[index] != UInt8(ascii: ")")
          {
            index += 1
          }
          anchorsMean = anchorsMean && pattern[start..<index].allSatisfy { $0 != UInt8(ascii: "m") }
          index += 1
          if pattern[index - 1] == UInt8(ascii: ")") { continue }
        } else {
          index += 1
        }
        levels.append(Level(start: start))
        continue
      case UInt8(ascii: ")"):
        guard levels.count > 1, let inner = levels.popLast() else { return }
        index += 1
        let (minimum, isUnbounded, next) = Self.quantifier(pattern, index)
        let top = levels.count - 1
        // `(a+)+` is ambiguous; `(a+,)+` is not, because the comma separates the rounds.
        if isUnbounded, inner.hasRepetition, inner.fixedItems == 0, inner.repeatedItems == 1 {
          nestedRepetition = nestedRepetition ?? inner.start..<next
        }
        levels[top].hasRepetition = levels[top].hasRepetition || inner.hasRepetition || isUnbounded
        if isUnbounded { levels[top].repeatedItems += 1 } else { levels[top].fixedItems += 1 }
        if minimum > 0, inner.needsBefore { levels[top].needsBefore = true }
        if let end = levels[top].end, minimum > 0, inner.needsBefore {
          impossible = impossible ?? end
        }
        index = next
        continue
      case UInt8(ascii: "|"):
        levels[levels.count - 1].needsBefore = false
        levels[levels.count - 1].end = nil
        levels[levels.count - 1].fixedItems += 1
        index += 1
        continue
      case UInt8(ascii: "^"):
        if levels.count == 1, levels[0].needsBefore { impossible = impossible ?? index }
        index += 1
        continue
      case UInt8(ascii: "$"):
        if levels.count == 1 { levels[0].end = index }
        index += 1
        continue
      default: index += 1
      }
      let (minimum, isUnbounded, next) = Self.quantifier(pattern, index)
      let top = levels.count - 1
      if isUnbounded {
        levels[top].hasRepetition = true
        levels[top].repeatedItems += 1
      } else {
        levels[top].fixedItems += 1
      }
      // Word boundaries and similar assertions consume no character.
      let isAssertion =
        pattern[start] == UInt8(ascii: "\\") && start + 1 < pattern.count
        && [UInt8(ascii: "b"), UInt8(ascii: "B"), UInt8(ascii: "A"), UInt8(ascii: "z")].contains(
          pattern[start + 1])
      if minimum > 0, !isAssertion {
        if let end = levels[top].end { impossible = impossible ?? end }
        levels[top].needsBefore = true
      }
      index = next
    }
    if !anchorsMean { impossible = nil }
  }

  /// Returns the minimum count of the quantifier at an offset, whether it is unbounded, and its
  /// end.
  private static func quantifier(_ pattern: [UInt8], _ index: Int) -> (Int, Bool, Int) {
    guard index < pattern.count else { return (1, false, index) }
    var end = index + 1
    let result: (Int, Bool)
    switch pattern[index] {
    case UInt8(ascii: "*"): result = (0, true)
    case UInt8(ascii: "+"): result = (1, true)
    case UInt8(ascii: "?"): result = (0, false)
    case UInt8(ascii: "{"):
      guard let close = pattern[index...].firstIndex(of: UInt8(ascii: "}")) else {
        return (1, false, index)
      }
      let parts = pattern[(index + 1)..<close].split(
        separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      let minimum = parts.first.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
      end = close + 1
      result = (minimum, parts.count == 2 && parts[1].isEmpty)
    default: return (1, false, index)
    }
    if end < pattern.count, pattern[end] == UInt8(ascii: "?") { end += 1 }
    return (result.0, result.1, end)
  }

  /// Returns the offset after the closing bracket of a class.
  private static func endOfClass(_ pattern: [UInt8], _ start: Int) -> Int {
    var index = start + 1
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
    return index
  }
}
