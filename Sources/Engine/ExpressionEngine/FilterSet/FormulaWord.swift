/// A word of a formula in postfix form.
struct FormulaWord: BitwiseCopyable, Equatable {
  /// The meaning of a word. The operands of an operator precede it; `and` without operands is true,
  /// and `or` without operands is false.
  enum Step {
    /// The condition of a number.
    case condition(UInt32)
    /// Whether all of a number of operands are true.
    case and(Int)
    /// Whether any of a number of operands is true.
    case or(Int)
  }

  private let bits: UInt32
  private static let andBit: UInt32 = 1 << 30
  private static let orBit: UInt32 = 1 << 31

  static func condition(_ number: UInt32) -> FormulaWord { FormulaWord(bits: number) }

  static func and(_ count: Int) -> FormulaWord {
    FormulaWord(bits: andBit | UInt32(truncatingIfNeeded: count))
  }

  static func or(_ count: Int) -> FormulaWord {
    FormulaWord(bits: orBit | UInt32(truncatingIfNeeded: count))
  }

  var step: Step {
    if bits < Self.andBit { return .condition(bits) }
    let count = Int(bits & (Self.andBit &- 1))
    return bits & Self.orBit == 0 ? .and(count) : .or(count)
  }
}
