// Equality and order over slots (docs/spec/superscript.md §6, docs/spec/cel.md §5).

/// The outcome of ordering two values.
enum SlotOrder: Int {
  case less = -1
  case equal = 0
  case greater = 1
  /// At least one is NaN.
  case unordered = 2
  /// The kinds have no common order.
  case incomparable = 3
}

extension Slot {
  /// The number of bytes of a text that count as one comparison.
  static let bytesPerComparison = 16

  /// Whether two values are equal; values of different kinds are not, numbers aside.
  ///
  /// - Parameter rules: Whether numeric map keys match across their kinds, and whether a list or
  ///   map equals itself whatever is in it.
  static func equal(_ a: Slot, _ b: Slot, rules: ValueRules) -> Bool {
    var budget = Int.max
    return equal(a, b, rules: rules, budget: &budget)
  }

  /// Returns whether two values are equal, unless that takes too many comparisons: a list may
  /// contain another list many times, so that small values can have very many parts.
  ///
  /// - Parameters:
  ///   - budget: The number of parts that may be compared. It becomes negative when it is
  ///     exhausted, or when the values nest deeper than ``maximumValueDepth``.
  ///   - depth: The nesting depth of the two values.
  static func equal(
    _ a: Slot, _ b: Slot, rules: ValueRules, budget: inout Int, depth: Int = 0
  ) -> Bool {
    guard a.tagByte == b.tagByte else { return numericallyEqual(a, b) }
    if depth > maximumValueDepth {
      budget = -1
      return false
    }
    switch a.tag {
    case .null: return true
    case .bool, .int, .uint: return a.word0 == b.word0
    case .double: return a.doubleValue == b.doubleValue
    case .string, .bytes, .type:
      guard a.aux == b.aux else { return false }
      budget &-= Int(a.aux) / bytesPerComparison
      return sameBytes(a.word0, b.word0, count: a.aux)
    case .list, .map:
      if a.word0 == b.word0, a.aux == b.aux, rules.contains(.equalsItself) { return true }
      return a.isA(.list)
        ? equalLists(a, b, rules: rules, budget: &budget, depth: depth)
        : equalMaps(a.table, b.table, rules: rules, budget: &budget, depth: depth)
    case .timestamp, .duration: return a.word0 == b.word0 && a.aux == b.aux
    case .function:
      let (name, receiver) = a.functionParts
      let (otherName, otherReceiver) = b.functionParts
      guard equal(name, otherName, rules: rules) else { return false }
      switch (receiver, otherReceiver) {
      case (nil, nil): return true
      case (let one?, let other?):
        return equal(one, other, rules: rules, budget: &budget, depth: depth &+ 1)
      default: return false
      }
    case .optional:
      switch (a.optionalContent, b.optionalContent) {
      case (nil, nil): return true
      case (let one?, let other?):
        return equal(one, other, rules: rules, budget: &budget, depth: depth &+ 1)
      default: return false
      }
    case .network:
      return a.word1 == b.word1 && sameBytes(a.word0, b.word0, count: a.aux)
    case .builder, .iterator, .error: return false
    }
  }

  private static func equalLists(
    _ a: Slot, _ b: Slot, rules: ValueRules, budget: inout Int, depth: Int
  ) -> Bool {
    guard a.aux == b.aux else { return false }
    budget &-= Int(a.aux)
    let left = a.elements
    let right = b.elements
    for index in 0..<left.count {
      guard budget >= 0,
        equal(left[index], right[index], rules: rules, budget: &budget, depth: depth &+ 1)
      else { return false }
    }
    return true
  }

  private static func equalMaps(
    _ a: MapTable, _ b: MapTable, rules: ValueRules, budget: inout Int, depth: Int
  ) -> Bool {
    guard a.count == b.count else { return false }
    budget &-= a.count
    let cross = rules.contains(.crossNumericKeys)
    for index in 0..<a.count {
      guard budget >= 0, let other = b.find(a.key(index), crossNumeric: cross),
        equal(
          a.value(index), other.pointee, rules: rules, budget: &budget, depth: depth &+ 1)
      else { return false }
    }
    return true
  }

  private static func numericallyEqual(_ a: Slot, _ b: Slot) -> Bool {
    guard a.isNumber, b.isNumber else { return false }
    return numericOrder(a, b) == .equal
  }

  @inline(__always) var isNumber: Bool {
    tagByte &- SlotTag.int.rawValue <= SlotTag.double.rawValue &- SlotTag.int.rawValue
  }

  /// Returns the order of two numbers. An integer is converted to compare it with a double, which
  /// loses precision beyond 2^53; both languages specify that.
  static func numericOrder(_ a: Slot, _ b: Slot) -> SlotOrder {
    switch (a.tag, b.tag) {
    case (.int, .int): return order(a.intValue, b.intValue)
    case (.uint, .uint): return order(a.uintValue, b.uintValue)
    case (.int, .uint): return a.intValue < 0 ? .less : order(a.word0, b.word0)
    case (.uint, .int): return b.intValue < 0 ? .greater : order(a.word0, b.word0)
    default:
      let x = a.asDouble
      let y = b.asDouble
      if x < y { return .less }
      if x > y { return .greater }
      return x == y ? .equal : .unordered
    }
  }

  /// A number as a double.
  var asDouble: Double {
    switch tag {
    case .int: Double(intValue)
    case .uint: Double(uintValue)
    default: doubleValue
    }
  }

