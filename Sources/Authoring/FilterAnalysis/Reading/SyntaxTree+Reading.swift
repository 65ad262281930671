package import ExpressionEngine
package import ExpressionSyntax

extension SyntaxNode {
  /// Whether a dot precedes the name in cel, so that it is never the variable of a loop.
  var isRooted: Bool { flags.contains(.leadingDot) }
}

extension SyntaxTree {
  /// Returns the variable at the start of a chain of members and indexes.
  package func chainRoot(of id: NodeID) -> SyntaxNode? {
    var node = self[id]
    while true {
      switch node.kind {
      case .identifier: return node
      case .select, .index: node = self[node.operand]
      default: return nil
      }
    }
  }

  /// Returns whether a node is a literal of a single value.
  package func isLiteral(_ id: NodeID) -> Bool {
    self[id].kind.rawValue <= SyntaxKind.bytesLiteral.rawValue
  }

  /// Returns the value of a literal of a single value, or of a list of such literals.
  ///
  /// The superscript dialect reads the strings `true` and `false` as bools
  /// (docs/spec/superscript.md §4).
  package func constant(of id: NodeID) -> Value? {
    let node = self[id]
    switch node.kind {
    case .nullLiteral: return .null
    case .boolLiteral: return .bool(node.payload != 0)
    case .intLiteral: return .int(Int64(bitPattern: node.payload))
    case .uintLiteral: return .uint(node.payload)
    case .doubleLiteral: return .double(Double(bitPattern: node.payload))
    case .bytesLiteral: return .bytes(text(of: node))
    case .stringLiteral:
      let text = string(of: node)
      guard dialect.name == .superscript else { return .string(text) }
      return text == "true" ? .bool(true) : text == "false" ? .bool(false) : .string(text)
    case .list:
      var elements: [Value] = []
      for element in arguments(of: node) {
        guard isLiteral(element), let value = constant(of: element) else { return nil }
        elements.append(value)
      }
      return .list(elements)
    default: return nil
    }
  }

  /// Returns the source of a node, with each line break and run of spaces as one space.
  package func text(ofNode id: NodeID) -> String {
    let text = source.text(of: self[id].span)
    // Most are plain, and long ones are asked for often.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x80 }), !text.hasBytes(of: "  ") { return text }
    guard text.contains(where: { $0.isNewline }) || text.hasBytes(of: "  ") else { return text }
    // Spaces inside a string literal are significant; such a text is printed from the tree instead.
    if self.hasStringLiteral(under: id) {
      return text.split(whereSeparator: { $0.isNewline }).joined(separator: " ")
    }
    return text.split(whereSeparator: { $0.isWhitespace }).joined(separator: " ")
  }

  private func hasStringLiteral(under id: NodeID) -> Bool {
    var work = [id]
    while let next = work.popLast() {
      let node = self[next]
      if node.kind == .stringLiteral || node.kind == .bytesLiteral { return true }
      work += parts(of: node)
    }
    return false
  }
}
