/// All tokens of a text, for `swexpr tokens` and editors.
package struct TokenList: Sendable {
  /// The text.
  package let source: SourceText
  /// The tokens without the end of the input. Characters that are not a token have the kind
  /// `invalid`.
  package let tokens: [Token]
  /// The comments.
  package let comments: [SourceSpan]
}

/// Splits a text into tokens.
///
/// Text that is not a token becomes a token of kind ``TokenKind/invalid``. It is not an error.
///
/// - Parameters:
///   - source: The text.
///   - dialect: The dialect of the text.
/// - Throws: ``SyntaxError`` if the text is not UTF-8 or longer than 2 GiB.
/// - Complexity: O(n) in the length of the text.
package func tokenize(_ source: SourceText, dialect: Dialect) throws(SyntaxError) -> TokenList {
  guard source.bytes.count <= Int(Int32.max) else {
    throw SyntaxError(diagnostics: [.sourceTooLong(source, limit: Int(Int32.max))])
  }
  let outcome: Result<TokenList, SyntaxError> = source.bytes.withUnsafeBufferPointer { bytes in
    if let offset = UTF8Validation.firstInvalidByte(in: bytes) {
      return .failure(SyntaxError(diagnostics: [.invalidUTF8(at: offset, byte: bytes[offset])]))
    }
    var tokenizer = Tokenizer(bytes: bytes, rules: dialect.lexical)
    var tokens: [Token] = []
    while true {
      let token = tokenizer.next()
      if token.kind == .endOfInput { break }
      tokens.append(token)
    }
    return .success(TokenList(source: source, tokens: tokens, comments: tokenizer.comments))
  }
  return try outcome.get()
}
