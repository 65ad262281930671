// Diagnoses quotes that this language does not have.

extension Parser {
  /// Returns advice for `“user.plan == free”`, quotes around a condition.
  private func helpForQuotedCondition(_ content: SourceSpan) -> String? {
    let written = text(content)
    let bytes = Array(written.utf8)
    guard AttributeRoots.names.contains(where: { written.hasPrefix($0 + ".") }),
      ["==", "!=", ">", "<"].contains(where: { bytes.firstPlace(of: $0, from: 0) != nil })
    else { return nil }
    return content.length <= 60
      ? "write `\(written)`, with quotes around texts only" : "put quotes around texts only"
  }

  /// Diagnoses `“text”` and `` `text` ``.
  func diagnosisOfTypographicQuotes(_ token: Token) -> Diagnostic {
    let open = tokenizer.scalar(at: Int(token.start))
    let contentStart = token.start &+ UInt32(truncatingIfNeeded: open.length)
    var fixIts: [Diagnostic.FixIt] = []
    if token.length > UInt32(open.length) {
      var contentEnd = Int(token.end) &- 1
      while contentEnd > Int(contentStart), tokenizer.byte(at: contentEnd) & 0xC0 == 0x80 {
        contentEnd &-= 1
      }
      let content = SourceSpan(start: contentStart, end: UInt32(truncatingIfNeeded: contentEnd))
      if open.value != "`", Self.isPath(text(content)) {
        return Diagnostic(
          .typographicQuotes, "an attribute is written without quotes", at: token.span,
          label: "a text in this language",
          fixIts: [Diagnostic.FixIt(write: text(content), at: token.span)])
      }
      if let help = helpForQuotedCondition(content) {
        return Diagnostic(
          .typographicQuotes, "a condition is written without quotes", at: token.span,
          label: "all of this is a text", helps: [help])
      }
      fixIts = [quoted(content, in: token.span)].compactMap { $0 }
    }
    let isBacktick = open.value == "`"
    if isBacktick, token.length > 2 {
      let content = text(SourceSpan(start: token.start &+ 1, length: token.length &- 2))
      if Self.isPath(content) { return diagnosisOfQuotedPath(at: token.span, content) }
    }
    return Diagnostic(
      .typographicQuotes,
      isBacktick
        ? "backticks are not quotes" : "`\(Character(open.value))` is not a quote of this language",
      at: SourceSpan(start: token.start, length: UInt32(open.length)),
      label: isBacktick ? "not a quote" : "not a straight quote",
      helps: fixIts.isEmpty ? ["write straight quotes: `\"` or `'`"] : [], fixIts: fixIts)
  }
}
