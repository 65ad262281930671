/// An expression of SQL, independent of the engine that it is written for.
///
/// Whoever makes one sees to it that it cannot fail in any row: a part that would fail takes a form
/// that has a value for every operand, and conditions say where that value counts. An expression
/// whose condition does not hold may be `NULL`.
struct SQLExpression: Sendable, Hashable {
  /// The form of an expression.
  indirect enum Form: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int64)
    case uint(UInt64)
    case double(UInt64)
    case text(String)
    case bytes([UInt8])
    /// A column of the table.
    case column(String)
    /// The variable of a loop or of a binding.
    case variable(String)
    /// A member of a struct.
    case field(SQLExpression, String)
    case and([SQLExpression])
    case or([SQLExpression])
    case not(SQLExpression)
    case comparison(SQLComparison, SQLExpression, SQLExpression)
    case isNull(SQLExpression)
    case isNotNull(SQLExpression)
    /// Whether the first is one of the literals.
    case oneOf(SQLExpression, [SQLExpression])
    /// `CASE WHEN … THEN … ELSE … END`.
    case choice([SQLBranch], otherwise: SQLExpression)
    case call(SQLFunction, [SQLExpression])
    /// A function over the elements of a list, each of which the variable stands for in the body.
    case loop(SQLLoop, list: SQLExpression, variable: String, body: SQLExpression)
    /// Values that are computed once for the body, where they are variables: the first one of a group
    /// `v0` is `v0.a0`.
    case binding(group: String, values: [SQLExpression], body: SQLExpression)
  }

  /// The form of the expression.
  var form: Form { node.form }
  /// The number of nodes, counted as often as they would be written.
  var size: Int { node.size }
  /// How deep the expression nests.
  var depth: Int { node.depth }

  /// Expressions share their parts, and are compared often.
  private let node: Node

  init(_ form: Form) { node = Node(form) }

  static func == (left: SQLExpression, right: SQLExpression) -> Bool {
    left.node === right.node
      || (left.node.hash == right.node.hash && left.node.form == right.node.form)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(node.hash) }

  /// A form with its cached size, depth and hash.
  private final class Node: Sendable {
    let form: Form
    let size: Int
    let depth: Int
    let hash: Int

    init(_ form: Form) {
      self.form = form
      hash = form.hashValue
      var size = 1
      var depth = 0
      for part in form.parts {
        size = min(size &+ part.size, 1 << 40)
        depth = max(depth, part.depth)
      }
      self.size = size
      self.depth = depth + 1
    }
  }
}

extension SQLExpression {
  /// The expressions of which the expression is made.
  var parts: [SQLExpression] { form.parts }

  /// All expressions of which it is made, and itself, each once and after its parts.
  var nodes: [SQLExpression] {
    var result: [SQLExpression] = []
    var seen: Set<SQLExpression> = []
    var waiting = [(node: self, isDone: false)]
    while let (node, isDone) = waiting.popLast() {
      if isDone {
        result.append(node)
      } else if seen.insert(node).inserted {
        waiting.append((node, true))
        waiting += node.parts.map { ($0, false) }
      }
    }
    return result
  }

  /// Returns the expression with other parts, as many.
  func with(_ parts: [SQLExpression]) -> SQLExpression {
    switch form {
    case .null, .bool, .int, .uint, .double, .text, .bytes, .column, .variable: self
    case .field(_, let name): SQLExpression(.field(parts[0], name))
    case .and: SQLExpression(.and(parts))
    case .or: SQLExpression(.or(parts))
    case .not: SQLExpression(.not(parts[0]))
    case .comparison(let op, _, _): SQLExpression(.comparison(op, parts[0], parts[1]))
    case .isNull: SQLExpression(.isNull(parts[0]))
    case .isNotNull: SQLExpression(.isNotNull(parts[0]))
    case .oneOf: SQLExpression(.oneOf(parts[0], Array(parts.dropFirst())))
    case .choice(let branches, _):
      SQLExpression(
        .choice(
          branches.indices.map {
            SQLBranch(condition: parts[2 * $0], value: parts[2 * $0 + 1])
          }, otherwise: parts[2 * branches.count]))
    case .call(let function, _): SQLExpression(.call(function, parts))
    case .loop(let loop, _, let variable, _):
      SQLExpression(.loop(loop, list: parts[0], variable: variable, body: parts[1]))
    case .binding(let group, let values, _):
      SQLExpression(
        .binding(
          group: group, values: Array(parts.prefix(values.count)), body: parts[values.count]))
    }
  }
}

