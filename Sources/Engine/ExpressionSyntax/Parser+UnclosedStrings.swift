extension Parser {
  func diagnosisOfUnclosedString(_ token: Token) -> Diagnostic {
    let written = text(token.span)
    let firstLine = written.prefix { !$0.isNewline }
    let quote = written.first { $0 == "\"" || $0 == "'" } ?? "\""
    if let curly = curlyQuote(in: firstLine, closing: quote) {
      let start = token.start &+ UInt32(clamping: firstLine[..<curly].utf8.count)
      let place = SourceSpan(start: start, length: UInt32(clamping: firstLine[curly].utf8.count))
      return Diagnostic(
        .typographicQuotes,
        "a string that starts with `\(quote)` must not end with `\(firstLine[curly])`",
        at: place, label: "write `\(quote)`",
        secondary: [
          Diagnostic.Label(SourceSpan(start: token.start, length: 1), "the string starts here")
        ],
        fixIts: [Diagnostic.FixIt("write `\(quote)`", [Diagnostic.Edit(place, String(quote))])])
    }
    if token.start == 0,
      AttributeRoots.names.contains(where: { written.dropFirst().hasPrefix("\($0).") })
    {
      return Diagnostic(
        .unclosedString, "string is not closed", at: SourceSpan(start: 0, length: 1),
        label: "remove this",
        fixIts: [
          Diagnostic.FixIt("remove it", [Diagnostic.Edit(SourceSpan(start: 0, length: 1), "")])
        ])
    }
    let endsAtLine = Int(token.end) < tokenizer.count
    let isMultiline = firstLine.utf8.count < written.utf8.count
    let marks =
      written.hasPrefix("\(quote)\(quote)\(quote)") && dialect.lexical.contains(.tripleQuotes)
    let closing = String(repeating: quote, count: marks ? 3 : 1)
    var helps = ["add `\(closing)` at the end"]
    if !marks, let content = probableContent(of: firstLine, quote) {
      let prefix = firstLine.prefix { $0 != quote }
      helps = ["write `\(prefix)\(quote)\(content)\(quote)` if the text ends there"]
    }
    if let last = lastOperand, last.span.end == token.start, previousEnd == token.start {
      if last.kind == .identifier {
        let word = text(last.span)
        helps = ["if the text starts there, write `\(quote)\(word)\(quote)`"]
      } else if last.kind == .stringLiteral, firstLine.allSatisfy({ $0 == quote || $0 == " " }) {
        helps = ["remove it: the string before it is closed"]
      } else if last.kind == .intLiteral || last.kind == .doubleLiteral {
        helps = ["write the number alone, without a unit"]
      }
    }
    if endsAtLine, !isMultiline {
      helps.append(
        dialect.lexical.contains(.tripleQuotes)
          ? "a string over several lines is written in `\"\"\"`" : "write a line break as `\\n`")
    }
    return Diagnostic(
      .unclosedString, "string is not closed",
      at: SourceSpan(start: token.start, length: UInt32(clamping: firstLine.utf8.count)),
      label: endsAtLine
        ? "opened here, the line ends first" : "opened here, the filter ends first", helps: helps)
  }

  /// Returns the typographic quote that was meant to close an unclosed string.
  private func curlyQuote(in line: Substring, closing quote: Character) -> String.Index? {
    let marks: Set<Character> =
      quote == "\"" ? ["\u{201D}", "\u{201C}", "\u{201F}", "\u{2033}"] : ["\u{2019}", "\u{2018}"]
    return line.dropFirst().firstIndex(where: marks.contains)
  }
}
