import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports members of attributes that have none.

extension FilterLinter {
  /// Reports `user.age.x`, `user.plan["x"]` and `user.tags["vip"]`.
  ///
  /// - Parameter path: The path of the whole chain of members.
  /// - Returns: Whether it did.
  mutating func checkNoMembers(_ id: NodeID, _ path: AttributePath) -> Bool {
    guard path.names.count > 1 else { return false }
    for count in 1..<path.names.count {
      let owner = AttributePath(root: path.root, names: Array(path.names.prefix(count)))
      guard let attribute = schema[owner.description], attribute.type != .map,
        attribute.type != .any,
        !schema.attributes.keys.contains(where: { $0.hasPrefix("\(owner).") })
      else { continue }
      var node = tree[id]
      for _ in (count + 1)..<path.names.count { node = tree.nodes[Int(node.first)] }
      let isIndex = node.kind == .index
      report(
        Diagnostic(
          .unknownAttribute, "`\(owner)` is \(attribute.type.withArticle) and has no members",
          at: isIndex ? tree.nodes[Int(node.second)].span : tree.nameSpan(of: node),
          label: "not there",
          secondary: [
            Diagnostic.Label(tree.nodes[Int(node.first)].span, attribute.type.name)
          ],
          notes: isSuperscript && !isIndex
            ? ["a missing attribute is not an error: it counts as zero or empty"]
            : ["this is an error when the filter runs, and the filter does not match"],
          helps: [helpForMember(of: owner, attribute, Array(path.names.dropFirst(count)))]))
      return true
    }
    return false
  }

  private func helpForMember(
    of owner: AttributePath, _ attribute: AttributeSchema.Attribute, _ names: [String]
  ) -> String {
    let name = names.first ?? ""
    if ["contains", "startsWith", "endsWith", "matches"].contains(name) {
      let argument = names.count > 1 ? Value.string(names[1]).literal : "…"
      return "a call is written with parentheses: `\(owner).\(name)(\(argument))`"
    }
    switch attribute.type {
    case .list(let element) where element == .string || element == .any:
      return "to ask for an element, write `\(Value.string(name).literal) in \(owner)`"
    case .list(let element) where element == .map:
      let member = name.isPlainName ? "x.\(name)" : "x[\(Value.string(name).literal)]"
      return "ask its elements: `\(owner).exists(x, \(member) == …)`"
    case .list: return "an element of a list is read by its number: `\(owner)[0]`"
    default: break
    }
    if attribute.type == .string,
      let foreign = ForeignFunctions.help(for: name, in: tree.dialect.name)
    {
      return foreign
    }
    return "compare `\(owner)` itself"
  }
}
