import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports comparisons of values whose types never meet.

extension FilterLinter {
  /// Warns if no value of the left side's type can equal, or be compared with, the constant.
  mutating func checkType(_ node: SyntaxNode, _ comparison: ConstantComparison) -> Bool {
    let type = staticType(comparison.subject)
    let constantType = literalType(of: comparison.value)
    guard type != .any, comparison.value != .null, let clash = clash(type, comparison, constantType)
    else { return false }
    let subject = text(comparison.subject)
    let literal = text(comparison.constant)
    report(
      Diagnostic(
        .typeMismatch,
        comparison.isOrdering
          ? "`\(comparison.op.spelling)` cannot compare \(type.name) with \(constantType.name)"
          : "\(type.withArticle) is never equal to \(constantType.withArticle)",
        at: tree[comparison.constant].span, label: constantType.name,
        secondary: [Diagnostic.Label(tree[comparison.subject].span, type.name)],
        notes: comparison.isOrdering
          ? ["this is an error when the filter runs, and the filter does not match"]
          : [
            "so `\(subject) \(comparison.op.spelling) \(literal)` is always "
              + "\(comparison.op == .notEqual)"
          ],
        helps: clash.help.map { [$0] } ?? [], fixIts: clash.fix.map { [$0] } ?? []))
    return true
  }

  private struct Clash {
    var help: String?
    var fix: Diagnostic.FixIt?
  }

  private func clash(
    _ type: AttributeType, _ comparison: ConstantComparison, _ constantType: AttributeType
  ) -> Clash? {
    let span = tree[comparison.constant].span
    let literal = text(comparison.constant)
    let subject = text(comparison.subject)
    switch (type, constantType) {
    case (_, .any), (.any, _): return nil
    case (.int, .string), (.number, .string):
      guard case .string(let content) = comparison.value else { return nil }
      let isNumber = Self.isNumber(content)
      // A text that looks like a number is also compared as one, but only for equality.
      if isNumber, comparison.isEquality, isSuperscript { return nil }
      guard isNumber, Int64(content).map(String.init) == content else {
        return Clash(help: "compare it with a number")
      }
      return Clash(
        fix: Diagnostic.FixIt("write `\(content)`", [Diagnostic.Edit(span, content)]))
    case (.string, .int), (.string, .number):
      if let help = helpForVersion(comparison, literal) { return Clash(help: help) }
      if let help = helpForForm(comparison, literal) { return Clash(help: help) }
      guard comparison.isEquality else {
        return Clash(help: "texts are ordered letter by letter; convert it: `int(\(subject))`")
      }
      if let help = helpForValues(of: comparison.subject, without: literal) {
        return Clash(help: help)
      }
      return Clash(
        fix: Diagnostic.FixIt("write `\"\(literal)\"`", [Diagnostic.Edit(span, "\"\(literal)\"")]))
    case (.bool, .int), (.bool, .number), (.bool, .string):
      if let help = helpForNegation(comparison, literal) ?? helpForChain(comparison, literal) {
        return Clash(help: help)
      }
      if case .string = comparison.value, !isSuperscript { return nil }
      return Clash(help: "compare it with `true` or `false`")
    case (.string, .bool), (.int, .bool), (.number, .bool):
      return Clash(help: type == .string ? "compare it with a text" : "compare it with a number")
    case (.list, .list), (.map, .map): return nil
    case (.list, _) where tree[comparison.subject].kind == .list:
      let elements = Array(tree.children(of: tree[comparison.subject]))
      guard elements.count == 1 else { return Clash(help: "compare one value") }
      return Clash(help: "remove the brackets: `\(text(NodeID(elements[0])))`")
    case (.list(let element), _) where constantType.isNumeric && asksForSize(comparison, element):
      return Clash(
        help: "to compare the number of elements, write "
          + "`size(\(subject)) \(comparison.op.spelling) \(literal)`")
    case (.list, _):
      let list = tree[comparison.subject]
      let isParenthesized = list.flags.contains(.parenthesized)
      let help = "ask for an element: `\(literal) in \(isParenthesized ? "(\(subject))" : subject)`"
      guard comparison.op == .equal, comparison.isConstantRight else { return Clash(help: help) }
      // The sides change places, each within its own parentheses.
      let listText = tree.source.text(of: list.span)
      return Clash(
        fix: Diagnostic.FixIt(
          help,
          [
            Diagnostic.Edit(list.span, tree.source.text(of: span)),
            Diagnostic.Edit(comparison.operatorSpan, "in"),
            Diagnostic.Edit(span, isParenthesized ? "(\(listText))" : listText),
          ]))
    case (.map, _): return Clash(help: "compare one of its members")
    case (_, .list): return Clash(help: "use `in`: `\(subject) in \(literal)`")
    default: return nil
    }
  }

  /// Returns whether a comparison of a list with a number is about the number of elements, because
  /// it compares by order, or no element is a number.
  private func asksForSize(_ comparison: ConstantComparison, _ element: AttributeType) -> Bool {
    guard comparison.isEquality else { return true }
    return element == .any ? tree[comparison.subject].kind == .call : !element.isNumeric
  }
}
