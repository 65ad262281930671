/// The kind of a token.
package enum TokenKind: UInt8, Sendable, Hashable, CaseIterable {
  /// The end, after the last character.
  case endOfInput
  /// Characters that are not a token; ``Token/problem`` gives the reason.
  case invalid

  // Operands.
  /// A name.
  case identifier
  /// A name in backticks.
  case quotedName
  /// `true`.
  case `true`
  /// `false`.
  case `false`
  /// `null`.
  case null
  /// A decimal or hexadecimal integer.
  case int
  /// An integer with the suffix `u`.
  case uint
  /// A number with a fraction or an exponent.
  case float
  /// A string with its quotes.
  case string
  /// A bytes literal with its prefix and quotes.
  case bytes

  // Punctuation.
  /// `(`.
  case leftParen
  /// `)`.
  case rightParen
  /// `[`.
  case leftBracket
  /// `]`.
  case rightBracket
  /// `{`.
  case leftBrace
  /// `}`.
  case rightBrace
  /// `.`.
  case dot
  /// `,`.
  case comma
  /// `:`.
  case colon
  /// `?`.
  case question

  // Operators.
  /// `!`.
  case not
  /// `!!`.
  case doubleNot
  /// `--`.
  case doubleMinus
  /// `-`.
  case minus
  /// `+`.
  case plus
  /// `*`.
  case star
  /// `/`.
  case slash
  /// `%`.
  case percent
  /// `&&`.
  case and
  /// `||`.
  case or
  /// `==`.
  case equal
  /// `!=`.
  case notEqual
  /// `<`.
  case less
  /// `<=`.
  case lessEqual
  /// `>`.
  case greater
  /// `>=`.
  case greaterEqual
  /// `in`.
  case `in`
}

/// A token: its kind and its place. A trivial type of 12 bytes.
package struct Token: Sendable, Hashable {
  /// The reason why characters are not a token.
  package enum Problem: UInt8, Sendable, Hashable {
    /// The token is valid.
    case none
    /// A character that cannot start a token.
    case unexpectedCharacter
    /// A string or bytes literal without its closing quote.
    case unclosedString
    /// A number in a notation that the dialect does not have.
    case unsupportedNumber
    /// A name in backticks that is empty, unclosed or contains an invalid character.
    case malformedQuotedName
    /// Characters spelled like an operator of another language: `=`, `===`, `&`, `<>`.
    case foreignOperator
    /// Text between typographic quotes.
    case typographicQuotes
    /// A comment of another language.
    case foreignComment
  }

  /// The kind.
  package var kind: TokenKind
  /// The reason why the token is ``TokenKind/invalid``; ``Problem/none`` for all other tokens.
  package var problem: Problem
  /// The notation of a string or bytes literal; empty for all other tokens.
  package var flags: SyntaxNode.Flags
  /// The offset of the first byte.
  package var start: UInt32
  /// The number of bytes.
  package var length: UInt32

  /// Creates a token.
  package init(
    kind: TokenKind, problem: Problem = .none, flags: SyntaxNode.Flags = [], start: UInt32,
    length: UInt32
  ) {
    self.kind = kind
    self.problem = problem
    self.flags = flags
    self.start = start
    self.length = length
  }

  /// The offset after the last byte.
  @inlinable package var end: UInt32 { start &+ length }

  /// The span of the token.
  package var span: SourceSpan { SourceSpan(start: start, length: length) }

  /// The text between the quotes of a string, bytes literal or name in backticks.
  package var contentSpan: SourceSpan {
    switch kind {
    case .string, .bytes:
      let quotes: UInt32 = flags.contains(.tripleQuoted) ? 3 : 1
      let prefix: UInt32 = (kind == .bytes ? 1 : 0) &+ (flags.contains(.raw) ? 1 : 0)
      return SourceSpan(
        start: start &+ prefix &+ quotes, length: length &- prefix &- quotes &- quotes)
    case .quotedName: return SourceSpan(start: start &+ 1, length: length &- 2)
    default: return span
    }
  }
}
