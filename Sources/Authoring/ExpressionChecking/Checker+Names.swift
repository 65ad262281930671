import ExpressionSyntax

/// Variables, dotted names and members (docs/spec/cel.md §3, §9).
extension CheckPass {
  /// The type of an identifier, or `nil` if it only starts a dotted name; then the node where that
  /// ends gets the type.
  mutating func inferName(_ node: SyntaxNode, _ id: NodeID) -> Type? {
    let name = tree.name(of: node)
    let fromRoot = node.flags.contains(.leadingDot)
    if !fromRoot, let variable = scope.last(where: { $0.name == name }) { return variable.type }
    let parts = dottedName(from: id, name)
    if let (call, function) = qualifiedFunction(parts, fromRoot) {
      qualifiedCalls[call] = function
      for part in parts { isNamed[Int(part.id.index)] = true }
      return nil
    }
    for position in parts.indices.reversed() {
      guard let type = declarations.variable(parts[position].name, fromRoot: fromRoot) else {
        continue
      }
      return assign(type, toNameEndingAt: position, of: parts)
    }
    if reportUnknownMember(of: parts) {
      return assign(.error, toNameEndingAt: parts.count - 1, of: parts)
    }
    return inferUndeclared(parts)
  }

  /// Reports a call such as `math.celi(1.5)`, whose name space has functions, but none of that
  /// name.
  private mutating func reportUnknownMember(of parts: [NamePart]) -> Bool {
    guard rules.undeclaredFunctions == .error, let last = parts.last else { return false }
    guard let node = outline.parent(of: last.id).map({ tree[$0] }), node.kind == .call,
      declarations.isFunctionNamespace(last.name)
    else { return false }
    reportUnknownFunction("\(last.name).\(tree.name(of: node))", node)
    return true
  }

  /// A piece of a dotted name: the node at which it ends, and the name up to there.
  typealias NamePart = (id: NodeID, name: String)

  /// The identifier and the plain selections on it, as far as declared names are long.
  private func dottedName(from id: NodeID, _ name: String) -> [NamePart] {
    var parts: [NamePart] = [(id, name)]
    let limit = max(declarations.longestName, declarations.longestFunctionName)
    var current = id
    var name = name
    while parts.count < limit, let parent = outline.parent(of: current) {
      let node = tree[parent]
      guard node.kind == .select, node.flags.isDisjoint(with: [.optional, .quotedName]) else {
        break
      }
      name += ".\(tree.name(of: node))"
      parts.append((parent, name))
      current = parent
    }
    return parts
  }

  /// The call of a function by a dotted name, `optional.of(…)` for instance.
  private func qualifiedFunction(
    _ parts: [NamePart], _ fromRoot: Bool
  ) -> (call: NodeID, function: String)? {
    guard let last = parts.last, parts.count < declarations.longestFunctionName else { return nil }
    guard let call = outline.parent(of: last.id), outline.macros[call] == nil else { return nil }
    let node = tree[call]
    guard node.kind == .call else { return nil }
    let name = "\(last.name).\(tree.name(of: node))"
    return declarations.function(name, fromRoot: fromRoot).map { (call, $0) }
  }

  /// Gives the node where a name ends its type; the nodes before it only spell the name.
  private mutating func assign(
    _ type: Type, toNameEndingAt position: Int, of parts: [NamePart]
  ) -> Type? {
    for part in parts[...position] { isNamed[Int(part.id.index)] = true }
    types[Int(parts[position].id.index)] = type
    return position == 0 ? type : nil
  }

  private mutating func inferUndeclared(_ parts: [NamePart]) -> Type? {
    // A name goes on as long as it is the beginning of a declared one.
    var end = 0
    while end + 1 < parts.count, declarations.namespaces.contains(parts[end].name) { end += 1 }
    if rules.missingMembersAreNull, declarations.namespaces.contains(parts[end].name) {
      return assign(.map(.string, .dyn), toNameEndingAt: end, of: parts)
    }
    guard rules.undeclaredNames == .error else { return .dyn }
    let name = parts[end].name
    // One mistake is reported once, however often it is repeated.
    guard !isFull, reportedNames.insert(name).inserted else {
      return assign(.error, toNameEndingAt: end, of: parts)
    }
    let names = Array(declarations.variables.keys) + scope.map { $0.name }
    report(
      .undeclaredName, "unknown name `\(name)`", at: tree[parts[end].id].span,
      label: "not declared in this environment",
      helps: [Suggestions.help(for: name, among: names.sorted())].compactMap { $0 })
    return assign(.error, toNameEndingAt: end, of: parts)
  }

  // MARK: Members

  /// The type of `e.f` or `e.?f`.
  mutating func inferSelection(_ node: SyntaxNode) -> Type {
    let member = memberType(of: type(node.operand), node)
    guard node.flags.contains(.optional) else { return member.type }
    if case .error = member.type { return .error }
    // A step on an optional is optional already.
    return member.isOptional ? member.type : .optional(member.type)
  }

  private mutating func memberType(
    of operand: Type, _ node: SyntaxNode
  ) -> (type: Type, isOptional: Bool) {
    switch substitution.shallow(operand) {
    case .error: return (.error, false)
    case .dyn, .any: return (.dyn, false)
    case .variable:
      // An undecided type must not be guessed from a member.
      _ = substitution.join(operand, .dyn)
      return (.dyn, false)
    case .map(_, let value): return (value, false)
    case .optional(let content):
      let inner = memberType(of: content, node)
      if case .error = inner.type { return inner }
      return inner.isOptional ? inner : (.optional(inner.type), true)
    case let type:
      if rules.missingMembersAreNull { return (.dyn, false) }
      report(
        .noMembers, "\(article(type)) has no members",
        at: tree.nameSpan(of: node), label: "no member of that name",
        secondary: [.init(tree[node.operand].span, text(type))],
        helps: memberHelp(node))
      return (.error, false)
    }
  }

  /// A method that was written without its parentheses is a frequent mistake.
  private func memberHelp(_ node: SyntaxNode) -> [String] {
    let name = tree.name(of: node)
    let isMethod = declarations.functions[name]?.contains { $0.receiver != nil } ?? false
    return isMethod ? ["call the function: `.\(name)(…)`"] : []
  }
}
