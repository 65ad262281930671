import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports conditions and elements that are repeated.

extension FilterLinter {
  mutating func checkRepeatedConditions(_ operands: [NodeID]) {
    checkRepetition(of: "condition", in: operands) { [tree] in
      tree[$0].kind == .boolLiteral ? nil : tree.text(ofNode: $0)
    }
  }

  /// Reports `device.placementsInDay("run") + device.placementsInDay("run")`.
  mutating func checkRepeatedTerm(_ node: SyntaxNode) {
    guard node.isBinary(.add) || node.isBinary(.subtract),
      freePath(node.left) != nil || historyFunction(tree[node.left]) != nil,
      text(node.left) == text(node.right)
    else { return }
    report(
      Diagnostic(
        .repeatedCondition, "this term is repeated", at: tree[node.right].span, label: "again",
        secondary: [Diagnostic.Label(tree[node.left].span, "here first")],
        helps: ["name another one, or remove it"]))
  }

  /// Returns advice for a condition or an element that is repeated.
  private func helpForRepetition(of id: NodeID) -> String {
    guard let comparison = ConstantComparison(tree[id], in: tree), comparison.op == .equal,
      comparison.value != .null, tree[parent(of: id)].isBinary(.and)
    else { return "remove it, or name another value" }
    return "remove it; for one of several values, write "
      + "`\(text(comparison.subject)) in [\(text(comparison.constant)), …]`"
  }

  /// Reports conditions, or elements of a list, that are repeated.
  ///
  /// - Parameter identity: What makes two of them the same; `nil` for one that may be repeated.
  mutating func checkRepetition(
    of noun: String, in nodes: [NodeID], by identity: (NodeID) -> String?
  ) {
    var seen: [String: NodeID] = [:]
    for node in nodes {
      guard let key = identity(node) else { continue }
      if let first = seen[key] {
        report(
          Diagnostic(
            .repeatedCondition, "this \(noun) is repeated", at: tree[node].span, label: "again",
            secondary: [Diagnostic.Label(tree[first].span, "here first")],
            helps: [helpForRepetition(of: node)]))
      } else {
        seen[key] = node
      }
    }
  }
}
