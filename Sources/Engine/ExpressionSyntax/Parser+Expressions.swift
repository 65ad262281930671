extension Parser {
  /// Parses an expression up to the first token that cannot belong to it, and returns its node.
  mutating func parseExpression() throws(ParseFailure) -> UInt32 {
    let base = frames.count
    nextOperand: while true {
      var start = token.start
      var operand: UInt32
      switch token.kind {
      case .leftParen:
        push(Frame(kind: .group, start: token.start, opSpan: token.span))
        advance()
        continue
      case .minus, .not, .doubleNot, .doubleMinus:
        guard let literal = try parsePrefixOperator(base: base) else { continue }
        operand = literal
      default:
        guard let primary = try parsePrimary(base: base) else { continue }
        operand = primary
      }
      while true {
        operand = try parsePostfix(operand, start: start)
        switch try parseInfix(&operand, start: &start, base: base) {
        case .operand: continue nextOperand
        case .postfix: continue
        case .end: return operand
        }
      }
    }
  }

  /// The part that must follow an operator, a parenthesis or the last operand.
  private enum Continuation {
    /// Another operand.
    case operand
    /// A postfix form, an operator or the end, because the group is now an operand.
    case postfix
    /// Nothing, because the operand is the whole expression.
    case end
  }

  /// Parses the tokens after an operand: an operator, the end of a group, or nothing.
  private mutating func parseInfix(
    _ operand: inout UInt32, start: inout UInt32, base: Int
  ) throws(ParseFailure) -> Continuation {
    let entry = infix[Int(token.kind.rawValue)]
    if entry.left > 0 {
      pushBinary(entry, span: token.span, operand: &operand, start: &start, base: base)
      advance()
      return .operand
    }
    switch token.kind {
    case .endOfInput where frames.count == base: return .end
    case .question:
      try pushCondition(operand: &operand, start: &start, base: base)
      return .operand
    case .colon:
      reduce(&operand, start: &start, above: 0, base: base)
      guard frames.count > base, frames[frames.count &- 1].kind == .condition else { break }
      frames[frames.count &- 1].kind = .alternative
      frames[frames.count &- 1].second = operand
      advance()
      return .operand
    case .rightParen:
      reduce(&operand, start: &start, above: 0, base: base)
      guard frames.count > base, let group = frames.last, group.kind == .group else { break }
      frames.removeLast()
      advance()
      start = group.start
      nodes[Int(operand)].flags.insert(.parenthesized)
      return .postfix
    default:
      if let misspelled = misspelledInfix() {
        pushBinary(
          misspelled.entry, span: misspelled.span, operand: &operand, start: &start, base: base)
        return .operand
      }
    }
    try closeAll(&operand, start: &start, base: base)
    return .end
  }

  /// Pushes a binary operator to wait for its right side, after reducing all operators that bind
  /// tighter.
  private mutating func pushBinary(
    _ entry: InfixEntry, span: SourceSpan, operand: inout UInt32, start: inout UInt32, base: Int
  ) {
    reduce(&operand, start: &start, above: entry.left, base: base)
    if entry.left == OperatorTable.comparisonPower.left,
      !syntactic.contains(.chainedComparisons), isComparison(operand)
    {
      reportChainedComparison(of: operand, with: entry.op, at: span, start: start)
    }
    push(
      Frame(
        kind: .binary, op: entry.op, power: entry.right, first: operand, start: start, opSpan: span)
    )
  }

  /// Returns whether a node is a comparison without parentheses around it.
  private func isComparison(_ node: UInt32) -> Bool {
    let node = nodes[Int(node)]
    guard node.kind == .binary, !node.flags.contains(.parenthesized) else { return false }
    switch node.op {
    case .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .in: return true
    default: return false
    }
  }

  /// Pushes `operand ?` to wait for its branches.
  private mutating func pushCondition(
    operand: inout UInt32, start: inout UInt32, base: Int
  ) throws(ParseFailure) {
    let power = OperatorTable[.conditional].power
    reduce(&operand, start: &start, above: power.left, base: base)
    if frames.count > base, let outer = frames.last, outer.kind == .condition {
      throw failNestedConditional(outer: outer)
    }
    push(
      Frame(
        kind: .condition, op: .conditional, power: power.right, first: operand, start: start,
        opSpan: token.span))
    advance()
  }

  /// Makes nodes of the waiting operators that bind tighter than `power`, down to `base`.
  ///
  /// It stops at a group, which only `)` ends, and at a `?` without its `:`.
  private mutating func reduce(
    _ operand: inout UInt32, start: inout UInt32, above power: UInt8, base: Int
  ) {
    while frames.count > base {
      let frame = frames[frames.count &- 1]
      guard frame.power > power, frame.kind != .condition else { return }
      frames.removeLast()
      start = frame.start
      switch frame.kind {
      case .binary:
        operand = append(
          SyntaxNode(
            kind: .binary, op: frame.op, span: span(from: frame.start), first: frame.first,
            second: operand, payload: packed(frame.opSpan)))
      case .unary:
        operand = append(
          SyntaxNode(
            kind: .unary, op: frame.op, span: span(from: frame.start), first: operand))
      case .alternative:
        operand = append(
          SyntaxNode(
            kind: .conditional, span: span(from: frame.start), first: frame.first,
            second: frame.second, third: operand))
      case .group, .condition: return
      }
    }
  }

  /// Makes nodes of all frames above `base`. A group or a `?` that is still open there is a
  /// mistake.
  private mutating func closeAll(
    _ operand: inout UInt32, start: inout UInt32, base: Int
  ) throws(ParseFailure) {
    reduce(&operand, start: &start, above: 0, base: base)
    guard frames.count > base, let open = frames.last else { return }
    throw open.kind == .group ? failUnclosedGroup(open) : failIncompleteConditional(open)
  }

  /// Parses a prefix operator. Returns the literal if the operator turned out to be its sign.
  private mutating func parsePrefixOperator(base: Int) throws(ParseFailure) -> UInt32? {
    let opToken = token
    let op: Operator =
      switch opToken.kind {
      case .not: .not
      case .doubleNot: .doubleNot
      case .doubleMinus: .doubleNegate
      default: .negate
      }
    if frames.count > base, let previous = frames.last, previous.kind == .unary {
      let mayRepeat = syntactic.contains(.repeatedPrefixOperators) && previous.op == op
      if !mayRepeat, !isSignOfLiteral(opToken) {
        throw failRepeatedPrefix(previous: previous)
      }
    }
    advance()
    if op == .negate, syntactic.contains(.minusBelongsToLiteral),
      token.kind == .int || token.kind == .float
    {
      return try parseNumber(start: opToken.start)
    }
    push(
      Frame(
        kind: .unary, op: op, power: OperatorTable.prefixPower.right, start: opToken.start,
        opSpan: opToken.span))
    return nil
  }

  /// Returns whether a minus will become part of the literal after it.
  private func isSignOfLiteral(_ minus: Token) -> Bool {
    guard minus.kind == .minus, syntactic.contains(.minusBelongsToLiteral) else {
      return false
    }
    var ahead = tokenizer
    let kind = ahead.next().kind
    return kind == .int || kind == .float
  }
}
