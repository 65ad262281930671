/// The treatment of values by operators where languages differ, as data chosen by the lowering
/// pass.
///
/// The machine's fast paths are valid for every language; only the cold paths check these rules. A
/// program carries its rules.
struct ValueRules: OptionSet, Sendable {
  let rawValue: UInt32

  /// Arithmetic of an int or a uint with a double is done in doubles; otherwise it has no overload.
  static let mixedArithmetic = ValueRules(rawValue: 1 << 0)
  /// Integer overflow wraps around; otherwise it is an error.
  static let wrappingArithmetic = ValueRules(rawValue: 1 << 1)
  /// `%` exists for doubles.
  static let doubleRemainder = ValueRules(rawValue: 1 << 2)
  /// `+` joins maps, the right one winning.
  static let joinsMaps = ValueRules(rawValue: 1 << 3)
  /// `+` joins bytes.
  static let joinsBytes = ValueRules(rawValue: 1 << 4)
  /// Null can be ordered against null.
  static let ordersNull = ValueRules(rawValue: 1 << 5)
  /// Bytes can be ordered.
  static let ordersBytes = ValueRules(rawValue: 1 << 6)
  /// Ordering NaN is an error; otherwise it is false.
  static let nanOrderFails = ValueRules(rawValue: 1 << 7)
  /// Int, uint and double keys of one numeric value are one key, in equality and membership too.
  static let crossNumericKeys = ValueRules(rawValue: 1 << 8)
  /// `in` finds a string in a string.
  static let textMembership = ValueRules(rawValue: 1 << 9)
  /// A list index that is out of range, and a map key that is absent, give null; otherwise they are
  /// errors.
  static let lenientIndex = ValueRules(rawValue: 1 << 10)
  /// Strings can be indexed by byte offset.
  static let indexesStrings = ValueRules(rawValue: 1 << 11)
  /// A list can be indexed by a uint or an integral double.
  static let numericIndexes = ValueRules(rawValue: 1 << 12)
  /// A repeated key in a map literal is an error; otherwise the last one wins.
  static let uniqueLiteralKeys = ValueRules(rawValue: 1 << 13)
  /// Instants stay within the years 1 to 9999 and durations within 64-bit nanoseconds.
  static let protobufTimeRanges = ValueRules(rawValue: 1 << 14)
  /// Host results are read in the normalized form (bool words as bools, timestamps as seconds).
  static let normalizesAnswers = ValueRules(rawValue: 1 << 15)

  /// Regular expressions use RE2's syntax; otherwise that of Rust's `regex`.
  static let re2Patterns = ValueRules(rawValue: 1 << 16)

  /// A missing attribute of a layer may be a variable with a dotted name.
  static let dottedVariables = ValueRules(rawValue: 1 << 17)
  /// A list or map equals itself, also with NaN in it.
  static let equalsItself = ValueRules(rawValue: 1 << 18)

  /// The rules of the superscript dialect (docs/spec/superscript.md §6, §7, §9).
  static let superscript: ValueRules = [
    .mixedArithmetic, .wrappingArithmetic, .doubleRemainder, .joinsMaps, .ordersNull,
    .nanOrderFails, .textMembership, .lenientIndex, .indexesStrings, .normalizesAnswers,
    .equalsItself,
  ]

  /// The rules of the cel dialect (docs/spec/cel.md §5, §6).
  static let cel: ValueRules = [
    .joinsBytes, .ordersBytes, .crossNumericKeys, .numericIndexes, .uniqueLiteralKeys,
    .protobufTimeRanges, .re2Patterns, .dottedVariables,
  ]
}
