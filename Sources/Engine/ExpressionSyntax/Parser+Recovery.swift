// Mistakes from which the parser recovers: it reports them and continues as if they were corrected.

extension Parser {
  // MARK: - Operators of other languages

  /// Reports and takes the infix operator that the token was meant to be; returns `nil` if it is
  /// not one.
  mutating func misspelledInfix() -> (entry: InfixEntry, span: SourceSpan)? {
    switch token.kind {
    case .int, .float: return gluedSign()
    case .identifier where token.length <= 6:
      if tokenizer.byte(at: Int(token.start)) | 0x20 == UInt8(ascii: "i"), word(token) == "is" {
        return takeIs()
      }
      guard let kind = ForeignWords.infix(for: text(token.span)) else { return nil }
      return misspelled(as: kind)
    case .not: return spacedNotEqual()
    case .invalid where token.problem == .foreignOperator:
      // `x => …` is a function of another language, unless it compares with a constant.
      if text(token.span) == "=>", depth > 0 || isLoneName || !isBesideConstant { return nil }
      guard let kind = Self.foreignOperators[text(token.span)] else { return nil }
      return misspelled(as: kind)
    default: return nil
    }
  }

  /// Whether the operand is a plain name, as the parameter of a function is.
  private var isLoneName: Bool { lastOperand?.kind == .identifier }

  /// Whether a number or a string is on one side of the current token.
  private var isBesideConstant: Bool {
    let kinds: Set<SyntaxKind> = [.intLiteral, .uintLiteral, .doubleLiteral, .stringLiteral]
    if let last = lastOperand, kinds.contains(last.kind) { return true }
    let next = following(2)
    let constant = next[0].kind == .minus ? next[1] : next[0]
    return [.int, .uint, .float, .string].contains(constant.kind)
  }

  private static let foreignOperators: [String: TokenKind] = [
    "=": .equal, "===": .equal, "!==": .notEqual, "<>": .notEqual, "=<": .lessEqual,
    "=>": .greaterEqual, "=!": .notEqual, "&": .and, "|": .or, "\u{2264}": .lessEqual,
    "\u{2265}": .greaterEqual, "\u{2260}": .notEqual, "\u{2266}": .lessEqual,
    "\u{2267}": .greaterEqual, "\u{2A7D}": .lessEqual, "\u{2A7E}": .greaterEqual,
  ]

  private mutating func misspelled(as kind: TokenKind) -> (entry: InfixEntry, span: SourceSpan) {
    let entry = infix[Int(kind.rawValue)]
    let span = token.span
    let right = entry.op.spelling
    let wrong = text(span)
    let message =
      wrong == "="
      ? "`=` is not an operator; equality is `==`" : "`\(wrong)` is not an operator"
    if let advice = adviceOnSign(wrong) {
      report(
        Diagnostic(.foreignOperator, message, at: span, label: "found here", helps: [advice]))
      advance()
      return (entry, span)
    }
    if wrong == "=", isArgumentLabel {
      report(
        Diagnostic(
          .foreignOperator, "arguments are written without names", at: span, label: "found here",
          helps: ["write the value alone, if the function takes one"]))
      advance()
      return (entry, span)
    }
    report(
      Diagnostic(
        .foreignOperator, message, at: span, label: "write `\(right)`",
        fixIts: [Diagnostic.FixIt(write: right, at: span)]))
    advance()
    return (entry, span)
  }

  /// Returns advice for a sign that joins no conditions here: `flags & 4`, `flags and 4` and
  /// `first & " " & last`.
  private func adviceOnSign(_ sign: String) -> String? {
    guard ["&", "|", "and", "or"].contains(sign.lowercased()) else { return nil }
    if sign == "|", let call = callOfPipe() { return call }
    let next = following(1)[0].kind
    let isText = lastOperand?.kind == .stringLiteral && frames.last?.op.info.isComparison != true
    if sign == "&", next == .string || isText { return "texts are joined with `+`" }
    guard next == .int, [.select, .identifier].contains(lastOperand?.kind) else { return nil }
    return "there are no operations on bits; send the app's flags as bools"
  }

  /// Returns advice for `device.tags | length`, as in templates and in jq.
  private func callOfPipe() -> String? {
    let next = following(2)
    guard next[0].kind == .identifier, ![.dot, .leftBracket].contains(next[1].kind) else {
      return nil
    }
    let name = text(next[0].span)
    return switch name {
    case "size", "length", "count", "len": "a function is called: write `size(\(writtenOperand))`"
    case _ where ForeignWords.letterCases.contains(name):
      "to ignore case, write `….matches(r\"(?i)^…$\")`"
    default:
      "values are not piped to functions: write a call, such as `size(…)` or `….exists(x, …)`"
    }
  }

