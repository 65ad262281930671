import ExpressionSyntax

/// Determines whether a typed line continues on the next one.
enum OpenBrackets {
  /// Returns the brackets that are still open, outermost first.
  ///
  /// An unmatched closing bracket ends the text: more lines cannot help, and the parser explains
  /// the mistake better.
  static func text(of source: String, dialect: Dialect) -> String {
    guard let list = try? tokenize(SourceText(source), dialect: dialect) else { return "" }
    var open: [TokenKind] = []
    for token in list.tokens {
      switch token.kind {
      case .leftParen, .leftBracket, .leftBrace: open.append(token.kind)
      case .rightParen, .rightBracket, .rightBrace:
        guard let last = open.popLast(), closing(last) == token.kind else { return "" }
      case .invalid where token.problem == .unclosedString:
        return isTripleQuoted(list.source.text(of: token.span), dialect) ? "\"\"\"" : ""
      default: break
      }
    }
    return open.map(spelling).joined()
  }

  private static func closing(_ kind: TokenKind) -> TokenKind {
    switch kind {
    case .leftParen: .rightParen
    case .leftBracket: .rightBracket
    default: .rightBrace
    }
  }

  private static func spelling(_ kind: TokenKind) -> String {
    switch kind {
    case .leftParen: "("
    case .leftBracket: "["
    default: "{"
    }
  }

  private static func isTripleQuoted(_ text: String, _ dialect: Dialect) -> Bool {
    guard dialect.lexical.contains(.tripleQuotes) else { return false }
    let quotes = text.drop { $0.isLetter }
    return quotes.hasPrefix("\"\"\"") || quotes.hasPrefix("'''")
  }
}
