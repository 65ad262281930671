package import ExpressionSyntax

extension Value {
  /// The value that replaces a missing attribute on the left of a comparison with this literal in
  /// the superscript dialect: the zero of the literal's kind, or null
  /// (docs/spec/superscript.md §2).
  package var zeroOfKind: Value {
    switch self {
    case .string: .string("")
    case .int: .int(0)
    case .uint: .uint(0)
    case .double: .double(0)
    case .bool: .bool(false)
    default: .null
    }
  }

  /// Returns `self op other` for a comparison operator, computed as by the machine.
  ///
  /// - Returns: `nil` if the comparison fails.
  package func compared(_ op: Operator, with other: Value, in dialect: Dialect.Name) -> Bool? {
    var machine = Machine(rules: dialect == .superscript ? .superscript : .cel, limits: .standard)
    guard let left = Slot.make(self, in: &machine.arena),
      let right = Slot.make(other, in: &machine.arena)
    else { return nil }
    let result =
      ComparisonMask(op).map { machine.compare($0, left, right) }
      ?? machine.membership(left, in: right)
    return result.isA(.bool) ? result.boolValue : nil
  }
}
