@testable import ExpressionEngine
@testable import ExpressionSyntax

// Comparisons, which the reference rewrites most (§2, §5, §14).

extension ReferenceEvaluator {
  /// `left op right` for the operators `==`, `!=`, `<`, `<=`, `>`, `>=` and `in`.
  mutating func comparison(
    _ node: SyntaxNode, _ mode: Mode
  ) throws(ReferenceFailure) -> Bool {
    let leftNode = tree.nodes[Int(node.first)]
    let left: Value
    switch leftNode.kind {
    case .select where mode != .verbatim, .index where mode != .verbatim,
      .message where mode != .verbatim:
      // `has(left) ? left op right : zero op right`
      do {
        left = try evaluate(node.first, .verbatim)
      } catch {
        guard case .noSuchKey = error else { throw error }
        return try relationOfMissing(node, mode)
      }
    case .call where mode != .verbatim && isUnregisteredHostCall(leftNode):
      // `hasFn("device.name") ? left op right : zero op right`; the call is not evaluated.
      return try relationOfMissing(node, mode)
    default:
      left = try evaluate(node.first, mode)
    }
    return try relation(node, left, mode)
  }

  /// The relation with a left operand that has a value.
  private mutating func relation(
    _ node: SyntaxNode, _ left: Value, _ mode: Mode
  ) throws(ReferenceFailure) -> Bool {
    let right = try evaluate(node.second, mode)
    guard mode != .verbatim, node.op == .equal || node.op == .notEqual else {
      return try ReferenceOperators.relation(node.op, left, right)
    }
    // Of two literals the right one is looked at first (§5). Equality holds if it holds as text or
    // as number, inequality if both do.
    var isEqual = ReferenceOperators.areEqual(left, right)
    if let number = numericLiteral(node.second) {
      isEqual = isEqual || ReferenceOperators.areEqual(left, number)
    } else if let number = numericLiteral(node.first) {
      isEqual = isEqual || ReferenceOperators.areEqual(number, right)
    }
    return isEqual == (node.op == .equal)
  }

  /// The relation whose left operand is missing: with a literal on the right, the zero of its kind
  /// stands in; with anything else it is false, whatever the operator, and the right side is not
  /// evaluated (§2).
  private mutating func relationOfMissing(
    _ node: SyntaxNode, _ mode: Mode
  ) throws(ReferenceFailure) -> Bool {
    let zero: Value
    switch tree.nodes[Int(node.second)].kind {
    case .nullLiteral, .boolLiteral, .intLiteral, .uintLiteral, .doubleLiteral, .stringLiteral,
      .bytesLiteral:
      switch try evaluate(node.second, mode) {
      case .string: zero = .string("")
      case .int: zero = .int(0)
      case .uint: zero = .uint(0)
      case .double: zero = .double(0)
      case .bool: zero = .bool(false)
      default: zero = .null
      }
    default: return false
    }
    return try relation(node, zero, mode)
  }

  /// The number that a string literal spells: an int, else a uint, else a double (§5).
  private func numericLiteral(_ id: UInt32) -> Value? {
    let node = tree.nodes[Int(id)]
    guard node.kind == .stringLiteral else { return nil }
    return tree.text(of: node).withUnsafeBufferPointer { text in
      if let value = try? IntegerText.parseInt(text) { return .int(value) }
      if let value = try? IntegerText.parseUInt(text, allowsPlus: true) { return .uint(value) }
      return (try? DoubleText.parseSuperscript(text)).map { .double($0) }
    }
  }

  /// Whether a call is written on `device` or `computed` and that table lacks the function (§14).
  private func isUnregisteredHostCall(_ node: SyntaxNode) -> Bool {
    guard node.first != SyntaxNode.none else { return false }
    let target = tree.nodes[Int(node.first)]
    guard target.kind == .identifier else { return false }
    switch tree.name(of: target) {
    case "device": return environment.deviceFunctions[tree.name(of: node)] == nil
    case "computed": return environment.computedFunctions[tree.name(of: node)] == nil
    default: return false
    }
  }
}
