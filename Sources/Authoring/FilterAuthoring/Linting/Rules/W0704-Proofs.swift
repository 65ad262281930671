import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports operands of a chain that exclude or imply each other, as the prover finds them.

extension FilterLinter {
  mutating func checkProofs(_ chain: LintedChain) {
    let findings = ChainProver(outline, schema: schema).findings(
      chain.operands, isAnd: chain.node.op == .and)
    for finding in findings where isWorthSaying(finding) { report(finding) }
  }

  /// Returns whether a finding of the prover helps: what follows from a constant that is wrong
  /// itself does not, nor does an end of a range that is named on purpose.
  mutating func isWorthSaying(_ finding: Diagnostic) -> Bool {
    guard [.redundantCondition, .alwaysTrue, .alwaysFalse].contains(finding.id) else { return true }
    let constants: Set<DiagnosticID> = [
      .impossibleValue, .wrongCase, .unpaddedVersion, .otherUnit,
    ]
    let spans = finding.spans
    let isUnsound = diagnostics.contains { diagnostic in
      constants.contains(diagnostic.id) && spans.contains { diagnostic.overlaps($0) }
    }
    if isUnsound { return false }
    guard finding.id == .redundantCondition,
      let id = tree.nodes.firstIndex(where: {
        $0.kind == .binary && $0.span == finding.primary.span
      }).map({ NodeID(UInt32($0)) }),
      let comparison = ConstantComparison(tree[id], in: tree)
    else { return true }
    return !namesEnd(id, comparison)
  }
}
