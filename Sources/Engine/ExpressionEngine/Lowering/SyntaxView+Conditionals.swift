import ExpressionSyntax

// Chains of conditionals, `a ? b : c ? d : e`, which both dialects lower without recursion along
// the chain. Not inlined, so that the frames of the recursion around them stay small.
extension SyntaxView {
  /// Returns the parts of a conditional, or `nil` for any other node.
  @inline(never)
  func conditionalParts(
    _ id: NodeID
  ) -> (condition: NodeID, value: NodeID, other: NodeID)? {
    let node = self[id]
    guard node.kind == .conditional else { return nil }
    return (NodeID(node.first), NodeID(node.second), NodeID(node.third))
  }

  /// Returns the spans of the first conditionals of a chain, outermost first.
  @inline(never)
  func conditionalSpans(from first: SyntaxNode, count: Int) -> [SourceSpan] {
    var spans = [first.span]
    var last = first
    while spans.count < count {
      last = self[NodeID(last.third)]
      spans.append(last.span)
    }
    return spans
  }
}
