import ExpressionEngine

/// A value of the expression language of which the kind is known and the content is SQL.
indirect enum Term: Sendable, Hashable {
  case constant(Value)
  case bool(SQLExpression)
  case int(SQLExpression)
  case uint(SQLExpression)
  case double(SQLExpression, mayBeNaN: Bool)
  case string(SQLExpression)
  case bytes(SQLExpression)
  /// Microseconds since 1970.
  case timestamp(SQLExpression)
  /// A list of the row, with the type of its elements.
  case list(SQLExpression, ColumnType)
  /// A list of so many values.
  case tuple([Choice])
  /// A map with string keys, of which it is known which it may have.
  case record([RecordEntry])
  /// A JSON array.
  case jsonArray(SQLExpression)
  /// A JSON object.
  case jsonObject(SQLExpression)
  /// An optional that holds a value.
  case optional(Choice)
  /// A function, which is nobody's equal.
  case function
  /// No value: an operation that fails.
  case failure(LoweredExpression.FailureClass)

  /// Whether there is no value.
  var isFailure: Bool { if case .failure = self { true } else { false } }

  static let null = Term.constant(.null)
  static let yes = Term.constant(.bool(true))
  static let no = Term.constant(.bool(false))
}

/// An entry that a map may have.
struct RecordEntry: Sendable, Hashable {
  var name: String
  /// Whether the map has it.
  var presence: SQLExpression
  var value: Choice
}

/// A value that is one of several terms: that whose condition holds.
///
/// The conditions exclude each other. Where a value is computed at all, one of them holds.
struct Choice: Sendable, Hashable {
  /// A term and when it counts.
  struct Alternative: Sendable, Hashable {
    var condition: SQLExpression
    var term: Term
    /// Whether a bool is false, and never `NULL`, wherever the condition does not hold.
    var isTight = false

    /// When the alternative counts and is exactly true.
    var isTrue: SQLExpression {
      switch term {
      case .constant(.bool(true)): condition
      case .bool(let truth): isTight ? truth : condition && truth
      default: .no
      }
    }

    /// The alternative where another condition holds as well.
    func holding(_ other: SQLExpression) -> Alternative {
      let both = other && condition
      guard isTight, case .bool(let truth) = term else {
        return Alternative(condition: both, term: term)
      }
      return Alternative(condition: both, term: .bool(other && truth), isTight: true)
    }
  }

  var alternatives: [Alternative]

  init(_ term: Term) { alternatives = [Alternative(condition: .yes, term: term)] }

  init(_ alternatives: [Alternative]) { self.alternatives = Self.joined(alternatives) }

  init(_ pairs: [(SQLExpression, Term)]) {
    self.init(pairs.map { Alternative(condition: $0.0, term: $0.1) })
  }

  static let null = Choice(.null)
  static func constant(_ value: Value) -> Choice { Choice(.constant(value)) }
  static func bool(_ condition: SQLExpression) -> Choice { Choice(.bool(condition)) }
  static func failure(_ kind: LoweredExpression.FailureClass) -> Choice { Choice(.failure(kind)) }

  /// The only term, if there is one.
  var only: Term? { alternatives.count == 1 ? alternatives[0].term : nil }

  /// The value, if it is a constant.
  var constant: Value? {
    if case .constant(let value)? = only { value } else { nil }
  }

  /// Whether computing the value may fail.
  var mayFail: Bool { alternatives.contains { $0.term.isFailure } }

  /// When computing the value fails in some way.
  func failing(_ kind: LoweredExpression.FailureClass) -> SQLExpression {
    .any(alternatives.filter { $0.term == .failure(kind) }.map(\.condition))
  }

  /// When computing the value fails.
  var fails: SQLExpression {
    .any(alternatives.filter { $0.term.isFailure }.map(\.condition))
  }

  /// The number of nodes of everything in it.
  var size: Int { alternatives.reduce(0) { $0 &+ $1.condition.size &+ $1.term.size } }

  /// How deep everything in it nests.
  var depth: Int { alternatives.reduce(0) { max($0, $1.condition.depth, $1.term.depth) } }

  /// The value where a condition holds.
  func holding(_ condition: SQLExpression) -> [Alternative] {
    if condition.isYes { return alternatives }
    return alternatives.map { $0.holding(condition) }.filter { !$0.condition.isNo }
  }

  /// Returns the results of `body` for all terms; failures stay what they are.
  func map<Failure: Error>(_ body: (Term) throws(Failure) -> Choice) throws(Failure) -> Choice {
    var result: [Alternative] = []
    for alternative in alternatives {
      if alternative.term.isFailure {
        result.append(alternative)
      } else {
        result += try body(alternative.term).holding(alternative.condition)
      }
    }
    return Choice(result)
  }

  /// One value or another.
  static func either(
    _ condition: SQLExpression, _ value: Choice, _ other: Choice
  ) -> Choice {
    Choice(value.holding(condition) + other.holding(!condition))
  }
}

extension Term {
  /// The number of nodes of everything in it.
  var size: Int {
    switch self {
    case .constant, .failure, .function: 0
    case .bool(let e), .int(let e), .uint(let e), .double(let e, _), .string(let e), .bytes(let e),
      .timestamp(let e), .list(let e, _), .jsonArray(let e), .jsonObject(let e):
      e.size
    case .tuple(let elements): elements.reduce(0) { $0 &+ $1.size }
    case .record(let entries): entries.reduce(0) { $0 &+ $1.presence.size &+ $1.value.size }
    case .optional(let content): content.size
    }
  }

  /// How deep everything in it nests.
  var depth: Int {
    switch self {
    case .constant, .failure, .function: 0
    case .bool(let e), .int(let e), .uint(let e), .double(let e, _), .string(let e), .bytes(let e),
      .timestamp(let e), .list(let e, _), .jsonArray(let e), .jsonObject(let e):
      e.depth
    case .tuple(let elements): elements.reduce(0) { max($0, $1.depth) }
    case .record(let entries): entries.reduce(0) { max($0, $1.presence.depth, $1.value.depth) }
    case .optional(let content): content.depth
    }
  }
}
