import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports values that are never elements of the list in which they are looked for.

extension FilterLinter {
  /// Reports `user.age in user.tags`, where no element is a number.
  mutating func checkSoughtElement(_ node: SyntaxNode, _ left: NodeID, _ right: NodeID) -> Bool {
    guard node.op == .in, case .list(let element) = staticType(right), tree[right].kind != .list
    else { return false }
    return checkElement(left, staticType(left), element, in: right, at: left)
  }

  /// Reports `user.age.contains(3)`, `user.email.contains(5)` and
  /// `user.tags.contains(["dawn", "dusk"])`.
  mutating func checkContains(
    _ receiver: NodeID, _ argument: NodeID, _ node: SyntaxNode
  ) -> Bool {
    let type = staticType(receiver)
    let wanted = staticType(argument)
    let subject = text(receiver)
    switch type {
    case .int, .number, .bool:
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

  /// Reports an element that a list never has: a list among texts, or a text among numbers.
  ///
  /// - Parameters:
  ///   - candidate: The value that is looked for.
  ///   - element: The type of the list's elements.
  mutating func checkElement(
    _ candidate: NodeID, _ type: AttributeType, _ element: AttributeType, in list: NodeID,
    at place: NodeID
  ) -> Bool {
    let container = text(list)
    if case .list = type {
      if case .list = element { return false }
      let written = text(candidate)
      let elements = Array(tree.children(of: tree[candidate])).map { text(NodeID($0)) }
      let isLiteral = tree[candidate].kind == .list
      var helps = ["for any of them, write `\(written).exists(x, x in \(container))`"]
      if elements.count > 1 || !isLiteral {
        helps.append("for all of them, write `\(written).all(x, x in \(container))`")
      } else if let only = elements.first {
        helps = ["write `\(only) in \(container)`"]
      }
      report(
        Diagnostic(
          .typeMismatch, "a list is looked for among the elements of `\(container)`",
          at: tree[place].span, label: "the list as a whole",
          notes: ["so this is always false"], helps: helps))
      return true
    }
    let isNumberInTexts = element == .string && (type.isNumeric || type == .bool)
    let isTextInNumbers = element.isNumeric && (type == .string || type == .bool)
    guard isNumberInTexts || isTextInNumbers else { return false }
    report(
      Diagnostic(
        .typeMismatch, "the elements of `\(container)` are never \(type.withArticle)",
        at: tree[place].span, label: type.name, notes: ["so this is always false"],
        helps: isNumberInTexts && type.isNumeric && tree.isLiteral(candidate)
          ? ["write `\"\(text(candidate))\"`"] : []))
    return true
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
    let elements = Array(tree.children(of: tree[comparison.constant]))
    guard !elements.isEmpty else { return false }
    report(
      Diagnostic(
        .typeMismatch, "`\(subject)` is a list, and the elements of this list are not",
        at: tree[comparison.subject].span, label: "the list as a whole",
        notes: ["so this is always false"],
        helps: elements.count == 1
          ? ["turn the sides around: `\(text(NodeID(elements[0]))) in \(subject)`"]
          : ["ask for any of them: `\(subject).exists(x, x in \(written))`"]))
    return true
  }

  func isList(_ type: AttributeType) -> Bool {
    if case .list = type { true } else { false }
  }
}
