// source ─[Tokenizer]▶ tokens ─Parser(Pratt)▶ Syntax ─Lowering▶ IR ─Compiler▶ Program ─VM▶ Value

/// Splits UTF-8 text into tokens, one at a time, without allocating.
///
/// The text must be valid UTF-8 (see ``UTF8Validation``) and outlive the tokenizer. That is why
/// only ``tokenize(_:dialect:)`` and the parser create one, inside `withUnsafeBufferPointer`. Every
/// read is bounded by `count`: ``byte(at:)`` returns 0 past the end, and loops compare before they
/// read.
struct Tokenizer {
  /// The text.
  let bytes: UnsafeBufferPointer<UInt8>
  /// The length of the text in bytes.
  let count: Int
  /// The lexical switches of the dialect.
  let rules: Dialect.LexicalRules
  /// The offset at which the next token is looked for.
  var position: Int
  /// The comments passed so far.
  var comments: [SourceSpan] = []

  /// Creates a tokenizer at the beginning of a text.
  init(bytes: UnsafeBufferPointer<UInt8>, rules: Dialect.LexicalRules) {
    self.bytes = bytes
    self.count = bytes.count
    self.rules = rules
    self.position = 0
  }

  /// Returns the byte at an offset, or 0 before the start and past the end.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    // A negative offset is a large one here.
    UInt(bitPattern: offset) < UInt(bitPattern: count) ? bytes[offset] : 0
  }

  /// Returns the next token. At the end of the text every call returns ``TokenKind/endOfInput``.
  mutating func next() -> Token {
    skipTrivia()
    let start = position
    guard start < count else { return token(.endOfInput, from: start, length: 0) }
    let first = bytes[start]
    switch first {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"):
      return word(from: start, first: first)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return number(from: start, digits: start)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return string(from: start, prefix: 0, kind: .string)
    case UInt8(ascii: "("): return token(.leftParen, from: start, length: 1)
    case UInt8(ascii: ")"): return token(.rightParen, from: start, length: 1)
    case UInt8(ascii: "["): return token(.leftBracket, from: start, length: 1)
    case UInt8(ascii: "]"): return token(.rightBracket, from: start, length: 1)
    case UInt8(ascii: "{"): return token(.leftBrace, from: start, length: 1)
    case UInt8(ascii: "}"): return token(.rightBrace, from: start, length: 1)
    case UInt8(ascii: ","): return token(.comma, from: start, length: 1)
    case UInt8(ascii: ":"): return token(.colon, from: start, length: 1)
    case UInt8(ascii: "?"): return token(.question, from: start, length: 1)
    case UInt8(ascii: "."):
      return isDigit(byte(at: start &+ 1))
        ? number(from: start, digits: start) : token(.dot, from: start, length: 1)
    case UInt8(ascii: "`") where rules.contains(.quotedNames): return quotedName(from: start)
    default: return symbol(from: start, first: first)
    }
  }

  /// Scans an operator or an invalid token.
  private mutating func symbol(from start: Int, first: UInt8) -> Token {
    let second = byte(at: start &+ 1)
    switch first {
    case UInt8(ascii: "=") where second == UInt8(ascii: "="):
      return byte(at: start &+ 2) == UInt8(ascii: "=")
        ? invalid(.foreignOperator, from: start, length: 3) : token(.equal, from: start, length: 2)
    case UInt8(ascii: "!"):
      if second == UInt8(ascii: "=") {
        return byte(at: start &+ 2) == UInt8(ascii: "=")
          ? invalid(.foreignOperator, from: start, length: 3)
          : token(.notEqual, from: start, length: 2)
      }
      if second == UInt8(ascii: "!"), rules.contains(.doubledPrefixOperators) {
        return token(.doubleNot, from: start, length: 2)
      }
      return token(.not, from: start, length: 1)
    case UInt8(ascii: "<"):
      if second == UInt8(ascii: "=") { return token(.lessEqual, from: start, length: 2) }
      if second == UInt8(ascii: ">") { return invalid(.foreignOperator, from: start, length: 2) }
      if second == UInt8(ascii: "!"), let comment = markupComment(from: start) { return comment }
      return token(.less, from: start, length: 1)
    case UInt8(ascii: ">"):
      return second == UInt8(ascii: "=")
        ? token(.greaterEqual, from: start, length: 2) : token(.greater, from: start, length: 1)
    case UInt8(ascii: "&") where second == UInt8(ascii: "&"):
      return token(.and, from: start, length: 2)
    case UInt8(ascii: "|") where second == UInt8(ascii: "|"):
      return token(.or, from: start, length: 2)
    case UInt8(ascii: "-"): return minus(from: start, second: second)
    case UInt8(ascii: "+"): return plus(from: start)
    case UInt8(ascii: "*"): return token(.star, from: start, length: 1)
    case UInt8(ascii: "/"):
      return second == UInt8(ascii: "*")
        ? blockComment(from: start) : token(.slash, from: start, length: 1)
    case UInt8(ascii: "%"): return token(.percent, from: start, length: 1)
    default: return unexpected(from: start, first: first, second: second)
    }
  }

  /// Scans `-`, `--`, or a number if signs belong to numbers.
  private mutating func minus(from start: Int, second: UInt8) -> Token {
    if rules.contains(.signBelongsToNumber) {
      if isDigit(second) || (second == UInt8(ascii: ".") && isDigit(byte(at: start &+ 2))) {
        return number(from: start, digits: start &+ 1)
      }
    }
    if second == UInt8(ascii: "-"), rules.contains(.doubledPrefixOperators) {
      return token(.doubleMinus, from: start, length: 2)
    }
    return token(.minus, from: start, length: 1)
  }

  /// Scans `+`, or a float if signs belong to numbers; the sign never joins an integer.
  private mutating func plus(from start: Int) -> Token {
    if rules.contains(.signBelongsToNumber) {
      let second = byte(at: start &+ 1)
      if isDigit(second) || second == UInt8(ascii: ".") {
        let saved = position
        let candidate = number(from: start, digits: start &+ 1)
        if candidate.kind == .float { return candidate }
        position = saved
      }
    }
    return token(.plus, from: start, length: 1)
  }

  // MARK: - Words

  /// Scans a name, a keyword, or a literal with a prefix.
  private mutating func word(from start: Int, first: UInt8) -> Token {
    var end = start &+ 1
    while end < count, isNameByte(bytes[end]) { end &+= 1 }
    let length = end &- start
    if length <= 2, end < count, bytes[end] == UInt8(ascii: "\"") || bytes[end] == UInt8(ascii: "'")
    {
      if let literal = prefixedLiteral(from: start, first: first, length: length) { return literal }
    }
    position = end
    let kind = length <= 5 && length >= 2 ? keyword(from: start, length: length) : .identifier
    return Token(
      kind: kind, start: UInt32(truncatingIfNeeded: start),
      length: UInt32(truncatingIfNeeded: length))
  }

  /// Scans `r"…"`, `b"…"` or `br"…"` with the prefixes of the dialect; returns `nil` for other
  /// text.
  private mutating func prefixedLiteral(from start: Int, first: UInt8, length: Int) -> Token? {
    let lower = first | 0x20
    if length == 1 {
      if lower == UInt8(ascii: "r") {
        return string(from: start, prefix: 1, kind: .string, flags: .raw)
      }
      if lower == UInt8(ascii: "b") { return string(from: start, prefix: 1, kind: .bytes) }
    } else if lower == UInt8(ascii: "b"), bytes[start &+ 1] | 0x20 == UInt8(ascii: "r"),
      rules.contains(.rawBytes)
    {
      return string(from: start, prefix: 2, kind: .bytes, flags: .raw)
    }
    return nil
  }

  /// Returns the keyword of two to five bytes at `start`, or `identifier`.
  @inline(__always)
  private func keyword(from start: Int, length: Int) -> TokenKind {
    switch length {
    case 2 where bytes[start] == UInt8(ascii: "i") && bytes[start &+ 1] == UInt8(ascii: "n"):
      return .in
    case 4 where bytes[start] == UInt8(ascii: "t"): return spells("true", at: start, as: .true)
    case 4 where bytes[start] == UInt8(ascii: "n"): return spells("null", at: start, as: .null)
    case 5 where bytes[start] == UInt8(ascii: "f"): return spells("false", at: start, as: .false)
    default: return .identifier
    }
  }

  @inline(__always)
  private func spells(_ word: StaticString, at start: Int, as kind: TokenKind) -> TokenKind {
    for index in 0..<word.utf8CodeUnitCount where bytes[start &+ index] != word.utf8Start[index] {
      return .identifier
    }
    return kind
  }

  /// Scans `` `name` ``: letters, digits, `_`, `.`, `-`, `/` and spaces.
  private mutating func quotedName(from start: Int) -> Token {
    var end = start &+ 1
    var isWellFormed = true
    while end < count, bytes[end] != UInt8(ascii: "`"), bytes[end] != 0x0A, bytes[end] != 0x0D {
      let byte = bytes[end]
      if !isNameByte(byte), byte != UInt8(ascii: "."), byte != UInt8(ascii: "-"),
        byte != UInt8(ascii: "/"), byte != UInt8(ascii: " ")
      {
        isWellFormed = false
      }
      end &+= 1
    }
    let isClosed = end < count && bytes[end] == UInt8(ascii: "`")
    if isClosed, isWellFormed, end > start &+ 1 {
      return token(.quotedName, from: start, length: end &+ 1 &- start)
    }
    return invalid(.malformedQuotedName, from: start, length: end &+ (isClosed ? 1 : 0) &- start)
  }

  // MARK: - Making tokens

  /// Returns a token of `length` bytes and moves past it.
  @inline(__always)
  mutating func token(_ kind: TokenKind, from start: Int, length: Int) -> Token {
    position = start &+ length
    return Token(
      kind: kind, start: UInt32(truncatingIfNeeded: start),
      length: UInt32(truncatingIfNeeded: length))
  }

  /// Returns an invalid token and moves past it.
  mutating func invalid(_ problem: Token.Problem, from start: Int, length: Int) -> Token {
    position = start &+ length
    return Token(
      kind: .invalid, problem: problem, start: UInt32(truncatingIfNeeded: start),
      length: UInt32(truncatingIfNeeded: length))
  }

  @inline(__always)
  func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// Returns whether a byte may be part of a name.
  @inline(__always)
  func isNameByte(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || isDigit(byte) || byte == UInt8(ascii: "_")
  }
}
