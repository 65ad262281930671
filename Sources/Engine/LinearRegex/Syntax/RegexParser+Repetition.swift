extension RegexParser {
  /// Reads `?`, `*` or `+`.
  mutating func parseRepetition(
    _ minimum: UInt32, _ maximum: UInt32?
  ) throws(RegexPatternError) {
    let start = index
    try requireRepeatable()
    advance()
    try finishRepetition(start, minimum, maximum)
  }

  /// Reads `{n}`, `{n,}` or `{n,m}`.
  mutating func parseCount() throws(RegexPatternError) {
    let start = index
    if syntax.allowsLiteralBrace, !isCount() {
      advance()
      return append(Item(node: literal(UInt32(UInt8(ascii: "{"))), start: start))
    }
    try requireRepeatable()
    guard advanceToContent() else { throw unclosedCount(start) }
    let first = try number()
    guard !isAtEnd else { throw unclosedCount(start) }
    var maximum: UInt32?
    var isRange = false
    if isAt(UInt8(ascii: ",")) {
      isRange = true
      guard advanceToContent() else { throw unclosedCount(start) }
    }
    guard let minimum = first.value else {
      throw RegexPatternError(.repetitionWithoutNumber, first.range)
    }
    if !isRange {
      maximum = minimum
    } else if !isAt(UInt8(ascii: "}")) {
      let second = try number()
      guard let value = second.value else {
        throw RegexPatternError(.repetitionWithoutNumber, second.range)
      }
      maximum = value
    }
    guard isAt(UInt8(ascii: "}")) else { throw unclosedCount(start) }
    advanceToContent()
    if let maximum, minimum > maximum {
      throw RegexPatternError(.repetitionInvalid, start..<index)
    }
    try finishRepetition(start, minimum, maximum)
  }

  private func unclosedCount(_ start: Int) -> RegexPatternError {
    RegexPatternError(.repetitionUnclosed, start..<index)
  }

  /// Whether the brace at hand starts a count of RE2.
  private func isCount() -> Bool {
    var reader = index &+ 1
    func digits() -> Bool {
      let start = reader
      while reader < bytes.count, bytes[reader] &- 0x30 < 10 { reader &+= 1 }
      return reader > start
    }
    guard digits(), reader < bytes.count else { return false }
    if bytes[reader] == UInt8(ascii: ",") {
      reader &+= 1
      _ = digits()
    }
    return reader < bytes.count && bytes[reader] == UInt8(ascii: "}")
  }

  /// Reads a number; white space around it does not count.
  private mutating func number() throws(RegexPatternError) -> (value: UInt32?, range: Range<Int>) {
    while let scalar, Self.isWhiteSpace(scalar) { advance() }
    let start = index
    var value: UInt64 = 0
    var hasDigits = false
    while index < bytes.count, bytes[index] &- 0x30 < 10 {
      value = min(value &* 10 &+ UInt64(bytes[index] &- 0x30), 1 << 40)
      hasDigits = true
      advanceToContent()
    }
    let range = start..<index
    while let scalar, Self.isWhiteSpace(scalar) { advanceToContent() }
    guard value <= UInt32.max else { throw RegexPatternError(.numberInvalid, range) }
    return (hasDigits ? UInt32(value) : nil, range)
  }

  private func requireRepeatable() throws(RegexPatternError) {
    guard let item = frames[frames.count &- 1].items.last, !item.isFlags else {
      throw RegexPatternError(.repetitionMissing, index..<nextIndex)
    }
  }

  /// Repeats the last item, and reads the `?` that makes it lazy.
  private mutating func finishRepetition(
    _ start: Int, _ minimum: UInt32, _ maximum: UInt32?
  ) throws(RegexPatternError) {
    let end = index
    var isGreedy = true
    if isAt(UInt8(ascii: "?")) {
      isGreedy = false
      advance()
    }
    if flags.contains(.swapGreed) { isGreedy.toggle() }
    guard var item = frames[frames.count &- 1].items.popLast() else { return }
    if item.isRepetition, !syntax.allowsStackedRepetition {
      throw RegexPatternError(.repetitionStacked, start..<end)
    }
    let (product, overflows) = item.product.multipliedReportingOverflow(
      by: max(minimum, maximum ?? 1, 1))
    item.product = overflows ? .max : product
    if syntax.maximumRepetition < .max,
      item.product > syntax.maximumRepetition || minimum > syntax.maximumRepetition
    {
      throw RegexPatternError(.repetitionTooLarge, start..<end)
    }
    item.node = .repetition(item.node, minimum, maximum, isGreedy: isGreedy)
    item.height &+= 1
    item.isRepetition = true
    try checkHeight(item.height, item.start)
    append(item)
  }
}
