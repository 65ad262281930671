import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports alternatives whose value is not a bool.

extension FilterLinter {
  /// Reports `device.totalPaywallViews || user.seed < 50`: an operand of `||` that is not zero or
  /// empty is the result, as the last one is where the others are false, and only `true` matches.
  mutating func checkLastAlternative(_ chain: LintedChain) {
    guard isSuperscript, chain.node.op == .or, isResult(chain.id) else { return }
    for (place, operand) in chain.operands.enumerated() where !tree.isLiteral(operand) {
      if place + 1 < chain.operands.count,
        reportLooseDefault(operand, chain.operands[place + 1])
      {
        continue
      }
      let byName = typeByName(operand)
      // In a branch, `user.nickname || user.name` may be a text on purpose.
      let isMeant =
        byName == .string && chain.id != tree.root
        && !chain.operands.contains { isCondition(byName: $0) }
      let type = isMeant ? .any : byName ?? staticType(operand)
      let written = text(operand)
      let help: String
      switch type {
      case .int, .number: help = "compare it: `\(written) > 0`"
      case .string: help = "compare it: `\(written) == \"…\"`"
      case .list: help = "ask for its size: `size(\(written)) > 0`"
      default: continue
      }
      report(
        Diagnostic(
          .resultNotBool, "this side is \(type.withArticle), and only `true` matches",
          at: tree[operand].span, label: "not a bool", helps: [help]))
    }
  }

  /// Returns whether a node is the result of the filter, or that of a branch of it.
  private func isResult(_ id: NodeID) -> Bool {
    var current = id
    while current != tree.root {
      let outer = tree[parent(of: current)]
      guard outer.kind == .conditional, outer.condition != current else { return false }
      current = parent(of: current)
    }
    return true
  }

  /// Reports `user.level || 1 > 3`, which compares the constant. Returns whether it did.
  private mutating func reportLooseDefault(_ operand: NodeID, _ next: NodeID) -> Bool {
    let bare = tree[next].isBinary(.and) ? tree[next].left : next
    let comparison = tree[bare]
    guard comparison.kind == .binary, comparison.op.info.isComparison,
      !comparison.flags.contains(.parenthesized), tree.isLiteral(comparison.left),
      tree.constant(of: comparison.right) != nil, freePath(operand) != nil
    else { return false }
    let value = "(\(text(operand)) || \(text(comparison.left)))"
    report(
      Diagnostic(
        .mixedLogic, "`\(comparison.op.spelling)` binds tighter than `||`", at: comparison.span,
        label: "compares the constant", secondary: [Diagnostic.Label(tree[operand].span, "alone")],
        helps: ["write `\(value) \(comparison.op.spelling) \(text(comparison.right))`"]))
    return true
  }

  /// Reports `-user.isMember && …`, whose sign was meant as `!`, and `x.map(e, …) && …`, which is
  /// true if there is an element.
  mutating func checkNumberOrList(_ id: NodeID, _ node: SyntaxNode) {
    guard isSuperscript else { return }
    if id != tree.root, tree[parent(of: id)].isUnary(.not), let attribute = knownAttribute(id),
      let value = attribute.values.first(where: { !$0.isEmpty }), attribute.type == .string
    {
      return report(
        Diagnostic(
          .operandNotCondition, "`!` of a text asks whether it is empty", at: node.span,
          label: "a text",
          notes: ["it is one of \(attribute.quotedValues.joined(separator: ", "))"],
          helps: ["compare it: `\(text(id)) != \"\(value)\"`"]))
    }
    if id != tree.root, let attribute = knownAttribute(id), attribute.minimum == 0,
      let most = attribute.maximum
    {
      return report(
        Diagnostic(
          .operandNotCondition, "this is a number, and true unless it is 0", at: node.span,
          label: "from 0 to \(most)",
          helps: [
            "compare it with a number, such as `\(text(id)) < \((most + 1) / 2)`, or remove it"
          ]))
    }
    if id != tree.root, node.kind == .binary, !node.op.info.isComparison,
      staticType(id).isNumeric, tree.constant(of: id) == nil
    {
      return report(
        Diagnostic(
          .operandNotCondition, "this is a number, and true unless it is 0", at: node.span,
          label: "not compared",
          helps: [
            node.op == .subtract
              ? "compare the sides: `\(text(node.left)) >= \(text(node.right))`"
              : node.op == .remainder && freePath(node.left) != nil
                ? "for every multiple but 0, write "
                  + "`(\(text(node.left)) > 0 && \(text(id)) == 0)`; for the others, "
                  + "`\(text(id)) != 0`"
                : "compare it: `\(text(id)) == 0`"
          ]))
    }
    if id != tree.root, !tree[parent(of: id)].isUnary(.not), historyFunction(node)?.isTime == true,
      case let arguments = tree.arguments(of: node), arguments.count == 1,
      let event = arguments.first.map({ text($0) }), tree[arguments[0]].kind == .stringLiteral
    {
      return report(
        Diagnostic(
          .operandNotCondition, "this is a number, and true unless it is 0", at: node.span,
          label: "0 if it was just now",
          helps: [
            "for an event that happened, write `device.placementsSinceInstall(\(event)) > 0`"
          ]))
    }
    if node.kind == .unary, node.op == .negate, tree.constant(of: id) == nil,
      !wasReported(node.span)
    {
      return report(
        Diagnostic(
          .operandNotCondition, "`-` gives a number, and a number is not a condition",
          at: node.span, label: "a number",
          helps: ["for the opposite, write `!\(text(node.operand))`"]))
    }
    guard id != tree.root, node.kind == .call, ["map", "filter"].contains(tree.name(of: node)),
      let loop = ScopedCall(node, tree, environment), let range = loop.outside.first,
      let variable = loop.variables.first, let body = loop.inside.first
    else { return }
    report(
      Diagnostic(
        .operandNotCondition, "a list is true if it has an element, whatever the element is",
        at: node.span, label: "a list",
        helps: [
          "to ask whether there is one, write "
            + "`\(text(range)).exists(\(text(variable)), \(text(body)))`"
        ]))
  }
}
