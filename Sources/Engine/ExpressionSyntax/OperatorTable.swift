/// The position of an operator relative to its operands.
package enum Fixity: String, Sendable, Hashable {
  /// Before its one operand.
  case prefix
  /// Between two operands.
  case infix
  /// After its operand, with a name or a bracketed expression of its own.
  case postfix
  /// Between three operands.
  case ternary
}

/// The grouping of operators of equal binding power without parentheses.
package enum Associativity: String, Sendable, Hashable {
  /// `a - b - c` is `(a - b) - c`.
  case left
  /// `a ? b : c ? d : e` is `a ? b : (c ? d : e)`.
  case right
  /// Prefix operators apply to the operand that follows.
  case prefix
}

/// The strength with which an operator binds its operands; larger numbers bind tighter.
package struct BindingPower: Sendable, Hashable {
  /// The power towards the left operand; 0 for prefix operators, which have no left operand.
  package let left: UInt8
  /// The power towards the right operand; 0 for postfix operators, which have no right operand.
  package let right: UInt8

  /// Creates a pair of powers.
  package init(left: UInt8, right: UInt8) {
    self.left = left
    self.right = right
  }
}

/// One row of the ``OperatorTable``.
package struct OperatorInfo: Sendable {
  /// The operator.
  package let op: Operator
  /// The operator as it is written, without operands: `&&`, `? :`, `[ ]`.
  package let spelling: String
  /// The position relative to the operands.
  package let fixity: Fixity
  /// The binding power.
  package let power: BindingPower
  /// The grouping with operators of the same power.
  package let associativity: Associativity
  /// The name of its function in the Common Expression Language, `_&&_` for instance.
  package let celName: String
  /// The dialects that have the operator.
  package let dialects: Set<Dialect.Name>
  /// The dialects in which operators of this level can be chained without parentheses.
  package let chainsIn: Set<Dialect.Name>
  /// A one-line summary for people.
  package let summary: String

  /// Whether the operator is one of `==`, `!=`, `<`, `<=`, `>`, `>=` and `in`.
  package var isComparison: Bool { power == OperatorTable.comparisonPower }
}

/// The single table of operators, from which the parser, the printers and `grammar/operators.md`
/// are derived.
package enum OperatorTable {
  /// The binding power that all comparisons share.
  static let comparisonPower = BindingPower(left: 50, right: 51)

  /// The binding power that all prefix operators share.
  package static let prefixPower = BindingPower(left: 0, right: 80)

  /// The rows of all operators, loosest first; ``Operator/none`` has no row.
  package static let rows: [OperatorInfo] = makeRows()

  /// The set of comparisons, in which bit `n` stands for the operator with raw value `n`.
  static let comparisons = rows.reduce(into: UInt64(0)) { bits, row in
    if row.isComparison { bits |= 1 << UInt64(row.op.rawValue) }
  }

  /// The row of an operator. For ``Operator/none`` it has no spelling and no power.
  package static subscript(op: Operator) -> OperatorInfo { byOperator[Int(op.rawValue)] }

  /// The rows in the order of their raw values.
  private static let byOperator: [OperatorInfo] = Operator.allCases.map { op in
    rows.first { $0.op == op }
      ?? OperatorInfo(
        op: op, spelling: "", fixity: .prefix, power: BindingPower(left: 0, right: 0),
        associativity: .prefix, celName: "", dialects: [], chainsIn: [], summary: "no operator")
  }

  private static func makeRows() -> [OperatorInfo] {
    func row(
      _ op: Operator, _ spelling: String, _ fixity: Fixity, _ left: UInt8, _ right: UInt8,
      _ associativity: Associativity, _ celName: String, _ summary: String,
      dialects: Set<Dialect.Name> = [.superscript, .cel],
      chainsIn: Set<Dialect.Name> = [.superscript, .cel]
    ) -> OperatorInfo {
      OperatorInfo(
        op: op, spelling: spelling, fixity: fixity, power: BindingPower(left: left, right: right),
        associativity: associativity, celName: celName, dialects: dialects, chainsIn: chainsIn,
        summary: summary)
    }
    func comparison(_ op: Operator, _ spelling: String, _ celName: String, _ summary: String)
      -> OperatorInfo
    {
      row(
        op, spelling, .infix, comparisonPower.left, comparisonPower.right, .left, celName, summary,
        chainsIn: [.cel])
    }
    return [
      row(.conditional, "? :", .ternary, 21, 20, .right, "_?_:_", "chooses one of two values"),
      row(.or, "||", .infix, 30, 31, .left, "_||_", "true if either side is"),
      row(.and, "&&", .infix, 40, 41, .left, "_&&_", "true if both sides are"),
      comparison(.equal, "==", "_==_", "equal values"),
      comparison(.notEqual, "!=", "_!=_", "different values"),
      comparison(.less, "<", "_<_", "left is smaller"),
      comparison(.lessEqual, "<=", "_<=_", "left is smaller or equal"),
      comparison(.greater, ">", "_>_", "left is larger"),
      comparison(.greaterEqual, ">=", "_>=_", "left is larger or equal"),
      comparison(.in, "in", "@in", "left is an element or a key of right"),
      row(.add, "+", .infix, 60, 61, .left, "_+_", "sum, or the two joined"),
      row(.subtract, "-", .infix, 60, 61, .left, "_-_", "difference"),
      row(.multiply, "*", .infix, 70, 71, .left, "_*_", "product"),
      row(.divide, "/", .infix, 70, 71, .left, "_/_", "quotient"),
      row(.remainder, "%", .infix, 70, 71, .left, "_%_", "remainder of a division"),
      row(
        .not, "!", .prefix, prefixPower.left, prefixPower.right, .prefix, "!_",
        "the opposite of a condition", chainsIn: [.cel]),
      row(
        .doubleNot, "!!", .prefix, prefixPower.left, prefixPower.right, .prefix, "!_",
        "the truth of any value",
        dialects: [.superscript], chainsIn: []),
      row(
        .negate, "-", .prefix, prefixPower.left, prefixPower.right, .prefix, "-_",
        "the number with the other sign",
        chainsIn: [.cel]),
      row(
        .doubleNegate, "--", .prefix, prefixPower.left, prefixPower.right, .prefix, "-_",
        "the number itself",
        dialects: [.superscript], chainsIn: []),
      row(.select, ".", .postfix, 90, 0, .left, "", "the member of that name"),
      row(.index, "[ ]", .postfix, 90, 0, .left, "_[_]", "the element at an index or key"),
      row(
        .optionalSelect, ".?", .postfix, 90, 0, .left, "_?._", "the member, if it is there",
        dialects: [.cel], chainsIn: [.cel]),
      row(
        .optionalIndex, "[? ]", .postfix, 90, 0, .left, "_[?_]", "the element, if it is there",
        dialects: [.cel], chainsIn: [.cel]),
    ]
  }
}
