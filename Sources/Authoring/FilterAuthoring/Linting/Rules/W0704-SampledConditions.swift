import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

// Reports conditions with the same result for all values that the schema allows.

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
    let places = FindingPlaces(of: diagnostics)
    for index in tree.nodes.indices where isCondition[index] && left > 0 {
      let id = NodeID(UInt32(index))
      let node = tree[id]
      guard node.span.length <= Self.longestCondition, !isLogic(node), !tree.isLiteral(id) else {
        continue
      }
      guard !places.overlap(node.span, in: diagnostics),
        let sampled = SampledCondition(id, in: outline, schema: schema)
      else {
        continue
      }
      left -= 1
      report(sampled, id, node)
    }
  }

  /// Returns whether a node joins conditions.
  func isLogic(_ node: SyntaxNode) -> Bool {
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
    case .always:
      if let comparison = ConstantComparison(node, in: tree), namesEnd(id, comparison) { return }
      report(condition.finding(isAlways: true))
    }
  }
}