  /// Whether the operand is the name of an argument, as in `f(x, default = 0)`, and not the element
  /// of a loop.
  private var isArgumentLabel: Bool {
    guard depth > 0, isLoneName, let name = lastOperand else { return false }
    let before = text(SourceSpan(start: 0, end: name.span.start))
    guard let sign = before.last(where: { $0 != " " }), sign == "," || sign == "(" else {
      return false
    }
    let written = text(name.span)
    return !before.contains { $0 == "(" } || !before.hasElement(written)
  }

  /// Parses `a ! = b` as `!=`.
  private mutating func spacedNotEqual() -> (entry: InfixEntry, span: SourceSpan)? {
    let next = following(1)[0]
    guard next.kind == .invalid, text(next.span) == "=" else { return nil }
    let place = SourceSpan(start: token.start, end: next.end)
    reportSpaced(place, right: "!=")
    advance()
    advance()
    return (infix[Int(TokenKind.notEqual.rawValue)], place)
  }

  /// Reports an operator that contains a space.
  private mutating func reportSpaced(_ place: SourceSpan, right: String) {
    report(
      Diagnostic(
        .foreignOperator, "`\(text(place))` is written without a space", at: place,
        label: "write `\(right)`",
        fixIts: [Diagnostic.FixIt(write: right, at: place)]))
  }

  /// Parses the `=` of `> =`, `= =` or `+=` where an operand is required. Returns `false` if it
  /// does not continue an operator.
  mutating func takeSeparatedEqual(base: Int) -> Bool {
    guard frames.count > base, let top = frames.last, top.kind == .binary,
      text(token.span) == "="
    else { return false }
    let place = SourceSpan(start: top.opSpan.start, end: token.end)
    switch top.op {
    case .less, .greater:
      let op: Operator = top.op == .less ? .lessEqual : .greaterEqual
      reportSpaced(place, right: op.spelling)
      frames[frames.count - 1].op = op
    case .equal:
      if text(top.opSpan) == "=" { diagnostics.removeLast() }
      reportSpaced(place, right: "==")
    default: return false
    }
    advance()
    return true
  }

  /// Parses `n-1`, in which the number's sign was meant as an operator. Takes the sign and stops at
  /// the digits.
  private mutating func gluedSign() -> (entry: InfixEntry, span: SourceSpan)? {
    let first = tokenizer.byte(at: Int(token.start))
    guard first == UInt8(ascii: "-") || first == UInt8(ascii: "+"), dateLiteral == nil else {
      return nil
    }
    let sign = first == UInt8(ascii: "-") ? "-" : "+"
    let place = SourceSpan(start: token.start, length: 1)
    // `[1-10]` is not a range.
    let isRange =
      sign == "-" && lastOperand?.kind == .intLiteral
      && tokenizer.byte(at: Int(lastOperand?.span.start ?? 1) - 1) == UInt8(ascii: "[")
      && tokenizer.byte(at: Int(token.end)) == UInt8(ascii: "]")
    if isRange {
      report(
        Diagnostic(
          .signBelongsToNumber, "a list is not a range", at: token.span, label: "found here",
          helps: ["there are no ranges; write `low <= value && value <= high`"]))
      tokenizer.position = Int(token.start) &+ 1
      advance()
      return (infix[Int(TokenKind.minus.rawValue)], place)
    }
    let isSpaced = tokenizer.byte(at: Int(token.start) - 1) == UInt8(ascii: " ")
    let edit = Diagnostic.Edit(place, isSpaced ? "\(sign) " : " \(sign) ")
    report(
      Diagnostic(
        .signBelongsToNumber,
        "`\(text(token.span))` is a number here, not \(sign == "-" ? "a subtraction" : "an addition")",
        at: token.span, label: "no operator before it",
        notes: [
          sign == "-"
            ? "`-` directly before a digit is the sign of the number"
            : "`+` directly before a number with a dot or an exponent is its sign"
        ],
        helps: ["write a space after `\(sign)`"],
        fixIts: [Diagnostic.FixIt("write a space after `\(sign)`", [edit])]))
    tokenizer.position = Int(token.start) &+ 1
    advance()
    return (infix[Int((sign == "-" ? TokenKind.minus : .plus).rawValue)], place)
  }

