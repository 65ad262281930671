import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports conditions that are decided by what is not there: an empty list, and a missing attribute
// on the right of a comparison.

extension FilterLinter {
  /// Reports `device.activeEntitlements.all(e, e == "gold")`, which is true without entitlements.
  ///
  /// A condition that excludes elements is right for an empty list.
  mutating func checkAllOfEmptyList(_ id: NodeID, _ node: SyntaxNode) {
    guard let loop = outline.loop(node), loop.kind == .all, freePath(loop.range) != nil,
      isCondition[Int(id.index)], !isNegated(id), requires(loop.body, of: loop.variable),
      !isSizeChecked(loop.range, beside: id)
    else { return }
    let list = text(loop.range)
    report(
      Diagnostic(
        .missingCountsAsZero, "this is true for an empty list", at: node.span,
        label: "no element is different",
        helps: [
          "for users with one of them, write `\(text(id).replacingFirst(".all(", by: ".exists("))`; "
            + "for all of at least one, `size(\(list)) > 0 && \(text(id))`"
        ]))
  }

  /// Reports `[].all(x, x > 0)`, which reads no element.
  mutating func checkLoopOverNothing(_ node: SyntaxNode) {
    guard let loop = outline.loop(node), tree[loop.range].kind == .list,
      tree[loop.range].childCount == 0
    else { return }
    let isTrue = loop.kind == .all
    report(
      .always(
        isTrue, "this is always \(isTrue): the list is empty",
        at: tree[loop.range].span, label: "without elements",
        helps: ["name the list whose elements are meant"]))
  }

  /// Reports `size(list.map(x, x.isActive)) > 0`, which counts all elements.
  mutating func checkSizeOfMap(_ node: SyntaxNode, _ name: String) {
    guard name == "size", let argument = node.receiver ?? tree.arguments(of: node).first,
      tree[argument].kind == .call, tree.name(of: tree[argument]) == "map",
      let loop = ScopedCall(tree[argument], tree, environment), let range = loop.outside.first,
      let variable = loop.variables.first, let body = loop.inside.first, loop.inside.count == 1,
      staticType(body) == .bool
    else { return }
    report(
      Diagnostic(
        .operandNotCondition,
        "`map` has a value for every element, also for those that do not pass",
        at: tree.nameSpan(of: tree[argument]), label: "keeps all",
        helps: [
          "write `size(\(text(range)).filter(\(text(variable)), \(text(body))))`"
        ]))
  }

  /// Returns whether a condition names what an element must be.
  private func requires(_ body: NodeID, of variable: String) -> Bool {
    if tree[body].kind == .select { return subject(of: body, is: variable) }
    if tree[body].kind == .call, let receiver = tree[body].receiver,
      Self.searches.contains(tree.name(of: tree[body]))
    {
      return subject(of: receiver, is: variable)
    }
    guard let comparison = ConstantComparison(tree[body], in: tree),
      comparison.op == .equal || comparison.op == .in, comparison.value != .bool(false)
    else { return false }
    return subject(of: comparison.subject, is: variable)
  }

  private func subject(of id: NodeID, is variable: String) -> Bool {
    var subject = id
    while tree[subject].kind == .select { subject = tree[subject].operand }
    return tree[subject].kind == .identifier && tree.name(of: tree[subject]) == variable
  }

  /// Returns whether a condition beside another one reads the list, and so may exclude the empty
  /// one.
  func isSizeChecked(_ list: NodeID, beside id: NodeID) -> Bool {
    let written = tree.text(ofNode: list)
    // Both lists have the same elements.
    let others =
      written == "device.activeEntitlementObjects" ? ["device.activeEntitlements"] : []
    return conjunction(around: id).contains { operand in
      let text = tree.text(ofNode: operand)
      return operand != id && ([written] + others).contains { text.firstOccurrence(of: $0) != nil }
    }
  }

  /// Reports `"" == user.email` and `0 == user.purchases`: on the right side, a missing attribute
  /// is null, and neither empty nor zero.
  mutating func checkZeroOnTheLeft(_ node: SyntaxNode, _ comparison: ConstantComparison) {
    guard isSuperscript, !comparison.isConstantRight, comparison.isEquality,
      comparison.value != .null, comparison.value == comparison.value.zeroOfKind,
      freePath(comparison.subject) != nil,
      knownAttribute(comparison.subject)?.isOptional != false
    else { return }
    let subject = text(comparison.subject)
    report(
      Diagnostic(
        .missingCountsAsZero,
        "this is \(comparison.op == .notEqual) when `\(subject)` is missing", at: node.span,
        label: "on the right, it is null then",
        helps: ["write `\(subject) \(comparison.op.spelling) \(text(comparison.constant))`"]))
  }

  /// Reports `device.appInstallDate < "2026-01-01"`, which is true where the date is not known.
  mutating func checkUnknownDate(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) {
    guard isSuperscript, attribute?.path == "device.appInstallDate", comparison.isConstantRight,
      comparison.op == .less || comparison.op == .lessEqual,
      case .string(let date) = comparison.value, !date.isEmpty,
      !wasReported(tree[comparison.constant].span), !isComparedElsewhere(comparison.subject)
    else { return }
    let condition = text(parent(of: comparison.constant))
    report(
      Diagnostic(
        .missingCountsAsZero, "this is true where the date is not known",
        at: tree[comparison.constant].span, label: "the empty text comes before every date",
        helps: ["if that is not meant, write `device.appInstallDate != \"\" && \(condition)`"]))
  }
}
