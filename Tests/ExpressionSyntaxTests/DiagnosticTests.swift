import ExpressionPrinting
import ExpressionSyntax
import Testing

/// The diagnostics of wrong expressions.
@Suite struct DiagnosticTests {
  private func diagnostics(_ text: String, _ dialect: Dialect) -> [Diagnostic] {
    do {
      _ = try parse(SourceText(text), dialect: dialect)
      return []
    } catch {
      return error.diagnostics
    }
  }

  /// `id@start+length message`, one an error.
  private func summary(_ text: String, _ dialect: Dialect = .superscript) -> [String] {
    diagnostics(text, dialect).map {
      "\($0.id.rawValue)@\($0.primary.span.start)+\($0.primary.span.length) \($0.message)"
    }
  }

  static let mistakes: [(String, [String])] = [
    ("a and b", ["E0210@2+3 `and` is not an operator"]),
    ("a OR b", ["E0210@2+2 `OR` is not an operator"]),
    ("a = 1", ["E0210@2+1 `=` is not an operator; equality is `==`"]),
    (
      "a === 1 || b <> 2",
      ["E0210@2+3 `===` is not an operator", "E0210@13+2 `<>` is not an operator"]
    ),
    ("a & b | c", ["E0210@2+1 `&` is not an operator", "E0210@6+1 `|` is not an operator"]),
    ("not a", ["E0210@0+3 `not` is not an operator"]),
    ("a not in b", ["E0210@2+6 `not in` is not an operator"]),
    ("a contains \"b\"", ["E0210@2+8 `contains` is not an operator"]),
    ("n-1", ["E0207@1+2 `-1` is a number here, not a subtraction"]),
    ("n+1.5", ["E0207@1+4 `+1.5` is a number here, not an addition"]),
    (
      "n-1-1",
      [
        "E0207@1+2 `-1` is a number here, not a subtraction",
        "E0207@3+2 `-1` is a number here, not a subtraction",
      ]
    ),
    ("!!!a", ["E0208@0+3 three `!` in a row are one"]),
    ("- -n", ["E0208@0+3 `-` cannot follow `-`"]),
    ("1 < 2 < 3", ["E0206@6+1 comparisons cannot be chained"]),
    ("a ? b ? 1 : 2 : 3", ["E0213@6+1 a conditional between `?` and `:` needs parentheses"]),
    ("a ? 1", ["E0212@5+0 expected `:` of the conditional, found the end of the filter"]),
    ("a : 1", ["E0202@0+3 a filter has no label"]),
    ("user.a : 1", ["E0210@7+1 `:` does not compare; equality is `==`"]),
    ("(a && b) : 1", ["E0212@9+1 `:` without a `?`"]),
    ("a?.b", ["E0217@1+2 `?.` is not an operator"]),
    ("a ?? b", ["E0210@2+2 `??` is not an operator"]),
    ("a.?b", ["E0217@2+1 this dialect has no optional syntax"]),
    ("a.in", ["E0214@2+2 expected a name after `.`, found `in`"]),
    ("a.é", ["E0214@2+2 expected a name after `.`, found `é`"]),
    ("a.1", ["E0214@1+2 expected a name after `.`, found `1`"]),
    ("5()", ["E0215@1+1 `5` cannot be called"]),
    ("{\"a\"}", ["E0216@4+1 expected `:` and a value, found `}`"]),
    ("(a && )", ["E0211@6+1 expected an expression after `&&`, found `)`"]),
    ("&& a", ["E0211@0+2 expected an expression before `&&`"]),
    ("()", ["E0211@0+2 expected an expression between `(` and `)`"]),
    ("[,]", ["E0211@1+1 expected an expression, found `,`"]),
    ("(a", ["E0204@0+1 `(` is not closed"]),
    ("[a)", ["E0204@2+1 expected `]`, found `)`"]),
    ("a)", ["E0205@1+1 `)` closes nothing"]),
    ("a b", ["E0202@2+1 no operator between `a` and `b`"]),
    ("\"a\" \"b\"", ["E0202@4+3 two strings side by side"]),
    ("", ["E0201@0+0 the filter is empty"]),
    (" // c", ["E0201@0+0 the filter is empty"]),
    ("\"a", ["E0105@0+2 string is not closed"]),
    (
      "\"\\q\" + \"\\u12\"",
      ["E0106@1+2 unknown escape `\\q`", "E0107@8+4 `\\u12` needs 4 hexadecimal digits"]
    ),
    ("b\"\\n\"", ["E0106@2+2 `\\n` is not an escape in bytes"]),
    ("\"\\ud800\"", ["E0107@1+6 `\\ud800` is not a character"]),
    ("9223372036854775808", ["E0109@0+19 this number does not fit into 64 bits"]),
    ("0x1F", ["E0110@0+4 this dialect has no hexadecimal numbers"]),
    ("5u", ["E0110@1+1 this dialect has no unsigned literals"]),
    ("a == 5u", ["E0110@6+1 this dialect has no unsigned literals"]),
    ("a && b == \"x\" \"y\"", ["E0202@14+3 two strings side by side"]),
    ("1_000", ["E0110@1+4 numbers have no separators between digits"]),
    ("1,000", ["E0110@1+1 numbers have no separators between digits"]),
    ("1 /* c */", ["E0112@2+7 comments start with `//`"]),
    ("rb\"a\"", ["E0113@0+2 `rb` is not a prefix of strings here"]),
    ("\"\"\"a\"\"\"", ["E0113@0+3 this dialect has no strings in triple quotes"]),
    ("a == \u{201C}pro\u{201D} && b", ["E0104@5+3 `\u{201C}` is not a quote of this language"]),
    ("\u{FEFF}a", ["E0103@0+3 invisible character: byte-order mark (U+FEFF)"]),
    ("a\u{200B}", ["E0103@1+3 invisible character: zero-width space (U+200B)"]),
    ("a;", ["E0101@1+1 a filter has no `;`"]),
  ]