  /// The whole of `2024-06-01`, an unquoted date whose year was just parsed.
  var dateLiteral: SourceSpan? {
    guard previousEnd >= 4, token.start == previousEnd else { return nil }
    let start = Int(previousEnd) - 4
    let shape = [UInt8]("9999-99-99".utf8)
    for (index, expected) in shape.enumerated() {
      let byte = tokenizer.byte(at: start + index)
      if expected == UInt8(ascii: "-") ? byte != expected : !tokenizer.isDigit(byte) { return nil }
    }
    return SourceSpan(start: UInt32(start), length: 10)
  }

  /// Takes `not` where it is written for `!`.
  mutating func takeMisspelledPrefix() -> Bool {
    guard token.length == 3, tokenizer.byte(at: Int(token.start)) | 0x20 == UInt8(ascii: "n"),
      text(token.span).lowercased() == "not"
    else { return false }
    var ahead = tokenizer
    switch ahead.next().kind {
    case .identifier, .true, .false, .null, .int, .float, .string: break
    default: return false
    }
    let span = token.span
    report(
      Diagnostic(
        .foreignOperator, "`\(text(span))` is not an operator", at: span, label: "write `!`",
        notes: ["`!` applies to the next operand only: write `!(a == b)` to negate a comparison"]))
    advance()
    push(
      Frame(
        kind: .unary, op: .not, power: OperatorTable.prefixPower.right, start: span.start,
        opSpan: span))
    return true
  }

  // MARK: - Operands

  /// Handles an invalid token in the place of an operand. Typographic quotes are read as a string,
  /// and a `=` after an operator belongs to it (`nil`); everything else ends the parse.
  mutating func parseInvalidOperand(base: Int) throws(ParseFailure) -> UInt32? {
    if token.problem == .foreignOperator {
      if takeSeparatedEqual(base: base) { return nil }
      throw fail(diagnosisOfOperatorAsOperand(base: base))
    }
    let diagnosis = diagnosis(ofInvalid: token)
    guard token.problem == .typographicQuotes,
      token.length > UInt32(tokenizer.scalar(at: Int(token.start)).length)
    else { throw fail(diagnosis) }
    report(diagnosis)
    let node = append(SyntaxNode(kind: .stringLiteral, span: token.span))
    advance()
    return node
  }

  /// Diagnoses a foreign operator in the place of an operand: `+=`, `== =`.
  private func diagnosisOfOperatorAsOperand(base: Int) -> Diagnostic {
    guard frames.count > base, let top = frames.last, top.kind == .binary,
      top.opSpan.end == token.start
    else { return diagnosis(ofInvalid: token) }
    let both = SourceSpan(start: top.opSpan.start, end: token.end)
    return Diagnostic(
      .foreignOperator, "`\(text(both))` is not an operator", at: both, label: "found here",
      helps: [
        [.add, .subtract, .multiply, .divide].contains(top.op)
          ? "a filter changes no values; compare with `==`" : "remove `\(text(token.span))`"
      ])
  }

  /// Reports the bad escapes of a string or bytes literal.
  mutating func checkEscapes(in content: SourceSpan, isBytes: Bool) {
    var decoder = LiteralDecoder(
      bytes: tokenizer.bytes, content: content, isBytes: isBytes, flags: token.flags,
      rules: dialect.lexical)
    decoder.decode()
    for finding in decoder.findings { report(diagnosis(of: finding, isBytes: isBytes)) }
  }

  // MARK: - Small mistakes

  mutating func reportNumberTooLarge(at span: SourceSpan, isUnsigned: Bool) {
    let isNegative = tokenizer.byte(at: Int(span.start)) == UInt8(ascii: "-")
    report(
      Diagnostic(
        .numberTooLarge, "this number does not fit into 64 bits", at: span,
        label: isUnsigned
          ? "the largest is 18446744073709551615u"
          : isNegative
            ? "the smallest is -9223372036854775808" : "the largest is 9223372036854775807",
        helps: [
          frames.last.map { [.equal, .notEqual].contains($0.op) } == true
            ? "an id of so many digits is a text: write `\"\(text(span))\"`"
            : "write it as a float, such as `1e19`, if it need not be exact"
        ]))
  }

  mutating func reportFloatTooLarge(at span: SourceSpan) {
    report(
      Diagnostic(
        .numberTooLarge, "this number is too large for a double", at: span,
        label: "the largest is about 1.8e308"))
  }

