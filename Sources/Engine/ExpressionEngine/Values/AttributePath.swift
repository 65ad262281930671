package import ExpressionSyntax

/// The path of an attribute: `user.address.city` is the root `user` and the names `address`,
/// `city`.
public struct AttributePath: Sendable, Hashable, CustomStringConvertible {
  /// The variable that the path starts with: `user`, `device`, `params`, or another.
  public var root: String
  /// The names under the root, outermost first; empty for the variable itself.
  public var names: [String]

  /// The largest number of names in a path that is recognized in a filter; no attribute is deeper.
  package static let maximumLength = 100

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

extension AttributePath: ExpressibleByStringLiteral {
  /// Creates a path from a literal, spelled as in a filter: `"user.age"`.
  ///
  /// A literal that is not a path is the name of a variable, which no context has; a debug build
  /// prints it.
  public init(stringLiteral text: String) {
    self = AttributePath(text) ?? AttributePath(notedAsNoPath: text)
  }

  /// Creates a path from a text that is not one, and reports it.
  fileprivate init(notedAsNoPath text: String) {
    noteForDevelopers("`\(text)` is not the path of an attribute")
    self.init(root: text)
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
}
