// Diagnoses habits from other languages: SQL, JavaScript, Python, Swift, templates. None of this is
// on the hot path.

extension Parser {
  // MARK: - The text around the token

  /// The operand before the token as it is written, or a placeholder if it is long or compound.
  var writtenOperand: String {
    guard let last = lastOperand, last.span.length <= 40 else { return "value" }
    return text(last.span)
  }

  /// Returns the next tokens after the current one without advancing.
  func following(_ count: Int) -> [Token] {
    var ahead = tokenizer
    return (0..<count).map { _ in ahead.next() }
  }

  /// Returns a token's text in lower case, for comparing it with words.
  func word(_ token: Token) -> String {
    token.kind == .identifier || token.kind == .in ? text(token.span).lowercased() : ""
  }

  /// The operand after the current token as it is written: a literal or a dotted name.
  var writtenNext: String? {
    var ahead = tokenizer
    let first = ahead.next()
    var end = first.end
    switch first.kind {
    case .string, .int, .float, .uint, .true, .false, .null: break
    case .identifier:
      while true {
        guard ahead.next().kind == .dot else { break }
        let name = ahead.next()
        guard name.kind == .identifier else { break }
        end = name.end
      }
    default: return nil
    }
    guard end &- first.start <= 40 else { return nil }
    return text(SourceSpan(start: first.start, end: end))
  }

  /// Returns a fix that puts quotes around a time, with the seconds that the device's times have.
  private func quotingTime(_ place: SourceSpan) -> Diagnostic.FixIt {
    let parts = text(place).split(separator: ":")
    let isClock = parts.count == 2 && parts.allSatisfy { (1...2).contains($0.utf8.count) }
    guard isClock, isShortlyAfter(["device."], place) else { return quoting(place) }
    let hour = parts[0].utf8.count == 1 ? "0\(parts[0])" : String(parts[0])
    return Diagnostic.FixIt(write: "\"\(hour):\(parts[1]):00\"", at: place)
  }

  /// Returns whether one of some texts is among the 40 bytes before a place.
  func isShortlyAfter(_ texts: [String], _ place: SourceSpan) -> Bool {
    let before = Array(tokenizer.bytes[max(0, Int(place.start) &- 40)..<Int(place.start)])
    return texts.contains { before.firstPlace(of: $0, from: 0) != nil }
  }

  /// Returns a fix that puts quotes around a place.
  func quoting(_ place: SourceSpan) -> Diagnostic.FixIt {
    let quoted = "\"\(text(place))\""
    return Diagnostic.FixIt(write: quoted, at: place)
  }

  /// Returns the span from `start` over all bytes for which `belongs` is true.
  func run(from start: Int, while belongs: (UInt8) -> Bool) -> SourceSpan {
    var end = start
    while end < tokenizer.count, belongs(tokenizer.bytes[end]) { end &+= 1 }
    return SourceSpan(start: UInt32(clamping: start), end: UInt32(clamping: end))
  }

  /// Diagnoses a `;`, which ends statements in other languages.
  func diagnosisOfSemicolon(_ token: Token) -> Diagnostic {
    if frames.last?.kind == .condition || frames.dropLast().last?.kind == .condition {
      return Diagnostic(
        .unexpectedCharacter, "a conditional has a `:` between its two values", at: token.span,
        label: "write `:`", fixIts: [Diagnostic.FixIt(write: ":", at: token.span)])
    }
    let isLast = following(1)[0].kind == .endOfInput
    if !isLast, depth > 0 {
      return Diagnostic(
        .unexpectedCharacter, "a filter has no `;`", at: token.span, label: "write `,`",
        helps: ["elements and arguments have commas between them"])
    }
    return Diagnostic(
      .unexpectedCharacter, "a filter has no `;`", at: token.span,
      label: isLast ? "remove this" : "the expression ends before this",
      helps: isLast ? [] : ["a filter is one expression: join conditions with `&&` or `||`"],
      fixIts: isLast
        ? [Diagnostic.FixIt("remove `;`", [Diagnostic.Edit(token.span, "")])] : [])
  }

  // MARK: - Colons

