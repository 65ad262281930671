import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports operands of a chain that exclude or imply each other, as the prover finds them.

extension FilterLinter {
  mutating func checkProofs(_ chain: LintedChain) {
    // What compares an attribute with values of another type fails, and excludes nothing.
    guard
      !diagnostics.suffix(8).contains(where: { finding in
        finding.id == .typeMismatch && chain.operands.contains { finding.overlaps(tree[$0].span) }
      })
    else { return }
    let findings = ChainProver(outline, schema: schema).findings(
      chain.operands, isAnd: chain.node.op == .and)
    for finding in worthSaying(findings) { report(finding) }
  }

  /// Returns whether a condition reads an attribute of those that make it needless. What follows
  /// from another attribute is often asked to be sure: `user.isLoggedIn && device.appUserId != ""`.
  private func sharesAttribute(_ finding: Diagnostic, _ nodes: [SourceSpan: NodeID]) -> Bool {
    guard !finding.secondary.isEmpty else { return true }
    func paths(at span: SourceSpan) -> Set<AttributePath> {
      nodes[span].map { self.paths(in: $0) } ?? []
    }
    /// The event whose count, or the moment whose time, a condition compares in some unit.
    func events(at span: SourceSpan) -> Set<String> {
      guard let id = nodes[span], let comparison = ConstantComparison(tree[id], in: tree) else {
        return []
      }
      let subject = tree[comparison.subject]
      if let function = historyFunction(subject), let event = tree.arguments(of: subject).first {
        return ["\(function.isTime ? "time" : "count") \(text(event))"]
      }
      let name = knownAttribute(comparison.subject)?.path ?? ""
      guard let since = name.firstRange(ofText: "Since") else { return [] }
      return [String(name[since.lowerBound...])]
    }
    let own = paths(at: finding.primary.span)
    let ownEvents = events(at: finding.primary.span)
    return finding.secondary.contains {
      !own.isDisjoint(with: paths(at: $0.span)) || !ownEvents.isDisjoint(with: events(at: $0.span))
    }
  }

  /// Returns the findings of the prover that help: not what follows from a constant that is wrong
  /// itself, nor an end of a range that is named on purpose.
  mutating func worthSaying(_ findings: [Diagnostic]) -> [Diagnostic] {
    let proved: Set<DiagnosticID> = [.redundantCondition, .alwaysTrue, .alwaysFalse]
    guard findings.contains(where: { proved.contains($0.id) }) else { return findings }
    let constants: Set<DiagnosticID> = [
      .impossibleValue, .wrongCase, .unpaddedVersion, .otherUnit,
    ]
    var nodes: [SourceSpan: NodeID] = [:]
    for (index, node) in tree.nodes.enumerated() { nodes[node.span] = NodeID(UInt32(index)) }
    let unsound = SpanSet(
      diagnostics.filter {
        constants.contains($0.id) && !(nodes[$0.primary.span].map(isBoundOfDays) ?? false)
      }.flatMap { $0.spans })
    return findings.filter { finding in
      guard proved.contains(finding.id) else { return true }
      if finding.spans.contains(where: { unsound.overlaps($0) }) { return false }
      if finding.id == .redundantCondition, !sharesAttribute(finding, nodes) { return false }
      guard finding.id == .redundantCondition, let id = nodes[finding.primary.span],
        let comparison = ConstantComparison(tree[id], in: tree)
      else { return true }
      return !namesEnd(id, comparison)
    }
  }

  /// Returns whether a constant is a day that moments are ordered against: the bound is off by a
  /// day, but what follows from it is right.
  private func isBoundOfDays(_ id: NodeID) -> Bool {
    guard id != tree.root, let comparison = ConstantComparison(tree[parent(of: id)], in: tree),
      comparison.isOrdering, case .string(let text) = comparison.value
    else { return false }
    return CalendarDate.isDay(text) && knownAttribute(comparison.subject)?.format == .dateTime
  }
}
