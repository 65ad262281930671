/// A word of a formula in postfix form.
struct FormulaWord: BitwiseCopyable, Equatable {
  /// The meaning of a word. The operands of an operator precede it; `and` without operands is true,
  /// and `or` without operands is false.
  enum Step {
    /// The condition of a number.
    case condition(UInt32)
    /// A part of the filter that was left out, and may be true.
    case unknown
    /// Whether all of a number of operands are true.
    case and(Int)
    /// Whether any of a number of operands is true.
    case or(Int)
  }

  private let bits: UInt32
  private static let andBit: UInt32 = 1 << 30
  private static let orBit: UInt32 = 1 << 31

  static let unknown = FormulaWord(bits: andBit | orBit)

  static func condition(_ number: UInt32) -> FormulaWord { FormulaWord(bits: number) }

  static func and(_ count: Int) -> FormulaWord {
    FormulaWord(bits: andBit | UInt32(truncatingIfNeeded: count))
  }

  static func or(_ count: Int) -> FormulaWord {
    FormulaWord(bits: orBit | UInt32(truncatingIfNeeded: count))
  }

  var step: Step {
    if bits < Self.andBit { return .condition(bits) }
    if self == .unknown { return .unknown }
    let count = Int(bits & (Self.andBit &- 1))
    return bits & Self.orBit == 0 ? .and(count) : .or(count)
  }
}

/// How much of a filter its formula covers.
enum Coverage: UInt8 {
  /// All of it. When nothing fails, the formula is the value of the filter.
  case value
  /// All of it. When nothing fails, the filter is true if the formula is, and has any other value
  /// if not.
  case truth
  /// All but one operand of the outermost conjunction, which must be evaluated when the formula is
  /// true.
  case allButRest
  /// Some of it. The filter must be evaluated when the formula is true.
  case part

  /// Whether the filter, or the rest of it, must be evaluated when its formula is true.
  var isChecked: Bool { self == .allButRest || self == .part }
}
