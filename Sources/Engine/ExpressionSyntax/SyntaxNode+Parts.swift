// The parts of a node by their names. Which of them a node has follows from its kind.

extension SyntaxNode {
  /// The operand of a unary operation, a selection, an index or an optional entry.
  @inlinable package var operand: NodeID { NodeID(first) }

  /// The left side of a binary operation.
  @inlinable package var left: NodeID { NodeID(first) }

  /// The right side of a binary operation.
  @inlinable package var right: NodeID { NodeID(second) }

  /// The part of an index between the brackets.
  @inlinable package var subscriptIndex: NodeID { NodeID(second) }

  /// The condition of a conditional.
  @inlinable package var condition: NodeID { NodeID(first) }

  /// The part of a conditional that counts if the condition is true.
  @inlinable package var consequence: NodeID { NodeID(second) }

  /// The part of a conditional that counts if the condition is false.
  @inlinable package var alternative: NodeID { NodeID(third) }

  /// The name before the braces of a message.
  @inlinable package var typeName: NodeID { NodeID(first) }

  /// The value before the dot of a call; `nil` for a call without one.
  @inlinable package var receiver: NodeID? { first == Self.none ? nil : NodeID(first) }

  /// The number of arguments of a call, of elements of a list, or of keys and values of a map.
  @inlinable package var childCount: Int { Int(third) }

  /// Returns whether the node is a unary operation with an operator.
  @inlinable package func isUnary(_ op: Operator) -> Bool { kind == .unary && self.op == op }

  /// Returns whether the node is a binary operation with an operator.
  @inlinable package func isBinary(_ op: Operator) -> Bool { kind == .binary && self.op == op }
}

extension SyntaxTree {
  /// Returns the arguments of a call, the elements of a list, or the keys and values of a map; none
  /// for other nodes.
  package func arguments(of node: SyntaxNode) -> [NodeID] {
    switch node.kind {
    case .call, .list, .map, .message: children(of: node).map { NodeID($0) }
    default: []
    }
  }

  /// Returns all parts of a node, in source order.
  @inlinable package func parts(of node: SyntaxNode) -> [NodeID] {
    var parts: [NodeID] = []
    forEachChild(of: node) { parts.append(NodeID($0)) }
    return parts
  }

  /// Returns the receiver of a call, if it has one, and its arguments.
  package func operands(of call: SyntaxNode) -> [NodeID] {
    (call.receiver.map { [$0] } ?? []) + arguments(of: call)
  }
}
