import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports values in the place of conditions.

extension FilterLinter {
  /// Warns about a number or a text as an operand of `&&`, `||` or `!`, or before `?`.
  mutating func checkOperand(_ id: NodeID, _ node: SyntaxNode) {
    guard id.index != tree.root.index, tree.isLiteral(id), let value = tree.constant(of: id) else {
      return
    }
    switch value {
    case .bool, .null: return
    default: break
    }
    let parent = tree.nodes[Int(parents[Int(id.index)])]
    guard parent.kind == .binary || parent.kind == .unary else { return }
    var helps = ["compare it with something"]
    if parent.kind == .binary, let left = comparisonBefore(id, in: parent) {
      helps = [helpForSharedSubject(id, left, joinedBy: parent.op)]
    }
    report(
      Diagnostic(
        .operandNotCondition,
        "\(value.isTruthy ? "this is always true" : "this is always false"): "
          + "\(AttributeType(of: value).withArticle) is not a condition",
        at: node.span, label: "compared with nothing", helps: helps))
  }

  /// Returns advice for `a == "x" || "y"`, which compares `"y"` with nothing.
  private func helpForSharedSubject(
    _ id: NodeID, _ left: SyntaxNode, joinedBy op: Operator
  ) -> String {
    let subject = text(NodeID(left.first))
    // `a != "x" || a != "y"` would be always true, `a == "x" && a == "y"` never.
    let isList = (op == .or && left.op == .notEqual) || (op == .and && left.op == .equal)
    guard isList else {
      return "write `\(subject) \(left.op.spelling) \(text(id))` for this side too"
    }
    var elements = [text(NodeID(left.second)), text(id)]
    // The values that follow in the chain belong to the list, too.
    var current = parents[Int(id.index)]
    while true {
      let outer = tree.nodes[Int(parents[Int(current)])]
      let next = NodeID(outer.second)
      guard outer.kind == .binary, outer.op == op, outer.first == current, tree.isLiteral(next),
        tree[next].kind != .boolLiteral, tree[next].kind != .nullLiteral
      else { break }
      elements.append(text(next))
      current = parents[Int(current)]
    }
    let list = "\(subject) in [\(elements.joined(separator: ", "))]"
    return "write `\(left.op == .notEqual ? "!(\(list))" : list)`"
  }

  /// Returns the comparison that a constant operand was probably meant to continue.
  private func comparisonBefore(_ id: NodeID, in parent: SyntaxNode) -> SyntaxNode? {
    guard parent.second == id.index else { return nil }
    var left = tree.nodes[Int(parent.first)]
    while left.kind == .binary, left.op == parent.op { left = tree.nodes[Int(left.second)] }
    let isComparison = left.kind == .binary && left.op.info.isComparison && left.op != .in
    // `a > 1 && 5` may mean anything.
    guard isComparison, parent.op == .or || left.op == .equal || left.op == .notEqual else {
      return nil
    }
    return left
  }

  /// Reports constants that `||` joins in the place of a value: `a == ("x" || "y")`,
  /// `a.contains("x" || "y")`, `a in ["x" || "y"]`. Only one of them counts.
  mutating func checkAlternatives(
    _ id: NodeID, _ node: SyntaxNode, _ operands: [NodeID]
  ) {
    let parentIndex = parents[Int(id.index)]
    guard node.op == .or, parentIndex != id.index,
      operands.allSatisfy({ tree.isLiteral($0) && tree[$0].kind != .boolLiteral }),
      let help = helpForAlternatives(id, NodeID(parentIndex), operands.map { text($0) })
    else { return }
    report(
      Diagnostic(
        .operandNotCondition, "`||` joins conditions, not values", at: node.span,
        label: isSuperscript ? "this is `\(text(operands[0]))`" : "these are not conditions",
        helps: ["write `\(help)`"]))
  }

  /// Returns what was meant by values that are joined in the place of one.
  private func helpForAlternatives(
    _ id: NodeID, _ parentID: NodeID, _ values: [String]
  ) -> String? {
    let parent = tree[parentID]
    switch parent.kind {
    case .binary where parent.op == .equal || parent.op == .notEqual:
      guard parent.first != parent.second else { return nil }
      let other = NodeID(parent.first == id.index ? parent.second : parent.first)
      let isIn = "\(text(other)) in [\(values.joined(separator: ", "))]"
      return parent.op == .equal ? isIn : "!(\(isIn))"
    case .list: return "[\(values.joined(separator: ", "))]"
    case .call:
      guard parent.first != SyntaxNode.none, parent.first != id.index, parent.third == 1 else {
        return nil
      }
      let call = "\(text(NodeID(parent.first))).\(tree.name(of: parent))"
      return values.map { "\(call)(\($0))" }.joined(separator: " || ")
    default: return nil
    }
  }
}
