extension SyntaxTree {
  /// Returns whether two trees have the same meaning, regardless of spacing, parentheses, comments
  /// and the quoting of literals and names.
  ///
  /// Nodes are in post-order, so equal trees have equal sequences of nodes.
  ///
  /// - Complexity: O(n) in the number of nodes and the size of the literals.
  package func isStructurallyEqual(to other: SyntaxTree) -> Bool {
    guard nodes.count == other.nodes.count else { return false }
    return zip(nodes, other.nodes).allSatisfy { isEqual($0, in: self, to: $1, in: other) }
  }

  private func isEqual(
    _ a: SyntaxNode, in left: SyntaxTree, to b: SyntaxNode, in right: SyntaxTree
  ) -> Bool {
    let meaningful: SyntaxNode.Flags = [.leadingDot, .optional]
    guard a.kind == b.kind, a.op == b.op,
      a.flags.intersection(meaningful) == b.flags.intersection(meaningful)
    else { return false }
    switch a.kind {
    case .nullLiteral: return true
    case .boolLiteral, .intLiteral, .uintLiteral, .doubleLiteral: return a.payload == b.payload
    case .stringLiteral, .bytesLiteral: return left.text(of: a) == right.text(of: b)
    case .identifier: return left.nameBytes(of: a) == right.nameBytes(of: b)
    case .select: return a.first == b.first && left.nameBytes(of: a) == right.nameBytes(of: b)
    case .index, .binary: return a.first == b.first && a.second == b.second
    case .unary, .optionalEntry: return a.first == b.first
    case .conditional:
      return a.first == b.first && a.second == b.second && a.third == b.third
    case .call:
      return a.first == b.first && left.nameBytes(of: a) == right.nameBytes(of: b)
        && left.children(of: a) == right.children(of: b)
    case .list, .map: return left.children(of: a) == right.children(of: b)
    case .message:
      return a.first == b.first && left.children(of: a) == right.children(of: b)
    }
  }
}
