import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports names that no event has.

extension FilterLinter {
  /// Reports `device.daysSince("app_open ")`: no event has an empty name, or blanks around it.
  mutating func checkEventName(_ node: SyntaxNode) {
    guard historyFunction(node) != nil, node.third == 1,
      let argument = tree.children(of: node).first.map({ NodeID($0) }),
      case .string(let event)? = tree.constant(of: argument),
      event.isEmpty || event.first?.isWhitespace == true || event.last?.isWhitespace == true
    else { return }
    let span = tree[argument].span
    let right = event.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
    let literal = "\"\(String(right))\""
    let isPlain = !right.isEmpty && right.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    report(
      Diagnostic(
        .impossibleValue,
        event.isEmpty ? "no event has an empty name" : "no event has blanks around its name",
        at: span, label: event.isEmpty ? "a name is missing" : "not such a name",
        helps: event.isEmpty ? ["write the name of an event, such as `\"app_open\"`"] : [],
        fixIts: isPlain
          ? [Diagnostic.FixIt("write `\(literal)`", [Diagnostic.Edit(span, literal)])] : []))
  }
}
