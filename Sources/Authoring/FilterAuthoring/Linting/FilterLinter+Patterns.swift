import ExpressionEngine
import ExpressionSyntax

extension FilterLinter {
  /// Checks the regular expression of a call of `matches`.
  mutating func checkPattern(_ node: SyntaxNode, _ name: String) {
    guard name == "matches", environment.deviceFunctions[name] == nil,
      environment.computedFunctions[name] == nil,
      let argument = tree.children(of: node).last,
      node.third == (node.first == SyntaxNode.none ? 2 : 1)
    else { return }
    let literal = tree.nodes[Int(argument)]
    guard literal.kind == .stringLiteral else { return }
    let content = tree.text(of: literal)
    if let problem = PatternProblem.find(in: content, dialect: tree.dialect.name) {
      return report(
        Diagnostic(
          .invalidPattern, "the regular expression is not valid: \(problem.message)",
          at: place(problem.offset, problem.length, in: literal), label: "here",
          helps: content.first == UInt8(ascii: "*")
            ? ["a regular expression for any text is `.*`"] : []))
    }
    let shape = PatternShape(content)
    if let offset = shape.impossible {
      report(
        Diagnostic(
          .patternNeverMatches, "this regular expression never matches",
          at: place(offset, 1, in: literal),
          label: content[offset] == UInt8(ascii: "^")
            ? "the text starts here, but something must come before it"
            : "the text ends here, but something must follow",
          helps: [
            helpForSlashes(String(decoding: content, as: UTF8.self))
              ?? "for the character itself write `\\\(content[offset] == UInt8(ascii: "^") ? "^" : "$")` "
              + "in a raw string: `r\"…\"`"
          ]))
    }
    if let range = shape.nestedRepetition {
      report(
        Diagnostic(
          .slowPattern, "this regular expression can be slow on texts that do not match",
          at: place(range.lowerBound, range.count, in: literal),
          label: "a repetition of a repetition", helps: ["write one repetition, such as `a+`"]))
    }
  }

  /// Returns advice for a pattern written as in JavaScript: `/^anna/i`.
  private func helpForSlashes(_ pattern: String) -> String? {
    guard pattern.hasPrefix("/"), let close = pattern.lastIndex(of: "/"),
      close > pattern.startIndex
    else { return nil }
    let flags = pattern[pattern.index(after: close)...]
    guard flags.allSatisfy({ "dgimsuvy".contains($0) }) else { return nil }
    let kept = flags.filter { "ims".contains($0) }
    let inner = pattern[pattern.index(after: pattern.startIndex)..<close]
    return "write a pattern without slashes, and its flags before it: "
      + "`\(kept.isEmpty ? "" : "(?\(kept))")\(inner)`"
  }

  /// Returns the place of a part of a string literal, or the whole literal if it has escapes.
  private func place(_ offset: Int, _ length: Int, in literal: SyntaxNode) -> SourceSpan {
    let (span, needsDecoding) = tree.literalContent(of: literal)
    guard !needsDecoding, offset >= 0, offset + max(length, 1) <= Int(span.length) else {
      return literal.span
    }
    return SourceSpan(
      start: span.start + UInt32(clamping: offset), length: UInt32(clamping: max(length, 1)))
  }
}

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
