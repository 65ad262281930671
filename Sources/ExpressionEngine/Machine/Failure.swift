/// Why an operation failed. The machine keeps the code, the instruction and up to two operands;
/// texts are made afterwards, only when somebody asks.
package enum FailureCode: UInt8, Sendable {
  /// A variable that the context does not have.
  case undeclared
  /// A function that does not exist.
  case unknownFunction
  /// A member that a map does not have, or a member of something that is no map.
  case noSuchKey
  /// Two values that have no order.
  case notComparable
  /// An operator without a meaning for its operands.
  case unsupportedBinary
  /// A prefix operator without a meaning for its operand.
  case unsupportedUnary
  /// A value of a kind that a function or an operator does not take.
  case unexpectedType
  /// A value that cannot be a map key.
  case unusableKey
  /// A repeated key in a map literal.
  case duplicateKey
  /// An index of a kind that a list does not take.
  case listIndex
  /// An index of a kind that a map does not take.
  case mapIndex
  /// A value that cannot be indexed.
  case notIndexable
  /// A list index that is out of range.
  case indexOutOfRange
  /// Integer division by zero.
  case divisionByZero
  /// An integer, instant or duration out of its range.
  case overflow
  /// A call without an argument that it needs.
  case argumentCount
  /// A subject argument that failed (docs/spec/superscript.md §10).
  case missingArgument
  /// A construct that parses but has no meaning.
  case unsupportedConstruct
  /// A text or number that a function cannot use.
  case invalidArgument
  /// A regular expression that is not valid.
  case invalidPattern
  /// A regular expression that took too long.
  case patternLimit
  /// A host function that failed.
  case hostFailed
  /// More loop steps than the limit allows.
  case stepLimit
  /// More memory than the limit allows.
  case memoryLimit
  /// A condition that is no bool.
  case notBool
  /// A call whose arguments no overload of the function takes.
  case noMatchingOverload
  /// The value of an empty optional.
  case emptyOptional
}

/// What the machine remembers of the last failure.
struct Failure {
  var code: FailureCode = .undeclared
  /// The instruction that failed.
  var instruction: UInt32 = 0
  /// The operands that tell what was wrong; null when there are none.
  var first: Slot = .null
  var second: Slot = .null
  /// How many of the operands mean something.
  var operandCount: UInt8 = 0
}
