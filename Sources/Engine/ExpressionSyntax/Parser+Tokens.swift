// The diagnostics of invalid tokens, and of tokens in the wrong place.

extension Parser {
  /// Returns the mistake that explains why a token cannot continue an expression, if it is a known
  /// one.
  func diagnosisOfUnexpectedToken() -> Diagnostic? {
    let isAdjacent = token.start == previousEnd && token.start > 0
    switch token.kind {
    case .invalid where text(token.span) == "=>":
      return Diagnostic(
        .foreignOperator, "`=>` is not an operator", at: token.span,
        label: depth > 0 ? "write a comma" : "found here",
        helps: [
          depth > 0
            ? "the variable and the condition of a loop are two arguments: `exists(x, x == 1)`"
            : "a filter is a condition, not a function; at least is `>=`"
        ])
    case .invalid: return diagnosis(ofInvalid: token)
    case .identifier:
      if isAdjacent, endsWithNumber { return diagnosisOfNumberSuffix() }
      if tokenizer.byte(at: Int(token.end)) == UInt8(ascii: "("), !isAdjacent,
        word(token) != "between"
      {
        return nil
      }
      return diagnosisOfWord(text(token.span))
    case .string, .bytes: return diagnosisOfString(isAdjacent: isAdjacent)
    case .float where isAdjacent && !endsWithNumber: return diagnosisOfDigitsAsName()
    case .dot where isAdjacent && endsWithNumber, .float where isAdjacent:
      return diagnosisOfDots()
    case .int where dateLiteral != nil:
      let date = dateLiteral ?? token.span
      return Diagnostic(
        .unsupportedNumber, "a date is not a number", at: date, label: "needs quotes",
        fixIts: [quoting(date)])
    case .comma
    where isAdjacent && endsWithNumber && tokenizer.isDigit(tokenizer.byte(at: Int(token.end))):
      return frames.isEmpty && depth == 0 ? diagnosisOfDigitComma() : nil
    default: return nil
    }
  }

  /// Diagnoses `1,000` and `1,5`.
  private func diagnosisOfDigitComma() -> Diagnostic {
    let digits = run(from: Int(token.end), while: tokenizer.isDigit)
    if let last = lastOperand, last.kind == .doubleLiteral, last.span.end == token.start {
      // `12.500,00`
      let plain = text(last.span).filter { $0 != "." }
      let whole = SourceSpan(start: last.span.start, end: digits.end)
      return Diagnostic(
        .unsupportedNumber, "numbers have no separators between digits, and a decimal point",
        at: whole, label: "needs one point",
        fixIts: [Diagnostic.FixIt(write: "\(plain).\(text(digits))", at: whole)])
    }
    guard digits.length == 3 else {
      return Diagnostic(
        .unsupportedNumber, "a comma is not a decimal point", at: token.span, label: "write `.`",
        fixIts: [Diagnostic.FixIt(write: ".", at: token.span)])
    }
    return Diagnostic(
      .unsupportedNumber, "numbers have no separators between digits", at: token.span,
      label: "remove this",
      fixIts: [Diagnostic.FixIt("remove `,`", [Diagnostic.Edit(token.span, "")])])
  }

  /// Diagnoses `user.2fa` and `list.0`.
  private func diagnosisOfDigitsAsName() -> Diagnostic {
    let digits = text(token.span).dropFirst()
    let name = run(from: Int(token.start) &+ 1, while: tokenizer.isNameByte)
    let isIndex = name.end == token.end
    return Diagnostic(
      .expectedName, "expected a name after `.`, found `\(isIndex ? String(digits) : text(name))`",
      at: isIndex ? token.span : name, label: isIndex ? "found here" : "starts with a digit",
      helps: [
        isIndex
          ? "an element of a list is read with brackets: `\(writtenOperand)[\(digits)]`"
          : "read it with brackets: `\(writtenOperand)[\"\(text(name))\"]`"
      ])
  }

