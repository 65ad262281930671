import ExpressionChecking
import ExpressionEngine
package import ExpressionSyntax
import FilterAnalysis

/// A piece of a filter with its role, for colouring.
package struct SemanticToken: Sendable, Hashable {
  /// The role of a piece. The names of the cases are those of the Language Server Protocol.
  package enum Role: UInt8, Sendable, Hashable, CaseIterable {
    /// A root such as `user`.
    case variable
    /// A member.
    case property
    /// A variable of a loop.
    case parameter
    /// A function that is called by its name.
    case function
    /// A function that is called on a value.
    case method
    /// A construct over expressions, such as `all`.
    case macro
    /// `true`, `false`, `null` and `in`.
    case keyword
    /// A text.
    case string
    /// A number.
    case number
    /// An operator.
    case `operator`
    /// A comment.
    case comment

    /// The name in the protocol.
    package var name: String {
      switch self {
      case .variable: "variable"
      case .property: "property"
      case .parameter: "parameter"
      case .function: "function"
      case .method: "method"
      case .macro: "macro"
      case .keyword: "keyword"
      case .string: "string"
      case .number: "number"
      case .operator: "operator"
      case .comment: "comment"
      }
    }
  }

  /// The place.
  package var span: SourceSpan
  /// The role.
  package var role: Role
}

extension AnalyzedFilter {
  /// Returns the tokens and comments with their roles, in source order, without brackets and
  /// commas.
  func makeSemanticTokens() -> [SemanticToken] {
    var result: [SemanticToken] = []
    result.reserveCapacity(tokens.count)
    let locals = Set(localVariables.flatMap { $0.spans })
    var comments = self.comments[...]
    for (index, token) in tokens.enumerated() {
      while let comment = comments.first, comment.start < token.start {
        result.append(SemanticToken(span: comment, role: .comment))
        comments.removeFirst()
      }
      guard let role = role(of: token, at: index, locals) else { continue }
      result.append(SemanticToken(span: token.span, role: role))
    }
    return result + comments.map { SemanticToken(span: $0, role: .comment) }
  }

  private func role(of token: Token, at index: Int, _ locals: Set<SourceSpan>)
    -> SemanticToken.Role?
  {
    switch token.kind {
    case .identifier, .quotedName:
      if locals.contains(token.span) { return .parameter }
      let follows = index > 0 && tokens[index - 1].kind == .dot
      guard index + 1 < tokens.count, tokens[index + 1].kind == .leftParen else {
        return follows ? .property : .variable
      }
      if language.function(named: text(token))?.isMacro == true { return .macro }
      return follows ? .method : .function
    case .true, .false, .null, .in: return .keyword
    case .int, .uint, .float: return .number
    case .string, .bytes: return .string
    case .leftParen, .rightParen, .leftBracket, .rightBracket, .leftBrace, .rightBrace, .comma,
      .dot, .colon, .endOfInput:
      return nil
    case .invalid:
      return token.problem == .unclosedString || token.problem == .typographicQuotes ? .string : nil
    case .question, .not, .doubleNot, .doubleMinus, .minus, .plus, .star, .slash, .percent, .and,
      .or, .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual:
      return .operator
    }
  }
}
