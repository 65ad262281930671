import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Checks how conditions are joined.

extension FilterLinter {
  /// Reports `a || b && c`, which people read from the left, as `(a || b) && c`.
  mutating func checkMixedLogic(_ node: SyntaxNode, _ operands: [NodeID]) {
    guard node.op == .or, let index = operands.firstIndex(where: isBareConjunction), index > 0,
      // With conjunctions on both sides there is only one way to read it.
      operands[..<index].contains(where: { !isConjunction($0) }),
      operands.allSatisfy({ tree.constant(of: $0) == nil })
    else { return }
    let operand = operands[index]
    let span = tree[operand].span
    report(
      Diagnostic(
        .mixedLogic, "`&&` binds tighter than `||`, and the two are mixed without parentheses",
        at: tree.operatorSpan(of: tree[operand]), label: "joins these two first",
        secondary: [Diagnostic.Label(span, "")],
        helps: ["write `… || (… && …)` if that is meant, or else `(… || …) && …`"]))
  }

  /// Reports `a && b == 1 || b == 2`, whose last two conditions are on one attribute and look like
  /// a pair.
  mutating func checkSplitPair(_ node: SyntaxNode, _ operands: [NodeID]) {
    guard node.op == .or, operands.count == 2, isBareConjunction(operands[0]),
      !isConjunction(operands[1]), let path = equalityPath(operands[1])
    else { return }
    let joined = outline.operands(of: operands[0], .and)
    guard let last = joined.last, equalityPath(last) == path,
      joined.dropLast().allSatisfy({ equalityPath($0) != path })
    else { return }
    let first = SourceSpan(
      start: tree[joined[0]].span.start, end: tree[joined[joined.count - 2]].span.end)
    let pair = "\(text(last)) || \(text(operands[1]))"
    report(
      Diagnostic(
        .mixedLogic, "`&&` binds tighter than `||`, and the two are mixed without parentheses",
        at: tree.operatorSpan(of: tree[operands[0]]), label: "joins these two first",
        secondary: [Diagnostic.Label(tree[operands[0]].span, "")],
        helps: [
          "write `\(tree.source.text(of: first).shortened(to: 60)) && (\(pair))`, or else `(… && …) || …` if that is meant"
        ]))
  }

  /// Returns the attribute that a condition compares for equality with a constant.
  private func equalityPath(_ id: NodeID) -> AttributePath? {
    guard let comparison = ConstantComparison(tree[id], in: tree), comparison.op == .equal else {
      return nil
    }
    return freePath(comparison.subject)
  }

  // MARK: Conditionals

  /// Reports `a ? b : b` and `true ? a : b`.
  mutating func checkBranches(_ node: SyntaxNode) {
    let condition = NodeID(node.first)
    if case .bool(let truth)? = tree.constant(of: condition) {
      let branch = NodeID(truth ? node.second : node.third)
      return report(
        Diagnostic(
          truth ? .alwaysTrue : .alwaysFalse,
          "this condition is always \(truth), and so the result is always `\(text(branch))`",
          at: tree[condition].span, label: "decides alone",
          helps: ["write `\(text(branch))` alone, or another condition"]))
    }
    // A long chain of conditionals must not be read again at each of them.
    guard tree.nodes[Int(node.third)].kind != .conditional,
      tree.text(ofNode: NodeID(node.second)) == tree.text(ofNode: NodeID(node.third))
    else { return }
    report(
      Diagnostic(
        .repeatedCondition, "both branches are the same",
        at: tree.nodes[Int(node.third)].span, label: "again",
        secondary: [Diagnostic.Label(tree.nodes[Int(node.second)].span, "here first")],
        helps: ["write the branch alone, or correct one of the two"]))
  }

  private func isConjunction(_ id: NodeID) -> Bool {
    tree[id].kind == .binary && tree[id].op == .and
  }

  private func isBareConjunction(_ id: NodeID) -> Bool {
    isConjunction(id) && !tree[id].flags.contains(.parenthesized)
  }

  // MARK: Opposites

  /// Reports `a && !a`, which is never true, and `a || !a`, which always is.
  mutating func checkOpposites(_ node: SyntaxNode, _ operands: [NodeID]) {
    var seen: [String: NodeID] = [:]
    for operand in operands {
      let (text, isTrue) = polarity(operand)
      if let first = seen["\(!isTrue)\(text)"] {
        let isAnd = node.op == .and
        // One of the two may fail, and so may the operands before them.
        let isCertain = isAnd || (operands.count == 2 && neverFails(operand))
        report(
          Diagnostic(
            isAnd ? .alwaysFalse : isCertain ? .alwaysTrue : .redundantCondition,
            "a condition and its opposite"
              + (isCertain ? ", so this is always \(!isAnd)" : ", of which one holds"),
            at: tree[operand].span,
            label: "the opposite", secondary: [Diagnostic.Label(tree[first].span, "of this")],
            helps: ["remove one of the two, or correct it"]))
      }
      if seen["\(isTrue)\(text)"] == nil { seen["\(isTrue)\(text)"] = operand }
    }
  }

  /// Returns whether a condition has a value for every attribute: in the superscript dialect an
  /// attribute alone, and one that equals a constant.
  private func neverFails(_ id: NodeID) -> Bool {
    guard isSuperscript else { return false }
    var node = id
    while tree[node].kind == .unary { node = NodeID(tree[node].first) }
    if freePath(node) != nil { return true }
    guard let comparison = ConstantComparison(tree[node], in: tree), comparison.isEquality else {
      return false
    }
    return freePath(comparison.subject) != nil
  }

  /// Returns a condition without its `!`, and whether it must hold.
  private func polarity(_ id: NodeID) -> (text: String, isTrue: Bool) {
    var node = id
    var isTrue = true
    while tree[node].kind == .unary, tree[node].op == .not || tree[node].op == .doubleNot {
      if tree[node].op == .not { isTrue.toggle() }
      node = NodeID(tree[node].first)
    }
    if let comparison = ConstantComparison(tree[node], in: tree), comparison.isEquality,
      case .bool(let truth) = comparison.value, staticType(comparison.subject) == .bool
    {
      if truth != (comparison.op == .equal) { isTrue.toggle() }
      node = comparison.subject
    }
    return (tree.text(ofNode: node), isTrue)
  }
}
