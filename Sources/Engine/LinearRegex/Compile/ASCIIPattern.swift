extension RegexProgram {
  /// The same pattern for texts of ASCII, in the syntax of Perl and PCRE2; `nil` if it would be
  /// long.
  ///
  /// On such a text a class is the ASCII characters in it, and every word boundary is one of ASCII
  /// words, so that nothing depends on Unicode. It says whether there is a match, not where its
  /// groups are. What matches it must have LF as its only newline, no option that changes what a
  /// pattern means, and byte-wise `\w` of the C locale.
  public func asciiPattern() -> [UInt8]? {
    var writer = ASCIIPatternWriter()
    writer.write(node)
    return writer.isTooLong ? nil : writer.output
  }
}

private struct ASCIIPatternWriter {
  private static let maximumLength = 8_192
  /// The largest count that PCRE2 takes.
  private static let maximumCount: UInt32 = 65_535

  var output: [UInt8] = []
  var isTooLong = false

  private mutating func emit(_ text: StaticString) {
    output.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    if output.count > Self.maximumLength { isTooLong = true }
  }

  private mutating func emit(_ number: UInt32) {
    var digits: [UInt8] = []
    var rest = number
    repeat {
      digits.append(UInt8(truncatingIfNeeded: 0x30 &+ rest % 10))
      rest /= 10
    } while rest > 0
    output.append(contentsOf: digits.reversed())
  }

  /// Writes a character as a number, so that it stands for itself everywhere.
  private mutating func emit(character: UInt32) {
    let digits: StaticString = "0123456789abcdef"
    emit("\\x")
    output.append(digits.utf8Start[Int(character >> 4 & 15)])
    output.append(digits.utf8Start[Int(character & 15)])
  }

  mutating func write(_ node: RegexNode) {
    guard !isTooLong else { return }
    switch node.kind {
    case .empty: break
    case .never: emit("(?!)")
    case .literal(let ordinals):
      for ordinal in ordinals {
        if ordinal < 0x80 { emit(character: ordinal) } else { emit("(?!)") }
      }
    case .set(let set): write(set)
    case .assertion(let assertion): emit(text(of: assertion))
    case .repetition(let inner, let minimum, let maximum, let isGreedy):
      group(inner)
      count(minimum, maximum)
      if !isGreedy { emit("?") }
    case .capture(_, let inner): group(inner)
    case .sequence(let nodes): for inner in nodes { write(inner) }
    case .choice(let nodes):
      emit("(?:")
      for (index, inner) in nodes.enumerated() {
        if index > 0 { emit("|") }
        write(inner)
      }
      emit(")")
    }
  }

  private mutating func group(_ node: RegexNode) {
    emit("(?:")
    write(node)
    emit(")")
  }

  private mutating func count(_ minimum: UInt32, _ maximum: UInt32?) {
    guard minimum <= Self.maximumCount, maximum ?? 0 <= Self.maximumCount else {
      isTooLong = true
      return
    }
    emit("{")
    emit(minimum)
    emit(",")
    if let maximum { emit(maximum) }
    emit("}")
  }

  private mutating func write(_ set: ScalarSet) {
    let ascii = set.intersection(ScalarSet(edges: [0, 0x80]))
    guard !ascii.isEmpty else { return emit("(?!)") }
    emit("[")
    for index in 0..<ascii.rangeCount {
      emit(character: ascii.edges[2 &* index])
      emit("-")
      emit(character: ascii.edges[2 &* index &+ 1] &- 1)
    }
    emit("]")
  }

  private func text(of assertion: Assertion) -> StaticString {
    switch assertion {
    case .textStart: "\\A"
    case .textEnd: "\\z"
    case .lineStart: "(?:\\A|(?<=\\n))"
    case .lineEnd: "(?:\\z|(?=\\n))"
    case .lineStartCRLF: "(?:\\A|(?<=\\n)|(?<=\\r)(?!\\n))"
    case .lineEndCRLF: "(?:\\z|(?=\\r)|(?<!\\r)(?=\\n))"
    case .wordBoundary, .asciiWordBoundary: "\\b"
    case .notWordBoundary, .asciiNotWordBoundary: "\\B"
    case .wordStart, .asciiWordStart: "(?:\\b(?=\\w))"
    case .wordEnd, .asciiWordEnd: "(?:\\b(?<=\\w))"
    case .wordStartHalf, .asciiWordStartHalf: "(?<!\\w)"
    case .wordEndHalf, .asciiWordEndHalf: "(?!\\w)"
    }
  }
}
