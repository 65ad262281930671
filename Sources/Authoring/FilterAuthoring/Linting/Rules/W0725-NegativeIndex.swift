import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports negative indexes.

extension FilterLinter {
  /// Returns whether a letter is joined or compared with letters, as in
  /// `device.localTime[0] == "1"`.
  private func isComparedWithLetters(_ id: NodeID) -> Bool {
    guard isSuperscript else { return false }
    // `int(device.localTime[0] + device.localTime[1])` puts letters together.
    let parent = tree[parent(of: id)]
    if parent.isBinary(.add) { return true }
    guard let comparison = ConstantComparison(parent, in: tree) else { return false }
    let constants: [Value] =
      if case .list(let elements) = comparison.value { elements } else { [comparison.value] }
    return constants.allSatisfy {
      if case .string(let text) = $0 { text.count == 1 } else { false }
    }
  }

  /// Returns advice for `params.paywall_product_ids[0] == "com.acme.yearly"`.
  private func helpForLetter(_ id: NodeID, _ node: SyntaxNode, _ owner: String) -> String {
    guard isSuperscript, let comparison = ConstantComparison(tree[parent(of: id)], in: tree),
      comparison.isEquality, case .string = comparison.value
    else { return "look for a part of it: `\(owner).contains(\"…\")`" }
    let isFirst = tree.constant(of: node.subscriptIndex) == .int(0)
    let not = comparison.op == .notEqual ? "!" : ""
    return "look for a part of it: "
      + "`\(not)\(owner).\(isFirst ? "startsWith" : "contains")(\(text(comparison.constant)))`"
  }

  /// Reports `user.tags[-1]`, which is never there.
  mutating func checkIndex(_ id: NodeID, _ node: SyntaxNode) {
    if staticType(node.operand) == .string, !isComparedWithLetters(id),
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
              ? Self.helpForVersion(owner) : helpForLetter(id, node, owner)
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
