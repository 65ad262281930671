import ExpressionSyntax
import FilterAnalysis

/// A path of an attribute in the tokens of a text that need not parse.
struct AttributeReference {
  /// The path.
  var path: AttributePath
  /// The number of its first token.
  var first: Int
}

extension AnalyzedFilter {
  /// Reads tokens backwards as a path: `user`, `user.age`, `params["$x"]`.
  ///
  /// - Parameters:
  ///   - last: The number of the path's last token.
  ///   - tokens: The tokens, which may be the beginning of all tokens.
  static func reference(
    endingAt last: Int, in tokens: ArraySlice<Token>, of source: SourceText
  ) -> AttributeReference? {
    var names: [String] = []
    var index = last
    while index >= 0, names.count < 100 {
      let token = tokens[index]
      switch token.kind {
      case .identifier:
        let name = source.text(of: token.span)
        guard index > 0, tokens[index - 1].kind == .dot else {
          return AttributeReference(
            path: AttributePath(root: name, names: names.reversed()), first: index)
        }
        names.append(name)
        index -= 2
      case .rightBracket:
        guard index >= 2, tokens[index - 1].kind == .string, tokens[index - 2].kind == .leftBracket
        else { return nil }
        names.append(source.text(of: tokens[index - 1].contentSpan))
        index -= 3
      default: return nil
      }
    }
    return nil
  }

  /// Returns the path that ends with a token of the text.
  func reference(endingAt last: Int) -> AttributeReference? {
    Self.reference(endingAt: last, in: tokens[...], of: source)
  }
}
