// What is wrong with conditionals, prefix operators, names and entries.

extension Parser {
  /// The way to write a value for what is missing, which other languages write with `??` or `?:`.
  var helpForDefaults: String {
    dialect.name == .superscript
      ? "write `(a || b)`, which is `b` when `a` is null" : "write `(has(a.b) ? a.b : b)`"
  }

  mutating func failIncompleteConditional(_ frame: Frame) -> ParseFailure {
    if let special = diagnosisOfUnexpectedToken() { return fail(special) }
    let next = tokenizer.byte(at: Int(frame.opSpan.end))
    if next == UInt8(ascii: "?") {
      return fail(
        Diagnostic(
          .foreignOperator, "`??` is not an operator",
          at: SourceSpan(start: frame.opSpan.start, length: 2), label: "found here",
          helps: [
            nodes[Int(frame.first)].kind == .binary
              ? "a comparison is never null: to let users in without the attribute, add "
                + "`|| !has(…)`"
              : helpForDefaults
          ]))
    }
    if next == UInt8(ascii: ".") {
      let place = SourceSpan(start: frame.opSpan.start, length: 2)
      return fail(
        Diagnostic(
          .optionalSyntax, "`?.` is not an operator", at: place, label: "found here",
          notes: dialect.name == .superscript
            ? ["a missing member is null, also at every further step"] : [],
          helps: ["write `.`"],
          fixIts: [
            Diagnostic.FixIt(
              "write `.`", safeNavigations(from: place).map { Diagnostic.Edit($0, ".") })
          ]))
    }
    return fail(
      Diagnostic(
        .incompleteConditional, "expected `:` of the conditional, found \(described(token))",
        at: place(token), label: token.kind == .endOfInput ? "the filter ends here" : "found here",
        secondary: [Diagnostic.Label(frame.opSpan, "the conditional starts here")],
        helps: ["a conditional is written `condition ? first : second`"]))
  }

  mutating func failNestedConditional(outer: Frame) -> ParseFailure {
    let next = Int(outer.opSpan.end)
    if tokenizer.byte(at: next) == UInt8(ascii: "?")
      || tokenizer.byte(at: next) == UInt8(ascii: ".")
        && !tokenizer.isDigit(tokenizer.byte(at: next &+ 1))
    {
      return failIncompleteConditional(outer)
    }
    return fail(
      Diagnostic(
        .nestedConditional, "a conditional between `?` and `:` needs parentheses", at: token.span,
        label: "second conditional",
        secondary: [Diagnostic.Label(outer.opSpan, "inside this one")],
        helps: ["write `a ? (b ? c : d) : e`"]))
  }

  mutating func failRepeatedPrefix(previous: Frame) -> ParseFailure {
    let first = text(previous.opSpan)
    let second = text(token.span)
    if first == "!!", token.kind == .not {
      let place = SourceSpan(start: previous.opSpan.start, end: token.end)
      return fail(
        Diagnostic(
          .repeatedPrefixOperator, "three `!` in a row are one", at: place, label: "write `!`",
          fixIts: [Diagnostic.FixIt(write: "!", at: place)]))
    }
    return fail(
      Diagnostic(
        .repeatedPrefixOperator, "`\(second)` cannot follow `\(first)`",
        at: SourceSpan(start: previous.start, end: token.end),
        label: "one operator is allowed before an operand",
        helps: ["use parentheses: `\(first)(\(second)…)`"]))
  }

  // MARK: - Names and entries

  mutating func failReserved() -> ParseFailure {
    if let statement = diagnosisOfStatement() { return fail(statement) }
    return fail(
      Diagnostic(
        .reservedWord, "\(described(token)) is a reserved word", at: token.span,
        label: "cannot be a variable or a function",
        notes: ["reserved words can be members: `a.\(text(token.span))`"]))
  }

