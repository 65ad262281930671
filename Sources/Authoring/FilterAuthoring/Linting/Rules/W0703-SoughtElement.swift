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
      let elements = tree.arguments(of: tree[candidate]).map { text($0) }
      let isLiteral = tree[candidate].kind == .list
      var helps = ["for any of them, write `\(written).exists(x, x in \(container))`"]
      if elements.count > 1 || !isLiteral {
        helps.append("for all of them, write `\(written).all(x, x in \(container))`")
      } else if let only = elements.first {
        helps = ["write `\(only) in \(container)`"]
      }
      if element == .any, isLiteral, tree[parent(of: list)].isBinary(.in) {
        helps.insert("if that is one value, write `\(container) in \(written)`", at: 0)
        helps[1] = "if it is a list, \(helps[1])"
        helps.removeLast(helps.count - 2)
      }
      report(
        Diagnostic(
          .typeMismatch, "a list is looked for among the elements of `\(container)`",
          at: tree[place].span, label: "the list as a whole",
          notes: [Self.isAlwaysFalse], helps: helps))
      return true
    }
    let isNumberInTexts = element == .string && (type.isNumeric || type == .bool)
    let isTextInNumbers = element.isNumeric && (type == .string || type == .bool)
    if element == .map, type == .string || type.isNumeric || type == .bool {
      report(
        Diagnostic(
          .typeMismatch, "the elements of `\(container)` are objects, never \(type.withArticle)",
          at: tree[place].span, label: type.name, notes: [Self.isAlwaysFalse],
          helps: [
            "ask for a member of an element: "
              + "`\(container).exists(x, x.\(memberName(of: list)) == \(text(candidate)))`"
          ]))
      return true
    }
    guard isNumberInTexts || isTextInNumbers else { return false }
    report(
      Diagnostic(
        .typeMismatch, "the elements of `\(container)` are never \(type.withArticle)",
        at: tree[place].span, label: type.name, notes: [Self.isAlwaysFalse],
        helps: isNumberInTexts && type.isNumeric && tree.isLiteral(candidate)
          ? ["write `\"\(text(candidate))\"`"] : []))
    return true
  }

  /// Returns the member that tells the elements of a list apart.
  private func memberName(of list: NodeID) -> String {
    let members = knownAttribute(list)?.members.map { $0.path } ?? []
    return ["identifier", "productId"].first { members.contains($0) } ?? "name"
  }

  func isList(_ type: AttributeType) -> Bool {
    if case .list = type { true } else { false }
  }
}
