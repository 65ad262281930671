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
    guard call.kind == .call, ["double", "int"].contains(tree.name(of: call)),
      let price = tree.operands(of: call).first, let path = knownAttribute(price)?.path,
      path.hasSuffix("raw_price"), let number = comparison.value.plainNumber,
      (199..<100_000).contains(number), number.truncatingRemainder(dividingBy: 100) == 99
    else { return }
    let whole = Int(number)
    report(
      Diagnostic(
        .otherUnit, "`\(path)` is an amount in the currency, not in its hundredths",
        at: tree[comparison.constant].span, label: "looks like cents",
        helps: ["write `\(whole / 100).\(CalendarDate.twoDigits(whole % 100))`"]))
  }
}
