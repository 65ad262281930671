import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports values in the place of conditions.

extension FilterLinter {
  /// Warns about a number or a text as an operand of `&&`, `||` or `!`, or before `?`.
  mutating func checkOperand(_ id: NodeID, _ node: SyntaxNode) {
    guard id != tree.root, tree.isLiteral(id), let value = tree.constant(of: id) else {
      return
    }
    switch value {
    case .bool, .null: return
    default: break
    }
    let parent = tree[parent(of: id)]
    guard parent.kind == .binary || parent.kind == .unary else { return }
    var helps = ["compare it with something"]
    if case .string(let text) = value, let filter = conditionInQuotes(text) {
      helps = ["remove the quotes: `\(filter)`"]
    } else if parent.kind == .binary, let left = comparisonBefore(id, in: parent) {
      helps = [helpForSharedSubject(id, left, joinedBy: parent.op)]
    }
    // Such an operand of `||` is the result, and only `true` matches.
    var top = self.parent(of: id)
    while top != tree.root, tree[self.parent(of: top)].isBinary(.or) { top = self.parent(of: top) }
    let isResult = parent.isBinary(.or) && top == tree.root && value.isTruthy
    report(
      Diagnostic(
        .operandNotCondition,
        (isResult && isSuperscript
          ? "this never matches"
          : value.isTruthy ? "this is always true" : "this is always false")
          + ": \(AttributeType(of: value).withArticle) is not a condition",
        at: node.span, label: "compared with nothing", helps: helps))
  }

  /// Returns the text of a constant, if it is a condition on an attribute.
  private func conditionInQuotes(_ text: String) -> String? {
    guard ["user.", "device.", "params."].contains(where: { text.hasPrefix($0) }),
      (try? parse(SourceText(text), dialect: tree.dialect)) != nil
    else { return nil }
    return text
  }

  /// Returns advice for `a == "x" || "y"`, which compares `"y"` with nothing.
  private func helpForSharedSubject(
    _ id: NodeID, _ comparison: SyntaxNode, joinedBy op: Operator
  ) -> String {
    let subject = text(comparison.left)
    // `a != "x" || a != "y"` would be always true, `a == "x" && a == "y"` never.
    let isList =
      (op == .or && comparison.op == .notEqual) || (op == .and && comparison.op == .equal)
    guard isList else {
      return "write `\(subject) \(comparison.op.spelling) \(text(id))` for this side too"
    }
    var elements = [text(comparison.right), text(id)]
    // The values that follow in the chain belong to the list, too.
    var current = parent(of: id)
    while true {
      let outer = tree[parent(of: current)]
      let next = outer.right
      guard outer.isBinary(op), outer.left == current, tree.isLiteral(next),
        tree[next].kind != .boolLiteral, tree[next].kind != .nullLiteral
      else { break }
      elements.append(text(next))
      current = parent(of: current)
    }
    let list = "\(subject) in [\(elements.joined(separator: ", "))]"
    return "write `\(comparison.op == .notEqual ? "!(\(list))" : list)`"
  }

  /// Returns the comparison that a constant operand was probably meant to continue.
  private func comparisonBefore(_ id: NodeID, in parent: SyntaxNode) -> SyntaxNode? {
    guard parent.right == id else { return nil }
    var left = tree[parent.left]
    while left.isBinary(parent.op) {
      left = tree[tree.isLiteral(left.right) ? left.left : left.right]
    }
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
    guard node.op == .or, id != tree.root,
      operands.allSatisfy({ tree.isLiteral($0) && tree[$0].kind != .boolLiteral })
    else { return }
    let help = helpForAlternatives(id, parent(of: id), operands.map { text($0) })
    guard help != nil || historyFunction(tree[parent(of: id)]) != nil else { return }
    report(
      Diagnostic(
        .operandNotCondition, "`||` joins conditions, not values", at: node.span,
        label: isSuperscript ? "this is `\(text(operands[0]))`" : "these are not conditions",
        helps: [help.map { "write `\($0)`" } ?? "ask for each event in a condition of its own"]))
  }

  /// Returns what was meant by values that are joined in the place of one.
  private func helpForAlternatives(
    _ id: NodeID, _ parentID: NodeID, _ values: [String]
  ) -> String? {
    let parent = tree[parentID]
    switch parent.kind {
    case .binary where parent.op == .equal || parent.op == .notEqual:
      guard parent.left != parent.right else { return nil }
      let other = parent.left == id ? parent.right : parent.left
      let isIn = "\(text(other)) in [\(values.joined(separator: ", "))]"
      return parent.op == .equal ? isIn : "!(\(isIn))"
    case .list:
      let list = "[\(values.joined(separator: ", "))]"
      let outer = tree[self.parent(of: parentID)]
      // The whole list would be compared.
      guard outer.isBinary(.equal) else { return list }
      let other = outer.left == parentID ? outer.right : outer.left
      return isList(staticType(other)) || staticType(other) == .any
        ? "\(list).exists(x, x in \(text(other)))" : "\(text(other)) in \(list)"
    case .call:
      guard let receiver = parent.receiver, receiver != id, parent.childCount == 1 else {
        return nil
      }
      let call = "\(text(receiver)).\(tree.name(of: parent))"
      if let function = historyFunction(parent) {
        // Counts are added; of times the shorter one is meant, or either of two conditions.
        guard !function.isTime else { return nil }
        return values.map { "\(call)(\($0))" }.joined(separator: " + ")
      }
      let either = values.map { "\(call)(\($0))" }.joined(separator: " || ")
      let isPart = parentID != tree.root && !tree[self.parent(of: parentID)].isBinary(.or)
      return isPart ? "(\(either))" : either
    default: return nil
    }
  }
}