  /// Diagnoses a `:` after an operand, outside a conditional.
  func diagnosisOfColon() -> Diagnostic {
    let next = tokenizer.byte(at: Int(token.end))
    let isTight = token.start == previousEnd
    guard let last = lastOperand else { return diagnosisOfLoneColon() }
    if isTight, [.intLiteral, .doubleLiteral].contains(last.kind), tokenizer.isDigit(next) {
      let place = run(from: Int(last.span.start)) {
        tokenizer.isDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
      }
      return Diagnostic(
        .unsupportedNumber, "a time is not a number", at: place, label: "needs quotes",
        notes: ["times such as `device.localTime` are texts: \"09:30:00\""],
        fixIts: [quotingTime(place)])
    }
    guard last.kind == .identifier || last.kind == .select else { return diagnosisOfLoneColon() }
    let isRoot = AttributeRoots.names.contains { text(last.span).hasPrefix($0) }
    if isTight, !isRoot, last.kind == .identifier, tokenizer.isNameByte(next),
      !tokenizer.isDigit(next)
    {
      let value = run(from: Int(token.end), while: tokenizer.isNameByte)
      let space = run(from: Int(value.end)) { $0 == UInt8(ascii: " ") }
      if [UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">")]
        .contains(tokenizer.byte(at: Int(space.end)))
      {
        return Diagnostic(
          .foreignOperator, "`:` does not read a member",
          at: SourceSpan(start: last.span.start, end: token.end), label: "a prefix of other tools",
          helps: ["write `user.\(text(value))`"])
      }
      return Diagnostic(
        .foreignOperator, "`:` does not compare; equality is `==`", at: token.span,
        label: "write `==`", helps: ["write `user.\(text(last.span)) == \"\(text(value))\"`"])
    }
    if isTight, next == UInt8(ascii: ":") || tokenizer.isNameByte(next), !tokenizer.isDigit(next),
      isRoot || next != UInt8(ascii: ":")
    {
      let place = SourceSpan(start: token.start, length: next == UInt8(ascii: ":") ? 2 : 1)
      return Diagnostic(
        .foreignOperator, "`\(text(place))` does not read a member", at: place,
        label: "write `.`", fixIts: [Diagnostic.FixIt(write: ".", at: place)])
    }
    if last.kind == .identifier, !AttributeRoots.contains(text(last.span)) {
      return Diagnostic(
        .trailingText, "a filter has no label",
        at: SourceSpan(start: last.span.start, end: token.end),
        label: "remove this", helps: ["write the condition alone"])
    }
    return Diagnostic(
      .foreignOperator, "`:` does not compare; equality is `==`", at: token.span,
      label: "write `==`",
      fixIts: [
        Diagnostic.FixIt("write `==`", [Diagnostic.Edit(token.span, isTight ? " ==" : "==")])
      ])
  }

  private func diagnosisOfLoneColon() -> Diagnostic {
    Diagnostic(
      .incompleteConditional, "`:` without a `?`", at: token.span, label: "found here",
      helps: ["a conditional is written `condition ? first : second`"])
  }

  /// Returns whether a text is an attribute: `user.age`.
  static func isPath(_ text: String) -> Bool {
    let names = text.split(separator: ".", omittingEmptySubsequences: false)
    guard names.count > 1, AttributeRoots.contains(String(names[0])) else { return false }
    return names.allSatisfy { name in
      guard let first = name.utf8.first, first == 0x5F || (first | 0x20) &- 0x61 < 26 else {
        return false
      }
      return name.utf8.allSatisfy { $0 == 0x5F || ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 }
    }
  }

  /// Diagnoses an attribute in backticks, which is written without them.
  func diagnosisOfQuotedPath(at place: SourceSpan, _ path: String) -> Diagnostic {
    Diagnostic(
      .typographicQuotes, "attributes are written without backticks", at: place,
      label: "remove them",
      fixIts: [Diagnostic.FixIt(write: path, at: place)])
  }

  // MARK: - Templates

  /// Diagnoses `{{user.age}}`, `<%= user.age %>` and `${user.age}`; the token at `start` opens the
  /// template.
  func diagnosisOfTemplate(at start: UInt32, _ length: UInt32) -> Diagnostic {
    let place = SourceSpan(start: start, length: length)
    return Diagnostic(
      .unexpectedCharacter, "`\(text(place))` belongs to a template, not to a filter", at: place,
      label: "remove this", helps: ["write attributes as they are: `user.age`"])
  }

  // MARK: - In place of an operand

  /// Diagnoses a form of another language in a place where an operand is required.
  func diagnosisOfHabit(_ top: Frame?) -> Diagnostic? {
    switch token.kind {
    case .slash: return diagnosisOfRegexLiteral()
    case .quotedName where Self.isPath(text(token.contentSpan)):
      return diagnosisOfQuotedPath(at: token.span, text(token.contentSpan))
    case .quotedName:
      return Diagnostic(
        .typographicQuotes, "backticks are not quotes", at: token.span,
        label: "needs straight quotes",
        notes: ["write a name in backticks after a dot: `user.\(text(token.span))`"],
        fixIts: [quoted(token.contentSpan, in: token.span)].compactMap { $0 })
    case .less where tokenizer.byte(at: Int(token.end)) == UInt8(ascii: "%"):
      return diagnosisOfTemplate(at: token.start, 2)
    case .percent:
      let start = Int(token.start)
      guard start > 0, tokenizer.byte(at: start - 1) == UInt8(ascii: "{") else { break }
      return diagnosisOfTemplate(at: token.start - 1, 2)
    default: break
    }
    guard let top else {
      return token.kind == .plus ? diagnosisOfPlusSign() : nil
    }
    let isTight = top.opSpan.end == token.start
    let both = SourceSpan(start: top.opSpan.start, end: token.end)
    switch (top.kind, top.op, token.kind) {
    case (.binary, .add, .plus) where isTight, (.binary, .subtract, .minus) where isTight:
      return Diagnostic(
        .foreignOperator, "`\(text(both))` is not an operator", at: both, label: "found here",
        helps: ["a filter changes no values: remove it"])
    case (.binary, .subtract, .greater) where isTight:
      return misread(both, "`->` does not read a member", as: ".")
    case (.binary, .less, .greater):
      return misread(both, "`\(text(both))` is not an operator", as: "!=")
    case (.binary, .multiply, .star) where isTight:
      return Diagnostic(
        .foreignOperator, "`**` is not an operator", at: both, label: "found here",
        helps: ["there are no powers; multiply: `a * a`"])
    case (.binary, .less, .less) where isTight, (.binary, .greater, .greater) where isTight:
      return Diagnostic(
        .foreignOperator, "`\(text(both))` is not an operator", at: both, label: "found here",
        helps: ["there are no operations on bits; multiply or divide by a power of two"])
    case (.binary, .remainder, _): return diagnosisOfPercent(top)
    case (.binary, .and, _), (.binary, .or, _): return diagnosisOfSharedSubject(top)
    case (.condition, _, .colon) where isTight:
      return Diagnostic(
        .foreignOperator, "`?:` is not an operator", at: both, label: "found here",
        helps: [helpForDefaults])
    case (.condition, _, _)
    where (infix[Int(token.kind.rawValue)].left > 0 || token.kind == .endOfInput)
      && followsName(top):
      return diagnosisOfMark(after: nodes[Int(top.first)], at: top.opSpan)
    default: break
    }
    return token.kind == .plus ? diagnosisOfPlusSign() : nil
  }

  /// Diagnoses `user.plan?` and `user.plan.nil?`.
  private func diagnosisOfMark(after name: SyntaxNode, at span: SourceSpan) -> Diagnostic {
    let condition = conditionOfQuery(name)
    return Diagnostic(
      .optionalSyntax, "`?` after a name means nothing here", at: span,
      label: condition == nil ? "remove this" : "there are no such methods",
      notes: condition == nil ? ["a missing attribute is null already"] : [],
      helps: condition.map { ["write `\($0)`"] } ?? [],
      fixIts: condition == nil
        ? [Diagnostic.FixIt("remove `?`", [Diagnostic.Edit(span, "")])] : [])
  }

  /// Returns the condition that a method of Ruby asks for: `user.plan.nil?`, `user.tags.empty?`.
  private func conditionOfQuery(_ node: SyntaxNode) -> String? {
    let written = text(node.span)
    guard let dot = written.lastIndex(of: ".") else { return nil }
    let subject = written[..<dot]
    return switch written[written.index(after: dot)...] {
    case "nil": "\(subject) == null"
    case "blank": "\(subject) == \"\""
    case "present": "\(subject) != \"\""
    case "empty": "size(\(subject)) == 0"
    case "any": "size(\(subject)) > 0"
    case "zero": "\(subject) == 0"
    case "positive": "\(subject) > 0"
    default: nil
    }
  }

  /// Returns whether a `?` is directly after a name.
  private func followsName(_ condition: Frame) -> Bool {
    nodes[Int(condition.first)].span.end == condition.opSpan.start
      && [.select, .identifier].contains(nodes[Int(condition.first)].kind)
  }

  private func misread(_ place: SourceSpan, _ message: String, as right: String) -> Diagnostic {
    Diagnostic(
      .foreignOperator, message, at: place, label: "write `\(right)`",
      fixIts: [Diagnostic.FixIt(write: right, at: place)])
  }

  /// Diagnoses `a > 18 && < 65`: the second comparison needs the left side again.
  private func diagnosisOfSharedSubject(_ top: Frame) -> Diagnostic? {
    let comparisons: Set<TokenKind> = [
      .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .in,
    ]
    let left = nodes[Int(top.first)]
    guard comparisons.contains(token.kind), left.kind == .binary else { return nil }
    let subject = nodes[Int(left.first)].span
    guard subject.length <= 60 else { return nil }
    return Diagnostic(
      .missingOperand, "`\(text(token.span))` needs a left side", at: token.span,
      label: "compares what?", secondary: [Diagnostic.Label(subject, "not read a second time")],
      helps: ["write `\(text(subject)) \(text(token.span)) \(writtenNext ?? "…")`"])
  }

  /// Diagnoses `20%`.
  private func diagnosisOfPercent(_ top: Frame) -> Diagnostic? {
    let left = nodes[Int(top.first)]
    let ends: Set<TokenKind> = [.endOfInput, .rightParen, .and, .or]
    // In `user.age * 10% > 3` the number is the right side of a product.
    let number = left.kind == .binary ? nodes[Int(left.second)] : left
    guard [.intLiteral, .doubleLiteral].contains(number.kind),
      number.span.end == top.opSpan.start || ends.contains(token.kind)
    else { return nil }
    return Diagnostic(
      .unsupportedNumber, "`%` does not make a percentage", at: top.opSpan, label: "remove this",
      notes: ["`%` is the remainder of a division"],
      helps: [
        "write the number alone, or its hundredth, as the attribute has it: `\(text(number.span))`"
      ])
  }

  /// Diagnoses `+5`.
  private func diagnosisOfPlusSign() -> Diagnostic? {
    let next = following(1)[0]
    guard next.kind == .int || next.kind == .float || next.kind == .identifier else { return nil }
    // An argument is rather the beginning of a phone number.
    let isArgument =
      token.start > 0 && tokenizer.byte(at: Int(token.start) - 1) == UInt8(ascii: "(")
    let isLong =
      next.kind == .int && (next.length >= 7 || isArgument && next.length > 1)
      && next.start == token.end
    let number = SourceSpan(start: token.start, end: next.end)
    return Diagnostic(
      .missingOperand, "there is no sign `+`", at: token.span,
      label: isLong ? "without quotes" : "remove this",
      notes: isLong ? ["a phone number is a text"] : [],
      helps: isLong ? ["write `\"\(text(number))\"`"] : [],
      fixIts: isLong
        ? [] : [Diagnostic.FixIt("remove `+`", [Diagnostic.Edit(token.span, "")])])
  }

  /// Returns a pattern with `/` for `\/`.
  private static func withoutEscapedSlashes(_ pattern: String) -> String {
    var result = ""
    for character in pattern {
      if character == "/", result.last == "\\" { result.removeLast() }
      result.append(character)
    }
    return result
  }

  /// Diagnoses `/text/`.
  private func diagnosisOfRegexLiteral() -> Diagnostic? {
    let start = Int(token.start)
    func part(from start: Int) -> SourceSpan {
      run(from: start) {
        $0 != UInt8(ascii: "/") && $0 != 0x0A && $0 != UInt8(ascii: "\"")
      }
    }
    var inner = part(from: start &+ 1)
    // `\/` is a slash of the pattern.
    while inner.length > 0, tokenizer.byte(at: Int(inner.end)) == UInt8(ascii: "/"),
      tokenizer.byte(at: Int(inner.end) &- 1) == UInt8(ascii: "\\")
    {
      inner = SourceSpan(start: inner.start, end: part(from: Int(inner.end) &+ 1).end)
    }
    guard inner.length > 0, tokenizer.byte(at: Int(inner.end)) == UInt8(ascii: "/") else {
      return nil
    }
    let flags = run(from: Int(inner.end) &+ 1) { $0 &- UInt8(ascii: "a") < 26 }
    let ignoresCase = text(flags).contains("i")
    let pattern =
      (ignoresCase ? "(?i)" : "")
      + (inner.length <= 40 ? Self.withoutEscapedSlashes(text(inner)) : "…")
    // `/@gmail.com$/.test(user.email)`
    let test = run(from: Int(flags.end)) { $0 != UInt8(ascii: "(") && $0 != 0x0A }
    let name = run(from: Int(test.end) &+ 1) {
      tokenizer.isNameByte($0) || $0 == UInt8(ascii: ".")
    }
    let subject = text(test) == ".test" && Self.isPath(text(name)) ? text(name) : "value"
    let isArgument = start > 0 && tokenizer.byte(at: start &- 1) == UInt8(ascii: "(")
    return Diagnostic(
      .unsupportedString, "a regular expression is a string, not text between slashes",
      at: SourceSpan(start: token.start, end: flags.end), label: "needs quotes",
      helps: [
        isArgument ? "write `r\"\(pattern)\"`" : "write `\(subject).matches(r\"\(pattern)\")`"
      ])
  }

  /// Diagnoses `list[*]`, any element in other languages.
  func diagnosisOfAnyIndex() -> Diagnostic? {
    guard token.kind == .star, following(1)[0].kind == .rightBracket, token.start > 0,
      tokenizer.byte(at: Int(token.start) &- 1) == UInt8(ascii: "[")
    else { return nil }
    return Diagnostic(
      .missingOperand, "an index is a number or a name", at: token.span, label: "not an index",
      helps: ["for any element, write a loop: `list.exists(x, x == 1)`"])
  }

  /// Returns a fix that writes the content in straight quotes, if it needs no escapes.
  func quoted(_ content: SourceSpan, in place: SourceSpan) -> Diagnostic.FixIt? {
    let content = text(content)
    let bytes = content.utf8
    let opensInterpolation = zip(bytes, bytes.dropFirst()).contains { first, second in
      first == UInt8(ascii: "$") && second == UInt8(ascii: "{")
    }
    guard !opensInterpolation, !bytes.contains(UInt8(ascii: "\\")),
      !bytes.contains(UInt8(ascii: "\""))
    else { return nil }
    return Diagnostic.FixIt(write: "\"\(content)\"", at: place)
  }

  // MARK: - Names

  /// Returns the name around a character that names cannot contain, written with brackets:
  /// `user["größe"]`.
  func bracketed(around offset: UInt32) -> String? {
    guard let last = nodes.last else { return nil }
    var node = last
    if node.kind == .select, node.span.end == offset, Int(previousEnd) == Int(offset) {
      node = nodes[Int(node.first)]
    } else if previousEnd != offset || tokenizer.byte(at: Int(offset) - 1) != UInt8(ascii: ".") {
      return nil
    }
    let operand = text(node.span)
    let nameStart = Int(node.span.end) + 1
    let name = run(from: nameStart) {
      $0 >= 0x80 || tokenizer.isNameByte($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "$")
    }
    guard nameStart <= Int(offset), name.length > 0, name.length <= 40, operand.utf8.count <= 40
    else {
      return nil
    }
    return "\(operand)[\"\(text(name))\"]"
  }
}