  @inline(__always)
  private static func order<T: Comparable>(_ a: T, _ b: T) -> SlotOrder {
    a < b ? .less : (a > b ? .greater : .equal)
  }

  /// Returns the order of two values.
  static func order(_ a: Slot, _ b: Slot, rules: ValueRules) -> SlotOrder {
    if a.isNumber, b.isNumber { return numericOrder(a, b) }
    guard a.tagByte == b.tagByte else { return .incomparable }
    switch a.tag {
    case .bool: return order(a.word0, b.word0)
    case .string: return order(byteOrder(a, b), 0)
    case .bytes where rules.contains(.ordersBytes): return order(byteOrder(a, b), 0)
    case .null where rules.contains(.ordersNull): return .equal
    case .timestamp, .duration:
      let seconds = order(a.intValue, b.intValue)
      return seconds == .equal ? order(a.aux, b.aux) : seconds
    default: return .incomparable
    }
  }
}

/// The orders that a comparison accepts, as bits: 1 less, 2 equal, 4 greater.
///
/// One mask describes each of the six operators, so that a comparison is an order and a bit test.
package struct ComparisonMask: Sendable, Hashable, BitwiseCopyable {
  package let bits: UInt8

  package static let less = ComparisonMask(bits: 0b001)
  package static let equal = ComparisonMask(bits: 0b010)
  package static let lessEqual = ComparisonMask(bits: 0b011)
  package static let greater = ComparisonMask(bits: 0b100)
  package static let notEqual = ComparisonMask(bits: 0b101)
  package static let greaterEqual = ComparisonMask(bits: 0b110)

  /// Whether the comparison tests equality only, which is defined for all pairs of values.
  package var isEquality: Bool { self == .equal || self == .notEqual }

  @inline(__always)
  func accepts(_ order: Int) -> Bool { (bits >> UInt8(truncatingIfNeeded: order &+ 1)) & 1 != 0 }

  /// The operator for swapped operands.
  package var swapped: ComparisonMask {
    ComparisonMask(bits: (bits & 0b001) << 2 | bits & 0b010 | (bits & 0b100) >> 2)
  }

  /// The operator as written in filters.
  var spelling: String {
    switch self {
    case .less: "<"
    case .equal: "=="
    case .lessEqual: "<="
    case .greater: ">"
    case .notEqual: "!="
    default: ">="
    }
  }
}

extension Machine {
  /// Compares two values of any kinds. Returns a bool slot or an error slot.
  @inline(never)
  mutating func compare(_ mask: ComparisonMask, _ a: Slot, _ b: Slot) -> Slot {
    if mask.isEquality {
      let total = comparisonBudget
      var budget = total
      let isEqual = Slot.equal(a, b, rules: rules, budget: &budget)
      guard pay(budget, of: total) else { return failed }
      return .bool(isEqual == (mask == .equal))
    }
    if a.isA(.string), !spend(bytes: min(a.aux, b.aux)) { return failed }
    let order = Slot.order(a, b, rules: rules)
    switch order {
    case .incomparable: return fail(.notComparable, a, b)
    case .unordered:
      return rules.contains(.nanOrderFails) ? fail(.notComparable, a, b) : .bool(false)
    default: return .bool(mask.accepts(order.rawValue))
    }
  }

  /// Compares a value with a numeric string, both as text and as number.
  func compareReadings(_ mask: ComparisonMask, _ value: Slot, _ readings: Slot) -> Slot {
    let isEither = readings.elements.contains { Slot.equal($0, value, rules: rules) }
    return .bool(mask.accepts(isEither ? 0 : 1))
  }

  /// Tests whether `element` is in `collection`. Returns a bool slot or an error slot.
  @inline(never)
  mutating func membership(_ element: Slot, in collection: Slot) -> Slot {
    switch collection.tag {
    case .list:
      let wanted = rules
      let total = comparisonBudget
      var budget = total
      let isMember = collection.elements.contains {
        budget &-= 1
        return budget < 0 || Slot.equal($0, element, rules: wanted, budget: &budget)
      }
      return pay(budget, of: total) ? .bool(isMember) : failed
    case .map:
      if element.isA(.string), !spend(bytes: element.aux) { return failed }
      let cross = rules.contains(.crossNumericKeys)
      let key = cross ? element.integralKey : element
      return .bool(collection.table.find(key, crossNumeric: cross) != nil)
    case .string where rules.contains(.textMembership) && element.isA(.string):
      guard spend(bytes: collection.aux) else { return failed }
      return .bool(element.byteBuffer.isEmpty || element.occurs(in: collection))
    default:
      return fail(.notComparable, element, collection)
    }
  }
}

extension Slot {
  /// The integer equal to a double with an integral value; any other value is unchanged. Used where
  /// numeric keys match across their kinds.
  var integralKey: Slot {
    guard isA(.double) else { return self }
    if let int = Int64(exactly: doubleValue) { return .int(int) }
    if let uint = UInt64(exactly: doubleValue) { return .uint(uint) }
    return self
  }

  /// Returns whether the value is a key of a constant set. Numbers match across their kinds.
  func isMember(ofSet set: Slot) -> Bool {
    set.table.find(integralKey, crossNumeric: true) != nil
  }

  /// Returns whether the bytes of this slot occur in those of another.
  func occurs(in haystack: Slot) -> Bool {
    UTF8Text.contains(byteBuffer, in: haystack.byteBuffer)
  }
}
