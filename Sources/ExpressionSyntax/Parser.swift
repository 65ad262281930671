// source ─Tokenizer▶ tokens ─[Parser (Pratt)]▶ Syntax ─Lowering▶ IR ─Compiler▶ Program ─VM▶ Value

/// Parses a text as an expression of a dialect.
///
/// - Parameters:
///   - source: The text. It need not be valid UTF-8: that is an error with a position.
///   - dialect: Which tokens and forms exist.
///   - limits: How long and how deep the text may be.
/// - Returns: The tree, whose last node is the whole expression.
/// - Throws: ``SyntaxError`` with the author's mistakes, at most ten, in source order.
/// - Complexity: O(n) in the length of the text.
package func parse(
  _ source: SourceText, dialect: Dialect, limits: ParserLimits = .standard
) throws(SyntaxError) -> SyntaxTree {
  guard source.bytes.count <= min(limits.sourceLength, Int(Int32.max)) else {
    throw SyntaxError(diagnostics: [.sourceTooLong(source, limit: limits.sourceLength)])
  }
  let outcome: Result<SyntaxTree, SyntaxError> = source.bytes.withUnsafeBufferPointer { bytes in
    if let offset = UTF8Validation.firstInvalidByte(in: bytes) {
      return .failure(SyntaxError(diagnostics: [.invalidUTF8(at: offset, byte: bytes[offset])]))
    }
    return InfixTable.shared.entries.withUnsafeBufferPointer { infix in
      var parser = Parser(bytes: bytes, dialect: dialect, limits: limits, infix: infix)
      return parser.parseSource(source)
    }
  }
  return try outcome.get()
}

/// What the parser knows of a token between two operands; derived from the ``OperatorTable``.
struct InfixEntry {
  /// The operator; ``Operator/none`` for tokens that are none.
  var op: Operator = .none
  /// Its binding power towards the left; 0 for tokens that are no infix operator.
  var left: UInt8 = 0
  /// Its binding power towards the right.
  var right: UInt8 = 0
}

/// The infix operators by the raw value of their token kind.
struct InfixTable {
  static let shared = InfixTable()

  let entries: [InfixEntry]

  private init() {
    var entries = [InfixEntry](repeating: InfixEntry(), count: TokenKind.allCases.count)
    for (kind, op) in TokenKind.infixOperators {
      let power = OperatorTable[op].power
      entries[Int(kind.rawValue)] = InfixEntry(op: op, left: power.left, right: power.right)
    }
    self.entries = entries
  }
}

extension TokenKind {
  /// Which token is which infix operator.
  static let infixOperators: [(TokenKind, Operator)] = [
    (.or, .or), (.and, .and), (.equal, .equal), (.notEqual, .notEqual), (.less, .less),
    (.lessEqual, .lessEqual), (.greater, .greater), (.greaterEqual, .greaterEqual), (.in, .in),
    (.plus, .add), (.minus, .subtract), (.star, .multiply), (.slash, .divide),
    (.percent, .remainder),
  ]
}

/// Thrown inside the parser when it cannot go on; the mistake is in its ``Parser/diagnostics``.
struct ParseFailure: Error {}

/// A Pratt parser that keeps its pending operators and plain parentheses on a stack of its own.
///
/// One loop (``parseExpression()``) reads operand, operator, operand, …; an operator waits as a
/// ``Frame`` until an operator that holds less tightly, a closing token or the end comes, and becomes
/// a node then. So chains, conditionals and parentheses of any length use no call stack; only
/// brackets with something of their own inside (lists, maps, messages, arguments, indices) recurse,
/// and ``ParserLimits/nesting`` bounds those.
struct Parser {
  /// What waits for its right side.
  struct Frame {
    /// What waits.
    enum Kind: UInt8 {
      /// `left op …`.
      case binary
      /// `op …`.
      case unary
      /// `(…`.
      case group
      /// `condition ? …`.
      case condition
      /// `condition ? first : …`.
      case alternative
    }

    var kind: Kind
    var op: Operator = .none
    /// The operator's binding power towards the right; 0 for a group, which nothing reduces but `)`.
    var power: UInt8 = 0
    /// The left operand or the condition.
    var first: UInt32 = 0
    /// The first choice of a conditional.
    var second: UInt32 = 0
    /// Where the left operand starts, with its parentheses; for a group and a prefix operator itself.
    var start: UInt32
    /// Where the operator is.
    var opSpan: SourceSpan
  }

  var tokenizer: Tokenizer
  /// The token to look at.
  var token: Token
  /// The offset behind the last token taken.
  var previousEnd: UInt32 = 0
  let dialect: Dialect
  /// The dialect's rules, copied out because every bracket asks for them.
  let syntactic: Dialect.SyntacticRules
  let hasReservedWords: Bool
  let limits: ParserLimits
  let infix: UnsafeBufferPointer<InfixEntry>

  var nodes: [SyntaxNode] = []
  var children: [UInt32] = []
  var frames: [Frame] = []
  /// The elements of lists, maps and calls that are not closed yet.
  var pending: [UInt32] = []
  var depth = 0
  var diagnostics: [Diagnostic] = []

  init(
    bytes: UnsafeBufferPointer<UInt8>, dialect: Dialect, limits: ParserLimits,
    infix: UnsafeBufferPointer<InfixEntry>
  ) {
    self.tokenizer = Tokenizer(bytes: bytes, rules: dialect.lexical)
    self.dialect = dialect
    self.syntactic = dialect.syntactic
    self.hasReservedWords = !dialect.reservedWords.isEmpty
    self.limits = limits
    self.infix = infix
    self.token = tokenizer.next()
    // A node takes at least one byte of text, and mostly four or more. Growing step by step would copy
    // them, and touch new pages each time.
    nodes.reserveCapacity(min(bytes.count / 4 &+ 4, 1 << 18))
  }

  /// The whole source.
  mutating func parseSource(_ source: SourceText) -> Result<SyntaxTree, SyntaxError> {
    do throws(ParseFailure) {
      if token.kind == .endOfInput { throw failEmpty() }
      _ = try parseExpression()
      if token.kind != .endOfInput { throw failTrailing() }
    } catch {
      return .failure(SyntaxError(diagnostics: diagnostics))
    }
    guard diagnostics.isEmpty else {
      return .failure(SyntaxError(diagnostics: diagnostics))
    }
    return .success(
      SyntaxTree(
        source: source, dialect: dialect, nodes: nodes, children: children,
        comments: tokenizer.comments))
  }

  // MARK: - Tokens and nodes

  /// Goes to the next token.
  mutating func advance() {
    previousEnd = token.end
    token = tokenizer.next()
  }

  /// Goes to the next token if this one is of a kind.
  mutating func take(_ kind: TokenKind) -> Bool {
    guard token.kind == kind else { return false }
    advance()
    return true
  }

  /// Lets an operator or a parenthesis wait.
  mutating func push(_ frame: Frame) {
    // Few wait at once, and room for one would soon be too little.
    if frames.capacity == 0 { frames.reserveCapacity(8) }
    frames.append(frame)
  }

  /// Appends a node and answers its number.
  mutating func append(_ node: SyntaxNode) -> UInt32 {
    let index = UInt32(truncatingIfNeeded: nodes.count)
    nodes.append(node)
    return index
  }

  /// The span from `start` to the end of the last token taken.
  func span(from start: UInt32) -> SourceSpan {
    SourceSpan(start: start, length: previousEnd &- start)
  }

  /// A span as the `payload` of a node.
  func packed(_ span: SourceSpan) -> UInt64 { UInt64(span.length) << 32 | UInt64(span.start) }
}
