import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports guards that do not protect the other operands.

extension FilterLinter {
  /// Reports `(has(x) && f(x)) || g`, in which `f(x)` fails without `x` and is evaluated all the
  /// same, so that `g` does not count.
  ///
  /// Where a failure means no match, as the guard does, the guard is good style and does no harm.
  mutating func checkGuards(_ chain: NodeID, _ operands: [NodeID]) {
    guard isSuperscript, !isNoMatchIfFalse(chain) else { return }
    let guards = operands.enumerated().compactMap { index, operand in
      guardedPath(operand).map { (index: index, operand: operand, path: $0) }
    }
    guard !guards.isEmpty else { return }
    let victims = victims(in: operands)
    for (index, operand, path) in guards {
      guard let victim = victims[path]?.first(where: { $0.operand != index })?.node else {
        continue
      }
      var fixIts: [Diagnostic.FixIt] = []
      if index == 0, isPlainChain(chain) {
        fixIts = [conditionalFix(chain, operands)]
      }
      report(
        Diagnostic(
          .uselessGuard, "`\(text(operand))` does not protect `\(text(victim))`",
          at: tree[operand].span, label: "`&&` evaluates both sides",
          secondary: [
            Diagnostic.Label(tree[victim].span, "an error when `\(path)` is missing")
          ],
          helps: fixIts.isEmpty ? ["use a conditional: `(\(text(operand)) ? … : false)`"] : [],
          fixIts: fixIts))
    }
  }

  /// Returns whether the filter does not match where a condition is false: then it makes no
  /// difference that the condition fails instead.
  private func isNoMatchIfFalse(_ id: NodeID) -> Bool {
    var current = id
    while current != tree.root {
      let next = parent(of: current)
      let node = tree[next]
      switch node.kind {
      case .binary where node.op == .and: break
      // The left side is false if the right one is evaluated.
      case .binary where node.op == .or && node.right == current: break
      case .conditional where node.condition != current: break
      default: return false
      }
      current = next
    }
    return true
  }

  /// Returns the attribute whose presence `has(x)`, `x != null` or `x` alone checks.
  private func guardedPath(_ id: NodeID) -> AttributePath? {
    let node = tree[id]
    if node.kind == .select { return freePath(id) }
    if node.kind == .call, tree.name(of: node) == "has", node.childCount == 1,
      let argument = tree.arguments(of: node).first
    {
      return freePath(argument)
    }
    guard let comparison = ConstantComparison(node, in: tree), comparison.op == .notEqual,
      comparison.value == .null
    else { return nil }
    return freePath(comparison.subject)
  }

  /// Reports `maybe(user.score, 100, 0)`, which is 100: the first operand is not the one that is
  /// tried.
  mutating func checkTriedConstant(_ node: SyntaxNode) {
    let operands = tree.operands(of: node)
    guard operands.count == 3, tree.constant(of: operands[1]) != nil, freePath(operands[0]) != nil
    else { return }
    let (subject, standIn) = (text(operands[0]), text(operands[1]))
    report(
      Diagnostic(
        .uselessGuard, "`maybe` tries its second operand, and a constant never fails",
        at: tree[operands[1]].span,
        label: "always the value",
        notes: ["the third operand replaces one that fails, and the first is left out"],
        helps: ["write `(has(\(subject)) ? \(subject) : \(standIn))`"]))
  }

  /// Returns whether a chain is the whole filter or the whole content of parentheses.
  private func isPlainChain(_ id: NodeID) -> Bool {
    id == tree.root || tree[id].flags.contains(.parenthesized)
  }

  /// Returns the fix that writes `has(x) ? rest : false`.
  private func conditionalFix(_ chain: NodeID, _ operands: [NodeID]) -> Diagnostic.FixIt {
    let span = tree[chain].span
    let guardSpan = tree[operands[0]].span
    // The operator after the guard becomes `?`; the rest stays as it is written.
    var innermost = tree[chain]
    while innermost.left != operands[0], tree[innermost.left].op == .and {
      innermost = tree[innermost.left]
    }
    let op = tree.operatorSpan(of: innermost)
    return Diagnostic.FixIt(
      "use a conditional: `\(tree.source.text(of: guardSpan)) ? … : false`",
      [
        Diagnostic.Edit(op, "?"),
        Diagnostic.Edit(SourceSpan(start: span.end, length: 0), " : false"),
      ])
  }
}
