import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports negative indexes.

extension FilterLinter {
  /// Returns whether a letter is compared with letters, as in `device.localTime[0] == "1"`.
  private func isComparedWithLetters(_ node: SyntaxNode) -> Bool {
    guard isSuperscript,
      let id = tree.nodes.firstIndex(where: { $0.span == node.span && $0.kind == .index }),
      let comparison = ConstantComparison(
        tree[parent(of: NodeID(UInt32(id)))], in: tree)
    else { return false }
    let constants: [Value] =
      if case .list(let elements) = comparison.value { elements } else { [comparison.value] }
    return constants.allSatisfy {
      if case .string(let text) = $0 { text.count == 1 } else { false }
    }
  }

  /// Reports `user.tags[-1]`, which is never there.
  mutating func checkIndex(_ node: SyntaxNode) {
    if staticType(node.operand) == .string, !isComparedWithLetters(node),
      case .int? = tree.constant(of: node.subscriptIndex)
    {
      let owner = text(node.operand)
      return report(
        Diagnostic(
          .typeMismatch,
          isSuperscript ? "this is one letter of a text" : "a text has no elements",
          at: tree[node.subscriptIndex].span, label: isSuperscript ? "a letter" : "not there",
          secondary: [Diagnostic.Label(tree[node.operand].span, "a text")],
          helps: [
            [.version, .systemVersion].contains(knownAttribute(node.operand)?.format)
              ? Self.helpForVersion(owner)
              : "look for a part of it: `\(owner).contains(\"…\")`"
          ]))
    }
    guard isSuperscript, case .int(let index)? = tree.constant(of: node.subscriptIndex), index < 0,
      staticType(node.operand) != .map
    else { return }
    let list = text(node.operand)
    report(
      Diagnostic(
        .negativeIndex, "there is no element before the first one",
        at: tree[node.subscriptIndex].span,
        label: "counted from 0", notes: ["so this is always null"],
        helps: ["the last element is `\(list)[size(\(list)) - 1]`"]))
  }
}
