// source ─Tokenizer▶ tokens ─[Parser (Pratt)]▶ Syntax ─Lowering▶ IR ─Compiler▶ Program ─VM▶ Value

/// Parses a text as an expression of a dialect.
///
/// - Parameters:
///   - source: The text. It need not be valid UTF-8: that is an error with a position.
///   - dialect: The dialect of the text.
///   - limits: The limits of the text's length and nesting.
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
      // No level takes less than a byte.
      return NestingLimit.withRoom(for: bytes.count) { parser.parseSource(source) }
    }
  }
  return try outcome.get()
}

/// The parser's facts about a token between two operands, derived from the ``OperatorTable``.
struct InfixEntry {
  /// The operator; ``Operator/none`` for tokens that are not operators.
  var op: Operator = .none
  /// The binding power towards the left; 0 for tokens that are not infix operators.
  var left: UInt8 = 0
  /// The binding power towards the right.
  var right: UInt8 = 0
}

/// The infix operators, indexed by the raw value of their token kind.
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
  /// The token kind of each infix operator.
  static let infixOperators: [(TokenKind, Operator)] = [
    (.or, .or), (.and, .and), (.equal, .equal), (.notEqual, .notEqual), (.less, .less),
    (.lessEqual, .lessEqual), (.greater, .greater), (.greaterEqual, .greaterEqual), (.in, .in),
    (.plus, .add), (.minus, .subtract), (.star, .multiply), (.slash, .divide),
    (.percent, .remainder),
  ]
}

/// Thrown inside the parser when it cannot continue. The mistake is in ``Parser/diagnostics``.
struct ParseFailure: Error {}

/// A Pratt parser that keeps its pending operators and plain parentheses on a stack of its own.
///
/// One loop (``parseExpression()``) reads operand, operator, operand, …; an operator waits as a
/// ``Frame`` until an operator that binds less tightly, a closing token or the end follows, and
/// then becomes a node. Chains, conditionals and parentheses of any length therefore use no call
/// stack. Only lists, maps, messages, arguments and indices recurse, and ``ParserLimits/nesting``
/// bounds those.
struct Parser {
  /// An operator, a group or a conditional that waits for its right side.
  struct Frame {
    /// The kind of a frame.
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
    /// The operator's binding power towards the right; 0 for a group, which only `)` reduces.
    var power: UInt8 = 0
    /// The left operand or the condition.
    var first: UInt32 = 0
    /// The first choice of a conditional.
    var second: UInt32 = 0
    /// The start of the left operand, including its parentheses; for a group or a prefix operator,
    /// its own start.
    var start: UInt32
    /// The place of the operator.
    var opSpan: SourceSpan
  }

  var tokenizer: Tokenizer
  /// The current token.
  var token: Token
  /// The offset after the last token taken.
  var previousEnd: UInt32 = 0
  let dialect: Dialect
  /// The dialect's rules, copied because every bracket consults them.
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
    // A node takes at least one byte of text, and usually four or more. Growing step by step would
    // copy the nodes and touch new pages each time.
    nodes.reserveCapacity(min(bytes.count / 4 &+ 4, 1 << 18))
  }

  /// Parses the whole source.
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

  /// Advances to the next token.
  mutating func advance() {
    previousEnd = token.end
    token = tokenizer.next()
  }

  /// Advances if the current token is of a kind.
  mutating func take(_ kind: TokenKind) -> Bool {
    guard token.kind == kind else { return false }
    advance()
    return true
  }

  /// Pushes an operator or a parenthesis that waits for its right side.
  mutating func push(_ frame: Frame) {
    // Few frames wait at once, but room for only one would soon be too little.
    if frames.capacity == 0 { frames.reserveCapacity(8) }
    frames.append(frame)
  }

  /// Appends a node and returns its number.
  mutating func append(_ node: SyntaxNode) -> UInt32 {
    let index = UInt32(truncatingIfNeeded: nodes.count)
    nodes.append(node)
    return index
  }

  /// Returns the span from `start` to the end of the last token taken.
  func span(from start: UInt32) -> SourceSpan {
    SourceSpan(start: start, length: previousEnd &- start)
  }

  /// Packs a span into the `payload` of a node.
  func packed(_ span: SourceSpan) -> UInt64 { UInt64(span.length) << 32 | UInt64(span.start) }
}
