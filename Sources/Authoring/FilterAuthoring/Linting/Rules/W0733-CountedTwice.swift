import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports elements that cannot be reached, events that are counted twice, and roots that are asked.

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
    guard node.isBinary(.add), let (first, second) = windows(node.left, node.right) else { return }
    let longer = first < second ? node.right : node.left
    report(
      Diagnostic(
        .seldomMeant, "the shorter window is a part of the longer one", at: node.span,
        label: "events in both count twice", helps: ["write `\(text(longer))` alone"]))
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
}
