@testable import ExpressionEngine
@testable import ExpressionSyntax

/// The operators of the cel dialect over values (§5, §6, §12.3).
enum CELReferenceOperators {
  static func apply(
    _ op: Operator, _ left: Value, _ right: Value
  ) throws(CELReferenceFailure) -> Value {
    switch op {
    case .equal: return .bool(areEqual(left, right))
    case .notEqual: return .bool(!areEqual(left, right))
    case .in: return .bool(try isMember(left, of: right))
    case .less: return .bool(try order(left, right).map { $0 < 0 } ?? false)
    case .lessEqual: return .bool(try order(left, right).map { $0 <= 0 } ?? false)
    case .greater: return .bool(try order(left, right).map { $0 > 0 } ?? false)
    case .greaterEqual: return .bool(try order(left, right).map { $0 >= 0 } ?? false)
    default: return try arithmetic(op, left, right)
    }
  }

  // MARK: Equality and order

  /// Equality never fails; numbers are equal across their kinds (§5).
  static func areEqual(_ a: Value, _ b: Value) -> Bool {
    if let order = numericOrder(a, b) { return order == 0 }
    switch (a, b) {
    case (.null, .null): return true
    case (.bool(let x), .bool(let y)): return x == y
    case (.string(let x), .string(let y)): return x.utf8.elementsEqual(y.utf8)
    case (.bytes(let x), .bytes(let y)): return x == y
    case (.list(let x), .list(let y)):
      return x.count == y.count && zip(x, y).allSatisfy { areEqual($0, $1) }
    case (.map(let x), .map(let y)):
      return x.count == y.count
        && x.allSatisfy { key, value in
          find(key.value, in: y).map { areEqual(value, $0) } ?? false
        }
    case (.timestamp(let x), .timestamp(let y)): return nanoseconds(x) == nanoseconds(y)
    case (.duration(let x), .duration(let y)): return nanoseconds(x) == nanoseconds(y)
    case (.type(let x), .type(let y)): return x == y
    case (.optional(nil), .optional(nil)): return true
    case (.optional(let x?), .optional(let y?)): return areEqual(x, y)
    case (.network(let x), .network(let y)): return x == y
    default: return false
    }
  }

  /// The order of two numbers, as a sign; NaN has none, and `nil` stands for operands that are not
  /// both numbers. An integer meets a double as a double (§5).
  private static func numericOrder(_ a: Value, _ b: Value) -> Int? {
    switch (a, b) {
    case (.int, .int), (.uint, .uint), (.int, .uint), (.uint, .int):
      guard let x = integer(a), let y = integer(b) else { return nil }
      return sign(x, y)
    default:
      guard let x = double(a), let y = double(b) else { return nil }
      return x.isNaN || y.isNaN ? .max : sign(x, y)
    }
  }

  private static func integer(_ value: Value) -> Int128? {
    switch value {
    case .int(let number): Int128(number)
    case .uint(let number): Int128(number)
    case .double(let number): Int128(exactly: number)
    default: nil
    }
  }

  private static func double(_ value: Value) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .uint(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  private static func sign<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : (a > b ? 1 : 0) }

  /// The order of two values as a sign; `nil` next to NaN.
  static func order(_ a: Value, _ b: Value) throws(CELReferenceFailure) -> Int? {
    if let order = numericOrder(a, b) { return order == .max ? nil : order }
    switch (a, b) {
    case (.bool(let x), .bool(let y)): return sign(x ? 1 : 0, y ? 1 : 0)
    case (.string(let x), .string(let y)): return bytewise(Array(x.utf8), Array(y.utf8))
    case (.bytes(let x), .bytes(let y)): return bytewise(x, y)
    case (.timestamp(let x), .timestamp(let y)): return sign(nanoseconds(x), nanoseconds(y))
    case (.duration(let x), .duration(let y)): return sign(nanoseconds(x), nanoseconds(y))
    default: throw CELReferenceFailure(.notComparable)
    }
  }

  private static func bytewise(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.lexicographicallyPrecedes(b) ? -1 : (b.lexicographicallyPrecedes(a) ? 1 : 0)
  }

  static func isMember(_ element: Value, of whole: Value) throws(CELReferenceFailure) -> Bool {
    switch whole {
    case .list(let elements): return elements.contains { areEqual(element, $0) }
    case .map(let entries): return find(element, in: entries) != nil
    default: throw CELReferenceFailure(.notComparable)
    }
  }

  // MARK: Keys

  /// The value as a key of a map, if it can be one (§4).
  static func key(_ value: Value) -> Value.Key? {
    switch value {
    case .bool(let key): .bool(key)
    case .int(let key): .int(key)
    case .uint(let key): .uint(key)
    case .string(let key): .string(key)
    default: nil
    }
  }

  /// The value of a key; numeric keys match across their kinds, if they are integral (§6).
  static func find(_ key: Value, in entries: [Value.Key: Value]) -> Value? {
    guard let number = integer(key) else { return self.key(key).flatMap { entries[$0] } }
    if let signed = Int64(exactly: number), let value = entries[.int(signed)] { return value }
    return UInt64(exactly: number).flatMap { entries[.uint($0)] }
  }

