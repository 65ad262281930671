import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports elements that cannot be reached, and events that are counted twice.

extension FilterLinter {
  /// Reports `a.exists(e, e.ids.exists(e, e == e.id))`: the inner `e` hides the outer one.
  mutating func checkHiddenElement(_ id: NodeID, _ node: SyntaxNode) {
    guard let loop = outline.loop(node) else { return }
    var outer = id
    while outer != tree.root {
      outer = parent(of: outer)
      guard let around = outline.loop(tree[outer]), around.variable == loop.variable,
        tree[loop.body].span.start > tree[around.range].span.end
      else { continue }
      return report(
        Diagnostic(
          .seldomMeant, "this `\(loop.variable)` hides that of the loop around it",
          at: tree[tree.operands(of: node)[1]].span, label: "the inner element from here on",
          helps: ["give one of the two another name"]))
    }
  }

  /// Reports `device.placementsInHour("x") + device.placementsInDay("x") > 9`: the hour is a part
  /// of the day.
  mutating func checkNestedWindows(_ node: SyntaxNode) {
    guard node.isBinary(.add), let a = historyFunction(tree[node.left]),
      let b = historyFunction(tree[node.right]), case .count(let first) = a.subject,
      case .count(let second) = b.subject, first != second,
      let x = tree.arguments(of: tree[node.left]).first,
      let y = tree.arguments(of: tree[node.right]).first, text(x) == text(y)
    else { return }
    let longer = first < second ? node.right : node.left
    report(
      Diagnostic(
        .seldomMeant, "the shorter window is a part of the longer one", at: node.span,
        label: "events in both count twice", helps: ["write `\(text(longer))` alone"]))
  }

  /// Reports `double(params.abandoned_product_raw_price) >= 4999`, an amount in cents.
  mutating func checkPriceInCents(_ comparison: ConstantComparison) {
    let call = tree[comparison.subject]
    let isCall = call.kind == .call && ["double", "int"].contains(tree.name(of: call))
    var number = comparison.value.plainNumber
    if !isCall, case .string(let digits) = comparison.value, let whole = Int(digits) {
      number = Double(whole)
    }
    guard let price = isCall ? tree.operands(of: call).first : comparison.subject,
      let path = knownAttribute(price)?.path, path.hasSuffix("raw_price"), let number,
      (199..<100_000).contains(number), number.truncatingRemainder(dividingBy: 100) == 99
    else { return }
    let whole = Int(number)
    report(
      Diagnostic(
        .otherUnit, "`\(path)` is an amount in the currency, not in its hundredths",
        at: tree[comparison.constant].span, label: "looks like cents",
        helps: [
          isCall
            ? "write `\(whole / 100).\(CalendarDate.twoDigits(whole % 100))`"
            : "write `\"\(whole / 100).\(CalendarDate.twoDigits(whole % 100))\"`"
        ]))
  }

  /// Reports `params.paywall_product_ids == "a, b"`, whose names are joined without blanks.
  mutating func checkJoinedIDs(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) {
    guard attribute?.path == "params.paywall_product_ids", comparison.isEquality,
      case .string(let ids) = comparison.value, ids.contains(text: ", ")
    else { return }
    report(
      Diagnostic(
        .impossibleValue, "its names have a comma between them, and no blank",
        at: tree[comparison.constant].span, label: "with blanks",
        helps: ["write `\"\(ids.replacing(", ", by: ","))\"`"]))
  }

  /// Reports `device.contains("demandTier") == true`: on the left of a comparison only functions of
  /// the app are called so.
  mutating func checkContainsOfRoot(_ id: NodeID, _ node: SyntaxNode) {
    let outer = tree[parent(of: id)]
    guard isSuperscript, tree.name(of: node) == "contains", outer.kind == .binary,
      outer.op.info.isComparison, outer.left == id, let receiver = node.receiver,
      tree[receiver].kind == .identifier, !isBound[Int(receiver.index)],
      case let root = tree.name(of: tree[receiver]), Self.roots.contains(root),
      let argument = tree.arguments(of: node).first,
      case .string(let name)? = tree.constant(of: argument), name.isPlainName
    else { return }
    report(
      Diagnostic(
        .seldomMeant, "this does not ask whether `\(root).\(name)` is there", at: node.span,
        label: "a function of the app, to the left of a comparison",
        helps: ["write `has(\(root).\(name))`"]))
  }

  /// Reports `device.activeEntitlementObjects.exists(e, !e.isActive)`: all of them are active.
  mutating func checkActiveElements(_ node: SyntaxNode) {
    guard let loop = outline.loop(node),
      freePath(loop.range)?.description == "device.activeEntitlementObjects"
    else { return }
    for operand in outline.operands(of: loop.body, .and) {
      var subject = operand
      if let comparison = ConstantComparison(tree[operand], in: tree) {
        guard comparison.op == .equal, comparison.value == .bool(false) else { continue }
        subject = comparison.subject
      } else {
        guard tree[operand].isUnary(.not) else { continue }
        subject = tree[operand].operand
      }
      guard tree[subject].kind == .select, tree.name(of: tree[subject]) == "isActive" else {
        continue
      }
      report(
        Diagnostic(
          .alwaysFalse, "all of these entitlements are active", at: tree[operand].span,
          label: "never true",
          helps: ["all entitlements are in `device.customerInfo.entitlements`"]))
    }
  }
}