  mutating func failExpectedName(after what: String) -> ParseFailure {
    let isLetter = tokenizer.byte(at: Int(token.start)) >= 0x80
    let dot = Int(previousEnd) - 1
    if dot > 0, tokenizer.byte(at: dot) == UInt8(ascii: "."),
      tokenizer.isDigit(tokenizer.byte(at: dot - 1)), let last = nodes.last,
      last.kind == .intLiteral, Int(last.span.end) == dot
    {
      if token.kind == .dot || (token.kind == .float && token.start == previousEnd) {
        return failDots(from: dot)
      }
      return fail(
        Diagnostic(
          .unsupportedNumber, "a number needs a digit after its dot",
          at: SourceSpan(start: UInt32(dot), length: 1), label: "nothing follows",
          helps: ["remove the dot, or write `.0`"]))
    }
    if let quoted = diagnosisOfQuotedMember(dot: dot) { return fail(quoted) }
    if token.kind == .invalid, token.problem != .unexpectedCharacter || !isLetter {
      return fail(diagnosis(ofInvalid: token))
    }
    if dot > 0, token.kind == .dot, token.start == previousEnd { return failDots(from: dot) }
    let isKeyword = [.true, .false, .null, .in].contains(token.kind)
    var helps: [String] = []
    var fixIts: [Diagnostic.FixIt] = []
    if isKeyword, dot >= 0, token.start == previousEnd {
      let brackets = "[\"\(text(token.span))\"]"
      let place = SourceSpan(start: UInt32(clamping: dot), end: token.end)
      fixIts = [
        Diagnostic.FixIt(
          "write `\(brackets)` in place of `.\(text(token.span))`",
          [Diagnostic.Edit(place, brackets)])
      ]
    } else if token.kind == .leftBracket, dot >= 0, token.start == previousEnd {
      let place = SourceSpan(start: UInt32(clamping: dot), length: 1)
      fixIts = [
        Diagnostic.FixIt("remove the dot before `[`", [Diagnostic.Edit(place, "")])
      ]
    } else if token.kind == .invalid {
      helps = [
        "names are made of A to Z, digits and `_`; read other names with brackets: "
          + "`\(bracketed(around: token.start) ?? "a[\"…\"]")`"
      ]
    } else {
      let isRemoteConfig =
        [">=", "<=", ">", "<", "=="].contains(text(token.span))
        && tokenizer.byte(at: Int(token.end)) == UInt8(ascii: "(")
      helps = [
        isRemoteConfig
          ? "an operator is written between two values: "
            + "`device.appVersionPadded \(text(token.span)) \"…\"`"
          : "name the member, such as `user.age`, or remove the dot"
      ]
    }
    return fail(
      Diagnostic(
        .expectedName, "expected a name after \(what), found \(described(token))",
        at: place(token),
        label: isKeyword
          ? "is a keyword" : token.kind == .endOfInput ? "the filter ends here" : "found here",
        helps: helps, fixIts: fixIts))
  }

  /// Diagnoses `` user.`first name` `` and `user."first name"`, which need brackets.
  private func diagnosisOfQuotedMember(dot: Int) -> Diagnostic? {
    let isString = token.kind == .string && token.flags.isDisjoint(with: [.raw, .tripleQuoted])
    let isQuoted = token.kind == .invalid && token.problem == .typographicQuotes && token.length > 2
    guard isString || isQuoted, dot >= 0, token.start == previousEnd else { return nil }
    let opening = UInt32(tokenizer.scalar(at: Int(token.start)).length)
    var end = Int(token.end) &- 1
    while end > Int(token.start), tokenizer.byte(at: end) & 0xC0 == 0x80 { end &-= 1 }
    let content = text(
      SourceSpan(start: token.start &+ opening, end: UInt32(clamping: max(end, 0))))
    guard !content.contains("\\"), !content.contains("\"") else { return nil }
    let brackets = "[\"\(content)\"]"
    return Diagnostic(
      .expectedName, "expected a name after `.`, found a text in quotes", at: token.span,
      label: "found here",
      fixIts: [
        Diagnostic.FixIt(
          "read it with brackets: `\(brackets)`, without the dot",
          [Diagnostic.Edit(SourceSpan(start: UInt32(clamping: dot), end: token.end), brackets)])
      ])
  }

