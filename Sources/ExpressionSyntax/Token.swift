/// What a token is.
package enum TokenKind: UInt8, Sendable, Hashable, CaseIterable {
  /// Behind the last character.
  case endOfInput
  /// Characters that are no token; the token's ``Token/problem`` says why.
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

/// A token: its kind and where it stands. Trivial, 12 bytes.
package struct Token: Sendable, Hashable {
  /// Why characters are no token.
  package enum Problem: UInt8, Sendable, Hashable {
    /// The token is fine.
    case none
    /// A character that starts no token.
    case unexpectedCharacter
    /// A string or bytes literal without its closing quote.
    case unclosedString
    /// A number in a notation that the dialect lacks.
    case unsupportedNumber
    /// A name in backticks that is empty, unclosed or holds a character it must not.
    case malformedQuotedName
    /// A word spelled like an operator of another language: `=`, `===`, `&`, `<>`.
    case foreignOperator
    /// Text between typographic quotes.
    case typographicQuotes
    /// A comment of another language.
    case foreignComment
  }

  /// What it is.
  package var kind: TokenKind
  /// Why it is ``TokenKind/invalid``; ``Problem/none`` for all others.
  package var problem: Problem
  /// How a string or bytes literal was written; empty for all others.
  package var flags: SyntaxNode.Flags
  /// The offset of its first byte.
  package var start: UInt32
  /// Its number of bytes.
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

  /// The offset behind its last byte.
  @inlinable package var end: UInt32 { start &+ length }

  /// Its place.
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
