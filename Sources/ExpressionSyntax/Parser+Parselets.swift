extension Parser {
  /// The operand that starts at the token; `nil` if a misspelled prefix operator was taken instead.
  mutating func parsePrimary(base: Int) throws(ParseFailure) -> UInt32? {
    switch token.kind {
    case .identifier:
      if takeMisspelledPrefix() { return nil }
      return try parseName(start: token.start, flags: [])
    case .int, .uint, .float: return try parseNumber(start: token.start)
    case .string: return parseText(.stringLiteral)
    case .bytes: return parseText(.bytesLiteral)
    case .true: return parseWord(.boolLiteral, payload: 1)
    case .false: return parseWord(.boolLiteral, payload: 0)
    case .null: return parseWord(.nullLiteral, payload: 0)
    case .leftBracket: return try parseList()
    case .leftBrace: return try parseMap()
    case .dot:
      let start = token.start
      advance()
      guard token.kind == .identifier else { throw failExpectedName(after: "a leading `.`") }
      return try parseName(start: start, flags: .leadingDot)
    case .invalid: return try parseInvalidOperand()
    default: throw failMissingOperand(base: base)
    }
  }

  /// `true`, `false` or `null`.
  private mutating func parseWord(_ kind: SyntaxKind, payload: UInt64) -> UInt32 {
    let node = append(SyntaxNode(kind: kind, span: token.span, payload: payload))
    advance()
    return node
  }

  /// A variable, or a call of a global function.
  private mutating func parseName(
    start: UInt32, flags: SyntaxNode.Flags
  ) throws(ParseFailure) -> UInt32 {
    let name = token.span
    if !dialect.reservedWords.isEmpty, isReserved(name) { throw failReserved() }
    advance()
    if token.kind == .leftParen {
      return try parseArguments(of: SyntaxNode.none, name: name, start: start, flags: flags)
    }
    return append(
      SyntaxNode(kind: .identifier, flags: flags, span: span(from: start), payload: packed(name)))
  }

  /// Whether a name is a word that the dialect reserves.
  private func isReserved(_ name: SourceSpan) -> Bool {
    let text = UnsafeBufferPointer(
      rebasing: tokenizer.bytes[Int(name.start)..<Int(name.end)])
    return dialect.reservedWords.contains { $0.utf8.count == text.count && $0.utf8.elementsEqual(text) }
  }

  /// A string or bytes literal.
  private mutating func parseText(_ kind: SyntaxKind) -> UInt32 {
    let content = token.contentSpan
    if token.flags.contains(.hasEscapes) { checkEscapes(in: content, isBytes: kind == .bytesLiteral) }
    let node = append(
      SyntaxNode(kind: kind, flags: token.flags, span: token.span, payload: packed(content)))
    advance()
    return node
  }

  // MARK: - Postfix forms

  /// The members, indices, method calls and field lists behind an operand.
  @inline(__always)
  mutating func parsePostfix(_ operand: UInt32, start: UInt32) throws(ParseFailure) -> UInt32 {
    switch token.kind {
    case .dot, .leftBracket, .leftBrace, .leftParen:
      return try parsePostfixForms(operand, start: start)
    default: return operand
    }
  }

  private mutating func parsePostfixForms(
    _ first: UInt32, start: UInt32
  ) throws(ParseFailure) -> UInt32 {
    var operand = first
    while true {
      switch token.kind {
      case .dot: operand = try parseMember(of: operand, start: start)
      case .leftBracket: operand = try parseIndex(of: operand, start: start)
      case .leftBrace:
        guard dialect.syntactic.contains(.fieldsAfterAnyOperand) || isTypeName(operand) else {
          throw failFieldsAfterOperand(operand)
        }
        operand = try parseFields(of: operand, start: start)
      case .leftParen: throw failNotCallable(operand)
      default: return operand
      }
    }
  }

  /// `.name`, `.?name`, `` .`name` `` or `.name(…)`.
  private mutating func parseMember(
    of operand: UInt32, start: UInt32
  ) throws(ParseFailure) -> UInt32 {
    advance()
    var flags: SyntaxNode.Flags = []
    if token.kind == .question {
      guard dialect.syntactic.contains(.optionals) else { throw failOptionalSyntax() }
      flags = .optional
      advance()
    }
    let name: SourceSpan
    switch token.kind {
    case .identifier: name = token.span
    case .quotedName:
      name = token.contentSpan
      flags.insert(.quotedName)
    default: throw failExpectedName(after: "`.`")
    }
    advance()
    if token.kind == .leftParen, flags.isEmpty {
      return try parseArguments(of: operand, name: name, start: start, flags: [])
    }
    return append(
      SyntaxNode(
        kind: .select, flags: flags, span: span(from: start), first: operand, payload: packed(name))
    )
  }

  /// `[index]` or `[?index]`.
  private mutating func parseIndex(of operand: UInt32, start: UInt32) throws(ParseFailure) -> UInt32 {
    let open = token
    try enter(open)
    advance()
    let flags = try takeOptionalMark()
    let index = try parseExpression()
    try close(.rightBracket, open: open)
    return append(
      SyntaxNode(
        kind: .index, flags: flags, span: span(from: start), first: operand, second: index))
  }

  /// `(arguments)`.
  private mutating func parseArguments(
    of target: UInt32, name: SourceSpan, start: UInt32, flags: SyntaxNode.Flags
  ) throws(ParseFailure) -> UInt32 {
    let open = token
    try enter(open)
    advance()
    let base = pending.count
    while token.kind != .rightParen {
      pending.append(try parseExpression())
      guard token.kind == .comma else { break }
      let comma = token
      advance()
      if token.kind == .rightParen, !dialect.syntactic.contains(.trailingCommaInCalls) {
        reportTrailingComma(comma)
      }
    }
    try close(.rightParen, open: open)
    let (slot, count) = moveChildren(from: base)
    return append(
      SyntaxNode(
        kind: .call, flags: flags, span: span(from: start), first: target, second: slot,
        third: count, payload: packed(name)))
  }

  /// `{field: value, …}` behind a name.
  private mutating func parseFields(of operand: UInt32, start: UInt32) throws(ParseFailure) -> UInt32 {
    let open = token
    try enter(open)
    advance()
    let base = pending.count
    takeLoneComma(before: .rightBrace)
    while token.kind != .rightBrace {
      let fieldStart = token.start
      let optional = try takeOptionalMark()
      let field: UInt32
      switch token.kind {
      case .identifier:
        field = append(
          SyntaxNode(kind: .identifier, span: token.span, payload: packed(token.span)))
      case .quotedName:
        field = append(
          SyntaxNode(
            kind: .identifier, flags: .quotedName, span: token.span,
            payload: packed(token.contentSpan)))
      default: throw failExpectedField(open: open)
      }
      advance()
      pending.append(marked(field, optional, start: fieldStart))
      guard take(.colon) else { throw failExpectedColon(open: open) }
      pending.append(try parseExpression())
      guard take(.comma) else { break }
    }
    try close(.rightBrace, open: open)
    let (slot, count) = moveChildren(from: base)
    return append(
      SyntaxNode(
        kind: .message, span: span(from: start), first: operand, second: slot, third: count))
  }

  // MARK: - Lists and maps

  /// `[elements]`.
  private mutating func parseList() throws(ParseFailure) -> UInt32 {
    let open = token
    try enter(open)
    advance()
    let base = pending.count
    takeLoneComma(before: .rightBracket)
    while token.kind != .rightBracket {
      let start = token.start
      let optional = try takeOptionalMark()
      let element = try parseExpression()
      pending.append(marked(element, optional, start: start))
      guard take(.comma) else { break }
    }
    try close(.rightBracket, open: open)
    let (slot, count) = moveChildren(from: base)
    return append(
      SyntaxNode(kind: .list, span: span(from: open.start), second: slot, third: count))
  }

  /// `{key: value, …}`.
  private mutating func parseMap() throws(ParseFailure) -> UInt32 {
    let open = token
    try enter(open)
    advance()
    let base = pending.count
    takeLoneComma(before: .rightBrace)
    while token.kind != .rightBrace {
      let start = token.start
      let optional = try takeOptionalMark()
      let key = try parseExpression()
      pending.append(marked(key, optional, start: start))
      guard take(.colon) else { throw failExpectedColon(open: open) }
      pending.append(try parseExpression())
      guard take(.comma) else { break }
    }
    try close(.rightBrace, open: open)
    let (slot, count) = moveChildren(from: base)
    return append(
      SyntaxNode(kind: .map, span: span(from: open.start), second: slot, third: count))
  }

  // MARK: - Parts

  /// Counts one bracket that recurses.
  private mutating func enter(_ open: Token) throws(ParseFailure) {
    depth &+= 1
    if depth > limits.nesting { throw failTooDeep(open) }
  }

  /// The closing bracket.
  private mutating func close(_ kind: TokenKind, open: Token) throws(ParseFailure) {
    guard token.kind == kind else { throw failUnclosed(open, expected: kind) }
    depth &-= 1
    advance()
  }

  /// A `,` that stands alone in brackets, where the dialect has that.
  private mutating func takeLoneComma(before closing: TokenKind) {
    guard token.kind == .comma, dialect.syntactic.contains(.loneComma) else { return }
    var ahead = tokenizer
    if ahead.next().kind == closing { advance() }
  }

  /// The `?` before an element, key, field or index.
  private mutating func takeOptionalMark() throws(ParseFailure) -> SyntaxNode.Flags {
    guard token.kind == .question else { return [] }
    guard dialect.syntactic.contains(.optionals) else { throw failOptionalSyntax() }
    advance()
    return .optional
  }

  /// The node, as an optional entry if it was marked.
  private mutating func marked(
    _ node: UInt32, _ mark: SyntaxNode.Flags, start: UInt32
  ) -> UInt32 {
    guard mark.contains(.optional) else { return node }
    return append(SyntaxNode(kind: .optionalEntry, span: span(from: start), first: node))
  }

  /// Moves the elements above `base` to the tree's children; answers their first slot and number.
  private mutating func moveChildren(from base: Int) -> (slot: UInt32, count: UInt32) {
    let slot = children.count
    let count = pending.count &- base
    children.append(contentsOf: pending[base...])
    pending.removeSubrange(base...)
    return (UInt32(truncatingIfNeeded: slot), UInt32(truncatingIfNeeded: count))
  }

  /// Whether a node is a name or a dotted name, which fields in braces may follow everywhere.
  private func isTypeName(_ operand: UInt32) -> Bool {
    var node = nodes[Int(operand)]
    while node.kind == .select, node.flags.isEmpty { node = nodes[Int(node.first)] }
    return node.kind == .identifier && node.flags.subtracting(.leadingDot).isEmpty
  }
}
