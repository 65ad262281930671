/// The possible values of an attribute, as positions on a line.
///
/// A set compares attributes only with constants, so only a value's position among them matters:
/// `0` for an undeclared root, `1` for a missing attribute, then null, the bools, NaN and values of
/// other kinds; then numbers and texts, each with one position for every constant and one for every
/// gap between two constants. A condition is a set of positions.
struct ValueLine {
  static let undeclared: UInt32 = 0
  static let missing: UInt32 = 1
  static let null: UInt32 = 2
  static let bools: UInt32 = 3
  static let notANumber: UInt32 = 5
  static let other: UInt32 = 6
  static let firstNumber: UInt32 = 7

  /// The attribute's constants, numbers and texts in ascending order.
  let numbers: UnsafeBufferPointer<Double>
  let texts: UnsafeBufferPointer<Slot>

  var lastNumber: UInt32 { Self.firstNumber &+ 2 &* UInt32(truncatingIfNeeded: numbers.count) }
  var firstText: UInt32 { lastNumber &+ 1 }
  /// The number of positions, the last of which is that of the largest texts.
  var count: UInt32 { firstText &+ 2 &* UInt32(truncatingIfNeeded: texts.count) &+ 1 }

  /// Returns the position of a value.
  ///
  /// - Complexity: O(log n) in the number of constants.
  @inline(__always)
  func position(of slot: Slot) -> UInt32 {
    switch slot.tag {
    case .string: position(ofText: slot)
    case .int: position(of: Double(slot.intValue))
    case .bool: Self.bools &+ UInt32(truncatingIfNeeded: slot.word0)
    case .double: position(of: slot.doubleValue)
    case .uint: position(of: Double(slot.uintValue))
    case .null: Self.null
    default: Self.other
    }
  }

  /// Returns the position of a number. Constants are below 2^53, so comparing doubles is exact.
  @inline(__always)
  func position(of number: Double) -> UInt32 {
    guard !number.isNaN else { return Self.notANumber }
    var low = 0
    var count = numbers.count
    while count > 0 {
      let half = count >> 1
      if numbers[low &+ half] < number {
        low &+= half &+ 1
        count &-= half &+ 1
      } else {
        count = half
      }
    }
    let isConstant = low < numbers.count && numbers[low] == number
    return Self.firstNumber &+ UInt32(truncatingIfNeeded: 2 &* low &+ (isConstant ? 1 : 0))
  }

  @inline(__always)
  private func position(ofText text: Slot) -> UInt32 {
    var low = 0
    var high = texts.count
    while low < high {
      let middle = (low &+ high) >> 1
      let order = Slot.byteOrder(texts[middle], text)
      if order == 0 { return firstText &+ UInt32(truncatingIfNeeded: 2 &* middle &+ 1) }
      if order < 0 { low = middle &+ 1 } else { high = middle }
    }
    return firstText &+ UInt32(truncatingIfNeeded: 2 &* low)
  }

  /// Returns the kinds of values at a position, as far as they matter to comparisons.
  @inline(__always)
  func kind(at position: UInt32) -> PositionKinds {
    if position >= Self.firstNumber { return position <= lastNumber ? .number : .text }
    return PositionKinds(rawValue: 1 << UInt8(truncatingIfNeeded: position))
  }
}

/// Kinds of positions on a ``ValueLine``.
struct PositionKinds: OptionSet, Sendable {
  let rawValue: UInt16

  static let undeclared = PositionKinds(rawValue: 1 << 0)
  static let missing = PositionKinds(rawValue: 1 << 1)
  static let null = PositionKinds(rawValue: 1 << 2)
  static let bool: PositionKinds = [
    PositionKinds(rawValue: 1 << 3), PositionKinds(rawValue: 1 << 4),
  ]
  static let notANumber = PositionKinds(rawValue: 1 << 5)
  static let other = PositionKinds(rawValue: 1 << 6)
  static let number = PositionKinds(rawValue: 1 << 7)
  static let text = PositionKinds(rawValue: 1 << 8)

  static let all = PositionKinds(rawValue: 0x1FF)
}

/// A position that is known before all constants of the attribute are: a fixed one, the end of a
/// section, or one next to a constant.
struct SymbolicPosition: BitwiseCopyable, Equatable {
  /// The position itself if it is fixed.
  let rawValue: UInt32

  static let null = SymbolicPosition(rawValue: ValueLine.null)
  static let notANumber = SymbolicPosition(rawValue: ValueLine.notANumber)
  static let firstNumber = SymbolicPosition(rawValue: 8)
  static let lastNumber = SymbolicPosition(rawValue: 9)
  static let firstText = SymbolicPosition(rawValue: 10)
  static let lastText = SymbolicPosition(rawValue: 11)

  static func bool(_ value: Bool) -> SymbolicPosition {
    SymbolicPosition(rawValue: ValueLine.bools &+ (value ? 1 : 0))
  }

  /// The position at a constant, or directly below (-1) or above (1) it.
  static func constant(_ number: UInt32, _ offset: Int = 0) -> SymbolicPosition {
    SymbolicPosition(
      rawValue: 16 &+ number &* 4 &+ UInt32(truncatingIfNeeded: offset &+ 1))
  }

  /// Returns the position on a line.
  ///
  /// - Parameter positions: The positions of all constants.
  func resolved(on line: ValueLine, _ positions: [UInt32]) -> UInt32 {
    switch rawValue {
    case Self.firstNumber.rawValue: ValueLine.firstNumber
    case Self.lastNumber.rawValue: line.lastNumber
    case Self.firstText.rawValue: line.firstText
    case Self.lastText.rawValue: line.count &- 1
    case 16...: positions[Int((rawValue &- 16) >> 2)] &+ ((rawValue &- 16) & 3) &- 1
    default: rawValue
    }
  }
}

/// A run of positions, which is empty if its last position is before the first one.
struct SymbolicRun: BitwiseCopyable {
  let first: SymbolicPosition
  let last: SymbolicPosition

  init(first: SymbolicPosition, last: SymbolicPosition) {
    self.first = first
    self.last = last
  }

  init(_ position: SymbolicPosition) { self.init(first: position, last: position) }
}
