import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Finds the parts of a chain that fail where an attribute is missing.

extension FilterLinter {
  /// A part of an operand of a chain that fails if an attribute is missing.
  struct Victim {
    /// The index of the operand.
    let operand: Int
    let node: NodeID
  }

  /// Returns, for each attribute, the parts that fail if it is missing: the first two in different
  /// operands, in order.
  func victims(in operands: [NodeID]) -> [AttributePath: [Victim]] {
    var result: [AttributePath: [Victim]] = [:]
    for (number, operand) in operands.enumerated() {
      var work = [operand]
      while let next = work.popLast() {
        let node = tree[next]
        for path in neededPaths(node) {
          let known = result[path, default: []]
          if known.count < 2, known.last?.operand != number {
            result[path, default: []].append(Victim(operand: number, node: next))
          }
        }
        // Alternatives are evaluated only if they are needed.
        switch node.kind {
        case .conditional: work.append(node.condition)
        case .binary where node.op == .or: work.append(node.left)
        case .call where ["has", "maybe", "hasFn"].contains(tree.name(of: node)): break
        default: work += tree.parts(of: node).reversed()
        }
      }
    }
    return result
  }

  /// Returns the attributes whose absence makes the node itself fail.
  func neededPaths(_ node: SyntaxNode) -> [AttributePath] {
    switch node.kind {
    case .call:
      let name = tree.name(of: node)
      var result: [AttributePath] = []
      let receiver = node.receiver.flatMap { freePath($0) }
      if let receiver,
        [
          "startsWith", "endsWith", "matches", "all", "exists", "exists_one", "filter", "map",
        ].contains(name)
      {
        result.append(receiver)
      }
      if let first = tree.arguments(of: node).first.flatMap({ freePath($0) }), first != receiver,
        ["size", "int", "double", "uint", "timestamp", "duration"].contains(name)
          || (node.receiver != nil && ["startsWith", "endsWith", "matches"].contains(name))
      {
        result.append(first)
      }
      return result
    case .binary:
      if node.op == .in { return [freePath(node.right)].compactMap { $0 } }
      if node.op.info.isComparison {
        let isOrdering = node.op != .equal && node.op != .notEqual
        return isOrdering ? [freePath(node.right)].compactMap { $0 } : []
      }
      if node.op == .and || node.op == .or { return [] }
      return [freePath(node.left), freePath(node.right)].compactMap { $0 }
    default: return []
    }
  }
}
