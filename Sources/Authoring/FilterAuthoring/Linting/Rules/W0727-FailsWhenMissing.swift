import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports negated conditions that fail where an attribute is missing.

extension FilterLinter {
  /// Reports `!user.email.endsWith("a")`, which fails for users without an e-mail address.
  mutating func reportFailureWhenMissing(
    _ condition: SampledCondition, _ id: NodeID, _ node: SyntaxNode
  ) {
    guard isNegated(id), let path = condition.failingWhenMissing, !isGuarded(id, path) else {
      return
    }
    report(
      Diagnostic(
        .failsWhenMissing, "`\(text(id))` fails when `\(path)` is missing", at: node.span,
        label: "an error then, and not false",
        notes: ["`!` does not turn an error around, so the filter does not match"],
        helps: ["write `(has(\(path)) ? \(text(id)) : false)` in its place"]))
  }

  /// Reports `size(user.appUserId) == 0`, which fails for the users who are meant.
  mutating func checkSizeOfMissing(
    _ id: NodeID, _ node: SyntaxNode, _ comparison: ConstantComparison
  ) {
    let call = tree[comparison.subject]
    guard isSuperscript, call.kind == .call, tree.name(of: call) == "size",
      let subject = tree.operands(of: call).first, let path = freePath(subject),
      knownAttribute(subject)?.isOptional == true, comparison.op == .equal,
      comparison.value == .int(0), !isNegated(id), !isGuarded(id, path), !wasReported(node.span)
    else { return }
    report(
      Diagnostic(
        .failsWhenMissing, "`\(text(comparison.subject))` fails when `\(path)` is missing",
        at: call.span, label: "nothing has no size",
        notes: [Self.failsAtRunTime],
        helps: ["for users without one, write `!has(\(path))`"]))
  }

  /// Notes the attribute in `!user.email.endsWith("a")` and `size(user.tags) == 0`, if no schema
  /// says whether all users have it.
  mutating func noteFailure(_ id: NodeID, _ node: SyntaxNode, _ name: String) {
    guard isSuperscript, let subject = tree.operands(of: node).first,
      let path = freePath(subject), path.root != "device" || schema.attribute(at: path) != nil,
      schema.attribute(at: path)?.isOptional != false
    else { return }
    if name == "size" {
      guard let comparison = ConstantComparison(tree[parent(of: id)], in: tree),
        comparison.op == .equal, comparison.value == .int(0)
      else { return }
    } else {
      guard ["startsWith", "endsWith", "matches", "contains"].contains(name),
        node.receiver == subject, isNegated(id) || hasAlternative(id, path)
      else { return }
    }
    guard !isGuarded(id, path) else { return }
    failingAttributes[path] = node.span
  }

  /// Notes the attribute in `user.count + 1 > 3 || …`, of which nothing can be computed where it is
  /// missing.
  mutating func noteFailureOfSum(_ id: NodeID, _ comparison: ConstantComparison) {
    let sum = tree[comparison.subject]
    guard isSuperscript, sum.kind == .binary, [.add, .subtract, .multiply].contains(sum.op) else {
      return
    }
    for side in [sum.left, sum.right] {
      guard let path = freePath(side), path.root == "user", schema.attribute(at: path) == nil,
        hasAlternative(id, path), !isGuarded(id, path)
      else { continue }
      failingAttributes[path] = sum.span
    }
  }

  /// Notes the attribute in `3 > user.lessons`, which fails where it is missing, as
  /// `user.lessons < 3` does not.
  mutating func noteFailure(_ id: NodeID, _ comparison: ConstantComparison) {
    guard isSuperscript, !comparison.isConstantRight, comparison.isOrdering,
      let path = freePath(comparison.subject), path.root != "device",
      schema.attribute(at: path) == nil,
      comparison.value.zeroOfKind.compared(
        comparison.op, with: comparison.value, in: tree.dialect.name) == true
        || hasAlternative(id, path), !isGuarded(id, path)
    else { return }
    failingAttributes[path] = tree[id].span
  }

  /// Returns whether a later operand of `||` is not evaluated if a condition fails, and no other
  /// condition reads the attribute.
  mutating func hasAlternative(_ id: NodeID, _ path: AttributePath) -> Bool {
    if alternatives.isEmpty {
      alternatives = [Bool](repeating: false, count: tree.nodes.count)
      // Parents come after their children.
      for (index, node) in tree.nodes.enumerated().reversed()
      where node.isBinary(.and) || node.isBinary(.or) {
        alternatives[Int(node.left.index)] = node.isBinary(.or) || alternatives[index]
        alternatives[Int(node.right.index)] = alternatives[index]
      }
    }
    return alternatives[Int(id.index)] && readings(of: path) == 1
  }

  /// Returns whether a condition must not hold, by the number of `!` around it.
  mutating func isNegated(_ id: NodeID) -> Bool {
    if negations.isEmpty {
      negations = [Bool](repeating: false, count: tree.nodes.count)
      // Parents come after their children.
      for (index, node) in tree.nodes.enumerated().reversed() {
        let isNegated = negations[index] != node.isUnary(.not)
        tree.forEachChild(of: node) { negations[Int($0)] = isNegated }
      }
    }
    return negations[Int(id.index)]
  }
}
