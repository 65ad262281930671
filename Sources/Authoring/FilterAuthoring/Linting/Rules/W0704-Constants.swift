import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports comparisons that have the same result whatever the attributes are.

extension FilterLinter {
  /// Reports a comparison of two constants.
  ///
  /// - Returns: Whether both sides are constants.
  mutating func checkConstants(_ id: NodeID, _ node: SyntaxNode) -> Bool {
    guard let a = tree.constant(of: node.left),
      let b = tree.constant(of: node.right)
    else { return false }
    reportConstants(id, node, a, b)
    return true
  }

  private mutating func reportConstants(
    _ id: NodeID, _ node: SyntaxNode, _ a: Value, _ b: Value
  ) {
    // Values of other kinds would need a context; these do not.
    let outcome = Explainer.outcome(
      of: id, in: tree, environment: FilterEnvironment(dialect: tree.dialect), context: Context())
    if case .failure(let diagnostic) = outcome, diagnostic.id == .notComparable, isSuperscript,
      node.op != .in
    {
      return reportConstantClash(node, a, b)
    }
    guard case .value(.bool(let truth)) = outcome else { return }
    var notes: [String] = []
    if case .string(let x) = a, case .string(let y) = b, Double(x) != nil, Double(x) == Double(y),
      x != y
    {
      notes = ["two texts are compared as texts, even when both look like numbers"]
    }
    var helps = helpForQuotedPath([a, b])
    // `user.coins || 0 > 10` compares the 0.
    let outer = tree[parent(of: id)]
    if id != tree.root, outer.isBinary(.or), outer.right == id, freePath(outer.left) != nil {
      helps = [
        "write `(\(text(outer.left)) || \(text(node.left))) \(node.op.spelling) \(text(node.right))`"
      ]
    }
    report(
      .always(
        truth,
        "this comparison is always \(truth)", at: tree.operatorSpan(of: node),
        label: "both sides are constants",
        secondary: [
          Diagnostic.Label(
            tree[node.left].span, a == .null ? "null" : AttributeType(of: a).name),
          Diagnostic.Label(
            tree[node.right].span, b == .null ? "null" : AttributeType(of: b).name),
        ], notes: notes, helps: helps.isEmpty ? ["compare an attribute with a constant"] : helps))
  }

  /// Returns advice if a text looks like an attribute in quotes.
  private func helpForQuotedPath(_ values: [Value]) -> [String] {
    for case .string(let content) in values
    where ["user.", "device.", "params."].contains(where: content.hasPrefix)
      && AttributePath(content) != nil
    {
      return ["write attributes without quotes: `\(content)`"]
    }
    return []
  }

  /// Reports `"user.age" > 18`.
  private mutating func reportConstantClash(_ node: SyntaxNode, _ a: Value, _ b: Value) {
    let helps = helpForQuotedPath([a, b])
    report(
      Diagnostic(
        .typeMismatch,
        "`\(node.op.spelling)` cannot compare \(AttributeType(of: a).name) with "
          + AttributeType(of: b).name,
        at: tree.operatorSpan(of: node), label: "both sides are constants",
        secondary: [
          Diagnostic.Label(tree[node.left].span, AttributeType(of: a).name),
          Diagnostic.Label(tree[node.right].span, AttributeType(of: b).name),
        ], helps: helps))
  }

  /// Reports `user.a == user.a`.
  mutating func checkSameSides(
    _ node: SyntaxNode, _ left: NodeID, _ right: NodeID
  ) -> Bool {
    let isSamePath = freePath(left) != nil && freePath(left) == freePath(right)
    let isSameCall =
      historyFunction(tree[left]) != nil && tree.text(ofNode: left) == tree.text(ofNode: right)
    // `s.isActive == s.isActive`, a member of an element.
    let isSameMember =
      elementMember(left) != nil && tree.text(ofNode: left) == tree.text(ofNode: right)
    guard node.op != .in, isSamePath || isSameCall || isSameMember else { return false }
    let holds = [.equal, .lessEqual, .greaterEqual].contains(node.op)
    report(
      .always(
        holds, "both sides of this comparison are the same",
        at: tree.operatorSpan(of: node), label: "compares `\(text(left))` with itself",
        secondary: [Diagnostic.Label(tree[left].span, ""), Diagnostic.Label(tree[right].span, "")],
        helps: ["compare it with another attribute or a constant"]))
    return true
  }
}
