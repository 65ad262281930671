import ExpressionEngine
import ExpressionSyntax

/// A comparison of one attribute with constants that can be tested against any value.
///
/// Whether several conditions can hold together is found by testing a few representative values:
/// the constants, values between and beyond them, values of other kinds, and no value.
struct ConditionTest {
  /// A value of the attribute to test.
  enum Sample {
    /// The attribute is missing.
    case missing
    /// A value.
    case value(Value)
  }

  private let op: Operator
  let constants: [Value]
  /// Whether the condition follows a `!`.
  var isNegated = false
  private let zero: Value?

  init(_ comparison: ConstantComparison) {
    op = comparison.op
    if op == .in, case .list(let elements) = comparison.value {
      constants = elements
      zero = nil
    } else {
      constants = [comparison.value]
      // A missing attribute counts as zero only on the left of a literal.
      zero = comparison.isConstantRight ? Self.zero(of: comparison.value) : nil
    }
    isConstantRight = comparison.isConstantRight
  }

  private let isConstantRight: Bool

  private static func zero(of value: Value) -> Value? {
    switch value {
    case .string: .string("")
    case .int: .int(0)
    case .uint: .uint(0)
    case .double: .double(0)
    case .bool: .bool(false)
    case .null: .null
    default: nil
    }
  }

  /// Returns whether the condition holds; `nil` if evaluating it fails.
  func holds(for sample: Sample) -> Bool? {
    positive(sample).map { $0 != isNegated }
  }

  private func positive(_ sample: Sample) -> Bool? {
    switch sample {
    case .value(let value): return Self.compare(value, op, constants)
    case .missing:
      if op == .in { return false }
      if let zero { return Self.compare(zero, op, constants) }
      return isConstantRight ? false : Self.compare(.null, op, constants)
    }
  }

  private static func compare(_ value: Value, _ op: Operator, _ constants: [Value]) -> Bool? {
    if op == .in { return constants.contains { areEqual(value, $0, readsNumbers: false) } }
    guard let constant = constants.first else { return nil }
    switch op {
    case .equal: return areEqual(value, constant, readsNumbers: true)
    case .notEqual: return !areEqual(value, constant, readsNumbers: true)
    default: break
    }
    guard let order = order(value, constant) else { return nil }
    switch op {
    case .less: return order < 0
    case .lessEqual: return order <= 0
    case .greater: return order > 0
    default: return order >= 0
    }
  }

  /// Returns whether two values are equal, where a text constant that looks like a number also
  /// equals that number.
  private static func areEqual(_ value: Value, _ constant: Value, readsNumbers: Bool) -> Bool {
    if let a = number(value), let b = number(constant) { return a == b }
    if readsNumbers, case .string(let text) = constant, let a = number(value),
      FilterLinter.isNumber(text)
    {
      return Double(text) == a
    }
    return value == constant
  }

  private static func order(_ value: Value, _ constant: Value) -> Int? {
    if let a = number(value), let b = number(constant) { return a < b ? -1 : a > b ? 1 : 0 }
    switch (value, constant) {
    case (.string(let a), .string(let b)):
      return a == b ? 0 : a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
    case (.bool(let a), .bool(let b)): return a == b ? 0 : b ? -1 : 1
    case (.null, .null): return 0
    default: return nil
    }
  }

  static func number(_ value: Value) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .uint(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  // MARK: Samples

  /// Returns representatives of all values that the conditions can distinguish.
  ///
  /// - Parameter isInteger: Whether the attribute is a whole number, so that there is no value
  ///   between 3 and 4.
  static func samples(for tests: [ConditionTest], isInteger: Bool) -> [Sample] {
    var result: [Sample] = [.missing, .value(.null), .value(.list([]))]
    result += [.value(.bool(true)), .value(.bool(false))]
    result += numbers(tests, isInteger: isInteger).map { .value(.double($0)) }
    result += texts(tests).map { .value(.string($0)) }
    return result
  }

  /// Returns the samples of the constants' kinds, and a missing attribute.
  static func naturalSamples(for tests: [ConditionTest], isInteger: Bool) -> [Sample] {
    let constants = tests.flatMap { $0.constants }
    var result: [Sample] = [.missing]
    if constants.contains(where: { number($0) != nil }) {
      result += numbers(tests, isInteger: isInteger).map { .value(.double($0)) }
    }
    if constants.contains(where: { if case .string = $0 { true } else { false } }) {
      result += texts(tests).map { .value(.string($0)) }
    }
    if constants.contains(where: { if case .bool = $0 { true } else { false } }) {
      result += [.value(.bool(true)), .value(.bool(false))]
    }
    if constants.contains(.null) { result += [.value(.null), .value(.int(1))] }
    return result
  }

  private static func numbers(_ tests: [ConditionTest], isInteger: Bool) -> [Double] {
    var points: Set<Double> = []
    for constant in tests.flatMap({ $0.constants }) {
      if let number = number(constant), number.isFinite { points.insert(number) }
      if case .string(let text) = constant, FilterLinter.isNumber(text), let number = Double(text),
        number.isFinite
      {
        points.insert(number)
      }
    }
    let sorted = points.sorted()
    guard let first = sorted.first, let last = sorted.last else { return [0] }
    var result = sorted + [first - 1, last + 1]
    for (low, high) in zip(sorted, sorted.dropFirst()) {
      result += isInteger ? [low.rounded(.down) + 1, high.rounded(.up) - 1] : [(low + high) / 2]
    }
    return isInteger ? result.filter { $0 == $0.rounded() } : result
  }

  private static func texts(_ tests: [ConditionTest]) -> [String] {
    var result: Set<String> = ["", "\u{10FFFF}"]
    for case .string(let text) in tests.flatMap({ $0.constants }) {
      result.insert(text)
      // The next text in the order, which is between this constant and any greater one.
      result.insert(text + "\u{0}")
      if let last = text.unicodeScalars.last, last.value > 0x21,
        let lower = Unicode.Scalar(last.value - 1)
      {
        result.insert(String(text.unicodeScalars.dropLast()) + String(lower) + "\u{10FFFF}")
      }
    }
    return result.sorted()
  }
}
