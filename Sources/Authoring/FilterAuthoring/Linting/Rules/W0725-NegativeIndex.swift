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
    guard isSuperscript, case .int(let index)? = tree.constant(of: node.subscriptIndex),
      staticType(node.operand) != .map
    else { return }
    let list = text(node.operand)
    if index >= 0 { return checkPlace(id, node, index, list) }
    report(
      Diagnostic(
        .negativeIndex, "there is no element before the first one",
        at: tree[node.subscriptIndex].span,
        label: "counted from 0", notes: ["so this is always null"],
        helps: ["the last element is `\(list)[size(\(list)) - 1]`"]))
  }

  /// Reports `device.aliases[1]`, which is never there, and
  /// `device.activeEntitlements[0] == "pro"`, which depends on an order that is not fixed.
  private mutating func checkPlace(_ id: NodeID, _ node: SyntaxNode, _ index: Int64, _ list: String)
  {
    let path = freePath(node.operand)?.description
    if path == "device.aliases", index > 0 {
      return report(
        Diagnostic(
          .negativeIndex, "`\(list)` has one element", at: tree[node.subscriptIndex].span,
          label: "counted from 0", notes: ["so this is always null"],
          helps: ["its element is `\(list)[0]`"]))
    }
    guard isListOfIDs(node.operand) else { return }
    let sizes = sizesAsked(of: node.operand, beside: id)
    // Of a list with one element it is that one.
    guard sizes.isEmpty || sizes.contains(where: { needsMore($0, than: index) }) else { return }
    if let sought = search(in: id, list) { return reportPlace(node, sought) }
    guard let comparison = ConstantComparison(tree[parent(of: id)], in: tree),
      comparison.isEquality, comparison.subject == id, case .string = comparison.value
    else { return }
    if comparison.value == .string("") {
      return report(
        Diagnostic(
          .seldomMeant, "an element that is not there is null, and not empty",
          at: tree[comparison.constant].span, label: "never equal",
          helps: ["to ask for the number of elements, write `size(\(list)) > \(index)`"]))
    }
    let sought = "\(text(comparison.constant)) in \(list)"
    reportPlace(node, comparison.op.asked(sought))
  }

  private mutating func reportPlace(_ node: SyntaxNode, _ sought: String) {
    report(
      Diagnostic(
        .seldomMeant, "which of them is at this place is not fixed",
        at: tree[node.subscriptIndex].span, label: "a user may have several",
        helps: ["to look for it among all, write `\(sought)`"]))
  }

  /// Returns a loop over all elements for `list[0].contains("monthly")`.
  private func search(in id: NodeID, _ list: String) -> String? {
    let call = tree[parent(of: id)]
    guard call.kind == .call, call.receiver == id, call.childCount == 1,
      Self.searches.contains(tree.name(of: call)),
      let argument = tree.arguments(of: call).first
    else { return nil }
    return "\(list).exists(x, x.\(tree.name(of: call))(\(text(argument))))"
  }

  /// Returns the comparisons of the size of a list among the conditions beside another one.
  private func sizesAsked(of list: NodeID, beside id: NodeID) -> [ConstantComparison] {
    let path = freePath(list)
    return conjunction(around: parent(of: id)).compactMap { operand in
      guard case .size(of: let subject, let size)? = outline.relation(of: operand),
        freePath(subject) == path
      else { return nil }
      return size
    }
  }

  /// Returns whether a condition is about more elements than one at a place needs:
  /// `size(x) > 1` beside `x[0]`.
  private func needsMore(_ size: ConstantComparison, than index: Int64) -> Bool {
    guard size.isLowerBound || size.op == .equal, let number = size.value.plainNumber else {
      return false
    }
    return (size.op == .greater ? number + 1 : number) > Double(index) + 1
  }
}
