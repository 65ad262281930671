import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

extension FilterLinter {
  // MARK: Missing attributes

  /// Reports an optional number that counts as zero if it is missing, and then matches.
  mutating func checkMissingCounts(
    _ id: NodeID, _ node: SyntaxNode, _ comparison: ConstantComparison
  ) {
    guard isSuperscript, comparison.isConstantRight, comparison.value != .null,
      let path = freePath(comparison.subject)
    else { return }
    // A `!` around the comparison turns its result around.
    var condition = id
    var isNegated = false
    while true {
      let parent = parents[Int(condition.index)]
      let outer = tree.nodes[Int(parent)]
      guard parent != condition.index, outer.kind == .unary, outer.op == .not else { break }
      isNegated.toggle()
      condition = NodeID(parent)
    }
    guard comparison.holdsWhenMissing == !isNegated, mayBeMissing(comparison, isNegated: isNegated),
      !isGuarded(condition, path)
    else { return }
    let subject = text(comparison.subject)
    let isText = if case .string = comparison.value { true } else { false }
    let isBool = if case .bool = comparison.value { true } else { false }
    let isForAll = holdsFromZero(comparison, isNegated: isNegated)
    report(
      Diagnostic(
        .missingCountsAsZero,
        isForAll
          ? "this is true for 0 and more, and when `\(subject)` is missing"
          : "this is true when `\(subject)` is missing",
        at: tree[condition].span,
        label: isText
          ? "a missing text counts as empty"
          : isBool ? "a missing bool counts as false" : "a missing number counts as 0",
        helps: ["if that is not meant, write `has(\(subject)) && \(text(condition))`"]))
  }

  /// Returns whether the attribute of a comparison that holds without it is known to be missing at
  /// times, or the comparison holds for everybody else, too.
  private func mayBeMissing(_ comparison: ConstantComparison, isNegated: Bool) -> Bool {
    guard let attribute = knownAttribute(comparison.subject) else {
      return holdsFromZero(comparison, isNegated: isNegated)
    }
    guard attribute.isOptional else {
      return attribute.type.isNumeric && attribute.minimum == nil
        && !attribute.path.hasPrefix("device.") && holdsFromZero(comparison, isNegated: isNegated)
    }
    if comparison.isOrdering || comparison.op == .equal, !isNegated {
      return attribute.type.isNumeric || (attribute.type == .string && comparison.isOrdering)
    }
    // To exclude a value of an attribute that the SDKs rarely set is to mean everybody else.
    return AttributeSchema.builtIn[attribute.path] == nil
      && (attribute.type.isNumeric || attribute.type == .string)
  }

  /// Returns whether a comparison of an attribute of the app is true for 0 and everything above,
  /// as counts and ages are: `user.age >= 0`, `user.age > -1`.
  private func holdsFromZero(_ comparison: ConstantComparison, isNegated: Bool) -> Bool {
    guard !isNegated, case .int(let bound) = comparison.value,
      (comparison.op == .greaterEqual && bound == 0)
        || (comparison.op == .greater && bound == -1),
      let name = freePath(comparison.subject)?.names.last?.lowercased()
    else { return false }
    return !Self.signedNames.contains { name.firstOccurrence(of: $0) != nil }
  }

  /// Parts of names of numbers that are often negative.
  private static let signedNames = [
    "balance", "change", "delta", "diff", "offset", "score", "temp", "net", "profit", "margin",
    "lat", "lon", "lng", "level", "trend", "growth", "rank", "timezone",
  ]

  /// Returns whether another condition of the same `&&` excludes a missing attribute, or an
  /// alternative of the same `||` handles it.
  mutating func isGuarded(_ id: NodeID, _ path: AttributePath) -> Bool {
    let guards = guardIndex()
    var current = id.index
    while current != parents[Int(current)] {
      var outer = parents[Int(current)]
      let node = tree.nodes[Int(outer)]
      switch node.kind {
      case .binary:
        // The operands of one operation, and of those around it, are one step.
        outer = tops[Int(outer)]
        if guards.excludes(path, under: outer, outside: current) { return true }
      case .unary: break
      case .conditional:
        if node.first != current, guards.excludes(path, under: node.first) { return true }
      default: return false
      }
      current = outer
    }
    return false
  }
}