  /// Reports `a..b`, `18...65` or `18..<65`; `dot` is the offset of the first dot.
  private mutating func failDots(from dot: Int) -> ParseFailure {
    let place = run(from: dot) { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "<") }
    let isRange =
      place.length > 2 || tokenizer.isDigit(tokenizer.byte(at: dot - 1))
      || !tokenizer.isNameByte(tokenizer.byte(at: Int(place.end)))
    let after = run(from: Int(place.end)) { $0 == UInt8(ascii: " ") }
    if isRange, place.length == 3, tokenizer.byte(at: Int(after.end)) == UInt8(ascii: "]") {
      return fail(
        Diagnostic(
          .foreignOperator, "`\(text(place))` is not an operator", at: place, label: "found here",
          helps: ["a list has all its elements: write the others, too"]))
    }
    if isRange {
      return fail(
        Diagnostic(
          .foreignOperator, "`\(text(place))` is not an operator", at: place, label: "found here",
          helps: [
            "there are no ranges; write `low <= value && value "
              + "\(text(place).hasSuffix("<") ? "<" : "<=") high`"
          ]))
    }
    return fail(
      Diagnostic(
        .expectedName, "two dots in a row", at: place, label: "write one",
        fixIts: [Diagnostic.FixIt(write: ".", at: place)]))
  }

  mutating func failExpectedField(open: Token) -> ParseFailure {
    if let statement = diagnosisOfStatement() { return fail(statement) }
    return fail(
      Diagnostic(
        .malformedEntry, "`{` has no meaning after a value", at: open.span, label: "found here",
        helps: [
          "group conditions with `(…)`; a loop over a list is written `list.exists(x, x == 1)`"
        ]))
  }

  mutating func failExpectedColon(open: Token) -> ParseFailure {
    if let statement = diagnosisOfStatement() { return fail(statement) }
    if open.start > 0, tokenizer.byte(at: Int(open.start) - 1) == UInt8(ascii: "{") {
      return fail(diagnosisOfTemplate(at: open.start &- 1, 2))
    }
    if let special = diagnosisOfUnexpectedToken() { return fail(special) }
    if token.kind == .endOfInput { return failUnclosed(open, expected: .rightBrace) }
    let help: String
    switch token.kind {
    case .comma: help = "a list is written `[…]`, a map `{key: value}`"
    case .rightBrace: help = "group conditions with `(…)`; a map is written `{key: value}`"
    case _ where lastOperand.map { ["it", "$0"].contains(text($0.span)) } == true:
      help = "a condition on elements is a loop: `….exists(x, x \(text(token.span)) …)`"
    default: help = "write entries as `key: value`"
    }
    return fail(
      Diagnostic(
        .malformedEntry, "expected `:` and a value, found \(described(token))", at: place(token),
        label: "found here", secondary: [Diagnostic.Label(open.span, "opened here")],
        helps: [help]))
  }

  /// - Parameter start: The start of what the `?` is a part of.
  mutating func failOptionalSyntax(from start: UInt32) -> ParseFailure {
    // `user.?streak.orValue(0)`
    let next = following(5)
    let hasDefault = word(next[2]) == "orvalue" && next[1].kind == .dot
    let owner = text(SourceSpan(start: start, end: token.start))
    let attribute = "\(owner)\(text(next[0].span))"
    return fail(
      Diagnostic(
        .optionalSyntax, "this dialect has no optional syntax", at: token.span,
        label: hasDefault ? "and no `orValue`" : "remove this `?`",
        notes: ["a missing member is null, also at every further step"],
        helps: hasDefault
          ? ["write `(has(\(attribute)) ? \(attribute) : \(text(next[4].span)))`"] : [],
        fixIts: hasDefault
          ? [] : [Diagnostic.FixIt("remove `?`", [Diagnostic.Edit(token.span, "")])]))
  }
}
