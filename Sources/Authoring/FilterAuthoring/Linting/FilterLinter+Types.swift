import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

extension FilterLinter {
  /// Returns the schema's entry for the attribute that a node reads.
  func knownAttribute(_ id: NodeID) -> AttributeSchema.Attribute? {
    guard let path = freePath(id) else { return nil }
    return schema.attribute(at: path)
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
      let first = staticType(NodeID(node.second))
      guard first != .any else { return .any }
      current = NodeID(node.third)
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
    case .select, .index: return knownAttribute(id)?.type ?? .any
    case .unary:
      if node.op == .not || node.op == .doubleNot { return .bool }
      return isNoNumber(node.first) ? .any : .number
    case .binary: return typeOfOperator(node)
    case .call: return typeOfCall(node)
    default: return .any
    }
  }

  private func typeOfOperator(_ node: SyntaxNode) -> AttributeType {
    if node.op.info.isComparison || node.op == .and { return .bool }
    if node.op == .or { return isSuperscript ? .any : .bool }
    let operands = [tree.nodes[Int(node.first)], tree.nodes[Int(node.second)]]
    if node.op == .add {
      if operands.contains(where: { $0.kind == .stringLiteral }) { return .string }
      let isNumber = operands.contains {
        [.intLiteral, .doubleLiteral, .uintLiteral].contains($0.kind)
      }
      return isNumber ? .number : .any
    }
    // What has no value has no type.
    if isNoNumber(node.first) || isNoNumber(node.second) { return .any }
    return node.op == .subtract && !isSuperscript ? .any : .number
  }

  /// Returns whether an operand of arithmetic is certain to be no number. Operands that are
  /// operations themselves count as numbers, so that the depth stays bounded.
  private func isNoNumber(_ index: UInt32) -> Bool {
    let node = tree.nodes[Int(index)]
    switch node.kind {
    case .select, .index, .stringLiteral, .boolLiteral, .list, .map, .call:
      let type = shallowType(NodeID(index), node)
      return type != .any && !type.isNumeric || isMoment(node)
    default: return false
    }
  }

  /// Returns whether a node makes a timestamp or a duration.
  func isMoment(_ node: SyntaxNode) -> Bool {
    guard node.kind == .call, node.first == SyntaxNode.none else { return false }
    let name = tree.name(of: node)
    return (name == "timestamp" || name == "duration")
      && environment.deviceFunctions[name] == nil && environment.computedFunctions[name] == nil
  }

  private func typeOfCall(_ node: SyntaxNode) -> AttributeType {
    let name = tree.name(of: node)
    if node.first != SyntaxNode.none {
      let target = tree.nodes[Int(node.first)]
      if target.kind == .identifier, ["device", "computed"].contains(tree.name(of: target)) {
        return schema.hostFunctions["\(tree.name(of: target)).\(name)"] ?? .any
      }
    }
    if environment.deviceFunctions[name] != nil || environment.computedFunctions[name] != nil {
      return .any
    }
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

  // MARK: The result

  /// Warns if the result of the filter is not a bool.
  mutating func checkResult() {
    let type = staticType(tree.root)
    let node = tree[tree.root]
    if checkNoCondition(node) { return }
    guard type != .any, type != .bool, node.kind != .stringLiteral || isSuperscript else { return }
    let text = text(tree.root)
    var helps = ["compare it with something"]
    switch type {
    case .int, .number:
      if node.kind == .select || node.kind == .call { helps = ["compare it: `\(text) > 0`"] }
    case .string where node.kind == .select: helps = ["compare it: `\(text) == \"…\"`"]
    case .list where node.kind == .select:
      helps = ["ask for an element: `\"…\" in \(text)`, or for the size: `size(\(text)) > 0`"]
    default: break
    }
    if node.kind == .conditional { helps = ["let both branches be conditions"] }
    helps = helpForWrapped(node) ?? helps
    report(
      Diagnostic(
        .resultNotBool, "the filter is \(type.withArticle), and only `true` matches",
        at: node.span, label: "not a bool", helps: helps))
  }

  /// Reports a filter that is only `user` or `null`. Returns whether it did.
  private mutating func checkNoCondition(_ node: SyntaxNode) -> Bool {
    let isRoot =
      node.kind == .identifier && ["user", "device", "params"].contains(tree.name(of: node))
    guard isRoot || node.kind == .nullLiteral else { return false }
    report(
      Diagnostic(
        .resultNotBool,
        isRoot
          ? "the filter is all of `\(tree.name(of: node))`, and only `true` matches"
          : "the filter is null, and only `true` matches",
        at: node.span, label: "not a bool",
        helps: [
          isRoot
            ? "compare one of its attributes: `\(tree.name(of: node)).… == …`"
            : "a filter that matches everyone is `true`"
        ]))
    return true
  }

  /// Returns advice for a filter in quotes, in brackets or as JSON.
  private func helpForWrapped(_ node: SyntaxNode) -> [String]? {
    switch node.kind {
    case .stringLiteral:
      let content = String(decoding: tree.text(of: node), as: UTF8.self)
      let isFilter =
        (["user.", "device.", "params."] as [StaticString]).contains { content.hasBytes(of: $0) }
        && (try? parse(SourceText(content), dialect: tree.dialect)) != nil
      return isFilter ? ["remove the quotes around the filter"] : nil
    case .map: return ["a filter is not JSON; write a condition such as `user.age >= 18`"]
    case .list where tree.children(of: node).count == 1:
      return ["remove the brackets, or group with `(…)`"]
    case .list: return ["join conditions with `&&` or `||`"]
    default: return nil
    }
  }

  /// Warns about a number or a text as an operand of `&&`, `||` or `!`, or before `?`.
  mutating func checkOperand(_ id: NodeID, _ node: SyntaxNode) {
    guard id.index != tree.root.index, tree.isLiteral(id), let value = tree.constant(of: id) else {
      return
    }
    switch value {
    case .bool, .null: return
    default: break
    }
    let parent = tree.nodes[Int(parents[Int(id.index)])]
    guard parent.kind == .binary || parent.kind == .unary else { return }
    var helps = ["compare it with something"]
    if parent.kind == .binary, let left = comparisonBefore(id, in: parent) {
      helps = [helpForSharedSubject(id, left, joinedBy: parent.op)]
    }
    report(
      Diagnostic(
        .operandNotCondition,
        "\(value.isTruthy ? "this is always true" : "this is always false"): "
          + "\(AttributeType(of: value).withArticle) is not a condition",
        at: node.span, label: "compared with nothing", helps: helps))
  }

  /// Returns advice for `a == "x" || "y"`, which compares `"y"` with nothing.
  private func helpForSharedSubject(
    _ id: NodeID, _ left: SyntaxNode, joinedBy op: Operator
  ) -> String {
    let subject = text(NodeID(left.first))
    // `a != "x" || a != "y"` would be always true, `a == "x" && a == "y"` never.
    let isList = (op == .or && left.op == .notEqual) || (op == .and && left.op == .equal)
    guard isList else {
      return "write `\(subject) \(left.op.spelling) \(text(id))` for this side too"
    }
    var elements = [text(NodeID(left.second)), text(id)]
    // The values that follow in the chain belong to the list, too.
    var current = parents[Int(id.index)]
    while true {
      let outer = tree.nodes[Int(parents[Int(current)])]
      let next = NodeID(outer.second)
      guard outer.kind == .binary, outer.op == op, outer.first == current, tree.isLiteral(next),
        tree[next].kind != .boolLiteral, tree[next].kind != .nullLiteral
      else { break }
      elements.append(text(next))
      current = parents[Int(current)]
    }
    let list = "\(subject) in [\(elements.joined(separator: ", "))]"
    return "write `\(left.op == .notEqual ? "!(\(list))" : list)`"
  }

  /// Returns the comparison that a constant operand was probably meant to continue.
  private func comparisonBefore(_ id: NodeID, in parent: SyntaxNode) -> SyntaxNode? {
    guard parent.second == id.index else { return nil }
    var left = tree.nodes[Int(parent.first)]
    while left.kind == .binary, left.op == parent.op { left = tree.nodes[Int(left.second)] }
    let isComparison = left.kind == .binary && left.op.info.isComparison && left.op != .in
    // `a > 1 && 5` may mean anything.
    guard isComparison, parent.op == .or || left.op == .equal || left.op == .notEqual else {
      return nil
    }
    return left
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
