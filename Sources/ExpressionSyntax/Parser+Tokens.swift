// What the parser says about tokens that are none, or that cannot stand where they are.

extension Parser {
  /// The mistake behind a token that cannot continue an expression, if it is a known one.
  func diagnosisOfUnexpectedToken() -> Diagnostic? {
    let isAdjacent = token.start == previousEnd && token.start > 0
    switch token.kind {
    case .invalid where text(token.span) == "=>":
      return Diagnostic(
        .foreignOperator, "`=>` is not an operator", at: token.span, label: "write a comma",
        helps: ["the variable and the condition of a loop are two arguments: `exists(x, x == 1)`"])
    case .invalid: return diagnosis(ofInvalid: token)
    case .identifier:
      if isAdjacent, endsWithNumber { return diagnosisOfNumberSuffix() }
      if tokenizer.byte(at: Int(token.end)) == UInt8(ascii: "("), !isAdjacent { return nil }
      return diagnosisOfWord(text(token.span))
    case .string, .bytes: return diagnosisOfString(isAdjacent: isAdjacent)
    case .float where isAdjacent && !endsWithNumber:
      let digits = text(token.span).dropFirst()
      return Diagnostic(
        .expectedName, "expected a name after `.`, found `\(digits)`", at: token.span,
        label: "found here", helps: ["an element of a list is read with brackets: `[\(digits)]`"])
    case .dot where isAdjacent && endsWithNumber, .float where isAdjacent:
      return Diagnostic(
        .unsupportedNumber, "malformed number", at: token.span, label: "not part of a number",
        notes: ["a number has one dot with a digit behind it"],
        helps: token.kind == .dot ? [] : ["put a version in quotes: `\"1.2.3\"`"])
    case .int where dateLiteral != nil:
      let date = dateLiteral ?? token.span
      return Diagnostic(
        .unsupportedNumber, "a date is not a number", at: date, label: "needs quotes",
        fixIts: [
          Diagnostic.FixIt(
            "write `\"\(text(date))\"`", [Diagnostic.Edit(date, "\"\(text(date))\"")])
        ])
    case .comma
    where isAdjacent && endsWithNumber && tokenizer.isDigit(tokenizer.byte(at: Int(token.end))):
      return frames.isEmpty && depth == 0
        ? Diagnostic(
          .unsupportedNumber, "numbers have no separators between digits", at: token.span,
          label: "remove this",
          fixIts: [Diagnostic.FixIt("remove `,`", [Diagnostic.Edit(token.span, "")])]) : nil
    default: return nil
    }
  }

  /// The operand that ends with the last token taken.
  ///
  /// Operators before it may have become nodes already, so it is looked for at their right ends.
  var lastOperand: SyntaxNode? {
    guard var node = nodes.last, node.span.end == previousEnd else { return nil }
    while !node.flags.contains(.parenthesized) {
      switch node.kind {
      case .binary: node = nodes[Int(node.second)]
      case .unary: node = nodes[Int(node.first)]
      case .conditional: node = nodes[Int(node.third)]
      default: return node
      }
    }
    return nil
  }

  /// Whether the last token taken was a number.
  private var endsWithNumber: Bool {
    guard let last = lastOperand else { return false }
    return [.intLiteral, .uintLiteral, .doubleLiteral].contains(last.kind)
  }

  /// `5u`, `1_000`, `0b11`, `12px`.
  private func diagnosisOfNumberSuffix() -> Diagnostic {
    let suffix = text(token.span)
    if suffix == "u" || suffix == "U" {
      let number = lastOperand.map { text($0.span) } ?? ""
      return Diagnostic(
        .unsupportedNumber, "this dialect has no unsigned literals", at: token.span,
        label: "remove this", helps: ["write `uint(\(number))`"])
    }
    if suffix.first == "_" {
      return Diagnostic(
        .unsupportedNumber, "numbers have no separators between digits", at: token.span,
        label: "remove the `_`")
    }
    return Diagnostic(
      .unsupportedNumber, "`\(suffix)` directly behind a number", at: token.span,
      label: "not part of a number", helps: ["numbers are decimal: `42`, `1.5`, `1e3`"])
  }

  /// A word behind an operand: mostly an operator or a keyword of another language.
  private func diagnosisOfWord(_ word: String) -> Diagnostic? {
    let help: String
    switch word.lowercased() {
    case "not": help = "write `!(a in b)` for `a not in b`"
    case "is", "eq", "equals": help = "write `==`"
    case "ne", "isnt": help = "write `!=`"
    case "gt": help = "write `>`"
    case "gte", "ge": help = "write `>=`"
    case "lt": help = "write `<`"
    case "lte", "le": help = "write `<=`"
    case "mod": help = "write `%`"
    case "xor": help = "write `a != b`"
    case "contains", "startswith", "endswith", "matches":
      let name = ["startswith": "startsWith", "endswith": "endsWith"][word.lowercased()] ?? word
      help = "call it on the value: `value.\(name)(…)`"
    case "like": help = "call `value.contains(…)` or `value.matches(…)`"
    case "between": help = "write `low <= value && value <= high`"
    case "then", "else", "if": help = "write `condition ? first : second`"
    default: return nil
    }
    return Diagnostic(
      .foreignOperator, "`\(word)` is not an operator", at: token.span, label: "found here",
      helps: [help])
  }

