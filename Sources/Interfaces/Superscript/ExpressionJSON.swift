import ExpressionSyntax

/// The syntax trees of the reference evaluator as JSON, which its `parse_to_ast` writes and its
/// `evaluate_ast` reads.
///
/// Every node is an object with its `type` and, if it has one, its `value`:
///
/// | type | value |
/// |---|---|
/// | `Arithmetic` | left, `{"type": "Add"}` …, right |
/// | `Relation` | left, `{"type": "Equals"}` …, right |
/// | `Or`, `And` | left, right |
/// | `Ternary` | condition, first, second |
/// | `Unary` | `{"type": "Not"}` …, operand |
/// | `Member` | operand, member |
/// | `FunctionCall` | callee, target or null, list of arguments |
/// | `List` | list of elements |
/// | `Map` | list of pairs of a key and a value |
/// | `Atom` | `{"type": "Int", "value": 5}` … |
/// | `Ident` | name |
///
/// A member is `{"type": "Attribute", "value": name}`, `{"type": "Index", "value": index}` or
/// `{"type": "Fields", "value": list of pairs of a name and a value}`.
enum ExpressionJSON {
  /// The types of nodes.
  enum NodeType: String {
    case arithmetic = "Arithmetic"
    case relation = "Relation"
    case ternary = "Ternary"
    case or = "Or"
    case and = "And"
    case unary = "Unary"
    case member = "Member"
    case functionCall = "FunctionCall"
    case list = "List"
    case map = "Map"
    case atom = "Atom"
    case identifier = "Ident"
  }

  /// The types of members.
  enum MemberType: String {
    case attribute = "Attribute"
    case index = "Index"
    case fields = "Fields"
  }

  /// The types of atoms.
  enum AtomType: String {
    case int = "Int"
    case uint = "UInt"
    case float = "Float"
    case string = "String"
    case bytes = "Bytes"
    case bool = "Bool"
    case null = "Null"
  }

  /// The names of the operators; the operators of `And` and `Or` are nodes of their own.
  static let operatorNames: [(op: Operator, name: String, node: NodeType)] = [
    (.add, "Add", .arithmetic), (.subtract, "Subtract", .arithmetic),
    (.multiply, "Multiply", .arithmetic), (.divide, "Divide", .arithmetic),
    (.remainder, "Modulus", .arithmetic),
    (.less, "LessThan", .relation), (.lessEqual, "LessThanEq", .relation),
    (.greater, "GreaterThan", .relation), (.greaterEqual, "GreaterThanEq", .relation),
    (.equal, "Equals", .relation), (.notEqual, "NotEquals", .relation), (.in, "In", .relation),
    (.not, "Not", .unary), (.doubleNot, "DoubleNot", .unary), (.negate, "Minus", .unary),
    (.doubleNegate, "DoubleMinus", .unary),
  ]

  /// The text for an infinite float, which JSON numbers cannot express.
  ///
  /// The reference writes null, and cannot read that back.
  static let infinity = "Infinity"

  /// The largest number of nested arrays and objects. A node takes two of them.
  static let maximumDepth = 1024
}
