import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports a condition beside its opposite.

extension FilterLinter {
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
            helps: [
              isAnd
                ? "keep the one that is meant, or neither if it does not matter"
                : "\(isCertain ? "remove both" : "remove one of the two"), or correct one"
            ]))
      }
      if seen["\(isTrue)\(text)"] == nil { seen["\(isTrue)\(text)"] = operand }
    }
  }

  /// Reports `x != "a" && x != "b" || x != "c"`, which every value passes.
  mutating func checkOnlyInequalities(_ id: NodeID) {
    var (leaves, work): ([ConstantComparison], [NodeID]) = ([], [id])
    while let next = work.popLast() {
      let node = tree[next]
      if node.isBinary(.and) || node.isBinary(.or) {
        work += [node.right, node.left]
      } else if let comparison = ConstantComparison(node, in: tree), comparison.op == .notEqual {
        leaves.append(comparison)
      } else {
        return
      }
      guard leaves.count + work.count < 20 else { return }
    }
    guard leaves.count > 2, let path = freePath(leaves[0].subject),
      leaves.allSatisfy({ freePath($0.subject) == path }),
      // The last one alone is an operand of `||`.
      case let last = tree[id].right, let single = ConstantComparison(tree[last], in: tree),
      leaves.dropLast().allSatisfy({ $0.value != single.value }), !wasReported(tree[id].span)
    else { return }
    let list = leaves.map { text($0.constant) }.joined(separator: ", ")
    report(
      .always(
        true, "every value differs from one of these", at: tree.operatorSpan(of: tree[id]),
        label: "so all of this is true", secondary: [Diagnostic.Label(tree[last].span, "")],
        helps: ["for none of them, write `!(\(path) in [\(list)])`"]))
  }

  /// Returns whether a condition has a value for every attribute: in the superscript dialect an
  /// attribute alone, and one that equals a constant.
  private func neverFails(_ id: NodeID) -> Bool {
    guard isSuperscript else { return false }
    var node = id
    while tree[node].kind == .unary { node = tree[node].operand }
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
      node = tree[node].operand
    }
    if let loop = outline.loop(tree[node]), loop.kind != .existsOne {
      let body = polarityOfEquality(loop.body)
      // No element without something: all have it.
      let isAll = loop.kind == .all
      let key =
        "\(tree.text(ofNode: loop.range)) \(loop.variable) \(body.isTrue != isAll) \(body.text)"
      return (key, isTrue != isAll)
    }
    if let comparison = ConstantComparison(tree[node], in: tree), comparison.isEquality,
      case .bool(let truth) = comparison.value, staticType(comparison.subject) == .bool
    {
      if truth != (comparison.op == .equal) { isTrue.toggle() }
      node = comparison.subject
    }
    return (tree.text(ofNode: node), isTrue)
  }

  /// Returns a condition without its `!` and with `==` for `!=`, and whether it must hold.
  func polarityOfEquality(_ id: NodeID) -> (text: String, isTrue: Bool) {
    guard let comparison = ConstantComparison(tree[id], in: tree), comparison.isEquality else {
      return polarity(id)
    }
    if comparison.op == .equal, case .bool = comparison.value { return polarity(id) }
    let subject = tree.text(ofNode: comparison.subject)
    let constant = tree.text(ofNode: comparison.constant)
    return ("\(subject) == \(constant)", comparison.op == .equal)
  }
}
