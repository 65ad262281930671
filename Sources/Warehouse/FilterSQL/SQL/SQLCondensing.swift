// What is written of an expression, after all that is simplified by its meaning: forms in which
// engines compute a value of JSON fewer times.

extension SQLDialect {
  /// Returns an expression with the same value that computes less.
  func condensed(_ expression: SQLExpression) -> SQLExpression {
    guard !jsonKinds.isEmpty else { return expression }
    var known: [SQLExpression: SQLExpression] = [:]
    for node in expression.nodes {
      let parts = node.parts.map { known[$0] ?? $0 }
      switch node.form {
      case .and: known[node] = conjunction(of: parts)
      case .or: known[node] = disjunction(of: parts)
      case .comparison(.equal, let text, let literal):
        known[node] = quoted(text, [literal]).map { .comparison(.equal, $0, $1[0]) }
      case .oneOf(let text, let literals):
        known[node] = quoted(text, literals).map { SQLExpression(.oneOf($0, $1)) }
      default: break
      }
      if known[node] == nil, parts != node.parts { known[node] = node.with(parts) }
    }
    return known[expression] ?? expression
  }

  /// A JSON value and the JSON of some texts, instead of its text and theirs.
  private func quoted(
    _ text: SQLExpression, _ literals: [SQLExpression]
  ) -> (SQLExpression, [SQLExpression])? {
    guard jsonIsCanonical, case .call(.jsonText, let operands) = text.form else { return nil }
    let quoted = literals.compactMap { literal -> SQLExpression? in
      guard case .text(let text) = literal.form,
        text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F })
      else { return nil }
      return .text("\"\(text)\"")
    }
    return quoted.count == literals.count ? (operands[0], quoted) : nil
  }

  /// `a IS NOT NULL AND a >= 20` is `COALESCE(a >= 20, FALSE)`.
  private func conjunction(of parts: [SQLExpression]) -> SQLExpression {
    var parts = parts
    for test in parts {
      guard case .isNotNull(let value) = test.form, value.isCall,
        let index = parts.firstIndex(where: { $0.isComparison(of: value) })
      else { continue }
      let equals = parts[index].isEquality
      parts[index] = .call(.firstOf, parts[index], .no)
      parts.removeAll { part in
        // A value that is the JSON of a text is a text.
        part == test || (equals && part.isTextTest(of: value))
      }
    }
    return parts.count == 1 ? parts[0] : SQLExpression(.and(parts))
  }

  /// `(a IS NOT NULL AND a >= 20) OR (a IS NULL AND rest)` is `COALESCE(a >= 20, rest)`.
  private func disjunction(of parts: [SQLExpression]) -> SQLExpression {
    var parts = parts
    for part in parts {
      guard case .call(.firstOf, let operands) = part.form, operands[1].isNo else { continue }
      for (index, other) in parts.enumerated() {
        let conditions = if case .and(let inner) = other.form { inner } else { [other] }
        let isNull = conditions.firstIndex { condition in
          guard case .isNull(let value) = condition.form else { return false }
          return operands[0].isComparison(of: value)
        }
        guard let isNull else { continue }
        var rest = conditions
        rest.remove(at: isNull)
        parts[index] = .call(.firstOf, operands[0], .conjunction(rest))
        parts.removeAll { $0 == part }
        break
      }
    }
    return parts.count == 1 ? parts[0] : SQLExpression(.or(parts))
  }
}

extension SQLExpression {
  fileprivate var isCall: Bool { if case .call = form { true } else { false } }

  /// Whether this is a comparison of a value with literals, which is `NULL` where the value is.
  fileprivate func isComparison(of value: SQLExpression) -> Bool {
    switch form {
    case .comparison(_, let left, let right):
      if case .call(.wide, let operands) = left.form, operands[0] == value {
        return right.isLiteral
      }
      return left == value && right.isLiteral
    case .oneOf(let operand, _): return operand == value
    default: return false
    }
  }

  /// Whether this is a comparison for equality with texts.
  fileprivate var isEquality: Bool {
    switch form {
    case .comparison(.equal, _, let right): if case .text = right.form { true } else { false }
    case .oneOf(_, let literals): if case .text? = literals.first?.form { true } else { false }
    default: false
    }
  }

  /// Whether this is the test that a JSON value is a text.
  fileprivate func isTextTest(of value: SQLExpression) -> Bool {
    self == .comparison(.equal, .call(.jsonKind, value), .text("string"))
  }

  fileprivate static func conjunction(_ parts: [SQLExpression]) -> SQLExpression {
    parts.count > 1 ? SQLExpression(.and(parts)) : parts.first ?? yes
  }
}
