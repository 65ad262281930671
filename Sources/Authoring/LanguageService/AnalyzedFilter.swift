package import ExpressionChecking
package import ExpressionEngine
import ExpressionPrinting
package import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring

/// A filter's text and what is known about it, each part computed when it is first needed.
///
/// Not `Sendable`, because the parts are kept: one thread at a time may use it.
package final class AnalyzedFilter {
  private let parsed: ParsedFilter
  /// The language of the text.
  package let language: FilterLanguage

  /// Creates the analysis of a text, which takes no time.
  package init(_ source: SourceText, _ language: FilterLanguage) {
    parsed = ParsedFilter(source, environment: language.environment)
    self.language = language
  }

  /// The text.
  package var source: SourceText { parsed.source }

  /// The tokens; those that the dialect does not have are of kind `invalid`.
  package var tokens: [Token] { parsed.tokens }

  /// The comments.
  package var comments: [SourceSpan] { parsed.comments }

  /// The tree; `nil` while the text has mistakes of syntax.
  package var tree: SyntaxTree? { parsed.tree }

  /// Everything that is wrong with the filter, or probably wrong, as `swexpr check` reports it.
  package private(set) lazy var diagnostics = parsed.diagnostics(schema: language.schema)

  /// The same without proofs: the analysis of a whole config reports what it proves itself.
  package private(set) lazy var diagnosticsWithoutProofs = parsed.diagnostics(
    schema: language.schema, proves: false)

  /// The same text with the functions of the app.
  private(set) lazy var evaluated = ParsedFilter(
    parsed, environment: language.evaluationEnvironment)

  /// The filter with the functions of the app; `nil` if it does not compile.
  package var filter: Filter? { evaluated.filter }

  /// The variables of loops.
  package private(set) lazy var localVariables: [LocalVariable] =
    tree?.localVariables(language.declarations) ?? []

  /// The tokens and comments with their roles, in source order, without brackets and commas.
  package private(set) lazy var semanticTokens: [SemanticToken] = makeSemanticTokens()

  private var layouts: [Int: String] = [:]

  /// Returns the canonical layout of the filter; `nil` if it does not parse.
  ///
  /// - Parameter width: The number of characters that a line should not exceed.
  package func layout(width: Int) -> String? {
    if let layout = layouts[width] { return layout }
    let layout = tree.map { SyntaxPrinter.format($0, width: width) }
    layouts[width] = layout
    return layout
  }

  private var counted: (users: Int, matches: Int)?

  /// Returns the number of users that match; `nil` if the filter does not compile.
  ///
  /// - Parameter users: The users, always the same ones: the number is kept.
  package func matchCount(among users: [SampleUser]) -> Int? {
    guard let filter else { return nil }
    if let counted, counted.users == users.count { return counted.matches }
    let matches = users.count { filter.matches($0.context) }
    counted = (users.count, matches)
    return matches
  }

  /// Returns the number of the token that contains an offset, or ends there if it is a word.
  func tokenIndex(at offset: UInt32) -> Int? {
    // The first token that ends after the offset.
    var low = 0
    var high = tokens.count
    while low < high {
      let middle = (low + high) / 2
      if tokens[middle].end > offset { high = middle } else { low = middle + 1 }
    }
    if low < tokens.count, tokens[low].start <= offset { return low }
    guard low > 0, tokens[low - 1].end == offset, tokens[low - 1].kind.isWord else { return nil }
    return low - 1
  }

  /// Returns the text of a token.
  func text(_ token: Token) -> String { source.text(of: token.span) }
}

extension TokenKind {
  /// Whether the token is a name or a keyword.
  var isWord: Bool {
    switch self {
    case .identifier, .true, .false, .null, .in: true
    default: false
    }
  }

  /// Whether a value may end with the token.
  var endsOperand: Bool {
    switch self {
    case .identifier, .quotedName, .true, .false, .null, .int, .uint, .float, .string, .bytes,
      .rightParen, .rightBracket, .rightBrace:
      true
    default: false
    }
  }

  /// Whether the token compares two values.
  var isComparison: Bool {
    switch self {
    case .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual: true
    default: false
    }
  }
}