extension SQLExpression.Form {
  fileprivate var parts: [SQLExpression] {
    switch self {
    case .null, .bool, .int, .uint, .double, .text, .bytes, .column, .variable: []
    case .field(let operand, _), .not(let operand), .isNull(let operand), .isNotNull(let operand):
      [operand]
    case .and(let operands), .or(let operands), .call(_, let operands): operands
    case .comparison(_, let left, let right): [left, right]
    case .oneOf(let operand, let literals): [operand] + literals
    case .choice(let branches, let otherwise):
      branches.flatMap { [$0.condition, $0.value] } + [otherwise]
    case .loop(_, let list, _, let body): [list, body]
    case .binding(_, let values, let body): values + [body]
    }
  }
}

/// A branch of a `CASE`.
struct SQLBranch: Sendable, Hashable {
  var condition: SQLExpression
  var value: SQLExpression
}

/// A comparison operator of SQL.
enum SQLComparison: String, Sendable, Hashable {
  case equal = "="
  case notEqual = "<>"
  case less = "<"
  case lessEqual = "<="
  case greater = ">"
  case greaterEqual = ">="

  /// The operator that holds where this one does not.
  var negated: SQLComparison {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .greaterEqual
    case .lessEqual: .greater
    case .greater: .lessEqual
    case .greaterEqual: .less
    }
  }

  /// The operator for operands that have changed places.
  var swapped: SQLComparison {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessEqual: .greaterEqual
    case .greater: .less
    case .greaterEqual: .lessEqual
    }
  }
}

/// The result that a loop over a list computes.
enum SQLLoop: String, Sendable, Hashable, CaseIterable {
  /// Whether the body holds for an element.
  case any
  /// For how many elements the body holds.
  case count
  /// The elements for which the body holds.
  case filter
  /// The values of the body.
  case map
}

/// A function that a dialect of SQL has a form for.
///
/// Each has a value for all operands that are not `NULL`, or is `NULL`; none of them fails.
enum SQLFunction: String, Sendable, Hashable, CaseIterable {
  // Texts and octets.
  case byteLength, codePointLength, octetLength, contains, hasPrefix, hasSuffix, join, textOfInt
  case bytesOfText, matches
  /// The number that a text is in decimal digits, with a sign or without, if it fits into 64 bits.
  case intOfText, uintOfText
  /// The character that is the byte at a position, from 0; `NULL` where there is none, or only a part
  /// of one.
  case byteCharacter
  /// A text as an operand of an order by code points.
  case byCodePoint
  // Numbers. A wide integer holds every sum, difference and product of two 64-bit integers.
  case wide, add, subtract, multiply, divide, remainder, negate
  /// By an int that is neither 0 nor -1.
  case divideByLiteral, remainderByLiteral
  /// A wide integer within 64 bits, signed or not; `NULL` if it does not fit.
  case narrow, narrowUnsigned
  /// A wide integer modulo 2^64, signed or not.
  case wrap, wrapUnsigned
  case doubleOfInt, addDoubles, subtractDoubles, multiplyDoubles, divideDoubles, remainderOfDoubles
  case negateDouble, isNaN
  /// The integer part of a double within the range of ints; `NULL` beyond.
  case truncate
  // Lists; positions count from 0.
  case listLength, listContains, listElement
  /// An int, 0 for `NULL`.
  case orZero
  /// The second operand if the first one is `NULL`.
  case firstOf
  // JSON values; positions count from 0.
  case jsonKind, jsonText, jsonInt, jsonUInt, jsonDouble, jsonBool, jsonMember, jsonElement
  case jsonLength, jsonKeys, jsonElements, jsonSource
  /// The JSON value of a column in the form that members and elements have.
  case jsonRoot
  /// A text, an int, a bool or null as JSON, in that form.
  case jsonOfText, jsonOfInt, jsonOfBool, jsonOfNull
  // Instants.
  case secondsOfTimestamp, microsecondsOfTimestamp
}
