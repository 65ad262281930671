// Diagnoses words that other languages have between operands, and their statements. None of this is
// on the hot path.

extension Parser {
  // MARK: - Words between operands

  /// Diagnoses a word after an operand, which is usually an operator or a keyword of another
  /// language.
  func diagnosisOfWord(_ word: String) -> Diagnostic? {
    let help: String
    switch word.lowercased() {
    case "not": return diagnosisOfInfixNot(word)
    case "xor": help = "put both sides in parentheses: `(…) != (…)`"
    case "one", "any", "all", "none":
      guard self.word(following(1)[0]) == "of" else { return nil }
      let written = "[…]"
      help =
        word.lowercased() == "none"
        ? "write `!(\(writtenOperand) in \(written))`" : "write `\(writtenOperand) in \(written)`"
    case "contains", "startswith", "endswith", "matches", "includes", "has":
      let name =
        [
          "startswith": "startsWith", "endswith": "endsWith", "includes": "contains",
          "has": "contains",
        ][
          word.lowercased()] ?? word.lowercased()
      help = "write `\(writtenOperand).\(name)(\(writtenNext ?? "…"))`"
    case "ilike": help = helpForLike(ignoringCase: true)
    case "like", "rlike", "regexp": help = helpForLike()
    case "between": help = helpForBetween()
    case "starts", "begins", "ends":
      let isEnd = word.lowercased() == "ends"
      let next = following(2)
      let argument =
        self.word(next[0]) == "with" && next[1].kind == .string ? text(next[1].span) : "…"
      help = "write `\(writtenOperand).\(isEnd ? "endsWith" : "startsWith")(\(argument))`"
    case "isn", "doesn", "aren", "unequal": help = "write `!=`"
    case "equal": help = "write `==`"
    case let word where Self.comparatives[word] != nil:
      help = "write `\(Self.comparatives[word]?.spelling ?? "")`"
    case "exists": help = "write `has(\(writtenOperand))`"
    case "then", "else", "if", "unless", "when": help = "write `condition ? first : second`"
    case "for": help = "a loop over a list is written `list.exists(x, x == 1)`"
    case "as", "instanceof":
      help = "there are no casts and no tests of types; write the value alone"
    default: return nil
    }
    return Diagnostic(
      .foreignOperator, "`\(word)` is not an operator", at: token.span, label: "found here",
      helps: [help])
  }

  /// Words that compare in sentences.
  static let comparatives: [String: Operator] = [
    "greater": .greater, "more": .greater, "larger": .greater, "bigger": .greater,
    "above": .greater, "over": .greater, "older": .greater, "after": .greater, "less": .less,
    "fewer": .less, "smaller": .less, "below": .less, "under": .less, "younger": .less,
    "before": .less,
  ]

  /// Diagnoses `a not in b` and `a not like b`.
  private func diagnosisOfInfixNot(_ word: String) -> Diagnostic {
    let next = following(2)
    let isIn = self.word(next[0]) == "in"
    let known = ["in", "like", "between", "contains"].contains(self.word(next[0]))
    let place = known ? SourceSpan(start: token.start, end: next[0].end) : token.span
    let help: String
    if isIn {
      var list = "…"
      if next[1].kind == .leftBracket || next[1].kind == .leftParen { list = "[…]" }
      help = "write `!(\(writtenOperand) in \(list))`"
    } else if [.string, .int, .float, .true, .false].contains(next[0].kind) {
      help = "write `\(writtenOperand) != \(text(next[0].span))`"
    } else if self.word(next[0]) == "like", let condition = conditionLike(next[1]) {
      help = "write `!\(condition)`"
    } else {
      help = "put the whole condition in parentheses: `!(…)`"
    }
    return Diagnostic(
      .foreignOperator, "`\(text(place))` is not an operator", at: place, label: "found here",
      helps: [help])
  }

  /// Returns the function to use for `LIKE "%text"`.
  private func helpForLike(ignoringCase: Bool = false) -> String {
    let next = following(1)[0]
    guard let condition = conditionLike(next, ignoringCase: ignoringCase) else {
      return "write `\(writtenOperand).contains(…)` or `\(writtenOperand).matches(…)`"
    }
    return "write `\(condition)`"
  }

  /// Returns a condition that means `LIKE "%text"`; `nil` unless the pattern is a short text.
  private func conditionLike(_ token: Token, ignoringCase: Bool = false) -> String? {
    guard token.kind == .string, token.length <= 40 else { return nil }
    let pattern = text(token.contentSpan)
    let content = pattern.drop { $0 == "%" }
    let core = String(content.prefix(content.count - content.reversed().prefix { $0 == "%" }.count))
    if ignoringCase, !core.contains(where: { "%_.()[]{}*+?^$|\\".contains($0) }) {
      let (start, end) = (pattern.hasPrefix("%") ? "" : "^", pattern.hasSuffix("%") ? "" : "$")
      return "\(writtenOperand).matches(\"(?i)\(start)\(core)\(end)\")"
    }
    let name: String
    switch (pattern.hasPrefix("%"), pattern.hasSuffix("%")) {
    case _ where core.contains { $0 == "%" }: name = "matches"
    case (true, true): name = "contains"
    case (true, false): name = "endsWith"
    case (false, true): name = "startsWith"
    case (false, false): return "(\(writtenOperand) == \"\(core)\")"
    }
    return "\(writtenOperand).\(name)(\"\(name == "matches" ? "…" : core)\")"
  }

  /// Returns the equivalent of `BETWEEN low AND high`.
  private func helpForBetween() -> String {
    let next = following(3)
    let value = writtenOperand
    guard word(next[1]) == "and" || next[1].kind == .and else {
      return "write `low <= \(value) && \(value) <= high`"
    }
    return
      "write `\(text(next[0].span)) <= \(value) && \(value) <= \(text(next[2].span))`"
  }

