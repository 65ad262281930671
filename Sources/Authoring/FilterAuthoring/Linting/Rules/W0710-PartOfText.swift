import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports searches in a text in which a missing attribute is always found.

extension FilterLinter {
  /// Reports `user.plan in "a, b"`, a search in a text in which a missing attribute is always found
  /// (docs/spec/superscript.md §2).
  mutating func checkPartOfText(
    _ id: NodeID, _ node: SyntaxNode, _ comparison: ConstantComparison
  ) -> Bool {
    guard comparison.op == .in, case .string = comparison.value else { return false }
    reportPartOfText(id, comparison)
    return true
  }

  /// Returns advice for a text in which another one is looked for: several words with commas are a
  /// list, and one word is rather a part of the attribute.
  private func helpForPart(_ comparison: ConstantComparison) -> String {
    let subject = text(comparison.subject)
    guard case .string(let content) = comparison.value else { return "look in a list" }
    let bounds = content.split { $0 == "-" || $0 == "\u{2013}" }.compactMap {
      Int($0.drop { $0 == " " })
    }
    if staticType(comparison.subject).isNumeric || typeByName(comparison.subject) == .number,
      bounds.count == 2, bounds[0] < bounds[1]
    {
      return "write `\(subject) >= \(bounds[0]) && \(subject) <= \(bounds[1])`"
    }
    let list = ListedTexts(content, separators: ",;|")
    if list.texts.count > 1 {
      return "look in a list: `\(list.membership(of: subject, isNegated: false))`"
    }
    return content.first == "@" || content.first == "."
      ? "to look for this text in it, write `\(subject).contains(\(text(comparison.constant)))`"
      : "look in a list: `\(subject) in [\(text(comparison.constant))]`"
  }

  /// Reports a text that is meant as a value or as several, a part of which the attribute may be
  /// even if it is not missing. The letters of an alphabet may be meant to be searched.
  private mutating func reportListInText(_ comparison: ConstantComparison) {
    guard case .string(let content) = comparison.value,
      knownAttribute(comparison.subject) != nil
        || ListedTexts(content, separators: ",;|").texts.count > 1
    else { return }
    report(
      Diagnostic(
        .wildcardInText, "this is one text, and any part of it is found",
        at: tree[comparison.constant].span, label: "one text", helps: [helpForPart(comparison)]))
  }

  private mutating func reportPartOfText(_ id: NodeID, _ comparison: ConstantComparison) {
    if case .list(let element) = staticType(comparison.subject) {
      var wanted = text(comparison.constant)
      if element.isNumeric, case .string(let content) = comparison.value, Self.isNumber(content) {
        wanted = content
      }
      return report(
        Diagnostic(
          .typeMismatch, "a list is looked for in a text", at: tree[comparison.subject].span,
          label: "a list", notes: ["so this is never true"],
          helps: [
            "turn the sides around: `\(wanted) in \(text(comparison.subject))`"
          ]))
    }
    guard isSuperscript, let path = freePath(comparison.subject) else { return }
    let attribute = knownAttribute(comparison.subject)
    let isAlwaysThere = attribute?.isOptional == false && attribute?.type == .string
    if isAlwaysThere || isGuarded(id, path) { return reportListInText(comparison) }
    var helps = [helpForPart(comparison)]
    if staticType(comparison.subject) == .any, path.names.last?.last == "s" {
      let turned = "`\(text(comparison.constant)) in \(text(comparison.subject))`"
      helps =
        ["if `\(text(comparison.subject))` is a list, turn the sides around: \(turned)"] + helps
    }
    report(
      Diagnostic(
        .missingCountsAsZero, "this is true when `\(path)` is missing",
        at: tree[comparison.constant].span,
        label: "a missing text counts as empty, and every text contains the empty text",
        helps: helps))
  }
}
