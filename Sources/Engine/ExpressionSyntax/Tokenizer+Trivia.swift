extension Tokenizer {
  // MARK: - White space and comments

  /// Skips white space and comments, and records the comments.
  @inline(__always)
  mutating func skipTrivia() {
    while position < count {
      let byte = bytes[position]
      if byte == UInt8(ascii: " ") {
        position &+= 1
      } else if byte > UInt8(ascii: "/"), byte < 0x80 {
        return
      } else if !skipRareTrivia(byte) {
        return
      }
    }
  }

  /// Skips one line break, tab, comment or Unicode space. Returns `false` if none follows.
  private mutating func skipRareTrivia(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x0A, 0x0C, 0x0D: position &+= 1
    case 0x0B where rules.contains(.unicodeWhitespace): position &+= 1
    case UInt8(ascii: "/") where self.byte(at: position &+ 1) == UInt8(ascii: "/"): skipComment()
    case 0x80...0xFF where rules.contains(.unicodeWhitespace):
      let scalar = self.scalar(at: position)
      guard scalar.value.properties.isWhitespace else { return false }
      position &+= scalar.length
    default: return false
    }
    return true
  }

  /// Skips the rest of the line.
  private mutating func skipComment() {
    let start = position
    let stopsAtReturn = rules.contains(.carriageReturnEndsComment)
    while position < count, bytes[position] != 0x0A {
      if stopsAtReturn, bytes[position] == 0x0D { break }
      position &+= 1
    }
    comments.append(
      SourceSpan(
        start: UInt32(truncatingIfNeeded: start),
        length: UInt32(truncatingIfNeeded: position &- start)))
  }

  // MARK: - Invalid tokens

  /// Scans a character that cannot start a token, with the following text that belongs to the same
  /// mistake.
  mutating func unexpected(from start: Int, first: UInt8, second: UInt8) -> Token {
    switch first {
    case UInt8(ascii: "="):
      // `a =!b` may mean `a == !b`; a space after `=!` shows that it does not.
      let isTwo =
        second == UInt8(ascii: ">") || second == UInt8(ascii: "<") || second == UInt8(ascii: "~")
        || second == UInt8(ascii: "!") && byte(at: start &+ 2) == UInt8(ascii: " ")
      return invalid(.foreignOperator, from: start, length: isTwo ? 2 : 1)
    case UInt8(ascii: "&"), UInt8(ascii: "|"):
      return invalid(.foreignOperator, from: start, length: 1)
    case UInt8(ascii: "~") where second == UInt8(ascii: "="):
      return invalid(.foreignOperator, from: start, length: 2)
    case UInt8(ascii: "#"):
      return invalid(.foreignComment, from: start, length: 1)
    case UInt8(ascii: "`"):
      return typographicString(from: start)
        ?? invalid(.unexpectedCharacter, from: start, length: 1)
    case 0x80...0xFF:
      if let quoted = typographicString(from: start) { return quoted }
      // The signs for unequal, at most and at least as single characters.
      if [0x2260, 0x2264, 0x2265, 0x2266, 0x2267, 0x2A7D, 0x2A7E].contains(
        scalar(at: start).value.value)
      {
        return invalid(.foreignOperator, from: start, length: 3)
      }
      return invalid(.unexpectedCharacter, from: start, length: scalar(at: start).length)
    default: return invalid(.unexpectedCharacter, from: start, length: 1)
    }
  }

  /// Scans `/* … */`, which is not a comment in any dialect.
  mutating func blockComment(from start: Int) -> Token {
    var end = start &+ 2
    while end < count {
      if bytes[end] == UInt8(ascii: "*"), byte(at: end &+ 1) == UInt8(ascii: "/") {
        return invalid(.foreignComment, from: start, length: end &+ 2 &- start)
      }
      end &+= 1
    }
    return invalid(.foreignComment, from: start, length: 2)
  }

  /// Scans `<!-- … -->`. Returns `nil` if only the first two characters are present.
  mutating func markupComment(from start: Int) -> Token? {
    let dash = UInt8(ascii: "-")
    guard byte(at: start &+ 2) == dash, byte(at: start &+ 3) == dash else { return nil }
    var end = start &+ 4
    while end < count {
      if bytes[end] == dash, byte(at: end &+ 1) == dash, byte(at: end &+ 2) == UInt8(ascii: ">") {
        return invalid(.foreignComment, from: start, length: end &+ 3 &- start)
      }
      end &+= 1
    }
    return invalid(.foreignComment, from: start, length: 4)
  }

  /// Scans text between typographic quotes such as U+201C and U+201D, up to the closing one on its
  /// line.
  private mutating func typographicString(from start: Int) -> Token? {
    let open = scalar(at: start)
    let isBacktick = open.value == "`"
    guard isBacktick || Tokenizer.isTypographicQuote(open.value) else { return nil }
    var index = start &+ open.length
    while index < count, bytes[index] != 0x0A, bytes[index] != 0x0D {
      let scalar = self.scalar(at: index)
      index &+= scalar.length
      let closes =
        isBacktick
        ? scalar.value == "`"
        : Tokenizer.isTypographicQuote(scalar.value) || scalar.value == "\""
      if closes {
        return invalid(.typographicQuotes, from: start, length: index &- start)
      }
    }
    return invalid(.typographicQuotes, from: start, length: open.length)
  }

  /// Returns whether a character is a quote that word processors put in place of `"` and `'`.
  static func isTypographicQuote(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2018...0x201F, 0x2032, 0x2033, 0xAB, 0xB4, 0xBB, 0x2039, 0x203A, 0x300C...0x300F, 0xFF02,
      0xFF07:
      true
    default: false
    }
  }

  /// Returns the character at an offset inside the text, and its length. The text must be valid
  /// UTF-8.
  func scalar(at offset: Int) -> (value: Unicode.Scalar, length: Int) {
    let lead = byte(at: offset)
    let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    var value = length == 1 ? UInt32(lead) : UInt32(lead) & (0x7F >> UInt32(length))
    var index = 1
    while index < length {
      value = value &<< 6 | UInt32(byte(at: offset &+ index) & 0x3F)
      index &+= 1
    }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", min(length, count &- offset))
  }
}
