package import ExpressionEngine
package import ExpressionSyntax

/// A comparison with its sides in order: the varying part on the left, a constant on the right.
package struct ConstantComparison {
  /// The varying part.
  package let subject: NodeID
  /// The comparison operator, as if the constant were on the right.
  package let op: Operator
  /// The constant.
  package let constant: NodeID
  package let value: Value
  /// Whether the constant is written on the right.
  package let isConstantRight: Bool
  /// The place of the operator.
  package let operatorSpan: SourceSpan
  private let dialect: Dialect.Name

  /// Reads a comparison.
  ///
  /// - Returns: `nil` unless exactly one side is a constant. `"a" in x` is a search, and not one of
  ///   these comparisons.
  package init?(_ node: SyntaxNode, in tree: SyntaxTree) {
    guard node.kind == .binary, node.op.isComparison else { return nil }
    operatorSpan = tree.operatorSpan(of: node)
    dialect = tree.dialect.name
    let left = node.left
    let right = node.right
    if let value = tree.constant(of: right), tree.constant(of: left) == nil {
      (subject, op, constant, self.value, isConstantRight) = (left, node.op, right, value, true)
    } else if let value = tree.constant(of: left), tree.constant(of: right) == nil, node.op != .in {
      (subject, op, constant, self.value, isConstantRight) =
        (right, node.op.mirrored, left, value, false)
    } else {
      return nil
    }
  }

  package var isEquality: Bool { op == .equal || op == .notEqual }
  package var isOrdering: Bool { op.isComparison && !isEquality && op != .in }

  /// Whether it is `>` or `>=`.
  package var isLowerBound: Bool { op == .greater || op == .greaterEqual }

  /// The constants that the varying part is compared with: the elements of the list of `in`, or the
  /// one constant.
  package var constants: [Value] {
    if op == .in, case .list(let elements) = value { return elements }
    return [value]
  }

  /// The result where the varying part is an attribute that is missing, by the rules of superscript
  /// (docs/spec/superscript.md §2); `nil` if the comparison fails then.
  package var holdsWhenMissing: Bool? {
    if op == .in { return false }
    guard isConstantRight else { return Value.null.compared(op, with: value, in: dialect) }
    if case .list = value { return false }
    return value.zeroOfKind.compared(op, with: value, in: dialect)
  }
}

extension Operator {
  /// The comparison with its sides swapped.
  package var mirrored: Operator {
    switch self {
    case .less: .greater
    case .lessEqual: .greaterEqual
    case .greater: .less
    case .greaterEqual: .lessEqual
    default: self
    }
  }

  /// The comparison that holds when this one does not.
  package var negated: Operator {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .greaterEqual
    case .lessEqual: .greater
    case .greater: .lessEqual
    case .greaterEqual: .less
    default: self
    }
  }
}
