import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports lists that are looked for as a whole, and searches in values that are not lists.

extension FilterLinter {
  /// Reports `user.age.contains(3)`, `user.email.contains(5)` and
  /// `user.tags.contains(["dawn", "dusk"])`.
  mutating func checkContains(
    _ receiver: NodeID, _ argument: NodeID, _ node: SyntaxNode
  ) -> Bool {
    let type = staticType(receiver)
    let wanted = staticType(argument)
    switch type {
    case .int, .number, .bool:
      let subject = text(receiver)
      var constant = text(argument)
      if case .string(let content)? = tree.constant(of: argument), Self.isNumber(content) {
        constant = content
      }
      reportType(
        "`contains` needs a text, a list or a map before the dot", at: receiver, type,
        of: "contains",
        help: type == .bool
          ? "write `\(subject)`, or `!\(subject)`" : "compare it: `\(subject) == \(constant)`")
      return true
    case .string:
      return checkTextArgument(argument, "contains", receiver)
    case .list(let element):
      if case .list? = tree.constant(of: receiver), tree.constant(of: argument) == nil,
        !isList(wanted)
      {
        checkElements(of: receiver, against: argument)
        return false
      }
      return checkElement(argument, wanted, element, in: receiver, at: argument)
    case .any:
      guard tree[argument].kind == .list, case .list = wanted else { return false }
      return checkElement(argument, wanted, .any, in: receiver, at: argument)
    case .map: return false
    }
  }

  /// Reports `user.tags in ["dawn"]`, which looks for the whole list.
  mutating func checkListInList(_ comparison: ConstantComparison) -> Bool {
    guard case .list(let element) = staticType(comparison.subject),
      case .list(let constants) = AttributeType(of: comparison.value),
      tree[comparison.constant].kind == .list, !isList(constants),
      constants != .any || !isList(element)
    else { return false }
    let subject = text(comparison.subject)
    let written = text(comparison.constant)
    let elements = tree.arguments(of: tree[comparison.constant])
    guard !elements.isEmpty else { return false }
    report(
      Diagnostic(
        .typeMismatch, "`\(subject)` is a list, and the elements of this list are not",
        at: tree[comparison.subject].span, label: "the list as a whole",
        notes: [Self.isAlwaysFalse],
        helps: elements.count == 1
          ? ["turn the sides around: `\(text(elements[0])) in \(subject)`"]
          : ["ask for any of them: `\(subject).exists(x, x in \(written))`"]))
    return true
  }
}
