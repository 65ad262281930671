package import ExpressionSyntax

extension TokenList {
  /// One token per line: offset, kind and text, with special characters escaped by a backslash.
  package var dump: String {
    var lines: [String] = []
    for token in tokens {
      let offsets = "\(token.start)..<\(token.end)"
      let padded = offsets + String(repeating: " ", count: max(1, 10 - offsets.count))
      let kind = "\(token.kind)" + (token.problem == .none ? "" : "(\(token.problem))")
      let kindColumn = kind + String(repeating: " ", count: max(1, 14 - kind.count))
      lines.append(padded + kindColumn + SyntaxDump.quoted(source.text(of: token.span)))
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
