extension Parser {
  /// Parses a number. `start` is the offset of its sign if the grammar, not the tokenizer, joined
  /// the two.
  mutating func parseNumber(start: UInt32) throws(ParseFailure) -> UInt32 {
    let number = token
    var digits = Int(number.start)
    let end = Int(number.end)
    var isNegative = start != number.start
    if !isNegative {
      let first = tokenizer.bytes[digits]
      isNegative = first == UInt8(ascii: "-")
      if isNegative || first == UInt8(ascii: "+") { digits &+= 1 }
    }
    advance()
    let place = span(from: start)
    if number.kind == .float {
      return float(from: digits, to: end, isNegative: isNegative, at: place)
    }
    let magnitude = integer(from: digits, to: number.kind == .uint ? end &- 1 : end)
    if number.kind == .uint {
      if magnitude == nil { reportNumberTooLarge(at: place, isUnsigned: true) }
      return append(SyntaxNode(kind: .uintLiteral, span: place, payload: magnitude ?? 0))
    }
    let limit = UInt64(Int64.max) &+ (isNegative ? 1 : 0)
    guard let magnitude, magnitude <= limit else {
      reportNumberTooLarge(at: place, isUnsigned: false)
      return append(SyntaxNode(kind: .intLiteral, span: place))
    }
    return append(
      SyntaxNode(
        kind: .intLiteral, span: place, payload: isNegative ? 0 &- magnitude : magnitude))
  }

  /// Returns the value of decimal or `0x` digits, or `nil` if it does not fit 64 bits.
  private func integer(from start: Int, to end: Int) -> UInt64? {
    var value: UInt64 = 0
    var index = start
    if end &- start > 2, tokenizer.bytes[start &+ 1] | 0x20 == UInt8(ascii: "x") {
      index &+= 2
      while index < end {
        let byte = tokenizer.bytes[index]
        let digit = byte < 0x3A ? byte &- 0x30 : (byte | 0x20) &- UInt8(ascii: "a") &+ 10
        guard value >> 60 == 0 else { return nil }
        value = value << 4 | UInt64(digit)
        index &+= 1
      }
      return value
    }
    while index < end {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let digit = UInt64(tokenizer.bytes[index] &- UInt8(ascii: "0"))
      let (sum, carry) = product.addingReportingOverflow(digit)
      if overflow || carry { return nil }
      value = sum
      index &+= 1
    }
    return value
  }

  /// Parses a floating-point literal.
  private mutating func float(
    from start: Int, to end: Int, isNegative: Bool, at place: SourceSpan
  ) -> UInt32 {
    let text = String(decoding: tokenizer.bytes[start..<end], as: UTF8.self)
    // The tokenizer accepts only digits, a dot and an exponent here, and `Double` reads all of
    // them.
    let magnitude = Double(text) ?? .infinity
    if magnitude.isInfinite, !dialect.lexical.contains(.floatOverflowIsInfinity) {
      reportFloatTooLarge(at: place)
    }
    let value = isNegative ? -magnitude : magnitude
    return append(SyntaxNode(kind: .doubleLiteral, span: place, payload: value.bitPattern))
  }
}
