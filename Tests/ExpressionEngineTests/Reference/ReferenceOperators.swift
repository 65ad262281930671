@testable import ExpressionEngine
@testable import ExpressionSyntax

/// The operators over values (§6, §7, §8, §9).
enum ReferenceOperators {
  // MARK: Relations

  static func relation(
    _ op: Operator, _ left: Value, _ right: Value
  ) throws(ReferenceFailure) -> Bool {
    switch op {
    case .equal: return areEqual(left, right)
    case .notEqual: return !areEqual(left, right)
    case .in: return try isMember(left, of: right)
    default:
      guard let order = order(left, right) else { throw .notComparable(left, right) }
      switch op {
      case .less: return order < 0
      case .lessEqual: return order <= 0
      case .greater: return order > 0
      default: return order >= 0
      }
    }
  }

  /// Numbers are equal across kinds, an int or a uint against a double as doubles; everything else
  /// only within its kind.
  static func areEqual(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int, .int), (.int, .uint), (.int, .double), (.uint, .int), (.uint, .uint),
      (.uint, .double), (.double, .int), (.double, .uint), (.double, .double), (.string, .string),
      (.timestamp, .timestamp), (.duration, .duration):
      order(left, right) == 0
    case (.bytes(let a), .bytes(let b)): a == b
    case (.list(let a), .list(let b)):
      isSame(a, b) || a.count == b.count && zip(a, b).allSatisfy { areEqual($0, $1) }
    case (.map(let a), .map(let b)):
      isSame(a, b)
        || a.count == b.count
          && a.allSatisfy { key, value in b[key].map { areEqual(value, $0) } ?? false }
    case (.function(let a, let x), .function(let b, let y)):
      if a != b { false } else if let x, let y { areEqual(x, y) } else { x == nil && y == nil }
    default: false
    }
  }

  /// Whether two lists or two maps are one object: an array and a dictionary are the address of
  /// their storage, and a value that is evaluated anew has storage of its own.
  private static func isSame<Storage>(_ a: Storage, _ b: Storage) -> Bool {
    withUnsafeBytes(of: a) { a in withUnsafeBytes(of: b) { b in a.elementsEqual(b) } }
  }

  /// Negative, zero or positive; `nil` where there is no order.
  static func order(_ left: Value, _ right: Value) -> Int? {
    switch (left, right) {
    case (.null, .null): 0
    case (.bool(let a), .bool(let b)): sign((a ? 1 : 0), (b ? 1 : 0))
    case (.int(let a), .int(let b)): sign(a, b)
    case (.uint(let a), .uint(let b)): sign(a, b)
    case (.int(let a), .uint(let b)): sign(Int128(a), Int128(b))
    case (.uint(let a), .int(let b)): sign(Int128(a), Int128(b))
    case (.double(let a), .double(let b)): sign(a, b)
    case (.double(let a), .int(let b)): sign(a, Double(b))
    case (.double(let a), .uint(let b)): sign(a, Double(b))
    case (.int(let a), .double(let b)): sign(Double(a), b)
    case (.uint(let a), .double(let b)): sign(Double(a), b)
    case (.string(let a), .string(let b)): order(Array(a.utf8), Array(b.utf8))
    case (.timestamp(let a), .timestamp(let b)):
      sign(a.seconds, b.seconds) == 0
        ? sign(a.nanoseconds, b.nanoseconds) : sign(a.seconds, b.seconds)
    case (.duration(let a), .duration(let b)): sign(nanoseconds(a), nanoseconds(b))
    default: nil
    }
  }

  private static func sign<T: Comparable>(_ a: T, _ b: T) -> Int? {
    if a < b { return -1 }
    if a > b { return 1 }
    // What is neither, nor equal, is NaN.
    return a == b ? 0 : nil
  }

  private static func order(_ a: [UInt8], _ b: [UInt8]) -> Int {
    if a == b { return 0 }
    return a.lexicographicallyPrecedes(b) ? -1 : 1
  }

  private static func isMember(
    _ part: Value, of whole: Value
  ) throws(ReferenceFailure) -> Bool {
    switch (part, whole) {
    case (.string(let needle), .string(let text)):
      return Array(text.utf8).hasPiece(Array(needle.utf8))
    case (_, .list(let elements)): return elements.contains { areEqual($0, part) }
    case (_, .map(let entries)): return Value.Key(part).map { entries[$0] != nil } ?? false
    default: throw .notComparable(part, whole)
    }
  }

  // MARK: Arithmetic

  static func arithmetic(
    _ op: Operator, _ left: Value, _ right: Value
  ) throws(ReferenceFailure) -> Value {
    switch (left, right) {
    case (.int(let a), .int(let b)): return .int(try integers(op, a, b))
    case (.uint(let a), .uint(let b)): return .uint(try integers(op, a, b))
    case (.double(let a), .double(let b)): return .double(doubles(op, a, b))
    case (.double(let a), .int(let b)): return .double(doubles(op, a, Double(b)))
    case (.double(let a), .uint(let b)): return .double(doubles(op, a, Double(b)))
    case (.int(let a), .double(let b)): return .double(doubles(op, Double(a), b))
    case (.uint(let a), .double(let b)): return .double(doubles(op, Double(a), b))
    case (.string(let a), .string(let b)) where op == .add: return .string(a + b)
    case (.list(let a), .list(let b)) where op == .add: return .list([a, b].flatMap { $0 })
    case (.map(let a), .map(let b)) where op == .add:
      return .map(Dictionary([a, b].joined().map { ($0.key, $0.value) }) { _, last in last })
    default:
      if let result = times(op, left, right) {
        guard let result = result.value else { throw .other }
        return result
      }
      throw .quoting([left, right])
    }
  }

  /// Overflow wraps around; dividing by zero, and the smallest number by -1, is an error.
  private static func integers<T: FixedWidthInteger>(
    _ op: Operator, _ a: T, _ b: T
  ) throws(ReferenceFailure) -> T {
    switch op {
    case .add: return a &+ b
    case .subtract: return a &- b
    case .multiply: return a &* b
    default:
      let result =
        op == .divide
        ? a.dividedReportingOverflow(by: b) : a.remainderReportingOverflow(dividingBy: b)
      guard !result.overflow else { throw .other }
      return result.partialValue
    }
  }

  private static func doubles(_ op: Operator, _ a: Double, _ b: Double) -> Double {
    switch op {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: a / b
    default: a.truncatingRemainder(dividingBy: b)
    }
  }

  /// Arithmetic of instants and durations (§13): `nil` if the operator has no meaning for the
  /// operands, no value if the result is out of range.
  private static func times(
    _ op: Operator, _ left: Value, _ right: Value
  ) -> (value: Value?, Void)? {
    let rules = TimeRules.superscript
    switch (left, op, right) {
    case (.duration(let a), .add, .duration(let b)):
      return (TimeArithmetic.add(a, b, rules: rules).map { .duration($0) }, ())
    case (.duration(let a), .subtract, .duration(let b)):
      return (TimeArithmetic.subtract(a, b, rules: rules).map { .duration($0) }, ())
    case (.timestamp(let a), .add, .duration(let b)), (.duration(let b), .add, .timestamp(let a)):
      return (TimeArithmetic.add(a, b, rules: rules).map { .timestamp($0) }, ())
    case (.timestamp(let a), .subtract, .duration(let b)):
      return (TimeArithmetic.subtract(a, b, rules: rules).map { .timestamp($0) }, ())
    case (.timestamp(let a), .subtract, .timestamp(let b)):
      return (TimeArithmetic.difference(a, b, rules: rules).map { .duration($0) }, ())
    default: return nil
    }
  }

  static func unary(_ op: Operator, _ operand: Value) throws(ReferenceFailure) -> Value {
    switch (op, operand) {
    case (.not, _): return .bool(!operand.isTruthy)
    case (.doubleNot, _): return .bool(operand.isTruthy)
    case (.negate, .int(let value)): return .int(0 &- value)
    case (.negate, .double(let value)): return .double(-value)
    case (.doubleNegate, .int), (.doubleNegate, .uint), (.doubleNegate, .double): return operand
    default: throw .quoting([operand])
    }
  }
}

extension Value {
  /// What the value counts as in a condition (§8).
  var isTruthy: Bool {
    switch self {
    case .bool(let value): value
    case .int(let value): value != 0
    case .uint(let value): value != 0
    case .double(let value): value != 0
    case .string(let value): !value.isEmpty
    case .bytes(let value): !value.isEmpty
    case .list(let value): !value.isEmpty
    case .map(let value): !value.isEmpty
    case .duration(let value):
      Int64(exactly: nanoseconds(value)).map { $0 != 0 } ?? false
    case .timestamp(let value):
      Int64(exactly: Int128(value.seconds) * 1_000_000_000 + Int128(value.nanoseconds))
        .map { $0 > 0 } ?? false
    default: false
    }
  }
}

/// The whole span in nanoseconds.
private func nanoseconds(_ duration: Value.Duration) -> Int128 {
  Int128(duration.seconds) * 1_000_000_000 + Int128(duration.nanoseconds)
}
