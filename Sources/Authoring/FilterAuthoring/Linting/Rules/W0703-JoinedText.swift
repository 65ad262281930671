import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports texts that are taken for lists, and attributes of other forms that are compared.

extension FilterLinter {
  /// Reports `size(params.paywall_product_ids) > 1`: the attribute is one text, with commas.
  mutating func checkSizeOfJoinedText(_ id: NodeID, _ node: SyntaxNode, _ name: String) {
    guard name == "size", !isHostCall(node), let argument = tree.arguments(of: node).first,
      let attribute = knownAttribute(argument), attribute.type == .string, !asksForAny(id)
    else { return }
    if attribute.format == .integer || attribute.format == .decimal {
      return report(
        Diagnostic(
          .typeMismatch, "`\(text(argument))` is a number as a text, and this is its length",
          at: node.span, label: "counts digits",
          helps: ["for the number, write `double(\(text(argument)))`"]))
    }
    guard attribute.summary.firstOccurrence(of: "commas") != nil
    else { return }
    let subject = text(argument)
    report(
      Diagnostic(
        .typeMismatch, "`\(subject)` is one text, and this is its length", at: node.span,
        label: "counts letters",
        notes: ["its elements have commas between them"],
        helps: [
          "for more than one element, write `\(subject).contains(\",\")`; for a certain one, "
            + "`\(subject).contains(\"…\")`"
        ]))
  }

  /// Returns whether a size is compared with 0, or asked to be at least 1: that a text is not
  /// empty.
  private func asksForAny(_ call: NodeID) -> Bool {
    guard call != tree.root,
      let comparison = ConstantComparison(tree[parent(of: call)], in: tree),
      comparison.subject == call, case .int(let number) = comparison.value
    else { return false }
    return number == 0 || number == 1 && [.less, .greaterEqual].contains(comparison.op)
  }

  /// Reports `device.aliases == user.aliasId`, a list beside a text, and
  /// `device.appVersionPadded >= device.appVersion`, two forms of a version.
  ///
  /// - Returns: Whether it did.
  mutating func checkForms(_ node: SyntaxNode, _ left: NodeID, _ right: NodeID) -> Bool {
    guard let a = knownAttribute(left), let b = knownAttribute(right), node.op != .in else {
      return false
    }
    let lists = [isList(a.type), isList(b.type)]
    if lists[0] != lists[1], node.op == .equal || node.op == .notEqual,
      (lists[0] ? b : a).type.isTextOrNumber
    {
      let (list, element) = lists[0] ? (left, right) : (right, left)
      let membership = "\(text(element)) in \(text(list))"
      report(
        Diagnostic(
          .typeMismatch, "a list is never equal to \((lists[0] ? b : a).type.withArticle)",
          at: tree.operatorSpan(of: node), label: "always \(node.op == .notEqual)",
          secondary: [
            Diagnostic.Label(tree[left].span, a.type.name),
            Diagnostic.Label(tree[right].span, b.type.name),
          ],
          helps: [
            "ask for an element: `\(node.op.asked(membership))`"
          ]))
      return true
    }
    let forms = [a.format, b.format]
    guard forms.contains(.paddedVersion), forms.contains(.version) else { return false }
    let plain = a.format == .version ? a : b
    let sibling = plain.path + "Padded"
    let (first, second) =
      a.format == .version ? (sibling, text(right)) : (text(left), sibling)
    report(
      Diagnostic(
        .unpaddedVersion, "a padded version is compared with one that is not",
        at: tree.operatorSpan(of: node), label: "letter by letter",
        secondary: [
          Diagnostic.Label(tree[left].span, a.format == .version ? "not padded" : "padded"),
          Diagnostic.Label(tree[right].span, b.format == .version ? "not padded" : "padded"),
        ],
        helps: schema[sibling] == nil || first == second
          ? ["compare one of them with a constant"]
          : ["write `\(first) \(node.op.spelling) \(second)`"]))
    return true
  }

  /// Reports `"level_" + user.level`, whose right side is a number by its name.
  mutating func checkJoinedNumber(_ node: SyntaxNode) {
    guard isSuperscript, node.op == .add, !wasReported(node.span) else { return }
    let sides = [node.left, node.right]
    guard sides.contains(where: { tree[$0].kind == .stringLiteral }),
      let number = sides.first(where: { typeByName($0) == .number })
    else { return }
    reportJoined(node, number, "by its name a number", help: "to join them, write")
  }

  private mutating func reportJoined(
    _ sum: SyntaxNode, _ number: NodeID, _ label: String, help: String
  ) {
    report(
      Diagnostic(
        .typeMismatch, "a text and a number cannot be joined", at: tree.operatorSpan(of: sum),
        label: "an error", secondary: [Diagnostic.Label(tree[number].span, label)],
        notes: [Self.failsAtRunTime], helps: ["\(help) `string(\(text(number)))`"]))
  }

  /// Reports `user.plan + device.daysSinceInstall == "free7"`: a text and a number have no sum.
  /// Returns whether it did.
  mutating func checkSumOfText(_ comparison: ConstantComparison) -> Bool {
    let sum = tree[comparison.subject]
    guard sum.isBinary(.add), case .string = comparison.value else { return false }
    let sides = [sum.left, sum.right]
    let typed = sides.first { staticType($0).isNumeric }
    guard
      // By their names a text and a number: `user.firstName + user.age`.
      let number = typed ?? sides.first(where: { typeByName($0) == .number }),
      let other = sides.first(where: { $0 != number }),
      typed == nil
        ? typeByName(other) == .string : staticType(other) == .string || staticType(other) == .any
    else { return false }
    reportJoined(sum, number, "a number", help: "compare each of them, or write")
    return true
  }
}
