/// The operators of both dialects. Their spelling, binding power and names are in
/// ``OperatorTable``.
package enum Operator: UInt8, Sendable, Hashable, CaseIterable {
  /// No operator: the node is neither unary nor binary.
  case none
  /// `a ? b : c`.
  case conditional
  /// `a || b`.
  case or
  /// `a && b`.
  case and
  /// `a == b`.
  case equal
  /// `a != b`.
  case notEqual
  /// `a < b`.
  case less
  /// `a <= b`.
  case lessEqual
  /// `a > b`.
  case greater
  /// `a >= b`.
  case greaterEqual
  /// `a in b`.
  case `in`
  /// `a + b`.
  case add
  /// `a - b`.
  case subtract
  /// `a * b`.
  case multiply
  /// `a / b`.
  case divide
  /// `a % b`.
  case remainder
  /// `!a`.
  case not
  /// `!!a`, one operator in the superscript dialect.
  case doubleNot
  /// `-a`.
  case negate
  /// `--a`, one operator in the superscript dialect.
  case doubleNegate
  /// `a.b`.
  case select
  /// `a[b]`.
  case index
  /// `a.?b`, with the optional syntax.
  case optionalSelect
  /// `a[?b]`, with the optional syntax.
  case optionalIndex

  /// The operator's row in the ``OperatorTable``.
  package var info: OperatorInfo { OperatorTable[self] }

  /// Whether the operator is one of `==`, `!=`, `<`, `<=`, `>`, `>=` and `in`. The result is the
  /// same as that of ``info``, but the row with its texts is not read.
  package var isComparison: Bool { OperatorTable.comparisons & 1 << UInt64(rawValue) != 0 }

  /// The operator as it is written in an expression.
  package var spelling: String { info.spelling }
}