  /// Diagnoses `1.2.3`, `192.168.0.1` and `1.`: a number followed by more dots.
  private func diagnosisOfDots() -> Diagnostic {
    guard token.kind == .float, let last = lastOperand else {
      return Diagnostic(
        .unsupportedNumber, "malformed number", at: token.span, label: "not part of a number",
        notes: ["a number has one dot with a digit after it"])
    }
    let place = run(from: Int(last.span.start)) {
      tokenizer.isDigit($0) || $0 == UInt8(ascii: ".")
    }
    let parts = text(place).split(separator: ".")
    // `1.000.000` is a million in many countries.
    if parts.count > 2, parts.dropFirst().allSatisfy({ $0.utf8.count == 3 }),
      (1...3).contains(parts[0].utf8.count), parts[0] != "0", !isBesideVersion(place)
    {
      return Diagnostic(
        .unsupportedNumber, "`\(text(place))` is not a number", at: place,
        label: "dots between thousands",
        fixIts: [Diagnostic.FixIt(write: parts.joined(), at: place)])
    }
    // Texts have no order of numbers.
    guard isBesideVersion(place) || !isAfterOrdering(place) else {
      return Diagnostic(
        .unsupportedNumber, "`\(text(place))` is not a number", at: place, label: "too many dots",
        notes: ["a number has one dot"],
        helps: ["if it is a version, it is a text: `\"\(text(place))\"`"])
    }
    if isAfterOrdering(place), isShortlyAfter(["ersion"], place) {
      let padded = parts.map { String(repeating: "0", count: max(0, 3 - $0.utf8.count)) + $0 }
      return Diagnostic(
        .unsupportedNumber, "`\(text(place))` is not a number", at: place, label: "needs quotes",
        notes: ["a number has one dot, and a version is a text"],
        helps: [
          "texts are ordered if they are padded: compare `device.appVersionPadded` with "
            + "`\"\(padded.joined(separator: "."))\"`"
        ])
    }
    return Diagnostic(
      .unsupportedNumber, "`\(text(place))` is not a number", at: place, label: "needs quotes",
      notes: ["a number has one dot"], fixIts: [quoting(place)])
  }

  /// Returns whether `<`, `>`, `<=` or `>=` is directly before a place.
  private func isAfterOrdering(_ place: SourceSpan) -> Bool {
    let before = tokenizer.bytes[..<Int(place.start)].reversed().drop { $0 == 0x20 }.prefix(2)
    let signs = [UInt8(ascii: "<"), UInt8(ascii: ">")]
    return before.first.map(signs.contains) == true
      || before.first == UInt8(ascii: "=") && before.last.map(signs.contains) == true
  }

  /// Returns whether an attribute with the name of a version is shortly before a place.
  private func isBesideVersion(_ place: SourceSpan) -> Bool {
    isShortlyAfter(["ersion", "build", " ip", ".ip"], place)
  }

  /// The operand that ends with the last token taken.
  ///
  /// The operators before it may already be nodes, so the search follows their right operands.
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