  @Test("the message names the mistake, at the smallest place, once", arguments: mistakes)
  func mistake(text: String, expected: [String]) {
    #expect(summary(text) == expected)
  }

  static let celMistakes: [(String, [String])] = [
    ("if == 1", ["E0209@0+2 `if` is a reserved word"]),
    ("f(a,)", ["E0219@3+1 the arguments of a call must not end with a comma"]),
    ("f(){a: 1}", ["E0218@3+1 fields in braces must follow a type name"]),
    ("-!a", ["E0208@0+2 `!` cannot follow `-`"]),
    ("!-a", ["E0208@0+2 `-` cannot follow `!`"]),
    ("a.`x+y`", ["E0111@2+5 malformed name in backticks"]),
    ("'a\nb'", ["E0105@0+2 string is not closed"]),
    ("\u{A0}a", ["E0103@0+2 invisible character: no-break space (U+00A0)"]),
    ("-(9223372036854775808)", ["E0109@2+19 this number does not fit into 64 bits"]),
    ("1e400", ["E0109@0+5 this number is too large for a double"]),
    ("1 and 2 < 3 < 4", ["E0210@2+3 `and` is not an operator"]),
  ]

  @Test("the cel dialect names its own mistakes", arguments: celMistakes)
  func celMistake(text: String, expected: [String]) {
    #expect(summary(text, .cel) == expected)
  }

  @Test("fixes, once applied, remove the mistake")
  func fixes() throws {
    for text in [
      "a and b or c", "a = 1 && b <> 2", "n-1", "n+1.5", "a == \u{201C}pro\u{201D}", "a?.b", "a.?b",
      "\u{FEFF}a", "1,000", "a is null", "a IN (1, 2)", "a > = 1", "a ! = 1", "a \u{2265} 1",
      "a == `b`", "a;", "a == 1.2.3", "user:a == 1", "user.a: 1", "a..b", "a->b", "user.in",
      "a.`b c`",
      "a == +1", "a == \"b\u{201D}", "a! == 1", "a == 10:30",
    ] {
      var bytes = Array(text.utf8)
      let edits = diagnostics(text, .superscript).flatMap(\.fixIts).flatMap(\.edits)
      #expect(!edits.isEmpty, "\(text)")
      for edit in edits.sorted(by: { $0.span.start > $1.span.start }) {
        bytes.replaceSubrange(
          Int(edit.span.start)..<Int(edit.span.end), with: Array(edit.replacement.utf8))
      }
      #expect((try? parse(SourceText(bytes: bytes), dialect: .superscript)) != nil, "\(text)")
    }
  }

  @Test("every id of the parser has an entry, whose example has that mistake")
  func catalogue() {
    for id in DiagnosticID.allCases {
      let entry = id.entry
      #expect(!entry.title.isEmpty && entry.explanation.count > 40, "\(id.rawValue)")
      #expect(DiagnosticCatalog.id(code: id.rawValue.lowercased()) == id)
      guard Self.parserIDs.contains(id), id != .sourceTooLong, id != .invalidUTF8 else { continue }
      let found = diagnostics(entry.example, .named(entry.dialect)).map(\.id)
      #expect(found.contains(id), "\(id.rawValue): \(entry.example) has \(found.map(\.rawValue))")
    }
    #expect(Set(DiagnosticID.allCases.map(\.rawValue)).count == DiagnosticID.allCases.count)
  }

  /// The ids that the parser itself reports: tokens, syntax and its two limits.
  private static let parserIDs: Set<DiagnosticID> = [
    .unexpectedCharacter, .invalidUTF8, .invisibleCharacter, .typographicQuotes, .unclosedString,
    .unknownEscape, .malformedEscape, .numberTooLarge, .unsupportedNumber, .malformedQuotedName,
    .foreignComment, .unsupportedString, .emptyFilter, .trailingText, .unclosedBracket,
    .unmatchedBracket, .chainedComparison, .signBelongsToNumber, .repeatedPrefixOperator,
    .reservedWord, .foreignOperator, .missingOperand, .incompleteConditional, .nestedConditional,
    .expectedName, .notCallable, .malformedEntry, .optionalSyntax, .fieldsAfterOperand,
    .trailingComma, .sourceTooLong, .nestingTooDeep,
  ]
}
