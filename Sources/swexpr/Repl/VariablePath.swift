import ExpressionEngine
import ExpressionSyntax

/// The way to a variable or a member of one, as filters write it: `user.age`, `params["$x"]`.
struct VariablePath: Hashable, CustomStringConvertible {
  let root: String
  let names: [String]

  init(root: String, names: [String] = []) {
    self.root = root
    self.names = names
  }

  /// Reads a path; `nil` if the text is none.
  init?(_ text: String, dialect: Dialect) {
    guard let tree = try? parse(Source(text), dialect: dialect) else { return nil }
    var names: [String] = []
    var node = tree[tree.root]
    while true {
      switch node.kind {
      case .identifier:
        self.init(root: tree.name(of: node), names: names.reversed())
        return
      case .select:
        names.append(tree.name(of: node))
        node = tree[NodeID(node.first)]
      case .index where tree[NodeID(node.second)].kind == .stringLiteral:
        names.append(tree.string(of: tree[NodeID(node.second)]))
        node = tree[NodeID(node.first)]
      default: return nil
      }
    }
  }

  /// The path one member further.
  func appending(_ name: String) -> VariablePath { VariablePath(root: root, names: names + [name]) }

  /// The path as filters write it.
  var description: String {
    names.reduce(into: root) { text, name in
      text += Self.isPlain(name) ? ".\(name)" : "[\(Value.string(name).literal)]"
    }
  }

  /// The value at the path, or `nil` when there is none.
  func value(in variables: [String: Value]) -> Value? {
    guard var value = variables[root] else { return nil }
    for name in names {
      guard case .map(let entries) = value, let member = entries[.string(name)] else { return nil }
      value = member
    }
    return value
  }

  /// Puts a value there, or removes what is there for `nil`.
  func set(_ value: Value?, in variables: inout [String: Value]) {
    variables[root] = Self.setting(names[...], of: variables[root], to: value)
  }

  private static func setting(
    _ names: ArraySlice<String>, of old: Value?, to value: Value?
  ) -> Value? {
    guard let name = names.first else { return value }
    var entries: [Value.Key: Value] = [:]
    if case .map(let existing)? = old { entries = existing } else if value == nil { return old }
    entries[.string(name)] = setting(names.dropFirst(), of: entries[.string(name)], to: value)
    return .map(entries)
  }

  /// Whether a name can stand behind a dot.
  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first),
      !["true", "false", "null", "in"].contains(name)
    else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}
