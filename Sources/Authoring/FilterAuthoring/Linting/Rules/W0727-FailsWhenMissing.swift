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

  /// The most attributes of one condition that are asked about: each question evaluates the
  /// condition for users with some of them.
  private static let mostNoted = 8

  /// Notes the attributes without which a condition fails so that the filter does not match:
  /// `!user.email.endsWith("a")`, `3 > user.lessons`, `user.count + 1 > 3 || user.isVIP`.
  mutating func noteFailures() {
    guard isSuperscript else { return }
    for index in tree.nodes.indices where isCondition[index] && !isLogic(tree.nodes[index]) {
      let id = NodeID(UInt32(index))
      if comparesOnLeft(tree[id]) || asksForPresence(id) { continue }
      let paths = Set(attributesRead(by: id) ?? [])
      guard paths.count <= Self.mostNoted else { continue }
      for path in paths {
        let attribute = schema.attribute(at: path)
        guard attribute.map({ $0.isOptional }) ?? (path.root != "device"),
          excludes(id, without: path)
        else { continue }
        failingAttributes[path] = tree[id].span
      }
    }
  }

  /// Returns whether a condition is an attribute, or compares one on its left with a constant; none
  /// of these fails.
  private func comparesOnLeft(_ node: SyntaxNode) -> Bool {
    if node.kind == .select { return true }
    guard let comparison = ConstantComparison(node, in: tree), comparison.isConstantRight else {
      return false
    }
    return freePath(comparison.subject) != nil
  }

  private func asksForPresence(_ id: NodeID) -> Bool {
    var work = [id]
    while let next = work.popLast() {
      if tree.constant(of: next) == .null { return true }
      if tree[next].kind == .call, tree.name(of: tree[next]) == "has" { return true }
      work += tree.parts(of: tree[next])
    }
    return false
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
