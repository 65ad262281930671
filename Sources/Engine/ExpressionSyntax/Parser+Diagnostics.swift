// The diagnostics of mistakes that end the parse. None of this is on the hot path.

extension Parser {
  /// The largest number of diagnostics for one expression.
  static let diagnosticLimit = 10

  /// Records a diagnostic.
  mutating func report(_ diagnostic: Diagnostic) {
    if diagnostics.count < Self.diagnosticLimit { diagnostics.append(diagnostic) }
  }

  /// Records a diagnostic after which the parser cannot continue.
  @inline(never)
  mutating func fail(_ diagnostic: Diagnostic) -> ParseFailure {
    if let comment = dashComment(at: diagnostic.primary.span) {
      diagnostics.removeAll { comment.start <= $0.primary.span.start }
      report(diagnosisOfDashComment(comment))
    } else {
      report(diagnostic)
    }
    return ParseFailure()
  }

  /// Returns the text of a span.
  func text(_ span: SourceSpan) -> String {
    let start = min(Int(span.start), tokenizer.count)
    let end = min(max(start, Int(span.end)), tokenizer.count)
    return String(decoding: tokenizer.bytes[start..<end], as: UTF8.self)
  }

  /// Returns a token in the words of a message: its text in backticks, or "the end of the filter".
  func described(_ token: Token) -> String {
    if token.kind == .endOfInput { return "the end of the filter" }
    let text = text(SourceSpan(start: token.start, length: min(token.length, 96)))
    let line = text.prefix { !$0.isNewline }
    let short = line.count > 24 ? "\(line.prefix(23))…" : String(line)
    return short.count < text.count && short == line ? "`\(short)…`" : "`\(short)`"
  }

  /// Returns the place to point at for a token; for the end of the filter, the place just after the
  /// last token.
  func place(_ token: Token) -> SourceSpan {
    token.kind == .endOfInput ? SourceSpan(start: previousEnd, length: 0) : token.span
  }

  // MARK: - Missing operands

  mutating func failEmpty() -> ParseFailure {
    fail(
      Diagnostic(
        .emptyFilter, "the filter is empty",
        at: SourceSpan(start: 0, length: 0), label: "expected an expression",
        notes: tokenizer.comments.isEmpty ? [] : ["comments do not count as an expression"],
        helps: [
          tokenizer.comments.isEmpty
            ? "a filter that matches everyone is `true`"
            : hasWordsBeforeCondition
              ? "write the words on a line of their own: a comment goes up to the end of its line"
              : "remove the `//` before the condition; a filter that matches everyone is `true`"
        ]))
  }

  /// Whether the first comment has words and then an attribute: `// for fans user.isFan`.
  private var hasWordsBeforeCondition: Bool {
    guard let comment = tokenizer.comments.first else { return false }
    let words = text(comment).drop { $0 == "/" || $0 == " " }
    guard let first = words.first, first.isLetter else { return false }
    let attributes = ["user.", "device.", "params."]
    return !attributes.contains { words.hasPrefix($0) }
      && words.split(separator: " ").contains { word in attributes.contains { word.hasPrefix($0) } }
  }

  private mutating func failMissingBranch(
    of top: Frame, _ found: String, _ secondary: [Diagnostic.Label]
  ) -> ParseFailure {
    let sign = top.kind == .condition ? "?" : ":"
    return fail(
      Diagnostic(
        .missingOperand, "expected an expression after `\(sign)`, found \(found)",
        at: place(token),
        label: token.kind == .endOfInput ? "the filter ends here" : "found here",
        secondary: secondary + [Diagnostic.Label(top.opSpan, "of this conditional")],
        helps: [
          token.kind == .endOfInput
            ? "\(sign == "?" ? "remove `?`, or " : "")write both: `condition ? first : second`"
            : "a conditional is written `condition ? first : second`"
        ]))
  }

