import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports operands of a chain that exclude or imply each other, as the prover finds them.

extension FilterLinter {
  mutating func checkProofs(_ chain: LintedChain) {
    // What follows from a constant that is wrong itself is not worth a word.
    let isSound = !diagnostics.contains { diagnostic in
      [.impossibleValue, .wrongCase, .unpaddedVersion, .otherUnit].contains(diagnostic.id)
        && diagnostic.overlaps(chain.node.span)
    }
    guard isSound else { return }
    let findings = ChainProver(outline, schema: schema).findings(
      chain.operands, isAnd: chain.node.op == .and)
    guard !findings.isEmpty else { return }
    let operands = Dictionary(
      chain.operands.map { (tree[$0].span, $0) }, uniquingKeysWith: { first, _ in first })
    for finding in findings {
      if finding.id == .redundantCondition, let operand = operands[finding.primary.span],
        let comparison = ConstantComparison(tree[operand], in: tree), namesEnd(operand, comparison)
      {
        continue
      }
      report(finding)
    }
  }
}