  mutating func reportTrailingComma(_ comma: Token) {
    report(
      Diagnostic(
        .trailingComma, "the arguments of a call must not end with a comma", at: comma.span,
        label: "remove it",
        fixIts: [Diagnostic.FixIt("remove `,`", [Diagnostic.Edit(comma.span, "")])])
    )
  }

  @inline(never)
  mutating func reportChainedComparison(
    of left: UInt32, with op: Operator, at span: SourceSpan, start: UInt32
  ) {
    let node = nodes[Int(left)]
    let middle = nodes[Int(node.second)].span
    let whole = SourceSpan(start: start, end: middle.end)
    let first = SourceSpan(
      start: UInt32(truncatingIfNeeded: node.payload),
      length: UInt32(truncatingIfNeeded: node.payload >> 32))
    // A misspelled operator has already been reported.
    guard ["==", "!=", "<", "<=", ">", ">=", "in"].contains(text(first)) else { return }
    if text(span) == "=>", diagnostics.last?.primary.span == span {
      let condition = whole.length <= 60 ? text(whole) : "…"
      diagnostics.removeLast()
      report(
        Diagnostic(
          .foreignOperator, "`=>` is not an operator", at: span, label: "found here",
          helps: [
            "for a condition that only some must meet, write `\(condition) ? … : true`; for both "
              + "conditions, write `&&`"
          ]))
      return
    }
    let orders: Set<Operator> = [.less, .lessEqual, .greater, .greaterEqual]
    var helps: [String] = []
    let isNegated = op == .notEqual ? writtenNext == "true" : writtenNext == "false"
    if op == .equal || op == .notEqual, writtenNext == "true" || writtenNext == "false" {
      var first = whole.length <= 60 ? text(whole) : "…"
      // `!a in b` has the `!` for `a` alone.
      let hasNot = first.hasPrefix("!") && !first.hasPrefix("!(")
      if hasNot { first.removeFirst() }
      let isOfNames =
        node.op == .equal && op == .equal && middle.length <= 40
        && nodes[Int(node.second)].kind == .select && !hasNot
      if isOfNames {
        let value = writtenNext ?? ""
        helps.append(
          "for each of them, write `\(text(nodes[Int(node.first)].span)) == \(value) && "
            + "\(text(middle)) == \(value)`")
      }
      helps.append(
        (isOfNames ? "for the comparison of the two, " : "")
          + (isNegated != hasNot
            ? "write `!(\(first))`" : "a comparison is a bool: write `\(first)` alone"))
    } else if op == .in, middle.length <= 40 {
      helps.append("to look for it in the list, write `\(text(middle)) in …` alone")
    } else if nodes[Int(node.second)].isBinary(.add) {
      helps.append("`+` joins texts and numbers; to join conditions, write `&&`")
    } else if node.op == .equal, op == .equal, middle.length <= 40, whole.length <= 60 {
      let middleText = text(middle)
      let next = writtenNext ?? "…"
      helps.append(
        nodes[Int(node.second)].kind == .stringLiteral
          ? "for one of several, write `\(text(nodes[Int(node.first)].span)) in [\(middleText), \(next)]`"
          : "write `\(text(whole)) && \(middleText) == \(next)`")
    } else if orders.contains(node.op), orders.contains(op), middle.length <= 60 {
      var middleText = text(middle)
      // `age >= 7 <= 9` bounds the age on both sides.
      let nextIsLiteral = writtenNext?.utf8.first.map { $0 < 0x40 } ?? true
      if nextIsLiteral,
        [.intLiteral, .doubleLiteral, .stringLiteral].contains(nodes[Int(node.second)].kind)
      {
        middleText = text(nodes[Int(node.first)].span)
      }
      let left = whole.length <= 60 ? text(whole) : "… \(text(first)) \(middleText)"
      helps.append("write `\(left) && \(middleText) \(text(span)) \(writtenNext ?? "…")`")
    } else {
      helps.append("put the first comparison in parentheses")
    }
    report(
      Diagnostic(
        .chainedComparison, "comparisons cannot be chained", at: span,
        label: "second comparison",
        secondary: [Diagnostic.Label(first, "first comparison")], helps: helps))
  }
}

extension String {
  /// Whether a call before the end of the text names an element: `exists(e, `.
  fileprivate func hasElement(_ name: String) -> Bool {
    var rest = self[...]
    while let open = rest.firstIndex(of: "(") {
      rest = rest[index(after: open)...].drop { $0 == " " }
      if rest.hasPrefix(name), rest.dropFirst(name.count).drop(while: { $0 == " " }).first == "," {
        return true
      }
    }
    return false
  }
}