  /// A list index: an int, a uint or an integral double (§6).
  static func position(_ index: Value) -> Int128? {
    guard let number = integer(index) else { return nil }
    // A double beyond every integer's range is no index.
    return Int64(exactly: number) != nil || UInt64(exactly: number) != nil ? number : nil
  }

  // MARK: Arithmetic

  /// There is no arithmetic between kinds of numbers (§6).
  private static func arithmetic(
    _ op: Operator, _ left: Value, _ right: Value
  ) throws(CELReferenceFailure) -> Value {
    switch (left, right) {
    case (.int(let a), .int(let b)):
      guard let result = Int64(exactly: try integral(op, Int128(a), Int128(b))),
        !(op == .remainder && a == .min && b == -1)
      else { throw CELReferenceFailure(.overflow) }
      return .int(result)
    case (.uint(let a), .uint(let b)):
      guard let result = UInt64(exactly: try integral(op, Int128(a), Int128(b))) else {
        throw CELReferenceFailure(.overflow)
      }
      return .uint(result)
    case (.double(let a), .double(let b)):
      switch op {
      case .add: return .double(a + b)
      case .subtract: return .double(a - b)
      case .multiply: return .double(a * b)
      case .divide: return .double(a / b)
      default: throw CELReferenceFailure(.unsupportedBinary)
      }
    default:
      return op == .add ? try sum(left, right) : try timeArithmetic(op, left, right)
    }
  }

  private static func integral(
    _ op: Operator, _ a: Int128, _ b: Int128
  ) throws(CELReferenceFailure) -> Int128 {
    switch op {
    case .add: return a + b
    case .subtract: return a - b
    case .multiply: return a.multipliedReportingOverflow(by: b).overflow ? .max : a * b
    case .divide, .remainder:
      guard b != 0 else { throw CELReferenceFailure(.divisionByZero) }
      return op == .divide ? a / b : a % b
    default: throw CELReferenceFailure(.unsupportedBinary)
    }
  }

  private static func sum(_ left: Value, _ right: Value) throws(CELReferenceFailure) -> Value {
    switch (left, right) {
    case (.string(let a), .string(let b)): return .string(a + b)
    case (.bytes(let a), .bytes(let b)): return .bytes(a + b)
    case (.list(let a), .list(let b)): return .list(a + b)
    case (.duration, .timestamp): return try timeArithmetic(.add, right, left)
    default: return try timeArithmetic(.add, left, right)
    }
  }

  /// Instants stay in the years 1 to 9999, durations within 64-bit nanoseconds (§12.3).
  private static func timeArithmetic(
    _ op: Operator, _ left: Value, _ right: Value
  ) throws(CELReferenceFailure) -> Value {
    switch (left, op, right) {
    case (.timestamp(let a), .add, .duration(let b)):
      return try instant(nanoseconds(a) + nanoseconds(b))
    case (.timestamp(let a), .subtract, .duration(let b)):
      return try instant(nanoseconds(a) - nanoseconds(b))
    case (.timestamp(let a), .subtract, .timestamp(let b)):
      return try span(nanoseconds(a) - nanoseconds(b))
    case (.duration(let a), .add, .duration(let b)):
      return try span(nanoseconds(a) + nanoseconds(b))
    case (.duration(let a), .subtract, .duration(let b)):
      return try span(nanoseconds(a) - nanoseconds(b))
    default: throw CELReferenceFailure(.unsupportedBinary)
    }
  }

  private static func nanoseconds(_ instant: Value.Timestamp) -> Int128 {
    Int128(instant.seconds) * 1_000_000_000 + Int128(instant.nanoseconds)
  }

  private static func nanoseconds(_ span: Value.Duration) -> Int128 {
    Int128(span.seconds) * 1_000_000_000 + Int128(span.nanoseconds)
  }

  /// Whole seconds, rounded down, and the rest.
  private static func split(_ nanoseconds: Int128) -> (seconds: Int64, rest: UInt32) {
    var (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 {
      seconds -= 1
      rest += 1_000_000_000
    }
    return (Int64(seconds), UInt32(rest))
  }

  private static func instant(_ nanoseconds: Int128) throws(CELReferenceFailure) -> Value {
    let (seconds, rest) = split(nanoseconds)
    guard (-62_135_596_800...253_402_300_799).contains(seconds) else {
      throw CELReferenceFailure(.overflow)
    }
    return .timestamp(Value.Timestamp(seconds: seconds, nanoseconds: rest))
  }

  private static func span(_ nanoseconds: Int128) throws(CELReferenceFailure) -> Value {
    guard nanoseconds.magnitude <= Int128(Int64.max).magnitude else {
      throw CELReferenceFailure(.overflow)
    }
    let (seconds, rest) = split(nanoseconds)
    return .duration(Value.Duration(seconds: seconds, nanoseconds: rest))
  }
}