  /// A string behind an operand.
  private func diagnosisOfString(isAdjacent: Bool) -> Diagnostic? {
    guard let last = lastOperand else { return nil }
    if last.kind == .identifier, isAdjacent, last.span.end == token.start {
      let prefix = text(last.span)
      return Diagnostic(
        .unsupportedString, "`\(prefix)` is no prefix of strings here", at: last.span,
        label: "remove this", helps: ["prefixes are `r` (raw) and `b` (bytes)"])
    }
    guard last.kind == .stringLiteral || last.kind == .bytesLiteral, last.span.end == previousEnd
    else { return nil }
    if isAdjacent, last.span.length == 2 {
      return Diagnostic(
        .unsupportedString, "this dialect has no strings in triple quotes",
        at: SourceSpan(start: last.span.start, length: 3), label: "opened here",
        helps: ["delimit the string by one `\"`; it may contain line breaks"])
    }
    return Diagnostic(
      .trailingText, "two strings side by side", at: token.span, label: "second string",
      secondary: [Diagnostic.Label(last.span, "first string")],
      helps: ["join them with `+`, or write a quote inside a string as `\\\"`"])
  }

  // MARK: - Characters that are no token

  /// What is wrong with a token of kind ``TokenKind/invalid``.
  func diagnosis(ofInvalid token: Token) -> Diagnostic {
    switch token.problem {
    case .unclosedString: return diagnosisOfUnclosedString(token)
    case .unsupportedNumber:
      return Diagnostic(
        .unsupportedNumber, "this dialect has no hexadecimal numbers", at: token.span,
        label: "write it in decimal")
    case .malformedQuotedName:
      return Diagnostic(
        .malformedQuotedName, "malformed name in backticks", at: token.span, label: "found here",
        notes: ["between backticks stand letters, digits, `_`, `.`, `-`, `/` and spaces"],
        helps: ["read other names with `[\"…\"]`"])
    case .foreignOperator:
      return Diagnostic(
        .foreignOperator, "\(described(token)) is not an operator", at: token.span,
        label: "found here")
    case .typographicQuotes: return diagnosisOfTypographicQuotes(token)
    case .foreignComment:
      return Diagnostic(
        .foreignComment, "comments start with `//`", at: token.span,
        label: "not a comment in this language",
        helps: ["write `// …` up to the end of the line"])
    case .unexpectedCharacter, .none: return diagnosisOfCharacter(token)
    }
  }

  private func diagnosisOfUnclosedString(_ token: Token) -> Diagnostic {
    let written = text(token.span)
    let firstLine = written.prefix { !$0.isNewline }
    let quote = written.first { $0 == "\"" || $0 == "'" } ?? "\""
    let endsAtLine = Int(token.end) < tokenizer.count
    let isMultiline = firstLine.utf8.count < written.utf8.count
    let marks =
      written.hasPrefix("\(quote)\(quote)\(quote)") && dialect.lexical.contains(.tripleQuotes)
    let closing = String(repeating: quote, count: marks ? 3 : 1)
    var helps = ["add `\(closing)` at the end"]
    if endsAtLine, !isMultiline {
      helps.append(
        dialect.lexical.contains(.tripleQuotes)
          ? "a string over several lines stands in `\"\"\"`" : "write a line break as `\\n`")
    }
    return Diagnostic(
      .unclosedString, "string is not closed",
      at: SourceSpan(start: token.start, length: UInt32(clamping: firstLine.utf8.count)),
      label: endsAtLine
        ? "opened here, the line ends first" : "opened here, the filter ends first", helps: helps)
  }

  private func diagnosisOfTypographicQuotes(_ token: Token) -> Diagnostic {
    let open = tokenizer.scalar(at: Int(token.start))
    let contentStart = token.start &+ UInt32(truncatingIfNeeded: open.length)
    var fixIts: [Diagnostic.FixIt] = []
    if token.length > UInt32(open.length) {
      var contentEnd = Int(token.end) &- 1
      while contentEnd > Int(contentStart), tokenizer.byte(at: contentEnd) & 0xC0 == 0x80 {
        contentEnd &-= 1
      }
      let content = text(
        SourceSpan(start: contentStart, end: UInt32(truncatingIfNeeded: contentEnd)))
      if !content.contains("\\"), !content.contains("\"") {
        fixIts = [
          Diagnostic.FixIt(
            Self.straightQuotes, [Diagnostic.Edit(token.span, "\"\(content)\"")])
        ]
      }
    }
    return Diagnostic(
      .typographicQuotes, "`\(Character(open.value))` is not a quote of this language",
      at: SourceSpan(start: token.start, length: UInt32(open.length)), label: "curly quote",
      helps: [Self.straightQuotes], fixIts: fixIts)
  }

