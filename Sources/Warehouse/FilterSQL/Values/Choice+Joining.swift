import ExpressionEngine

// Alternatives of one kind become one, so that their number stays small.

extension Choice {
  /// The alternatives, at most one of each kind where kinds can be joined.
  static func joined(_ alternatives: [Alternative]) -> [Alternative] {
    let possible = alternatives.filter { !$0.condition.isNo }
    guard possible.count > 1 else { return possible }
    var result: [Alternative] = []
    var groups: [Group: [Alternative]] = [:]
    var order: [Group] = []
    for alternative in possible {
      guard let group = Group(alternative.term) else {
        result.append(alternative)
        continue
      }
      if groups[group] == nil { order.append(group) }
      groups[group, default: []].append(alternative)
    }
    for group in order {
      guard let members = groups[group] else { continue }
      result.append(members.count == 1 ? members[0] : join(members, group))
    }
    // One alternative is certain.
    if result.count == 1 { result[0].condition = .yes }
    return result
  }

  /// The group of a term; terms of one group can be joined.
  private enum Group: Hashable {
    case null
    case bool
    case int
    case uint
    case double
    case string
    case failure(LoweredExpression.FailureClass)
    case same(Term)

    init?(_ term: Term) {
      switch term {
      case .constant(.null): self = .null
      case .constant(.bool), .bool: self = .bool
      case .constant(.int), .int: self = .int
      case .constant(.uint), .uint: self = .uint
      case .constant(.double), .double: self = .double
      case .constant(.string), .string: self = .string
      case .failure(let kind): self = .failure(kind)
      case .tuple, .record, .optional: return nil
      default: self = .same(term)
      }
    }
  }

  private static func join(_ members: [Alternative], _ group: Group) -> Alternative {
    let condition = SQLExpression.any(members.map(\.condition))
    let first = members[0].term
    if members.allSatisfy({ $0.term == first }) {
      return Alternative(
        condition: condition, term: first, isTight: members.allSatisfy { $0.isTight })
    }
    if group == .bool {
      return Alternative(
        condition: condition, term: .bool(.any(members.map(\.isTrue))), isTight: true)
    }
    let values = members.map { $0.term.scalar ?? SQLExpression(.null) }
    let value = SQLExpression.choice(
      zip(members, values).dropLast().map { SQLBranch(condition: $0.condition, value: $1) },
      otherwise: values[values.count - 1])
    let term: Term =
      switch group {
      case .int: .int(value)
      case .uint: .uint(value)
      case .double: .double(value, mayBeNaN: members.contains { $0.term.mayBeNaN })
      default: .string(value)
      }
    return Alternative(condition: condition, term: term)
  }
}

extension Term {
  /// A number, text, bool or string of octets as an expression of SQL.
  var scalar: SQLExpression? {
    switch self {
    case .constant(let value):
      switch value {
      case .bool(let bool): .literal(bool)
      case .int(let number): .int(number)
      case .uint(let number): SQLExpression(.uint(number))
      case .double(let number): .double(number)
      case .string(let text): .text(text)
      case .bytes(let bytes): SQLExpression(.bytes(bytes))
      case .timestamp(let instant) where instant.nanoseconds % 1000 == 0:
        Self.microseconds(instant).map { .int($0) }
      default: nil
      }
    case .bool(let e), .int(let e), .uint(let e), .double(let e, _), .string(let e), .bytes(let e),
      .timestamp(let e):
      e
    default: nil
    }
  }

  /// Whether a number may be NaN.
  var mayBeNaN: Bool {
    switch self {
    case .constant(.double(let number)): number.isNaN
    case .double(_, let mayBeNaN): mayBeNaN
    default: false
    }
  }

  private static func microseconds(_ instant: Value.Timestamp) -> Int64? {
    let (product, isTooLarge) = instant.seconds.multipliedReportingOverflow(by: 1_000_000)
    if isTooLarge { return nil }
    let (sum, overflow) = product.addingReportingOverflow(Int64(instant.nanoseconds / 1000))
    return overflow ? nil : sum
  }
}
