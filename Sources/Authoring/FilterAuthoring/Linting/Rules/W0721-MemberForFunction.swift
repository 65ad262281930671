import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports members that are meant as functions, such as `.length`.

extension FilterLinter {
  /// Functions that Ruby calls without parentheses; `nil` for those without an equivalent.
  private static let functionsOfRuby: [String: String?] = [
    "to_i": "int", "to_s": "string", "to_f": "double", "downcase": nil, "upcase": nil, "strip": nil,
  ]

  /// Reports `user.tags.length` and `user.name.isEmpty`, which are written like members but are not
  /// members.
  mutating func checkMemberForFunction(_ id: NodeID, _ path: AttributePath) -> Bool {
    let node = tree[id]
    guard node.kind == .select, path.names.count >= 2, let name = path.names.last,
      knownRoots.contains(path.root), schema.attribute(at: path) == nil
    else { return false }
    let container = AttributePath(root: path.root, names: Array(path.names.dropLast()))
    let type = schema.attribute(at: container)?.type
    let isSized: Bool
    switch type {
    case .string, .list: isSized = true
    case .map, .bool, .int, .number: isSized = false
    case .any, nil: isSized = path.root != "device"
    }
    guard isSized, let help = helpForMember(name, of: container, type, at: id) else { return false }
    report(
      Diagnostic(
        .memberForFunction,
        name == "first" || name == "last"
          ? "`.\(name)` is not an element of `\(container)`"
          : ["length", "count", "size"].contains(name.lowercased())
            ? "`.\(name)` does not count what is in `\(container)`"
            : "`.\(name)` does not ask what is in `\(container)`",
        at: tree.nameSpan(of: node), label: "read like an attribute of that name",
        notes: isSuperscript && name != "size"
          ? ["a missing attribute is not an error: it counts as zero or empty"] : [],
        helps: [help]))
    return true
  }

  /// Returns the function or the comparison that a member of another language means.
  private func helpForMember(
    _ name: String, of container: AttributePath, _ type: AttributeType?, at id: NodeID
  ) -> String? {
    // `….isEmpty == false` is a condition as a whole.
    let comparison = ConstantComparison(tree[parent(of: id)], in: tree)
    let isFalse =
      comparison?.subject == id
      && (comparison?.op == .equal && comparison?.value == .bool(false)
        || comparison?.op == .notEqual && comparison?.value == .bool(true))
    // An object of the app may have a `count` of its own; a plural name suggests a list.
    let isList = if case .list? = type { true } else { false }
    let isCertain = type != nil || container.names.last?.last == "s"
    switch name.lowercased() {
    case "blank", "empty", "present", "nil", "hasvalue":
      let isThere = ["present", "hasvalue"].contains(name.lowercased()) != isFalse
      return isList
        ? "write `size(\(container)) \(isThere ? ">" : "==") 0`"
        : "write `\(container) \(isThere ? "!=" : "==") \"\"`"
    case "to_i", "to_s", "to_f", "downcase", "upcase", "strip", "tolowercase", "touppercase":
      guard let function = Self.functionsOfRuby[name] else { return nil }
      return function.map { "write `\($0)(\(container))`" } ?? "compare `\(container)` itself"
    case "length": return "write `size(\(container))`"
    case "count", "size":
      guard isCertain else { return nil }
      return "write `size(\(container))`"
    case "isnotempty", "notempty":
      return tree[parent(of: id)].isUnary(.not)
        ? "without the `!`, write `size(\(container)) == 0`"
        : "write `size(\(container)) \(isFalse ? "==" : ">") 0`"
    case "isempty" where tree[parent(of: id)].isUnary(.not):
      return "without the `!`, write `size(\(container)) > 0`"
    case "isempty": return "write `size(\(container)) \(isFalse ? ">" : "==") 0`"
    case "first", "last":
      guard isList || (type == nil && isCertain) else { return nil }
      return name == "first"
        ? "write `\(container)[0]`" : "write `\(container)[size(\(container)) - 1]`"
    default: return nil
    }
  }
}
