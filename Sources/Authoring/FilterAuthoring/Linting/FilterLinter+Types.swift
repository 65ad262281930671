import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

extension FilterLinter {
  /// Returns the schema's entry for the attribute that a node reads.
  func knownAttribute(_ id: NodeID) -> AttributeSchema.Attribute? {
    guard let path = freePath(id) else { return knownMember(id) }
    return schema.attribute(at: path)
  }

  /// Returns the schema's entry for a member of the elements of a list, under the name that it is
  /// written with.
  private func knownMember(_ id: NodeID) -> AttributeSchema.Attribute? {
    guard let (list, name) = elementMember(id),
      var member = list.members.first(where: { $0.path == name })
    else { return nil }
    member.path = text(id)
    return member
  }

  /// Returns the list and the name of the member that a node reads of one of its elements:
  /// `s.store` in a loop over `s`, or `list[0].store`.
  func elementMember(_ id: NodeID) -> (list: AttributeSchema.Attribute, name: String)? {
    let node = tree[id]
    guard node.kind == .select else { return nil }
    let owner = node.operand
    let range: NodeID?
    switch tree[owner].kind {
    case .identifier: range = outline.range(of: owner)
    case .index: range = tree[owner].operand
    default: range = nil
    }
    guard let range, let path = freePath(range), let list = schema.attribute(at: path) else {
      return nil
    }
    return (list, tree.name(of: node))
  }

  /// Returns the path of the attribute that a node reads, unless it starts at the variable of a
  /// loop.
  func freePath(_ id: NodeID) -> AttributePath? { outline.freePath(id) }

  /// Returns the type of a constant. The texts "true" and "false" are bools only in the superscript
  /// dialect.
  func literalType(of value: Value) -> AttributeType {
    if !isSuperscript, case .string = value { return .string }
    return AttributeType(of: value)
  }

  /// Returns the type that a node has in every context, as far as it is known.
  func staticType(_ id: NodeID) -> AttributeType {
    var node = tree[id]
    // Chains of arithmetic nest on the left; the parser limits all other nesting.
    var depth = 0
    var current = id
    while node.kind == .conditional, depth < 64 {
      let first = staticType(node.consequence)
      guard first != .any else { return .any }
      current = node.alternative
      node = tree[current]
      depth += 1
      if node.kind != .conditional {
        return first.joined(with: shallowType(current, node))
      }
    }
    return shallowType(current, node)
  }

  private func shallowType(_ id: NodeID, _ node: SyntaxNode) -> AttributeType {
    switch node.kind {
    case .boolLiteral: return .bool
    case .intLiteral, .uintLiteral: return .int
    case .doubleLiteral: return .number
    case .stringLiteral: return tree.constant(of: id).map(literalType(of:)) ?? .string
    case .list: return tree.constant(of: id).map(AttributeType.init(of:)) ?? .list(.any)
    case .map: return .map
    case .identifier
    where !isBound[Int(id.index)] && ["user", "device", "params"].contains(tree.name(of: node)):
      return .map
    case .select, .index: return knownAttribute(id)?.type ?? .any
    case .unary:
      if node.op == .not || node.op == .doubleNot { return .bool }
      return isNoNumber(node.operand) ? .any : .number
    case .binary: return typeOfOperator(node)
    case .call: return typeOfCall(node)
    default: return .any
    }
  }

  private func typeOfOperator(_ node: SyntaxNode) -> AttributeType {
    if node.op.info.isComparison || node.op == .and { return .bool }
    if node.op == .or { return isSuperscript ? .any : .bool }
    let operands = [tree[node.left], tree[node.right]]
    if node.op == .add {
      if operands.contains(where: { $0.kind == .stringLiteral }) { return .string }
      let isNumber = operands.contains {
        [.intLiteral, .doubleLiteral, .uintLiteral].contains($0.kind)
      }
      let areCounts = operands.allSatisfy { $0.kind == .call && historyFunction($0) != nil }
      return isNumber || areCounts ? .number : .any
    }
    // What has no value has no type.
    if isNoNumber(node.left) || isNoNumber(node.right) { return .any }
    return node.op == .subtract && !isSuperscript ? .any : .number
  }

  /// Returns whether an operand of arithmetic is certain to be no number. Operands that are
  /// operations themselves count as numbers, so that the depth stays bounded.
  private func isNoNumber(_ id: NodeID) -> Bool {
    let node = tree[id]
    switch node.kind {
    case .select, .index, .stringLiteral, .boolLiteral, .list, .map, .call:
      let type = shallowType(id, node)
      return type != .any && !type.isNumeric || isMoment(node)
    default: return false
    }
  }

  /// Returns whether a node makes a timestamp or a duration.
  func isMoment(_ node: SyntaxNode) -> Bool {
    guard node.kind == .call, node.receiver == nil else { return false }
    let name = tree.name(of: node)
    return (name == "timestamp" || name == "duration")
      && environment.deviceFunctions[name] == nil && environment.computedFunctions[name] == nil
  }

  /// Returns the function of the SDKs that a call reads a history with. In superscript it may be
  /// called by its name alone, and on anything (docs/spec/superscript.md §14).
  func historyFunction(_ node: SyntaxNode) -> HistoryFunctionInfo? {
    node.kind == .call && (outline.isMember(node) || isSuperscript)
      ? HistoryFunctionInfo.named(tree.name(of: node)) : nil
  }

  private func typeOfCall(_ node: SyntaxNode) -> AttributeType {
    let name = tree.name(of: node)
    if outline.isMember(node), let table = node.receiver.map({ tree[$0] }) {
      return schema.hostFunctions["\(tree.name(of: table)).\(name)"] ?? .any
    }
    if environment.callsHost(name) { return .any }
    if historyFunction(node) != nil { return .int }
    switch name {
    case "size", "int", "uint": return .int
    case "double": return .number
    case "string": return .string
    case "contains", "startsWith", "endsWith", "matches", "has", "hasFn", "all", "exists",
      "exists_one":
      return .bool
    case "map", "filter": return .list(.any)
    default: return .any
    }
  }
}

extension AttributeType {
  /// The type in the words of a message: `an int`, `a text`.
  var withArticle: String {
    switch self {
    case .bool: "a bool"
    case .int: "an int"
    case .number: "a number"
    case .string: "a string"
    case .list: "a list"
    case .map: "a map"
    case .any: "a value"
    }
  }
}
