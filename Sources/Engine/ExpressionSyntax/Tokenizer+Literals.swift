extension Tokenizer {
  // MARK: - Numbers

  /// Scans the number whose digits (or leading dot) are at `digits`; `start` is the offset of its
  /// sign, if it has one.
  mutating func number(from start: Int, digits: Int) -> Token {
    var end = digits
    while end < count, isDigit(bytes[end]) { end &+= 1 }
    if end == digits &+ 1, bytes[digits] == UInt8(ascii: "0"),
      byte(at: end) | 0x20 == UInt8(ascii: "x"), isHexDigit(byte(at: end &+ 1))
    {
      return hexadecimal(from: start, prefix: end)
    }
    var kind = TokenKind.int
    if byte(at: end) == UInt8(ascii: "."), isDigit(byte(at: end &+ 1)) {
      kind = .float
      end &+= 2
      while end < count, isDigit(bytes[end]) { end &+= 1 }
    }
    // A sign directly before a dot that is not followed by a digit does not belong to a number.
    guard end > digits else { return token(.plus, from: start, length: 1) }
    if byte(at: end) | 0x20 == UInt8(ascii: "e") {
      var exponent = end &+ 1
      if byte(at: exponent) == UInt8(ascii: "+") || byte(at: exponent) == UInt8(ascii: "-") {
        exponent &+= 1
      }
      if isDigit(byte(at: exponent)) {
        kind = .float
        end = exponent &+ 1
        while end < count, isDigit(bytes[end]) { end &+= 1 }
      }
    }
    if kind == .int, byte(at: end) | 0x20 == UInt8(ascii: "u"), rules.contains(.unsignedIntegers) {
      return token(.uint, from: start, length: end &+ 1 &- start)
    }
    return token(kind, from: start, length: end &- start)
  }

  /// Scans `0x…`, whose `x` is at `prefix`.
  private mutating func hexadecimal(from start: Int, prefix: Int) -> Token {
    var end = prefix &+ 1
    while end < count, isHexDigit(bytes[end]) { end &+= 1 }
    guard rules.contains(.hexadecimalIntegers), bytes[prefix] == UInt8(ascii: "x") else {
      return invalid(.unsupportedNumber, from: start, length: end &- start)
    }
    if byte(at: end) | 0x20 == UInt8(ascii: "u"), rules.contains(.unsignedIntegers) {
      return token(.uint, from: start, length: end &+ 1 &- start)
    }
    return token(.int, from: start, length: end &- start)
  }

  @inline(__always)
  func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 6
  }

  // MARK: - Strings

  /// Scans the string or bytes literal whose opening quote is `prefix` bytes after `start`.
  mutating func string(
    from start: Int, prefix: Int, kind: TokenKind, flags prefixFlags: SyntaxNode.Flags = []
  ) -> Token {
    var flags = prefixFlags
    let open = start &+ prefix
    let quote = bytes[open]
    if quote == UInt8(ascii: "'") { flags.insert(.singleQuoted) }
    let isTriple =
      rules.contains(.tripleQuotes) && byte(at: open &+ 1) == quote && byte(at: open &+ 2) == quote
    if isTriple { flags.insert(.tripleQuoted) }
    let mayBreakLines = isTriple || (kind == .string && rules.contains(.rawNewlinesInStrings))
    let isRaw = flags.contains(.raw)
    let backslashesEscape = !isRaw || rules.contains(.rawQuotesCanBeEscaped)

    var index = open &+ (isTriple ? 3 : 1)
    while index < count {
      let byte = bytes[index]
      if byte == quote {
        if !isTriple {
          return literal(kind, flags: flags, from: start, to: index &+ 1)
        }
        if self.byte(at: index &+ 1) == quote, self.byte(at: index &+ 2) == quote {
          return literal(kind, flags: flags, from: start, to: index &+ 3)
        }
      } else if byte == UInt8(ascii: "\\"), backslashesEscape {
        // An escape cannot span lines in a literal that cannot.
        if self.byte(at: index &+ 1) == 0x0A, isRaw || !mayBreakLines { break }
        // A raw string changes only where its own quote is escaped.
        if !isRaw || self.byte(at: index &+ 1) == quote { flags.insert(.hasEscapes) }
        index &+= 1
      } else if byte == 0x0A || byte == 0x0D {
        if !mayBreakLines { break }
        if byte == 0x0D, rules.contains(.normalizesLineBreaks) { flags.insert(.hasEscapes) }
      }
      index &+= 1
    }
    return invalid(.unclosedString, from: start, length: min(index, count) &- start)
  }

  @inline(__always)
  private mutating func literal(
    _ kind: TokenKind, flags: SyntaxNode.Flags, from start: Int, to end: Int
  ) -> Token {
    var literal = token(kind, from: start, length: end &- start)
    literal.flags = flags
    return literal
  }
}