  /// Parses `is null`, `IS NOT None` and `is true` as `==` or `!=`.
  mutating func takeIs() -> (entry: InfixEntry, span: SourceSpan) {
    let first = token.span
    let next = following(2)
    if let compared = takeComparative(next) { return compared }
    if let membership = takeIsOneOf() { return membership }
    let isNot = word(next[0]) == "not"
    let value = isNot ? next[1] : next[0]
    let types: Set<String> = [
      "string", "int", "integer", "number", "double", "bool", "boolean", "list",
    ]
    if value.kind == .identifier, types.contains(word(value)) {
      let place = SourceSpan(start: first.start, end: value.end)
      report(
        Diagnostic(
          .foreignOperator, "`\(text(place))` is not a test", at: place, label: "found here",
          helps: ["there is no test of types; ask whether it is there: `has(\(writtenOperand))`"]))
      advance()
      if isNot { advance() }
      return (infix[Int((isNot ? TokenKind.notEqual : .equal).rawValue)], place)
    }
    let place = isNot ? SourceSpan(start: first.start, end: next[0].end) : first
    var right = isNot ? "!=" : "=="
    var replaced = place
    if value.kind == .identifier, let literal = ForeignWords.literal(for: text(value.span)) {
      right += " \(literal)"
      replaced = SourceSpan(start: place.start, end: value.end)
    } else if value.kind == .null {
      right += " null"
      replaced = SourceSpan(start: place.start, end: value.end)
    }
    report(
      Diagnostic(
        .foreignOperator, "`\(text(place))` is not an operator", at: place,
        label: "write `\(right)`",
        fixIts: [Diagnostic.FixIt(write: right, at: replaced)]))
    advance()
    if isNot { advance() }
    return (infix[Int((isNot ? TokenKind.notEqual : .equal).rawValue)], place)
  }

  /// Parses `is one of`, `is any of` and `is in` as `in`.
  private mutating func takeIsOneOf() -> (entry: InfixEntry, span: SourceSpan)? {
    let next = following(2)
    let isIn = word(next[0]) == "in"
    guard isIn || (["one", "any"].contains(word(next[0])) && word(next[1]) == "of") else {
      return nil
    }
    let place = SourceSpan(start: token.start, end: next[isIn ? 0 : 1].end)
    report(
      Diagnostic(
        .foreignOperator, "`\(text(place))` is not an operator", at: place, label: "write `in`",
        fixIts: [Diagnostic.FixIt(write: "in", at: place)]))
    for _ in 0..<(isIn ? 2 : 3) { advance() }
    return (infix[Int(TokenKind.in.rawValue)], place)
  }

  /// Parses `is greater than` as `>`.
  private mutating func takeComparative(
    _ next: [Token]
  ) -> (entry: InfixEntry, span: SourceSpan)? {
    guard let op = Self.comparatives[word(next[0])] else { return nil }
    let hasThan = word(next[1]) == "than"
    let place = SourceSpan(start: token.start, end: next[hasThan ? 1 : 0].end)
    report(
      Diagnostic(
        .foreignOperator, "`\(text(place))` is not an operator", at: place,
        label: "write `\(op.spelling)`",
        fixIts: [Diagnostic.FixIt(write: op.spelling, at: place)]))
    for _ in 0..<(hasThan ? 3 : 2) { advance() }
    return (infix[Int((op == .greater ? TokenKind.greater : .less).rawValue)], place)
  }

  /// Diagnoses `!in` and `!>`: a negated operator after an operand.
  func diagnosisOfNegatedOperator() -> Diagnostic? {
    let next = following(1)[0]
    guard next.start == token.end else { return nil }
    let place = SourceSpan(start: token.start, end: next.end)
    let help: String
    switch next.kind {
    case .in: help = "write `!(\(writtenOperand) in …)`"
    case .greater: help = "write `<=`"
    case .less: help = "write `>=`"
    case .identifier:
      let names = [
        "contains": "contains", "includes": "contains", "has": "contains", "matches": "matches",
        "startswith": "startsWith", "endswith": "endsWith", "like": "contains",
      ]
      guard let name = names[word(next)] else { return nil }
      let argument = following(2)[1]
      let isText = argument.kind == .string && argument.length <= 40
      help = "write `!\(writtenOperand).\(name)(\(isText ? text(argument.span) : "…"))`"
    default: return nil
    }
    return Diagnostic(
      .foreignOperator, "`\(text(place))` is not an operator", at: place, label: "found here",
      helps: [help])
  }

  // MARK: - Statements

  /// Diagnoses a filter that starts like a statement: `if x then y`, `return x`, `SELECT …`.
  func diagnosisOfStatement() -> Diagnostic? {
    var start = Tokenizer(bytes: tokenizer.bytes, rules: dialect.lexical)
    let first = start.next()
    guard first.kind == .identifier else { return nil }
    let written = text(first.span)
    guard let help = ForeignWords.helpForStatement(written) else { return nil }
    let second = start.next()
    switch second.kind {
    case .identifier, .true, .false, .null, .int, .float, .string, .not, .leftBrace: break
    case .leftParen
    where ["if", "function", "for", "while", "switch", "when"].contains(written.lowercased()):
      break
    case .star where written.lowercased() == "select": break
    case .invalid where text(second.span) == "#": break
    default: return nil
    }
    return Diagnostic(
      .trailingText, "a filter is one condition, without `\(written)`", at: first.span,
      label: written == "typeof" ? "a word of another language" : "remove this", helps: [help])
  }
}
