import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

// Conditions with the same result for all values that the schema allows, found by evaluating them.

extension FilterLinter {
  /// The largest number of conditions that are evaluated, and of samples for each.
  private static let sampledConditions = 64
  private static let sampleLimit = 800
  /// The longest condition that is evaluated, in bytes.
  private static let longestCondition = 400

  /// Reports conditions that always fail, that never hold, and that always hold, where no other
  /// finding says something about them.
  mutating func checkSamples() {
    var left = Self.sampledConditions
    let earlier = SpanSet(diagnostics.lazy.flatMap { $0.spans })
    let earlierCount = diagnostics.count
    for index in tree.nodes.indices where isCondition[index] && left > 0 {
      let id = NodeID(UInt32(index))
      let node = tree.nodes[index]
      guard node.span.length <= Self.longestCondition, !isLogic(node), !tree.isLiteral(id) else {
        continue
      }
      let isSaid =
        earlier.overlaps(node.span)
        || diagnostics[earlierCount...].contains { $0.overlaps(node.span) }
      guard !isSaid, let sampled = SampledCondition(id, in: outline, schema: schema) else {
        continue
      }
      left -= 1
      report(sampled, id, node)
    }
  }

  private func isLogic(_ node: SyntaxNode) -> Bool {
    switch node.kind {
    case .binary: node.op == .and || node.op == .or
    case .unary: node.op == .not || node.op == .doubleNot
    case .conditional: true
    default: false
    }
  }

  private mutating func report(_ condition: SampledCondition, _ id: NodeID, _ node: SyntaxNode) {
    switch condition.verdict(limit: Self.sampleLimit) {
    case nil: reportFailureWhenMissing(condition, id, node)
    case .fails(let error):
      var diagnostic = error.diagnostic(in: tree, under: id)
      guard diagnostic.id.rawValue.hasPrefix("E05") else { return }
      diagnostic.severity = .warning
      diagnostic.notes.append(
        "so this part fails, whatever \(condition.names) \(condition.isPlural ? "are" : "is")")
      report(diagnostic)
    case .never: report(condition.finding(isAlways: false))
    case .always: report(condition.finding(isAlways: true))
    }
  }

  /// Reports `!user.email.endsWith("a")`, which fails for users without an e-mail address.
  private mutating func reportFailureWhenMissing(
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

  /// Returns whether a condition must not hold, by the number of `!` around it.
  private func isNegated(_ id: NodeID) -> Bool {
    var result = false
    var index = id.index
    while index != tree.root.index {
      index = parents[Int(index)]
      let outer = tree.nodes[Int(index)]
      if outer.kind == .unary, outer.op == .not { result.toggle() }
    }
    return result
  }

  // MARK: The bodies of loops

  /// Reports `user.tags.exists(t, "vip")`, whose condition is a text.
  mutating func checkLoopBody(_ node: SyntaxNode) {
    guard ["all", "exists", "exists_one", "filter"].contains(tree.name(of: node)),
      let scoped = ScopedCall(node, tree, environment), let body = scoped.inside.first,
      scoped.inside.count == 1, let range = scoped.outside.first
    else { return }
    var type = staticType(NodeID(body))
    let variable = scoped.variables.first.map { tree.name(of: tree.nodes[Int($0)]) }
    if tree.nodes[Int(body)].kind == .identifier, tree.name(of: tree.nodes[Int(body)]) == variable,
      case .list(let element) = staticType(NodeID(range))
    {
      type = element
    }
    guard type != .any, type != .bool else { return }
    let name = variable ?? "x"
    report(
      Diagnostic(
        .operandNotCondition,
        "the condition of `\(tree.name(of: node))` is \(type.withArticle)",
        at: tree.nodes[Int(body)].span, label: "not a bool",
        helps: [
          tree.isLiteral(NodeID(body))
            ? "compare the element with it: `\(name) == \(text(NodeID(body)))`"
            : "compare it with something: `\(text(NodeID(body))) == …`"
        ]))
  }
}
