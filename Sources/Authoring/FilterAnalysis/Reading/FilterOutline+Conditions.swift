package import ExpressionEngine
package import ExpressionSyntax

extension FilterOutline {
  /// A call of `all`, `exists` or `exists_one`.
  package struct Loop {
    /// The kind of a loop's result.
    package enum Kind: String {
      case all
      case exists
      case existsOne = "exists_one"
    }

    package let kind: Kind
    package let range: NodeID
    package let variable: String
    package let body: NodeID
  }

  /// The operands of a condition, by the form of the condition.
  package enum Shape {
    /// The node itself is a value, such as an attribute.
    case value
    /// `left op right`, `in` included.
    case comparison(Operator, NodeID, NodeID)
    /// `has(x)`.
    case presence(NodeID)
    /// `x.startsWith(y)`, `x.endsWith(y)` and `x.contains(y)`, by the name of the function.
    case search(String, in: NodeID, for: NodeID)
    case loop(Loop)
    /// A call of a function of the app, with its arguments, and with the receiver first if the
    /// function is called by its name.
    case hostCall([NodeID])
    /// Any other call, with the receiver first.
    case call(String, [NodeID])
    /// Anything else: arithmetic, a connective, a list.
    case other
  }

  /// Returns the shape of a node.
  package func shape(of id: NodeID) -> Shape {
    let node = tree[id]
    switch node.kind {
    case .identifier, .select, .index: return .value
    case .binary where node.op.isComparison:
      return .comparison(node.op, node.left, node.right)
    case .call: return shape(ofCall: node)
    default: return .other
    }
  }

  private func shape(ofCall node: SyntaxNode) -> Shape {
    let name = tree.name(of: node)
    let arguments = tree.arguments(of: node)
    let operands = tree.operands(of: node)
    if environment.hasAdded(name) { return .hostCall(operands) }
    if isHostFunction(name) || name == "hasFn" || !isLibraryFunction(name) && isMember(node) {
      return .hostCall(arguments)
    }
    switch name {
    case "has" where operands.count == 1 && arguments.count == 1: return .presence(arguments[0])
    case "startsWith", "endsWith", "contains":
      guard operands.count == 2 else { return .call(name, operands) }
      return .search(name, in: operands[0], for: operands[1])
    default: return loop(node).map { .loop($0) } ?? .call(name, operands)
    }
  }

  /// Returns whether a call is written with `device` or `computed`, or anything else that is not
  /// evaluated, before its name.
  package func isMember(_ node: SyntaxNode) -> Bool {
    guard let target = node.receiver.map({ tree[$0] }) else { return false }
    return target.kind == .identifier && ["device", "computed"].contains(tree.name(of: target))
  }

  /// Returns the loop of a call, if the call is a loop whose elements can be examined one by one.
  package func loop(_ node: SyntaxNode) -> Loop? {
    guard node.kind == .call else { return nil }
    let name = tree.name(of: node)
    guard let kind = Loop.Kind(rawValue: name), !isHostFunction(name) else { return nil }
    // The superscript dialect also accepts the list as the first argument.
    let operands = tree.operands(of: node)
    guard operands.count == 3, node.receiver != nil || tree.dialect.name == .superscript,
      tree[operands[1]].kind == .identifier
    else { return nil }
    return Loop(
      kind: kind, range: operands[0], variable: tree.name(of: tree[operands[1]]),
      body: operands[2])
  }
}

extension FilterOutline {
  /// The relation of one operand to constants: all that a condition tests.
  package enum Relation {
    /// `x`.
    case truth(NodeID)
    /// `has(x)`.
    case presence(NodeID)
    /// `x op constant`, also `x in [constants]`.
    case comparison(ConstantComparison)
    /// `size(x) op constant`.
    case size(of: NodeID, ConstantComparison)
    /// `constant in x`, and `[constants].all(c, c in x)`.
    case elements([Value], written: NodeID, in: NodeID)
    /// `x.startsWith(constant)` and the like, by the name of the function.
    case search(String, in: NodeID, Value, written: NodeID)

    /// The operand.
    package var subject: NodeID {
      switch self {
      case .truth(let id), .presence(let id), .size(of: let id, _), .elements(_, _, in: let id),
        .search(_, in: let id, _, _):
        id
      case .comparison(let comparison): comparison.subject
      }
    }
  }

  /// Returns the relation of a condition's one operand to constants.
  ///
  /// - Returns: `nil` if the condition tests anything else.
  package func relation(of id: NodeID) -> Relation? {
    switch shape(of: id) {
    case .value, .hostCall: return .truth(id)
    case .presence(let operand): return .presence(operand)
    case .comparison(let op, let left, let right): return relation(of: id, op, left, right)
    case .search(let name, in: let subject, for: let wanted):
      return tree.constant(of: wanted).map { .search(name, in: subject, $0, written: wanted) }
    case .loop(let loop): return relation(of: loop)
    case .call, .other: return nil
    }
  }

  private func relation(
    of id: NodeID, _ op: Operator, _ left: NodeID, _ right: NodeID
  ) -> Relation? {
    if op == .in, let element = tree.constant(of: left) {
      return .elements([element], written: left, in: right)
    }
    guard let comparison = ConstantComparison(tree[id], in: tree) else { return nil }
    if comparison.isConstantRight, let subject = sizedOperand(left) {
      return .size(of: subject, comparison)
    }
    return .comparison(comparison)
  }

  /// Returns the operand of `size(x)`.
  private func sizedOperand(_ id: NodeID) -> NodeID? {
    guard case .call("size", let operands) = shape(of: id), operands.count == 1,
      tree[id].receiver == nil
    else { return nil }
    return operands[0]
  }

  /// Returns the relation of `["gold"].all(id, device.activeEntitlements.contains(id))`.
  private func relation(of loop: Loop) -> Relation? {
    guard loop.kind == .all, case .list(let values)? = tree.constant(of: loop.range) else {
      return nil
    }
    let variable = AttributePath(root: loop.variable)
    switch shape(of: loop.body) {
    case .comparison(.in, let element, let list) where tree.attributePath(of: element) == variable,
      .search("contains", in: let list, for: let element)
    where tree.attributePath(of: element) == variable:
      return .elements(values, written: loop.range, in: list)
    default: return nil
    }
  }
}
