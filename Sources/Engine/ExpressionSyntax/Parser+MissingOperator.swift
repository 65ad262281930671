extension Parser {
  // MARK: - After a complete expression

  /// Diagnoses an operand in the place of an operator.
  func diagnosisOfMissingOperator() -> Diagnostic {
    let gap = tokenizer.bytes[Int(previousEnd)..<max(Int(token.start), Int(previousEnd))]
    if gap.contains(0x0A) {
      return Diagnostic(
        .trailingText, "no operator between this line and the one before", at: token.span,
        label: "a second condition starts here", helps: ["join the conditions with `&&` or `||`"])
    }
    let found = described(token)
    guard let last = lastOperand else {
      return Diagnostic(
        .trailingText, "no operator before \(found)", at: token.span,
        label: "the expression ends before this", helps: ["join conditions with `&&` or `||`"])
    }
    if last.kind == .identifier, ["and", "or"].contains(text(last.span).lowercased()) {
      return Diagnostic(
        .missingOperand, "expected an expression, found `\(text(last.span))`", at: last.span,
        label: "remove this")
    }
    // `… && if user.isPro then …`
    if last.kind == .identifier, let help = ForeignWords.helpForStatement(text(last.span)) {
      return Diagnostic(
        .trailingText, "a condition is written without `\(text(last.span))`", at: last.span,
        label: "remove this", helps: [help])
    }
    let endsEarly =
      last.kind == .stringLiteral && token.start == previousEnd
      && !(token.kind == .identifier && AttributeRoots.contains(text(token.span)))
    let left = last.span.length <= 24 ? "`\(text(last.span))`" : "the value before it"
    let help =
      endsEarly
      ? helpForEarlierEnd(of: last) ?? "write a quote inside a string with a backslash before it"
      : helpForMissingOperator(after: last, found)
    let diagnostic = Diagnostic(
      .trailingText,
      endsEarly ? "the string ends before \(found)" : "no operator between \(left) and \(found)",
      at: token.span, label: "the expression ends before this",
      helps: [help ?? "join conditions with `&&` or `||`"])
    return help.map { $0.hasPrefix("join ") } ?? true
      ? diagnostic.attempting(" && ", at: SourceSpan(start: token.start, length: 0)) : diagnostic
  }

  /// Returns advice for what is written between an operand and the token after it.
  private func helpForMissingOperator(after last: SyntaxNode, _ found: String) -> String? {
    let operand = text(last.span)
    let next = text(token.span)
    switch (last.kind, token.kind) {
    case (.select, .string):
      let literal = found.dropFirst().dropLast()
      let isHistory =
        operand.hasSuffix("Since")
        || Array(operand.utf8).firstPlace(of: ".placements", from: 0) != nil
      let isMethod = ["contains", "startsWith", "endsWith", "matches"].contains {
        operand.hasSuffix(".\($0)")
      }
      let isAttribute = ["user.", "device.", "params."].contains { operand.hasPrefix($0) }
      return isHistory || isMethod || !isAttribute
        ? "a call is written `\(writtenOperand)(\(literal))`"
        : "compare them: `\(writtenOperand) == \(literal)`"
    case (.select, .identifier) where last.flags.isEmpty && !AttributeRoots.contains(next):
      return "join conditions with `&&` or `||`; a name has no spaces"
    case (.intLiteral, .identifier), (.doubleLiteral, .identifier):
      if following(1)[0].kind != .dot, word(token) == next {
        return "write a number without a unit, or join conditions with `&&` or `||`"
      }
      return last.kind == .intLiteral && !AttributeRoots.contains(next)
        ? "write the number alone, without a unit" : nil
    case (.intLiteral, .int): return "numbers have no separators between digits"
    case (.identifier, .identifier) where AttributeRoots.contains(operand):
      return next == "dot"
        ? "write a dot: `\(operand).\(text(following(1)[0].span))`"
        : "write a dot before a member: `\(operand).\(next)`"
    case (.identifier, _): return helpForWord(operand, before: next)
    default: return nil
    }
  }

  /// Returns advice for a word of another language in the place of an operand.
  private func helpForWord(_ word: String, before next: String) -> String? {
    switch word {
    case "typeof": "there is no `typeof`; compare the value itself"
    case "new" where next == "Date" && following(2)[1].kind == .string:
      "a date is a text: write `\(text(following(2)[1].span))`"
    case "new" where next == "Date": "the date is `device.utcDate`, and the time `device.utcTime`"
    case _ where ["interval", "current_date"].contains(word.lowercased()):
      "there is no clock; compare an attribute such as `device.daysSinceInstall`, or ask for the "
        + "days since an event: `device.daysSince(\"…\") < 30`"
    default:
      AttributeRoots.contains(word)
        ? nil : "join conditions with `&&` or `||`; a call is written `\(word)(…)`"
    }
  }

  /// Returns advice for a string that goes on beyond its end, up to the quote of the next one:
  /// `"gold' && device.platform == "iOS"`, `params["name] == "open"`.
  func helpForEarlierEnd(of last: SyntaxNode) -> String? {
    let written = text(last.span)
    guard let quote = written.first, quote == "\"" || quote == "'" else { return nil }
    let inner = Array(written.utf8.dropFirst().dropLast())
    let ends = ["” ", "’ ", "' ", "\" ", "']", "\"]", "]", "')", "\")"]
    let operators = [" ==", " !=", " &&", " ||", " >=", " <=", " >", " <", " in"]
    for end in ends {
      guard let place = inner.firstPlace(of: end, from: 0),
        operators.contains(where: { inner.firstPlace(of: $0, from: place) != nil })
      else { continue }
      let content = String(decoding: inner[..<place], as: UTF8.self)
      return "to end the string earlier, write `\(quote)\(content)\(quote)`"
    }
    return nil
  }

  /// Diagnoses a comma after a complete expression.
  func diagnosisOfComma() -> Diagnostic {
    if let last = nodes.last, last.kind == .binary, last.op == .in, last.span.end == previousEnd {
      let first = nodes[Int(last.second)].span
      let element = first.length <= 24 ? text(first) : "…"
      return Diagnostic(
        .trailingText, "a list needs brackets", at: token.span, label: "the list ends before this",
        helps: ["write `in [\(element), …]`"])
    }
    let next = following(1)[0]
    if let last = lastOperand, last.kind == .identifier, last.span.end == token.start,
      next.kind == .int, next.start == token.end
    {
      let written = text(SourceSpan(start: last.span.start, end: next.end))
      return Diagnostic(
        .trailingText, "a text needs quotes", at: token.span, label: "the name ends before this",
        helps: ["write `\"\(written)\"`"])
    }
    if let last = lastOperand, last.kind == .identifier, last.span.end == token.start,
      AttributeRoots.contains(text(last.span)), next.kind == .identifier,
      next.start == token.end
    {
      return Diagnostic(
        .trailingText, "a comma does not read a member", at: token.span, label: "write `.`",
        fixIts: [Diagnostic.FixIt(write: ".", at: token.span)])
    }
    return Diagnostic(
      .trailingText, "a comma does not join conditions", at: token.span,
      label: "write `&&` or `||`", helps: ["a filter is one expression"])
  }

  /// Diagnoses `in ("a", "b")` at a comma in the group after `in`; `open` is the group's `(`.
  func diagnosisOfListInParentheses(open: Token) -> Diagnostic? {
    let below = frames.dropLast().last
    let isList = below?.kind == .binary && below?.op == .in
    var fixIts: [Diagnostic.FixIt] = []
    if isList, let close = closingParenthesis() {
      fixIts = [
        Diagnostic.FixIt(
          "write `[…]`", [Diagnostic.Edit(open.span, "["), Diagnostic.Edit(close, "]")])
      ]
    }
    return Diagnostic(
      .unclosedBracket,
      isList
        ? "a list is written in brackets, not in parentheses"
        : "parentheses hold one expression, not several",
      at: token.span, label: "found here",
      secondary: [Diagnostic.Label(open.span, "opened here")],
      helps: !fixIts.isEmpty
        ? []
        : nodes.last?.kind == .binary
          ? ["join conditions with `&&` or `||`"]
          : [
            "for one of several values, write `… in [\(nodes.last.map { text($0.span) } ?? "…"), …]`"
          ],
      fixIts: fixIts)
  }

  /// Returns the `)` after a list of literals that the current token, a comma, continues.
  private func closingParenthesis() -> SourceSpan? {
    var ahead = tokenizer
    while true {
      let next = ahead.next()
      switch next.kind {
      case .string, .int, .float, .uint, .true, .false, .null, .comma, .identifier, .dot: continue
      case .rightParen: return next.span
      default: return nil
      }
    }
  }
}

extension [UInt8] {
  /// Returns the first place of a text at or after a place.
  func firstPlace(of text: String, from start: Int) -> Int? {
    let sought = Array(text.utf8)
    guard count >= sought.count, start <= count - sought.count else { return nil }
    return (start...(count - sought.count)).first { self[$0...].starts(with: sought) }
  }
}
