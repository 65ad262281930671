import ExpressionSyntax

/// A tree as the lowering passes read it, without reference counting, so that reading a node or a
/// name costs a load.
///
/// It borrows the memory of the tree and is valid only within ``SyntaxTree/withView(_:)``. Numbers
/// of nodes and children are checked, and spans are clamped to the source's bounds, as in the tree.
struct SyntaxView {
  /// All nodes, children before parents; the last one is the root.
  let nodes: UnsafeBufferPointer<SyntaxNode>
  /// The text that was parsed.
  let bytes: UTF8Bytes
  private let children: UnsafeBufferPointer<UInt32>
  private let rules: Dialect.LexicalRules

  fileprivate init(
    nodes: UnsafeBufferPointer<SyntaxNode>, children: UnsafeBufferPointer<UInt32>,
    bytes: UTF8Bytes, rules: Dialect.LexicalRules
  ) {
    self.nodes = nodes
    self.children = children
    self.bytes = bytes
    self.rules = rules
  }

  /// The node of the whole expression.
  var root: NodeID { NodeID(UInt32(truncatingIfNeeded: nodes.count &- 1)) }

  /// The node with the number `id`.
  subscript(id: NodeID) -> SyntaxNode {
    precondition(Int(id.index) < nodes.count)
    return nodes[Int(id.index)]
  }

  /// The nodes in the child slots of a call, list, map or message.
  func children(of node: SyntaxNode) -> Slice<UnsafeBufferPointer<UInt32>> {
    let end = Int(node.second) &+ Int(node.third)
    precondition(end <= children.count)
    return children[Int(node.second)..<end]
  }

  /// Returns whether a node is `&&` or `||`.
  func isLogic(_ id: NodeID) -> Bool {
    switch self[id].op {
    case .and, .or: true
    default: false
    }
  }

  /// Returns the bytes of a span, clamped to the source's bounds.
  func bytes(of span: SourceSpan) -> UTF8Bytes {
    let start = min(Int(span.start), bytes.count)
    let end = min(max(Int(span.end), start), bytes.count)
    return UTF8Bytes(rebasing: bytes[start..<end])
  }

  /// The UTF-8 of the name of an identifier, selection or call, without backticks.
  func nameBytes(of node: SyntaxNode) -> UTF8Bytes { bytes(of: node.payloadSpan) }

  /// The name of an identifier, selection or call, without backticks.
  func name(of node: SyntaxNode) -> String { String(decoding: nameBytes(of: node), as: UTF8.self) }

  /// Returns the source text between the quotes of a string or bytes literal, or `nil` if it must
  /// be decoded with ``text(of:)``.
  func plainText(of node: SyntaxNode) -> UTF8Bytes? {
    node.flags.contains(.hasEscapes) ? nil : bytes(of: node.payloadSpan)
  }

  /// The content of a string literal (as UTF-8) or a bytes literal, with its escapes decoded.
  func text(of node: SyntaxNode) -> [UInt8] {
    plainText(of: node).map { Array($0) } ?? node.decodedText(in: bytes, rules)
  }
}

extension SyntaxTree {
  /// Calls `body` with a view of the tree, which must not escape.
  func withView<Result: ~Copyable, Failure: Error>(
    _ body: (SyntaxView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // `withUnsafeBufferPointer` can return only copyable values.
    var result: Result?
    try source.bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      try nodes.withUnsafeBufferPointer { nodes throws(Failure) in
        try children.withUnsafeBufferPointer { children throws(Failure) in
          result = try body(
            SyntaxView(nodes: nodes, children: children, bytes: bytes, rules: dialect.lexical))
        }
      }
    }
    // Each of the three has called its body once or has thrown.
    guard let result else { preconditionFailure("the body neither threw nor returned") }
    return result
  }
}
