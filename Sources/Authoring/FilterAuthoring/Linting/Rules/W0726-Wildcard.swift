import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

// Reports `*` in texts in which it stands for itself.

extension FilterLinter {
  /// Reports `user.tags.contains("vip*")`, in which the `*` stands for itself.
  mutating func checkWildcard(
    _ node: SyntaxNode, _ name: String, _ text: String, at argument: NodeID
  ) -> Bool {
    let isAtEnd = text.hasSuffix("*") && name != "endsWith"
    let isAtStart = text.hasPrefix("*") && name != "startsWith"
    let core = text.dropFirst(isAtStart ? 1 : 0).dropLast(isAtEnd ? 1 : 0)
    guard isAtEnd || isAtStart, core.count >= 2, !core.contains("*"),
      core.contains(where: { $0.isLetter }),
      !isAtEnd || core.prefix(2).allSatisfy({ $0.isLetter || $0.isNumber })
    else { return false }
    let subject = self.text(NodeID(node.first))
    let literal = LiteralSpelling.string(
      Array(core.utf8), preferRaw: false, dialect: tree.dialect)
    let function = isAtEnd && isAtStart ? "contains" : isAtEnd ? "startsWith" : "endsWith"
    let help: String
    if case .list = staticType(NodeID(node.first)) {
      help = "write `\(subject).exists(x, x.\(function)(\(literal)))`"
    } else {
      help = "write `\(subject).\(function)(\(literal))`"
    }
    report(
      Diagnostic(
        .wildcardInText, "`*` stands for itself here, not for any text",
        at: tree[argument].span, label: "looked for letter by letter", helps: [help]))
    return true
  }
}
