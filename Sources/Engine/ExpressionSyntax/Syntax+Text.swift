extension SyntaxTree {
  /// Returns the name of an identifier, selection or call, without backticks.
  package func name(of node: SyntaxNode) -> String { source.text(of: nameSpan(of: node)) }

  /// Returns the UTF-8 of the name of an identifier, selection or call, without backticks.
  package func nameBytes(of node: SyntaxNode) -> ArraySlice<UInt8> {
    source.bytes(of: nameSpan(of: node))
  }

  /// Returns the place of the operator of a unary or binary node.
  ///
  /// The operator of a unary node is at its start.
  package func operatorSpan(of node: SyntaxNode) -> SourceSpan {
    guard node.kind == .unary else { return nameSpan(of: node) }
    return SourceSpan(
      start: node.span.start, length: UInt32(truncatingIfNeeded: node.op.spelling.utf8.count))
  }

  /// Returns the place of the text between the quotes of a string or bytes literal, and whether it
  /// must be decoded.
  ///
  /// If `needsDecoding` is `false`, the bytes of the span are the content and can be copied without
  /// making a `String`; otherwise use ``text(of:)``.
  package func literalContent(of node: SyntaxNode) -> (span: SourceSpan, needsDecoding: Bool) {
    (nameSpan(of: node), node.flags.contains(.hasEscapes))
  }

  /// Returns the content of a string literal (as UTF-8) or a bytes literal, with its escapes
  /// decoded.
  package func text(of node: SyntaxNode) -> [UInt8] {
    let (span, needsDecoding) = literalContent(of: node)
    guard needsDecoding else { return Array(source.bytes(of: span)) }
    return source.bytes.withUnsafeBufferPointer { node.decodedText(in: $0, dialect.lexical) }
  }

  /// Returns the content of a string literal as a `String`.
  package func string(of node: SyntaxNode) -> String {
    String(decoding: text(of: node), as: UTF8.self)
  }

  /// Returns the number of nodes on the longest path from the root to a leaf.
  ///
  /// A chain such as `a + b + c + …` is as deep as it is long, so check the depth before walking
  /// the tree recursively.
  ///
  /// - Complexity: O(n) in the number of nodes.
  package func depth() -> Int {
    var depths = [Int32](repeating: 1, count: nodes.count)
    for (index, node) in nodes.enumerated() {
      var deepest: Int32 = 0
      forEachChild(of: node) { deepest = max(deepest, depths[Int($0)]) }
      depths[index] = deepest &+ 1
    }
    return Int(depths.last ?? 0)
  }

  /// Returns the numbers of the nodes of a part, which are consecutive; the last one is its root.
  ///
  /// - Complexity: O(size of the part), O(1) for the whole expression.
  package func nodeNumbers(under id: NodeID) -> Range<Int> {
    let last = Int(id.index)
    guard last + 1 < nodes.count else { return 0..<nodes.count }
    // A node that comes before the part in the text also comes before it in the list.
    let start = nodes[last].span.start
    var first = last
    while first > 0, nodes[first - 1].span.start >= start { first -= 1 }
    return first..<(last + 1)
  }

  /// Returns the operands of a chain of one infix operator, in order. An operand on the left that
  /// is itself such a chain is unfolded, unless it is written in parentheses.
  package func operands(ofChain id: NodeID) -> [NodeID] {
    let op = self[id].op
    var reversed: [NodeID] = []
    var current = id
    while true {
      let node = self[current]
      reversed.append(NodeID(node.second))
      let left = self[NodeID(node.first)]
      guard left.kind == .binary, left.op == op, !left.flags.contains(.parenthesized) else {
        reversed.append(NodeID(node.first))
        return reversed.reversed()
      }
      current = NodeID(node.first)
    }
  }

  /// Calls `body` with the numbers of a node's children, in source order.
  package func forEachChild(of node: SyntaxNode, _ body: (UInt32) -> Void) {
    switch node.kind {
    case .select, .unary, .optionalEntry: body(node.first)
    case .index, .binary:
      body(node.first)
      body(node.second)
    case .conditional:
      body(node.first)
      body(node.second)
      body(node.third)
    case .call, .message:
      if node.first != SyntaxNode.none { body(node.first) }
      for child in children(of: node) { body(child) }
    case .list, .map:
      for child in children(of: node) { body(child) }
    case .nullLiteral, .boolLiteral, .intLiteral, .uintLiteral, .doubleLiteral, .stringLiteral,
      .bytesLiteral, .identifier:
      break
    }
  }
}

extension SyntaxNode {
  /// Returns the content of a string or bytes literal with its escapes decoded.
  ///
  /// - Parameters:
  ///   - source: The bytes of the whole source.
  ///   - rules: The lexical rules of the dialect in which it was parsed.
  package func decodedText(
    in source: UnsafeBufferPointer<UInt8>, _ rules: Dialect.LexicalRules
  ) -> [UInt8] {
    var decoder = LiteralDecoder(
      bytes: source, content: payloadSpan, isBytes: kind == .bytesLiteral,
      flags: flags, rules: rules)
    decoder.decode()
    return decoder.output
  }
}