  mutating func failMissingOperand(base: Int) -> ParseFailure {
    if token.kind == .leftParen { return failNotCallable(nil) }
    let found = described(token)
    let top = frames.count > base ? frames.last : nil
    var secondary: [Diagnostic.Label] = []
    if let group = frames[base...].last(where: { $0.kind == .group }), top?.kind != .group {
      secondary.append(Diagnostic.Label(group.opSpan, "the group opened here"))
    }
    if let habit = diagnosisOfHabit(top) { return fail(habit) }
    if let top, top.kind == .binary || top.kind == .unary {
      secondary.append(
        Diagnostic.Label(
          top.opSpan, top.kind == .binary ? "needs a right side" : "needs an operand")
      )
      return fail(
        Diagnostic(
          .missingOperand, "expected an expression after `\(text(top.opSpan))`, found \(found)",
          at: place(token),
          label: token.kind == .endOfInput ? "the filter ends here" : "found here",
          secondary: secondary,
          helps: [
            top.opSpan.start > 0 && text(top.opSpan) == "*"
              && tokenizer.byte(at: Int(top.opSpan.start) - 1) == UInt8(ascii: "_")
              ? "`*` stands for a name in the documentation: write the name"
              : top.kind == .binary
                ? "remove `\(text(top.opSpan))`, or give its right side"
                : "give the operand of `\(text(top.opSpan))`"
          ]))
    }
    if let top, top.kind == .group, token.kind == .rightParen {
      return fail(
        Diagnostic(
          .missingOperand, "expected an expression between `(` and `)`",
          at: SourceSpan(start: top.start, end: token.end), label: "nothing inside",
          helps: ["remove the parentheses, or put an expression inside"]))
    }
    if let top, top.kind == .condition, token.kind == .question,
      token.start == top.opSpan.end
    {
      return failIncompleteConditional(top)
    }
    if let top, top.kind == .condition || top.kind == .alternative {
      return failMissingBranch(of: top, found, secondary)
    }
    if let wildcard = diagnosisOfAnyIndex() { return fail(wildcard) }
    let isOperator = infix[Int(token.kind.rawValue)].left > 0 || token.kind == .question
    return fail(
      Diagnostic(
        .missingOperand,
        isOperator
          ? "expected an expression before \(found)" : "expected an expression, found \(found)",
        at: place(token), label: isOperator ? "needs a left side" : "found here",
        secondary: secondary,
        helps: isOperator
          ? ["remove \(found), or give its left side"]
          : token.kind == .comma ? ["remove the comma, or put a value before it"] : []))
  }

  // MARK: - Brackets

  mutating func failUnclosedGroup(_ group: Frame) -> ParseFailure {
    failUnclosed(
      Token(kind: .leftParen, start: group.start, length: 1), expected: .rightParen)
  }

  mutating func failUnclosed(_ open: Token, expected: TokenKind) -> ParseFailure {
    if let special = diagnosisOfStatement() ?? diagnosisOfUnexpectedToken() { return fail(special) }
    let closing: String
    switch expected {
    case .rightParen: closing = ")"
    case .rightBracket: closing = "]"
    default: closing = "}"
    }
    let opening = text(open.span)
    if token.kind == .endOfInput {
      return fail(
        Diagnostic(
          .unclosedBracket, "`\(opening)` is not closed", at: open.span,
          label: "opened here, the filter ends first", helps: [helpForEnd(closing)]))
    }
    let isClosing = [.rightParen, .rightBracket, .rightBrace].contains(token.kind)
    let isGroup = opening == "(" && frames.last?.start == open.start
    if isGroup, token.kind == .comma, let list = diagnosisOfListInParentheses(open: open) {
      return fail(list)
    }
    if opening == "[", token.kind == .comma {
      return fail(
        Diagnostic(
          .unclosedBracket, "expected `]`, found `,`", at: token.span, label: "found here",
          secondary: [Diagnostic.Label(open.span, "opened here")],
          helps: ["an index is one value: `[0][1]`"]))
    }
    var helps: [String] = []
    if isClosing {
      helps = ["write `\(closing)` here, or remove one of the two"]
    } else if token.kind == .colon {
      helps = [
        opening == "["
          ? "there are no ranges of an index"
          : lastOperand.map { text($0.span) } == "where"
            ? "a condition on elements is a loop: `….exists(x, …)`"
            : "arguments are written without names"
      ]
    } else if let last = lastOperand, last.kind == .identifier, text(last.span) == "for" {
      helps = ["a loop over a list is a call: `….exists(\(text(token.span)), …)`"]
    } else if !isGroup, opening != "{", startsOperand(token) {
      helps = [
        lastOperand.flatMap { last in
          last.kind == .stringLiteral && token.start == previousEnd
            ? helpForEarlierEnd(of: last)
              ?? "write a quote inside a string with a backslash before it" : nil
        } ?? "put a comma or an operator before it"
      ]
    } else if isGroup, startsOperand(token) {
      helps = ["join conditions with `&&` or `||`"]
    }
    return fail(
      Diagnostic(
        .unclosedBracket,
        isClosing
          ? "expected `\(closing)`, found \(described(token))"
          : "expected `\(closing)`\(isGroup ? "" : " or `,`"), found \(described(token))",
        at: token.span, label: isClosing ? "does not close it" : "found here",
        secondary: [Diagnostic.Label(open.span, "opened here")], helps: helps))
  }

  /// Returns advice for a bracket that is not closed before the filter ends, or before a comment.
  private func helpForEnd(_ closing: String) -> String {
    let written = text(SourceSpan(start: previousEnd, end: token.start))
    return written.drop { $0 == " " }.hasPrefix("//") && written.contains { String($0) == closing }
      ? "`//` begins a comment, up to the end of the line; for a value in the place of a missing one, "
        + "write `(has(value) ? value : …)`"
      : "add `\(closing)`"
  }

