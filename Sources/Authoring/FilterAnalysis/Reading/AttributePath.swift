package import ExpressionEngine
package import ExpressionSyntax

/// The path of an attribute: `user.address.city` is the root `user` and the names `address`,
/// `city`.
public struct AttributePath: Sendable, Hashable, CustomStringConvertible {
  /// The variable that the path starts with: `user`, `device`, `params`, or another.
  public var root: String
  /// The names under the root, outermost first; empty for the variable itself.
  public var names: [String]

  /// The largest number of names in a path that is recognized in a filter; no attribute is deeper.
  static let maximumLength = 100

  /// Creates a path.
  ///
  /// - Parameters:
  ///   - root: The variable.
  ///   - names: The names under the root, outermost first.
  public init(root: String, names: [String] = []) {
    self.root = root
    self.names = names
  }

  /// Creates a path from its spelling in a filter: `user.age`, `params["$x"]`.
  ///
  /// - Returns: `nil` if the text is not a path.
  public init?(_ text: String) {
    guard let tree = try? parse(SourceText(text), dialect: .superscript),
      let path = tree.attributePath(of: tree.root)
    else { return nil }
    self = path
  }

  /// The path as it is written in a filter.
  public var description: String {
    names.reduce(into: root) { text, name in
      text += name.isPlainName ? ".\(name)" : "[\(Value.string(name).literal)]"
    }
  }
}

extension String {
  /// Returns the text, shortened to a number of characters.
  package func shortened(to count: Int) -> String {
    self.count > count ? prefix(count - 1) + "…" : self
  }

  /// Whether the text can follow a dot.
  package var isPlainName: Bool {
    guard let first = utf8.first, first &- UInt8(ascii: "0") >= 10 else { return false }
    guard !["true", "false", "null", "in"].contains(self) else { return false }
    return utf8.allSatisfy {
      ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 &- UInt8(ascii: "0") < 10
        || $0 == UInt8(ascii: "_")
    }
  }
}

extension SyntaxTree {
  /// Returns the path that a node spells, if it is a chain of names and constant string indexes,
  /// and not longer than ``AttributePath/maximumLength``.
  package func attributePath(of id: NodeID) -> AttributePath? {
    // Names are only copied once it is a path: chains that are too long may have thousands of
    // nodes.
    var parts: [SyntaxNode] = []
    var node = self[id]
    while parts.count <= AttributePath.maximumLength {
      switch node.kind {
      case .identifier:
        return AttributePath(
          root: name(of: node),
          names: parts.reversed().map { $0.kind == .select ? name(of: $0) : string(of: $0) })
      case .select where !node.flags.contains(.optional):
        parts.append(node)
      case .index where !node.flags.contains(.optional):
        let index = self[NodeID(node.second)]
        guard index.kind == .stringLiteral else { return nil }
        parts.append(index)
      default: return nil
      }
      node = self[NodeID(node.first)]
    }
    return nil
  }

  /// Returns the variable at the start of a chain of members and indexes.
  package func chainRoot(of id: NodeID) -> SyntaxNode? {
    var node = self[id]
    while true {
      switch node.kind {
      case .identifier: return node
      case .select, .index: node = self[NodeID(node.first)]
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
      for child in children(of: node) {
        guard isLiteral(NodeID(child)), let element = constant(of: NodeID(child)) else {
          return nil
        }
        elements.append(element)
      }
      return .list(elements)
    default: return nil
    }
  }

  /// Returns the source of a node, with each line break and run of spaces as one space.
  package func text(ofNode id: NodeID) -> String {
    let text = source.text(of: self[id].span)
    guard text.contains(where: { $0.isNewline }) || text.hasBytes(of: "  ") else { return text }
    // Spaces inside a string literal are significant; such a text is printed from the tree instead.
    if self.hasStringLiteral(under: id) {
      return text.split(whereSeparator: { $0.isNewline }).joined(separator: " ")
    }
    return text.split(whereSeparator: { $0.isWhitespace }).joined(separator: " ")
  }

  private func hasStringLiteral(under id: NodeID) -> Bool {
    var work = [id.index]
    while let next = work.popLast() {
      let node = nodes[Int(next)]
      if node.kind == .stringLiteral || node.kind == .bytesLiteral { return true }
      forEachChild(of: node) { work.append($0) }
    }
    return false
  }
}