  /// Diagnoses `5u`, `1_000`, `0b11` and `12px`.
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
    if let number = lastOperand?.span, number.length == 1, number.start > 0,
      tokenizer.byte(at: Int(number.start) - 1) == UInt8(ascii: "%"),
      suffix.utf8.first.map({ $0 &- 0x41 < 6 }) == true
    {
      return Diagnostic(
        .unsupportedNumber, "`\(suffix)` directly after a number", at: token.span,
        label: "not part of a number",
        helps: [
          "this was copied from a link: write the character for each `%` and two digits, as "
            + "in `.` for `%2E`"
        ])
    }
    if AttributeRoots.contains(suffix) {
      return Diagnostic(
        .unsupportedNumber, "`\(suffix)` directly after a number", at: token.span,
        label: "a second condition starts here", helps: ["put `&&` or `||` before it"])
    }
    return Diagnostic(
      .unsupportedNumber, "`\(suffix)` directly after a number", at: token.span,
      label: "not part of a number",
      helps: [
        ["x", "X", "b", "B", "o", "O", "e", "E"].contains(suffix.prefix(1))
          ? "numbers are decimal: `42`, `1.5`, `1e3`" : "write a number without a unit"
      ])
  }

  /// Returns `user.plan` for `"{user.plan}"`.
  private func interpolatedPath(_ literal: String) -> String? {
    let inner = literal.dropFirst().dropLast()
    guard inner.first == "{", inner.last == "}" else { return nil }
    let path = String(inner.dropFirst().dropLast())
    return Self.isPath(path) ? path : nil
  }

  /// Diagnoses a string after an operand.
  private func diagnosisOfString(isAdjacent: Bool) -> Diagnostic? {
    guard let last = lastOperand else { return nil }
    if last.kind == .identifier, isAdjacent, last.span.end == token.start {
      let prefix = text(last.span)
      if prefix == "f", let inner = interpolatedPath(text(token.span)) {
        let whole = SourceSpan(start: last.span.start, end: token.end)
        return Diagnostic(
          .unsupportedString, "texts have no values in them", at: whole, label: "only a value",
          fixIts: [Diagnostic.FixIt(write: inner, at: whole)])
      }
      return Diagnostic(
        .unsupportedString, "`\(prefix)` is not a prefix of strings here", at: last.span,
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
      helps: [
        depth > 0
          ? "in a list, put a comma between them; a function takes one text"
          : "join them with `+`, or write a quote inside a string as `\\\"`"
      ])
  }

  // MARK: - Invalid characters

  /// Diagnoses a token of kind ``TokenKind/invalid``.
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
        notes: [
          "only letters, digits, `_`, `.`, `-`, `/` and spaces are allowed between backticks"
        ],
        helps: ["read other names with `[\"…\"]`"])
    case .foreignOperator:
      return Diagnostic(
        .foreignOperator, "\(described(token)) is not an operator", at: token.span,
        label: "found here",
        helps: text(token.span).contains("~")
          ? ["match a regular expression with `\(writtenOperand).matches(…)`"] : [])
    case .typographicQuotes: return diagnosisOfTypographicQuotes(token)
    case .foreignComment where word(following(1)[0]) == "available":
      return Diagnostic(
        .unexpectedCharacter, "there is no test of the system's version like `#available`",
        at: token.span, label: "not a part of this language",
        helps: [
          "ask for each version that is meant: `(device.osVersion.startsWith(\"17.\") || "
            + "device.osVersion.startsWith(\"18.\"))`, and so on"
        ])
    case .foreignComment:
      return Diagnostic(
        .foreignComment, "comments start with `//`", at: token.span,
        label: "not a comment in this language",
        helps: ["write `// …` up to the end of the line"])
    case .unexpectedCharacter, .none: return diagnosisOfCharacter(token)
    }
  }

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
    if scalar == "$", tokenizer.byte(at: Int(token.end)) == UInt8(ascii: "{") {
      return diagnosisOfTemplate(at: token.start, 2)
    }
    if scalar == ";" { return diagnosisOfSemicolon(token) }
    if Self.isFullWidth(scalar) { return diagnosisOfFullWidth(token) }
    // A character on the screen may consist of several code points.
    let end = min(Int(token.start) &+ 40, tokenizer.count)
    let rest = String(decoding: tokenizer.bytes[Int(token.start)..<end], as: UTF8.self)
    let word = rest.prefix { $0.isLetter }
    if let literal = ForeignWords.literal(for: String(word)) {
      let place = SourceSpan(start: token.start, length: UInt32(clamping: word.utf8.count))
      return Diagnostic(
        .unexpectedCharacter, "`\(word)` is not a literal here", at: place,
        label: "write `\(literal)`", fixIts: [Diagnostic.FixIt(write: literal, at: place)])
    }
    let character = rest.first ?? Character(scalar)
    let place = SourceSpan(
      start: token.start, length: UInt32(clamping: character.utf8.count))
    let (notes, helps, fix) = advice(on: scalar, at: place)
    return Diagnostic(
      .unexpectedCharacter, "unexpected character `\(character)`", at: place,
      label: fix.map { "write `\($0)`" } ?? "found here", notes: notes, helps: helps,
      fixIts: fix.map { [Diagnostic.FixIt("write `\($0)`", [Diagnostic.Edit(place, $0)])] } ?? [])
  }

  /// Whether the sign of an operator is directly before an offset.
  private func isAfterSign(_ offset: UInt32) -> Bool {
    offset > 0 && "=<>!".utf8.contains(tokenizer.byte(at: Int(offset) - 1))
  }

  /// Returns the notes, helps and replacement for a character that cannot start a token.
  private func advice(
    on scalar: Unicode.Scalar, at place: SourceSpan
  ) -> (notes: [String], helps: [String], fix: String?) {
    switch scalar {
    case "$", "@":
      if tokenizer.isDigit(tokenizer.byte(at: Int(place.end))) {
        return ([], ["write the number alone, without `\(scalar)`"], nil)
      }
      let word = run(from: Int(place.start)) {
        tokenizer.isNameByte($0) || [0x2E, 0x2D, 0x40].contains($0)
      }
      let isPath = AttributeRoots.names.contains { text(word).hasPrefix("@\($0).") }
      if scalar == "@", text(word).contains("."), !isPath {
        return ([], ["put text in quotes: `\"\(text(word))\"`"], nil)
      }
      if scalar == "@", lastOperand != nil,
        tokenizer.byte(at: Int(place.end)) == UInt8(ascii: ">")
      {
        return ([], ["to look for an element, write `\(writtenOperand).contains(…)`"], nil)
      }
      if scalar == "@", lastOperand != nil, place.start == previousEnd {
        return ([], ["put text in quotes: `\"…@…\"`"], nil)
      }
      if scalar == "$", lastOperand?.kind == .identifier, place.start == previousEnd {
        return ([], ["write `.` before a member"], nil)
      }
      if !tokenizer.isNameByte(tokenizer.byte(at: Int(place.end))) {
        return ([], ["put text in quotes: `\"\(scalar)\"`"], nil)
      }
      return (
        scalar == "$" && lastOperand.map { text($0.span) } != "params"
          ? ["the SDK keeps no attributes of the app that start with `$`"] : [],
        ["write names without `\(scalar)`"], nil
      )
    case "^":
      return ([], ["there is no power and no exclusive or; write `a != b` for the latter"], nil)
    case "~" where lastOperand == nil && !isAfterSign(place.start):
      return ([], ["there are no operations on bits; `!` negates a condition"], nil)
    case "~": return ([], ["match a regular expression with `\(writtenOperand).matches(…)`"], nil)
    case "\\": return ([], ["backslashes are allowed in strings only"], nil)
    case "\u{2013}", "\u{2014}", "\u{2212}":
      // `a -1` would be two values.
      return ([], [], tokenizer.isDigit(tokenizer.byte(at: Int(place.end))) ? "- " : "-")
    case "\u{D7}": return ([], [], "*")
    case "\u{F7}": return ([], [], "/")
    case "\u{2227}": return ([], [], "&&")
    case "\u{2228}": return ([], [], "||")
    case "\u{AC}": return ([], [], "!")
    default: break
    }
    if scalar.properties.numericType != nil {
      return ([], ["write numbers with the digits 0 to 9"], nil)
    }
    if scalar.properties.isAlphabetic {
      return (
        ["names are made of A to Z, digits and `_`"],
        [
          bracketed(around: place.start).map { "read such a name with brackets: `\($0)`" }
            ?? "put text in quotes; read other member names with `[\"…\"]`"
        ], nil
      )
    }
    if scalar.properties.generalCategory == .currencySymbol {
      return ([], ["write the number alone, without `\(scalar)`"], nil)
    }
    return (
      [], scalar.isASCII ? [] : ["remove it, or put it in quotes if it belongs to a text"], nil
    )
  }
}

/// Characters that are present in a text but cannot be seen.
package enum InvisibleCharacters {
  /// Returns the name of an invisible character, or `nil` for other characters.
  package static func name(of scalar: Unicode.Scalar) -> String? {
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
