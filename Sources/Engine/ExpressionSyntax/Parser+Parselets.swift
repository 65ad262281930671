extension Parser {
  /// Parses the operand that starts at the token. Returns `nil` if it took a misspelled prefix
  /// operator instead.
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
    case .invalid: return try parseInvalidOperand(base: base)
    default: throw failMissingOperand(base: base)
    }
  }

  /// Parses `true`, `false` or `null`.
  private mutating func parseWord(_ kind: SyntaxKind, payload: UInt64) -> UInt32 {
    let node = append(SyntaxNode(kind: kind, span: token.span, payload: payload))
    advance()
    return node
  }

  /// Parses a variable or a call of a global function.
  private mutating func parseName(
    start: UInt32, flags: SyntaxNode.Flags
  ) throws(ParseFailure) -> UInt32 {
    let name = token.span
    if hasReservedWords, isReserved(name) { throw failReserved() }
    advance()
    if token.kind == .leftParen {
      return try parseArguments(of: SyntaxNode.none, name: name, start: start, flags: flags)
    }
    return appendNamed(.identifier, flags: flags, start: start, first: 0, name: name)
  }

  /// Returns whether a name is a reserved word of the dialect.
  private func isReserved(_ name: SourceSpan) -> Bool {
    let text = UnsafeBufferPointer(
      rebasing: tokenizer.bytes[Int(name.start)..<Int(name.end)])
    return dialect.reservedWords.contains {
      $0.utf8.count == text.count && $0.utf8.elementsEqual(text)
    }
  }

  /// Parses a string or bytes literal.
  private mutating func parseText(_ kind: SyntaxKind) -> UInt32 {
    let content = token.contentSpan
    if token.flags.contains(.hasEscapes) {
      checkEscapes(in: content, isBytes: kind == .bytesLiteral)
    }
    let node = append(
      SyntaxNode(kind: kind, flags: token.flags, span: token.span, payload: packed(content)))
    advance()
    return node
  }

  // MARK: - Postfix forms

  /// Parses the members, indices, method calls and field lists after an operand.
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
        guard syntactic.contains(.fieldsAfterAnyOperand) || isTypeName(operand) else {
          throw failFieldsAfterOperand(operand)
        }
        operand = try parseFields(of: operand, start: start)
      case .leftParen: throw failNotCallable(operand)
      default: return operand
      }
    }
  }

  /// Parses `.name`, `.?name`, `` .`name` `` or `.name(…)`.
  private mutating func parseMember(
    of operand: UInt32, start: UInt32
  ) throws(ParseFailure) -> UInt32 {
    advance()
    var flags: SyntaxNode.Flags = []
    if token.kind == .question {
      guard syntactic.contains(.optionals) else { throw failOptionalSyntax(from: start) }
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
    return appendNamed(.select, flags: flags, start: start, first: operand, name: name)
  }

  /// Parses `[index]` or `[?index]`.
  private mutating func parseIndex(of operand: UInt32, start: UInt32) throws(ParseFailure) -> UInt32
  {
    let open = token
    try enter(open)
    advance()
    let flags = try takeOptionalMark()
    let index = try parseExpression()
    try close(.rightBracket, open: open)
    return appendIndex(flags: flags, start: start, operand: operand, index: index)
  }

  /// Parses `(arguments)`.
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
      if token.kind == .rightParen, !syntactic.contains(.trailingCommaInCalls) {
        reportTrailingComma(comma)
      }
    }
    try close(.rightParen, open: open)
    return appendParent(.call, flags: flags, start: start, first: target, base: base, name: name)
  }

  /// Parses `{field: value, …}` after a name.
  private mutating func parseFields(of operand: UInt32, start: UInt32) throws(ParseFailure)
    -> UInt32
  {
    let open = token
    try enter(open)
    advance()
    let base = pending.count
    takeLoneComma(before: .rightBrace)
    while token.kind != .rightBrace {
      pending.append(try parseFieldName(open: open))
      guard take(.colon) else { throw failExpectedColon(open: open) }
      pending.append(try parseExpression())
      guard take(.comma) else { break }
    }
    try close(.rightBrace, open: open)
    return appendParent(.message, start: start, first: operand, base: base)
  }

  /// Parses the name of a field, which may be marked optional.
  private mutating func parseFieldName(open: Token) throws(ParseFailure) -> UInt32 {
    let start = token.start
    let optional = try takeOptionalMark()
    let isQuoted = token.kind == .quotedName
    guard isQuoted || token.kind == .identifier else { throw failExpectedField(open: open) }
    let field = append(
      SyntaxNode(
        kind: .identifier, flags: isQuoted ? .quotedName : [], span: token.span,
        payload: packed(token.contentSpan)))
    advance()
    return marked(field, optional, start: start)
  }

  // MARK: - Lists and maps

  /// Parses `[elements]`.
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
    return appendParent(.list, start: open.start, base: base)
  }

  /// Parses `{key: value, …}`.
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
    return appendParent(.map, start: open.start, base: base)
  }

  // MARK: - Parts

  /// Counts a bracket whose content is parsed recursively.
  private mutating func enter(_ open: Token) throws(ParseFailure) {
    depth &+= 1
    if depth > limits.nesting { throw failTooDeep(open) }
  }

  /// Parses the closing bracket.
  private mutating func close(_ kind: TokenKind, open: Token) throws(ParseFailure) {
    guard token.kind == kind else { throw failUnclosed(open, expected: kind) }
    depth &-= 1
    advance()
  }

  /// Parses a `,` that is alone in brackets, if the dialect allows it.
  private mutating func takeLoneComma(before closing: TokenKind) {
    guard token.kind == .comma, syntactic.contains(.loneComma) else { return }
    var ahead = tokenizer
    if ahead.next().kind == closing { advance() }
  }

  /// Parses the `?` before an element, key, field or index.
  private mutating func takeOptionalMark() throws(ParseFailure) -> SyntaxNode.Flags {
    guard token.kind == .question else { return [] }
    guard syntactic.contains(.optionals) else { throw failOptionalSyntax(from: token.start) }
    advance()
    return .optional
  }

  /// Returns the node, wrapped as an optional entry if it was marked.
  private mutating func marked(
    _ node: UInt32, _ mark: SyntaxNode.Flags, start: UInt32
  ) -> UInt32 {
    guard mark.contains(.optional) else { return node }
    return append(SyntaxNode(kind: .optionalEntry, span: span(from: start), first: node))
  }

  // The functions below make nodes for the recursive functions above. They are separate because in
  // unoptimized builds every node built in a function enlarges its stack frame.

  /// Appends an identifier or a selection.
  private mutating func appendNamed(
    _ kind: SyntaxKind, flags: SyntaxNode.Flags, start: UInt32, first: UInt32, name: SourceSpan
  ) -> UInt32 {
    append(
      SyntaxNode(
        kind: kind, flags: flags, span: span(from: start), first: first, payload: packed(name)))
  }

  /// Appends an index.
  private mutating func appendIndex(
    flags: SyntaxNode.Flags, start: UInt32, operand: UInt32, index: UInt32
  ) -> UInt32 {
    append(
      SyntaxNode(
        kind: .index, flags: flags, span: span(from: start), first: operand, second: index))
  }

  /// Appends a node whose children are the elements above `base`, which move to the tree's
  /// children.
  private mutating func appendParent(
    _ kind: SyntaxKind, flags: SyntaxNode.Flags = [], start: UInt32, first: UInt32 = 0, base: Int,
    name: SourceSpan = SourceSpan(start: 0, length: 0)
  ) -> UInt32 {
    let slot = UInt32(truncatingIfNeeded: children.count)
    let count = UInt32(truncatingIfNeeded: pending.count &- base)
    children.append(contentsOf: pending[base...])
    pending.removeSubrange(base...)
    return append(
      SyntaxNode(
        kind: kind, flags: flags, span: span(from: start), first: first, second: slot, third: count,
        payload: packed(name)))
  }

  /// Returns whether a node is a name or a dotted name, which every dialect allows before fields in
  /// braces.
  private func isTypeName(_ operand: UInt32) -> Bool {
    var node = nodes[Int(operand)]
    while node.kind == .select, node.flags.isEmpty { node = nodes[Int(node.first)] }
    return node.kind == .identifier && node.flags.subtracting(.leadingDot).isEmpty
  }
}
