/// What specialized code computes of numbers before it asks about the result, as a row of operations on
/// one running value.
///
/// Sums of attributes with factors, and what is then added, multiplied or divided, are such rows; a product
/// of two attributes is not. Each operation is a decision of the graph. Ints give up where a result is too
/// large, so that whatever the code would have failed with is found out by a machine.
struct Computation: Hashable {
  enum Operation: Hashable {
    /// Begins with an attribute times a factor.
    case load(Place, factor: UInt64)
    /// Adds an attribute times a factor.
    case addProduct(Place, factor: UInt64)
    /// Subtracts an attribute times a factor: of ints, the opposite product may have a result where this
    /// one has none.
    case subtractProduct(Place, factor: UInt64)
    /// Puts a constant on the right side of an operator.
    case apply(ArithmeticOperator, UInt64)
  }

  /// The most operations in a row.
  static let maximumLength = 8

  /// Whether the bits are those of doubles rather than ints.
  let isDouble: Bool
  private(set) var operations: [Operation]

  /// The value of an attribute.
  init(of place: Place, isDouble: Bool) {
    self.isDouble = isDouble
    operations = [.load(place, factor: Self.one(isDouble))]
  }

  /// `left op right`; `nil` if that is no row of operations or has no result that is a number.
  init?(_ op: ArithmeticOperator, _ left: Computation, _ right: Computation) {
    guard left.isDouble == right.isDouble else { return nil }
    switch op {
    case .add:
      // Sums of two, exact or rounded, do not depend on the order of the two.
      guard let sum = left.adding(right) ?? right.adding(left) else { return nil }
      self = sum
    case .subtract:
      guard let difference = left.subtracting(right) ?? right.negated?.adding(left) else {
        return nil
      }
      self = difference
    case .multiply, .divide, .remainder: return nil
    }
    guard operations.count <= Self.maximumLength else { return nil }
  }

  /// `left op constant`.
  init?(_ op: ArithmeticOperator, _ left: Computation, constant: UInt64) {
    self = left
    switch op {
    case .add: operations.append(.apply(.add, constant))
    case .subtract:
      guard let opposite = Self.negated(constant, isDouble) else { return nil }
      operations.append(.apply(.add, opposite))
    case .multiply: multiply(by: constant)
    case .divide:
      guard isDouble || Self.isDivisor(constant) else { return nil }
      operations.append(.apply(.divide, constant))
    case .remainder:
      guard !isDouble, Self.isDivisor(constant) else { return nil }
      operations.append(.apply(.remainder, constant))
    }
    guard operations.count <= Self.maximumLength else { return nil }
  }

  /// `constant op right`.
  init?(_ op: ArithmeticOperator, constant: UInt64, _ right: Computation) {
    switch op {
    case .add: self.init(.add, right, constant: constant)
    case .multiply: self.init(.multiply, right, constant: constant)
    case .subtract:
      guard let opposite = right.negated else { return nil }
      self.init(.add, opposite, constant: constant)
    case .divide, .remainder: return nil
    }
  }

  /// `-self`; for ints it gives up at the smallest one, which has no opposite.
  var negated: Computation? {
    var result = self
    guard let minusOne = Self.negated(Self.one(isDouble), isDouble) else { return nil }
    result.multiply(by: minusOne)
    return result.operations.count <= Self.maximumLength ? result : nil
  }

  /// The attribute and the divisor, if an int attribute is divided by a positive constant and nothing
  /// else is done.
  var quotient: (place: Place, divisor: Int64)? {
    guard !isDouble, operations.count == 2,
      case .load(let place, let factor) = operations[0], factor == Self.one(false),
      case .apply(.divide, let divisor) = operations[1], Int64(bitPattern: divisor) > 0
    else { return nil }
    return (place, Int64(bitPattern: divisor))
  }

  /// The attribute and its factor, if there is nothing else.
  private var product: (place: Place, factor: UInt64)? {
    guard operations.count == 1, case .load(let place, let factor) = operations[0] else {
      return nil
    }
    return (place, factor)
  }

  /// The sum with an attribute, with or without a factor; `nil` if `other` is more than that.
  private func adding(_ other: Computation) -> Computation? {
    guard let (place, factor) = other.product else { return nil }
    var result = self
    result.operations.append(.addProduct(place, factor: factor))
    return result
  }

  /// The difference from an attribute, with or without a factor; `nil` if `other` is more than that.
  private func subtracting(_ other: Computation) -> Computation? {
    guard let (place, factor) = other.product else { return nil }
    var result = self
    result.operations.append(.subtractProduct(place, factor: factor))
    return result
  }

  private mutating func multiply(by constant: UInt64) {
    if let (place, factor) = product, factor == Self.one(isDouble) {
      operations = [.load(place, factor: constant)]
    } else {
      operations.append(.apply(.multiply, constant))
    }
  }

  // MARK: Constants

  private static func one(_ isDouble: Bool) -> UInt64 { isDouble ? (1.0 as Double).bitPattern : 1 }

  private static func negated(_ constant: UInt64, _ isDouble: Bool) -> UInt64? {
    if isDouble { return (-Double(bitPattern: constant)).bitPattern }
    let (result, overflow) = Int64(0).subtractingReportingOverflow(Int64(bitPattern: constant))
    return overflow ? nil : UInt64(bitPattern: result)
  }

  /// Whether a division by it always has a result.
  private static func isDivisor(_ constant: UInt64) -> Bool {
    constant != 0 && Int64(bitPattern: constant) != -1
  }
}
