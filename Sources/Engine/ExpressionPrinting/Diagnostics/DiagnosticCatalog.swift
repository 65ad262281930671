package import ExpressionSyntax

/// The one catalogue of diagnostics: the texts that `swexpr explain-error` prints about each id.
package enum DiagnosticCatalog {
  /// The text about one id.
  package struct Entry: Sendable, Hashable {
    /// A few words.
    package let title: String
    /// The meaning and the remedy, in full sentences.
    package let explanation: String
    /// An expression that causes it, in the superscript dialect unless `dialect` is given.
    package let example: String
    /// The dialect of the example.
    package let dialect: Dialect.Name

    init(
      _ title: String, _ explanation: String, example: String, dialect: Dialect.Name = .superscript
    ) {
      self.title = title
      self.explanation = explanation
      self.example = example
      self.dialect = dialect
    }
  }

  /// Finds an id by its code, in either case: `E0105`, `e0105`.
  package static func id(code: String) -> DiagnosticID? {
    DiagnosticID(rawValue: code.uppercased())
  }

  /// The text about an id.
  package static func entry(for id: DiagnosticID) -> Entry {
    switch id {
    case .unexpectedCharacter:
      Entry(
        "unexpected character",
        """
        This character has no meaning outside quotes. Names are made of the letters A to Z, \
        digits and underscores; everything else goes into quotes. A member with another name is \
        read with brackets: `user["größe"]`.
        """, example: "user.age > 18;")
    case .invalidUTF8:
      Entry(
        "text is not UTF-8",
        """
        Filters are UTF-8 text. The byte that is pointed at does not belong to a character; the \
        text was probably saved in another encoding, or cut in the middle of a character.
        """, example: #"user.name == "\xFF""#)
    case .invisibleCharacter:
      Entry(
        "invisible character",
        """
        The text holds a character that cannot be seen, such as a byte-order mark, a zero-width \
        space or a NUL. It usually came along when the text was copied. Delete it; inside a string \
        write it as an escape such as `\\u200b`.
        """, example: "user.age\u{200B} > 18")
    case .typographicQuotes:
      Entry(
        "typographic quotes",
        """
        Strings are delimited by `"` or `'` only. Word processors and chat programs turn straight \
        quotes into curly ones, and in other languages backticks are quotes too.
        """, example: "user.plan == \u{201C}pro\u{201D}")
    case .unclosedString:
      Entry(
        "string is not closed",
        """
        A string ends at the next quote of the kind that opened it. Write a quote of the same kind \
        inside the string as `\\"`, or delimit the string by the other kind.
        """, example: #"device.model == "Pixel 9"#)
    case .unknownEscape:
      Entry(
        "unknown escape",
        """
        A backslash in a string starts an escape, and only some \
        exist: \\\\ \\" \\' \\` \\? \\a \\b \\f \\n \\r \\t \\v, \\xHH, \\uHHHH, \\UHHHHHHHH and \
        three octal digits. For a regular expression use a raw string, in which backslashes are \
        ordinary characters: `r"\\d+"`.
        """, example: #"user.email.matches("\d+")"#)
    case .malformedEscape:
      Entry(
        "malformed escape",
        """
        A numeric escape needs exactly its number of digits (`\\x41`, `\\u00e9`, `\\U0001f600`, \
        `\\101`), and the number must be a character: not a surrogate (D800 to DFFF, also not in \
        pairs) and not above 10FFFF.
        """, example: #"user.name == "\u12""#)
    case .numberTooLarge:
      Entry(
        "number too large",
        """
        Integers have 64 bits: -9223372036854775808 to 9223372036854775807. Write a larger number \
        as a float (`1e19`) if it need not be exact.
        """, example: "user.id == 9223372036854775808")
    case .unsupportedNumber:
      Entry(
        "unsupported number",
        """
        Numbers are decimal: `42`, `1.5`, `.5`, `1e3`. The superscript dialect has no hexadecimal \
        and no unsigned literals (use `uint(5)`); no dialect has separators between digits, binary \
        or octal numbers, or a dot without a digit after it. Dates, times, versions and addresses \
        are texts and need quotes; units and percent signs are left out.
        """, example: "user.flags == 0x1F")
    case .malformedQuotedName:
      Entry(
        "malformed name in backticks",
        """
        Between backticks are one or more letters, digits, `_`, `.`, `-`, `/` and spaces. Other \
        member names are read with brackets: `user["a+b"]`.
        """, example: "user.`a+b`", dialect: .cel)
    case .foreignComment:
      Entry(
        "comment of another language",
        "A comment starts with `//` and ends with the line; there are no block comments.",
        example: "user.age > 18 /* adults */")
    case .unsupportedString:
      Entry(
        "unsupported string",
        """
        The letters directly before the quote are not a prefix of this dialect, or the string is \
        in triple quotes, which only the cel dialect has. Prefixes are `r` (raw) and `b` (bytes), \
        in the cel dialect also `br`. A regular expression is a string, too: \
        `user.name.matches(r"^A")`.
        """, example: #"user.name == rb"Ann""#)
    case .emptyFilter:
      Entry(
        "empty filter",
        """
        There is nothing to evaluate: the text is empty or holds only spaces and comments. A \
        filter that matches everyone is `true`.
        """, example: "// everyone")
    case .trailingText:
      Entry(
        "unexpected text",
        """
        The expression is complete before this place, and no operator connects the two. Join \
        conditions with `&&` or `||`; call a function with parentheses: \
        `user.name.contains("a")`. A filter is one condition: statements such as `if …` and \
        `return …` do not exist, nor labels.
        """, example: "user.age user.name")
    case .unclosedBracket:
      Entry(
        "bracket is not closed",
        "Every `(`, `[` and `{` needs its closing bracket, and brackets must not cross.",
        example: "(user.age > 18")
    case .unmatchedBracket:
      Entry(
        "closing bracket without an opening one",
        "This bracket closes nothing. Remove it, or add the opening one where it belongs.",
        example: "user.age > 18)")
    case .chainedComparison:
      Entry(
        "comparisons in a row",
        """
        A comparison has two sides. For a range write two conditions: `18 <= user.age && user.age \
        < 65`. To compare the outcome of a comparison put it in parentheses: `(a == b) == c`.
        """, example: "18 <= user.age < 65")
    case .signBelongsToNumber:
      Entry(
        "sign belongs to the number",
        """
        In the superscript dialect a `-` directly before a digit is the sign of the number, \
        always, and a `+` is before a number with a dot or an exponent. So `n-1` is `n` followed \
        by the number `-1`, with no operator between them. Write a space after the sign: `n - 1`.
        """, example: "user.age-1")
    case .repeatedPrefixOperator:
      Entry(
        "prefix operators in a row",
        """
        One of `!`, `!!`, `-`, `--` may precede an operand in the superscript dialect; in the \
        cel dialect `!` and `-` may be repeated but not mixed. Use parentheses: `!(!a)`.
        """, example: "!!!user.paid")
    case .reservedWord:
      Entry(
        "reserved word",
        """
        The cel dialect keeps words such as `if`, `for`, `let` and `package` for later: they can \
        be members (`a.if`) but not variables or functions.
        """, example: "if == 1", dialect: .cel)
    case .foreignOperator:
      Entry(
        "operator of another language",
        """
        The operator, or the word, is one of another language. The operators are `&&`, `||`, `!`, \
        `==`, `!=`, `<`, `<=`, `>`, `>=`, `in`, `+`, `-`, `*`, `/`, `%` and `? :`.
        """, example: "user.age > 18 and user.paid")
    case .missingOperand:
      Entry(
        "missing operand",
        "An operator, a bracket or a comma is where a value is required.",
        example: "(user.sessions > 3 && )")
    case .incompleteConditional:
      Entry(
        "conditional without `:`",
        "A conditional has three parts: `condition ? value if true : value if false`.",
        example: "user.age > 18 ? 1")
    case .nestedConditional:
      Entry(
        "conditional inside a conditional",
        """
        The part between `?` and `:` must not be a conditional itself unless it is in \
        parentheses: `a ? (b ? 1 : 2) : 3`. After the `:` another conditional may follow freely.
        """, example: "true ? false ? 1 : 2 : 3")
    case .expectedName:
      Entry(
        "expected a name",
        """
        A member name must follow the dot: letters A to Z, digits and underscores. The words \
        `true`, `false`, `null` and `in` are not names; other names are read with brackets: \
        `user["in"]`.
        """, example: "user.in")
    case .notCallable:
      Entry(
        "not a function",
        "Only a name can be called: `name(…)` or `value.name(…)`.", example: "5()")
    case .malformedEntry:
      Entry(
        "malformed entry",
        """
        A map is written `{key: value, key: value}` with expressions as keys (`{"a": 1}`), the \
        fields of a message `Name{field: value}` with names.
        """, example: #"{"a"}"#)
    case .optionalSyntax:
      Entry(
        "optional syntax",
        """
        `a.?b`, `a[?b]` and `[?a]` belong to the cel dialect with the optional library. In the \
        superscript dialect a missing member is null already: write `a.b`.
        """, example: "user.?name")
    case .fieldsAfterOperand:
      Entry(
        "fields after a value",
        "Fields in braces can only follow the name of a type: `Name{field: value}`.",
        example: "f(){a: 1}", dialect: .cel)
    case .trailingComma:
      Entry(
        "comma after the last argument",
        """
        In the cel dialect the arguments of a call do not end with a comma, though the elements of \
        lists and maps may.
        """, example: "size([1],)", dialect: .cel)
    case .sourceTooLong:
      Entry(
        "filter is too long",
        """
        The text is longer than the parser's limit (`ParserLimits.sourceLength`, 2 MiB by \
        default). Long lists belong into the context instead of the filter.
        """, example: "")
    case .nestingTooDeep:
      Entry(
        "brackets are nested too deeply",
        """
        Lists, maps, calls and indices may be nested up to a limit \
        (`ParserLimits.nesting`, 430 by default), so no text can exhaust the stack. Plain \
        parentheses and operators do not count.
        """, example: String(repeating: "[", count: 451))
    default:
      engineEntry(for: id) ?? checkerEntry(for: id) ?? lintEntry(for: id)
        ?? Entry(id.rawValue, "", example: "")
    }
  }
}

extension DiagnosticID {
  /// Its entry in the catalogue.
  package var entry: DiagnosticCatalog.Entry { DiagnosticCatalog.entry(for: self) }
}
