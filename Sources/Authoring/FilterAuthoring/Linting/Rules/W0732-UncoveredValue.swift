import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports a value between two ranges that belongs to neither.

extension FilterLinter {
  /// A range of an attribute in an alternative.
  private struct Bound {
    let value: Value
    let isStrict: Bool
    let node: NodeID
  }

  /// The largest number of alternatives that are compared in pairs.
  private static let comparedAlternatives = 24

  /// The largest number of bounds on each side of an attribute that are compared in pairs.
  private static let comparedBounds = 64

  /// Reports `x < 10 && a || x > 10 && b`, to which 10 does not belong.
  mutating func checkUncovered(_ chain: LintedChain) {
    guard chain.node.op == .or, chain.operands.count <= Self.comparedAlternatives else { return }
    let alternatives = chain.operands.map { comparisons(in: $0) }
    let paths = Set(alternatives.flatMap { $0.keys })
    // An alternative that does not ask for the attribute covers all of its values. Of groups by
    // `user.seed` it takes others in: testers, for example.
    let shared = paths.filter { path in
      path.description == "user.seed" || alternatives.allSatisfy { $0[path] != nil }
    }
    for path in shared.sorted(by: { $0.description < $1.description }) {
      let all = alternatives.compactMap { $0[path] }
      let lows = all.flatMap { bounds($0, .lower) }
      let highs = all.flatMap { bounds($0, .upper) }
      guard lows.count <= Self.comparedBounds, highs.count <= Self.comparedBounds else { continue }
      for high in highs {
        for low in lows {
          // In one alternative they exclude each other, which is another finding.
          let areJoined = all.contains { own in
            [high.node, low.node].allSatisfy { bound in own.contains { $0.0 == bound } }
          }
          guard !areJoined, let value = valueBetween(high, low, path),
            !all.contains(where: { accepts($0, value) })
          else { continue }
          return reportUncovered(value, path, high.node, low.node, isAlone: chain)
        }
      }
    }
  }

  private mutating func reportUncovered(
    _ value: Value, _ path: AttributePath, _ high: NodeID, _ low: NodeID,
    isAlone chain: LintedChain
  ) {
    guard let upper = ConstantComparison(tree[high], in: tree) else { return }
    let subject = text(upper.subject)
    let literal: String
    if case .int(let number) = value {
      literal = "\(number)"
    } else {
      literal = text(upper.constant)
    }
    let areStrict = [high, low].allSatisfy { id in
      ConstantComparison(tree[id], in: tree).map { $0.op == .less || $0.op == .greater } ?? false
    }
    var helps = [
      areStrict
        ? "if it belongs to one of them, write `<=` or `>=` there"
        : "if it belongs to one of them, let this one end or begin with it"
    ]
    if chain.operands == [high, low] || chain.operands == [low, high] {
      helps.append("if it is left out on purpose, write `\(subject) != \(literal)`")
    }
    report(
      Diagnostic(
        .uncoveredValue, "\(literal) is in neither of these two ranges of `\(path)`",
        at: tree[low].span, label: "from above it",
        secondary: [Diagnostic.Label(tree[high].span, "up to below it")], helps: helps))
  }

  /// The comparisons of attributes with constants that an alternative joins with `&&`.
  private func comparisons(in id: NodeID) -> [AttributePath: [(NodeID, ConstantComparison)]] {
    var found: [AttributePath: [(NodeID, ConstantComparison)]] = [:]
    let operands = tree[id].isBinary(.and) ? outline.operands(of: id, .and) : [id]
    for operand in operands {
      guard let comparison = ConstantComparison(tree[operand], in: tree),
        let path = freePath(comparison.subject)
      else { continue }
      found[path, default: []].append((operand, comparison))
    }
    return found
  }

  private func bounds(
    _ comparisons: [(NodeID, ConstantComparison)], _ side: Bounds
  ) -> [Bound] {
    comparisons.compactMap { node, comparison in
      guard comparison.isOrdering, Bounds(comparison.op) == side else { return nil }
      return Bound(
        value: comparison.value, isStrict: comparison.op == .less || comparison.op == .greater,
        node: node)
    }
  }

  /// Returns the only value between two bounds.
  private func valueBetween(_ high: Bound, _ low: Bound, _ path: AttributePath) -> Value? {
    if high.isStrict, low.isStrict, high.value == low.value { return high.value }
    guard case .int(let above) = high.value, case .int(let below) = low.value,
      schema.attribute(at: path)?.type ?? .int == .int
    else { return nil }
    let (first, firstOverflows) = above.addingReportingOverflow(high.isStrict ? 0 : 1)
    let (last, lastOverflows) = below.subtractingReportingOverflow(low.isStrict ? 0 : 1)
    return !firstOverflows && !lastOverflows && first == last ? .int(first) : nil
  }

  private func accepts(_ comparisons: [(NodeID, ConstantComparison)], _ value: Value) -> Bool {
    comparisons.allSatisfy { _, comparison in
      comparison.op == .in
        ? comparison.constants.contains(value)
        : value.compared(comparison.op, with: comparison.value, in: tree.dialect.name) != false
    }
  }
}
