/// The reason for a failure. The machine stores the code, the instruction and up to two operands;
/// texts are created later, on demand.
package enum FailureCode: UInt8, Sendable {
  /// A variable that the context does not have.
  case undeclared
  /// A function that does not exist.
  case unknownFunction
  /// A member that a map does not have, or a member of a value that is not a map.
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
  /// A call of ``EvaluationStop/cancel()``.
  case cancelled
  /// A deadline that has passed.
  case deadlineExceeded
  /// A condition that is not a bool.
  case notBool
  /// A call whose arguments no overload of the function takes.
  case noMatchingOverload
  /// The value of an empty optional.
  case emptyOptional
}

extension FailureCode {
  /// Whether the failure ends the evaluation: no handler may continue from it.
  var isFinal: Bool {
    switch self {
    case .stepLimit, .memoryLimit, .cancelled, .deadlineExceeded: true
    default: false
    }
  }
}

/// The machine's record of the last failure.
struct Failure {
  var code: FailureCode = .undeclared
  /// The instruction that failed.
  var instruction: UInt32 = 0
  /// The operands that the message mentions; null if there are no such operands.
  var first: Slot = .null
  var second: Slot = .null
  /// The number of valid operands.
  var operandCount: UInt8 = 0
}
