import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports guards that do not protect the other operands.

extension FilterLinter {
  /// Reports `has(x) && f(x)`, in which `f(x)` fails without `x` and is evaluated all the same.
  mutating func checkGuards(_ chain: NodeID, _ operands: [NodeID]) {
    guard isSuperscript else { return }
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
          helps: fixIts.isEmpty ? ["use a conditional: `\(text(operand)) ? … : false`"] : [],
          fixIts: fixIts))
    }
  }

  /// Returns the attribute whose presence `has(x)`, `x != null` or `x` alone checks.
  private func guardedPath(_ id: NodeID) -> AttributePath? {
    let node = tree[id]
    if node.kind == .select { return freePath(id) }
    if node.kind == .call, tree.name(of: node) == "has", node.third == 1,
      let argument = tree.children(of: node).first
    {
      return freePath(NodeID(argument))
    }
    guard let comparison = ConstantComparison(node, in: tree), comparison.op == .notEqual,
      comparison.value == .null
    else { return nil }
    return freePath(comparison.subject)
  }

  /// A part of an operand of a chain that fails if an attribute is missing.
  private struct Victim {
    /// The index of the operand.
    let operand: Int
    let node: NodeID
  }

  /// Returns, for each attribute, the parts that fail if it is missing: the first two in different
  /// operands, in order.
  private func victims(in operands: [NodeID]) -> [AttributePath: [Victim]] {
    var result: [AttributePath: [Victim]] = [:]
    for (number, operand) in operands.enumerated() {
      var work = [operand.index]
      while let next = work.popLast() {
        let node = tree.nodes[Int(next)]
        for path in neededPaths(node) {
          let known = result[path, default: []]
          if known.count < 2, known.last?.operand != number {
            result[path, default: []].append(Victim(operand: number, node: NodeID(next)))
          }
        }
        // Alternatives are evaluated only if they are needed.
        switch node.kind {
        case .conditional: work.append(node.first)
        case .binary where node.op == .or: work.append(node.first)
        case .call where ["has", "maybe", "hasFn"].contains(tree.name(of: node)): break
        default:
          var children: [UInt32] = []
          tree.forEachChild(of: node) { children.append($0) }
          work += children.reversed()
        }
      }
    }
    return result
  }

  /// Returns the attributes whose absence makes the node itself fail.
  private func neededPaths(_ node: SyntaxNode) -> [AttributePath] {
    func path(_ index: UInt32) -> AttributePath? {
      index == SyntaxNode.none ? nil : freePath(NodeID(index))
    }
    switch node.kind {
    case .call:
      let name = tree.name(of: node)
      var result: [AttributePath] = []
      let receiver = path(node.first)
      if let receiver,
        [
          "startsWith", "endsWith", "matches", "all", "exists", "exists_one", "filter", "map",
        ].contains(name)
      {
        result.append(receiver)
      }
      if let first = tree.children(of: node).first.flatMap(path), first != receiver,
        ["size", "int", "double", "uint", "timestamp", "duration"].contains(name)
          || (node.first != SyntaxNode.none
            && ["startsWith", "endsWith", "matches"].contains(name))
      {
        result.append(first)
      }
      return result
    case .binary:
      if node.op == .in { return [path(node.second)].compactMap { $0 } }
      if node.op.info.isComparison {
        let isOrdering = node.op != .equal && node.op != .notEqual
        return isOrdering ? [path(node.second)].compactMap { $0 } : []
      }
      if node.op == .and || node.op == .or { return [] }
      return [path(node.first), path(node.second)].compactMap { $0 }
    default: return []
    }
  }

  /// Returns whether a chain is the whole filter or the whole content of parentheses.
  private func isPlainChain(_ id: NodeID) -> Bool {
    id.index == tree.root.index || tree[id].flags.contains(.parenthesized)
  }

  /// Returns the fix that writes `has(x) ? rest : false`.
  private func conditionalFix(_ chain: NodeID, _ operands: [NodeID]) -> Diagnostic.FixIt {
    let span = tree[chain].span
    let guardSpan = tree[operands[0]].span
    // The operator after the guard becomes `?`; the rest stays as it is written.
    var innermost = tree[chain]
    while innermost.first != operands[0].index, tree.nodes[Int(innermost.first)].op == .and {
      innermost = tree.nodes[Int(innermost.first)]
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