  private static let straightQuotes = "write straight quotes: `\"` or `'`"

  private func diagnosisOfCharacter(_ token: Token) -> Diagnostic {
    let scalar = tokenizer.scalar(at: Int(token.start)).value
    if let name = InvisibleCharacters.name(of: scalar) {
      return Diagnostic(
        .invisibleCharacter, "invisible character: \(name)", at: token.span, label: "delete it",
        fixIts: [
          Diagnostic.FixIt(
            "delete it",
            [Diagnostic.Edit(token.span, scalar.properties.isWhitespace ? " " : "")])
        ])
    }
    var helps: [String] = []
    var notes: [String] = []
    switch scalar {
    case ";": helps = ["a filter is one expression: remove `;`, or join conditions with `&&`"]
    case "$", "@": helps = ["write names without `\(scalar)`"]
    case "`": helps = ["read such a name with brackets: `[\"…\"]`"]
    case "^": helps = ["there is no power and no exclusive or; write `a != b` for the latter"]
    case "\\": helps = ["backslashes stand in strings only"]
    case "≤": helps = ["write `<=`"]
    case "≥": helps = ["write `>=`"]
    case "≠": helps = ["write `!=`"]
    case "–", "—", "−": helps = ["write `-`"]
    case "×": helps = ["write `*`"]
    case "÷": helps = ["write `/`"]
    default:
      if scalar.properties.numericType != nil {
        helps = ["write numbers with the digits 0 to 9"]
      } else if scalar.properties.isAlphabetic {
        notes = ["names are made of A to Z, digits and `_`"]
        helps = ["put text in quotes; read other member names with `[\"…\"]`"]
      }
    }
    return Diagnostic(
      .unexpectedCharacter, "unexpected character `\(Character(scalar))`", at: token.span,
      label: "found here", notes: notes, helps: helps)
  }

  // MARK: - Escapes

  /// What is wrong with an escape.
  func diagnosis(of finding: LiteralDecoder.Finding, isBytes: Bool) -> Diagnostic {
    let written = text(finding.span)
    switch finding.problem {
    case .unknown where written.contains(where: \.isNewline):
      return Diagnostic(
        .unknownEscape, "a backslash at the end of a line is not an escape",
        at: SourceSpan(start: finding.span.start, length: 1), label: "not an escape",
        helps: ["write a line break as `\\n`"])
    case .unknown:
      return Diagnostic(
        .unknownEscape, "unknown escape `\(written)`", at: finding.span, label: "not an escape",
        notes: [validEscapes(isBytes: isBytes)],
        helps: ["for a backslash write `\\\\`; for a regular expression use a raw string, `r\"…\"`"]
      )
    case .tooFewDigits(let needed, let octal):
      return Diagnostic(
        .malformedEscape,
        "`\(written)` needs \(octal ? "three octal" : "\(needed) hexadecimal") digits",
        at: finding.span, label: "too few digits")
    case .notACharacter:
      return Diagnostic(
        .malformedEscape, "`\(written)` is not a character", at: finding.span,
        label: "a surrogate, or above 10FFFF",
        helps: ["write characters above FFFF with `\\U` and eight digits"])
    case .notInBytes:
      return Diagnostic(
        .unknownEscape, "`\(written)` is not an escape in bytes", at: finding.span,
        label: "exists in strings only", notes: [validEscapes(isBytes: isBytes)])
    }
  }

  private func validEscapes(isBytes: Bool) -> String {
    let letters = #"`\\` `\"` `\'` `\?` `\a` `\b` `\f` `\n` `\r` `\t` `\v`"#
    let unicode = isBytes ? "" : #" `\uHHHH` `\UHHHHHHHH`"#
    let lettersExist = !isBytes || dialect.lexical.contains(.letterEscapesInBytes)
    return "escapes are \(lettersExist ? letters + " " : "")`\\xHH` `\\ooo` (octal)\(unicode)"
  }
}

/// Characters that are there but cannot be seen.
enum InvisibleCharacters {
  /// What an invisible character is called, or `nil` for the others.
  static func name(of scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0: "NUL"
    case 0xA0: "no-break space (U+00A0)"
    case 0xAD: "soft hyphen (U+00AD)"
    case 0x200B: "zero-width space (U+200B)"
    case 0x200C: "zero-width non-joiner (U+200C)"
    case 0x200D: "zero-width joiner (U+200D)"
    case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: "direction mark (\(code(scalar)))"
    case 0x2060: "word joiner (U+2060)"
    case 0xFEFF: "byte-order mark (U+FEFF)"
    case 0x01...0x1F, 0x7F...0x9F: "control character (\(code(scalar)))"
    default: scalar.properties.isWhitespace ? "space (\(code(scalar)))" : nil
    }
  }

  private static func code(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