  /// Returns whether a token starts an operand.
  private func startsOperand(_ token: Token) -> Bool {
    switch token.kind {
    case .identifier, .true, .false, .null, .int, .uint, .float, .string, .bytes, .leftParen,
      .leftBracket, .leftBrace:
      true
    default: false
    }
  }

  mutating func failTooDeep(_ open: Token) -> ParseFailure {
    fail(
      Diagnostic(
        .nestingTooDeep, "brackets are nested more than \(limits.nesting) deep", at: open.span,
        label: "level \(limits.nesting &+ 1)",
        notes: ["the limit keeps hostile filters from exhausting the stack"],
        helps: ["split the expression, or raise the parser's `nesting` limit"]))
  }

  // MARK: - After an operand

  mutating func failTrailing() -> ParseFailure {
    if let statement = diagnosisOfStatement() { return fail(statement) }
    if let special = diagnosisOfUnexpectedToken() { return fail(special) }
    switch token.kind {
    case .rightParen, .rightBracket, .rightBrace:
      return fail(
        Diagnostic(
          .unmatchedBracket, "\(described(token)) closes nothing", at: token.span,
          label: "no opening bracket", helps: ["remove it, or add the opening bracket"]))
    case .colon where tokenizer.byte(at: Int(token.end)) == UInt8(ascii: "="):
      return fail(
        Diagnostic(
          .foreignOperator, "`:=` is not an operator; equality is `==`",
          at: SourceSpan(start: token.start, length: 2), label: "write `==`"))
    case .doubleMinus:
      return fail(
        Diagnostic(
          .foreignComment, "comments start with `//`", at: token.span,
          label: "not a comment in this language",
          helps: ["write `// …`; to subtract, write one `-`"]))
    case .colon: return fail(diagnosisOfColon())
    case .comma: return fail(diagnosisOfComma())
    case .not where token.start == previousEnd, .doubleNot where token.start == previousEnd:
      let sign = text(token.span)
      return fail(
        Diagnostic(
          .foreignOperator, "`\(sign)` is written before a value, not after it", at: token.span,
          label: "remove this",
          fixIts: [Diagnostic.FixIt("remove `\(sign)`", [Diagnostic.Edit(token.span, "")])]))
    case .not: return fail(diagnosisOfNegatedOperator() ?? diagnosisOfMissingOperator())
    default: return fail(diagnosisOfMissingOperator())
    }
  }

  mutating func failNotCallable(_ operand: UInt32?) -> ParseFailure {
    if let operand, nodes[Int(operand)].flags.contains(.parenthesized),
      nodes[Int(operand)].kind == .binary
    {
      return fail(
        Diagnostic(
          .trailingText, "no operator between the two groups", at: token.span,
          label: "a second condition starts here", helps: ["join conditions with `&&` or `||`"]))
    }
    let subject = operand.map { nodes[Int($0)].span }
    let what = subject.map { "`\(text($0))` " } ?? ""
    return fail(
      Diagnostic(
        .notCallable, "\((subject?.length ?? 99) > 24 ? "this " : what)cannot be called",
        at: token.span, label: "only a name is allowed before `(`",
        helps: ["write `name(…)` or `value.name(…)`"]))
  }

  mutating func failFieldsAfterOperand(_ operand: UInt32) -> ParseFailure {
    fail(
      Diagnostic(
        .fieldsAfterOperand, "fields in braces must follow a type name", at: token.span,
        label: "found here",
        secondary: [Diagnostic.Label(nodes[Int(operand)].span, "this is not a name")]))
  }
}

extension Diagnostic {
  /// Returns the diagnostic for a text longer than the limit.
  static func sourceTooLong(_ source: SourceText, limit: Int) -> Diagnostic {
    Diagnostic(
      .sourceTooLong,
      "the filter is \(source.bytes.count) bytes long, more than the limit of \(limit)",
      at: SourceSpan(start: UInt32(clamping: max(limit, 0)), length: 0), label: "the limit is here",
      helps: ["move long lists into the context, or raise the parser's `sourceLength` limit"])
  }

  /// Returns the diagnostic for a text that is not UTF-8.
  static func invalidUTF8(at offset: Int, byte: UInt8) -> Diagnostic {
    let digits = String(byte, radix: 16, uppercase: true)
    return Diagnostic(
      .invalidUTF8, "byte 0x\(digits) is not valid UTF-8",
      at: SourceSpan(start: UInt32(clamping: offset), length: 1), label: "not part of a character",
      helps: ["save the text as UTF-8"])
  }
}
