/// The tokens and the grammar of a dialect, as data.
///
/// The tokenizer, the parser and the printer depend on these switches only, never on a dialect's
/// name.
public struct Dialect: Sendable, Hashable {
  /// The name of a dialect, as commands and files spell it.
  public enum Name: String, Sendable, Hashable, CaseIterable {
    /// The language of the paywall SDKs.
    case superscript
    /// The Common Expression Language.
    case cel
  }

  /// The dialect's name.
  public let name: Name
  /// The lexical switches.
  package var lexical: LexicalRules
  /// The syntactic switches.
  package var syntactic: SyntacticRules
  /// Words that cannot name a variable, a function or a member.
  package let keywords: [String]
  /// Words that can name a member, but neither a variable nor a global function.
  package let reservedWords: [String]

  /// Creates a dialect from its data.
  package init(
    name: Name, lexical: LexicalRules, syntactic: SyntacticRules, keywords: [String],
    reservedWords: [String]
  ) {
    self.name = name
    self.lexical = lexical
    self.syntactic = syntactic
    self.keywords = keywords
    self.reservedWords = reservedWords
  }

  /// The rules by which characters become tokens.
  package struct LexicalRules: OptionSet, Sendable, Hashable {
    /// The option bits.
    package let rawValue: UInt32
    /// Creates rules from their bits.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A `-` directly before a number belongs to it, and a `+` directly before a float.
    package static let signBelongsToNumber = LexicalRules(rawValue: 1 << 0)
    /// `!!` and `--` are single tokens.
    package static let doubledPrefixOperators = LexicalRules(rawValue: 1 << 1)
    /// `0x1F`.
    package static let hexadecimalIntegers = LexicalRules(rawValue: 1 << 2)
    /// `5u`.
    package static let unsignedIntegers = LexicalRules(rawValue: 1 << 3)
    /// White space is every character with the Unicode property; otherwise tab, LF, FF, CR and
    /// space.
    package static let unicodeWhitespace = LexicalRules(rawValue: 1 << 4)
    /// `"""…"""` may span lines.
    package static let tripleQuotes = LexicalRules(rawValue: 1 << 5)
    /// A string in single-character quotes may contain line breaks.
    package static let rawNewlinesInStrings = LexicalRules(rawValue: 1 << 6)
    /// `br"…"` is a raw bytes literal.
    package static let rawBytes = LexicalRules(rawValue: 1 << 7)
    /// In a raw string a backslash keeps the quote after it from closing the string.
    package static let rawQuotesCanBeEscaped = LexicalRules(rawValue: 1 << 8)
    /// In a string, `\'` within `"…"` and `\"` within `'…'` keep their backslash.
    package static let otherQuoteKeepsBackslash = LexicalRules(rawValue: 1 << 9)
    /// Bytes literals have all escapes of strings except `\u` and `\U`; otherwise only `\x` and
    /// octal.
    package static let letterEscapesInBytes = LexicalRules(rawValue: 1 << 10)
    /// `\X41` is `\x41`.
    package static let upperCaseHexEscape = LexicalRules(rawValue: 1 << 11)
    /// A member name may be written in backticks, such as one with spaces.
    package static let quotedNames = LexicalRules(rawValue: 1 << 12)
    /// A float too large for a double is infinity; otherwise it is an error.
    package static let floatOverflowIsInfinity = LexicalRules(rawValue: 1 << 13)
    /// CR LF and CR in a literal become LF.
    package static let normalizesLineBreaks = LexicalRules(rawValue: 1 << 14)
    /// A comment ends at a CR as well as at a LF.
    package static let carriageReturnEndsComment = LexicalRules(rawValue: 1 << 15)
  }

  /// The rules by which tokens become a tree.
  package struct SyntacticRules: OptionSet, Sendable, Hashable {
    /// The option bits.
    package let rawValue: UInt32
    /// Creates rules from their bits.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Comparisons group to the left; otherwise they need parentheses.
    package static let chainedComparisons = SyntacticRules(rawValue: 1 << 0)
    /// `!` and `-` may be repeated (but not mixed); otherwise an operand takes only one of them.
    package static let repeatedPrefixOperators = SyntacticRules(rawValue: 1 << 1)
    /// A minus before an int or float literal is part of the literal.
    package static let minusBelongsToLiteral = SyntacticRules(rawValue: 1 << 2)
    /// The arguments of a call may end with a comma.
    package static let trailingCommaInCalls = SyntacticRules(rawValue: 1 << 3)
    /// `[,]` and `{,}` are empty.
    package static let loneComma = SyntacticRules(rawValue: 1 << 4)
    /// `a.?b`, `a[?b]`, `[?a]` and `{?a: b}`.
    package static let optionals = SyntacticRules(rawValue: 1 << 5)
    /// `{…}` may follow any operand; otherwise it may only follow a dotted name.
    package static let fieldsAfterAnyOperand = SyntacticRules(rawValue: 1 << 6)
  }

  /// The language of the paywall SDKs, as their evaluator 1.0.13 reads it.
  public static let superscript = Dialect(
    name: .superscript,
    lexical: [
      .signBelongsToNumber, .doubledPrefixOperators, .unicodeWhitespace, .rawNewlinesInStrings,
      .rawQuotesCanBeEscaped, .otherQuoteKeepsBackslash, .floatOverflowIsInfinity,
      .carriageReturnEndsComment,
    ],
    syntactic: [.fieldsAfterAnyOperand, .trailingCommaInCalls],
    keywords: ["true", "false", "null", "in"],
    reservedWords: [])

  /// The Common Expression Language, with the optional syntax.
  public static let cel = Dialect(
    name: .cel,
    lexical: [
      .hexadecimalIntegers, .unsignedIntegers, .tripleQuotes, .rawBytes, .letterEscapesInBytes,
      .upperCaseHexEscape, .quotedNames, .normalizesLineBreaks,
    ],
    syntactic: [
      .chainedComparisons, .repeatedPrefixOperators, .minusBelongsToLiteral, .loneComma, .optionals,
    ],
    keywords: ["true", "false", "null", "in"],
    reservedWords: [
      "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
      "package", "namespace", "return", "var", "void", "while",
    ])

  /// Returns the dialect with a name.
  public static func named(_ name: Name) -> Dialect {
    switch name {
    case .superscript: .superscript
    case .cel: .cel
    }
  }
}
