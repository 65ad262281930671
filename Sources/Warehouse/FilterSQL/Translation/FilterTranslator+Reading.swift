import ExpressionEngine
import ExpressionSyntax

// Values of the row: columns, struct members, list elements and JSON values.

extension FilterTranslator {
  /// The value of a variable that the row has.
  func read(_ shape: RowVariables.Shape, _ span: SourceSpan) throws(Refusal) -> Choice {
    switch shape {
    case .column(let column, let type):
      if let name = type.unreadableName {
        throw Refusal(.column, "a column of type \(name) has no values of the language", at: span)
      }
      guard !type.hasJSON || !dialect.jsonKinds.isEmpty else {
        throw Refusal(.column, "JSON columns of \(dialect.title) are not read", at: span)
      }
      return value(of: column, type)
    case .record(let parts):
      var entries: [RecordEntry] = []
      for (name, part) in parts {
        entries.append(
          RecordEntry(name: name, presence: part.presence, value: try read(part.shape, span)))
      }
      return Choice(.record(entries))
    }
  }

  /// The value of an expression of some type that is not `NULL`.
  func value(of expression: SQLExpression, _ type: ColumnType) -> Choice {
    switch type {
    case .bool: return .bool(expression)
    case .int: return Choice(.int(expression))
    case .uint: return Choice(.uint(expression))
    case .double: return Choice(.double(expression, mayBeNaN: true))
    case .string: return text(expression)
    case .bytes: return Choice(.bytes(expression))
    case .timestamp:
      // The superscript dialect reads instants as whole seconds.
      return isSuperscript
        ? Choice(.int(.call(.secondsOfTimestamp, expression)))
        : Choice(.timestamp(.call(.microsecondsOfTimestamp, expression)))
    case .list(let element): return Choice(.list(expression, element))
    case .record(let members):
      return Choice(
        .record(
          members.map { member in
            let field = SQLExpression(.field(expression, member.name))
            return RecordEntry(
              name: member.name, presence: .isNotNull(field), value: value(of: field, member.type))
          }))
    case .json: return split(expression)
    // Refused where it is read.
    case .other: return .failure(.other)
    }
  }

  /// The value of a list's element, which is null where it is `NULL`.
  func elementValue(_ expression: SQLExpression, _ type: ColumnType) -> Choice {
    // JSON arrays have nulls of their own.
    if type == .json { return split(expression) }
    return .either(.isNotNull(expression), value(of: expression, type), .null)
  }

  /// A text of the row; the superscript dialect reads the words for bools as bools.
  private func text(_ expression: SQLExpression) -> Choice {
    guard isSuperscript else { return Choice(.string(expression)) }
    let isTrue = SQLExpression.comparison(.equal, expression, .text("true"))
    let isFalse = SQLExpression.comparison(.equal, expression, .text("false"))
    return Choice([
      (!isTrue && !isFalse, .string(expression)), (isTrue, .yes), (isFalse, .no),
    ])
  }

  /// Whether a JSON value is of a kind.
  private func json(_ json: SQLExpression, is kind: SQLDialect.JSONKind) -> SQLExpression {
    let names = dialect.jsonKinds[kind] ?? []
    let own = SQLExpression.call(.jsonKind, json)
    return names.count == 1
      ? .comparison(.equal, own, .text(names[0]))
      : SQLExpression(.oneOf(own, names.map { .text($0) }))
  }

  /// Returns the alternatives that a JSON value may be, by its kind.
  func split(_ json: SQLExpression) -> Choice {
    let isInteger = self.json(json, is: .integer)
    let int = SQLExpression.call(.jsonInt, json)
    var result: [Choice.Alternative] = []
    func add(_ condition: SQLExpression, _ value: Choice) { result += value.holding(condition) }
    add(isInteger && .isNotNull(int), Choice(.int(int)))
    add(isInteger && .isNull(int), Choice(.uint(.call(.jsonUInt, json))))
    add(
      self.json(json, is: .double), Choice(.double(.call(.jsonDouble, json), mayBeNaN: false)))
    add(self.json(json, is: .string), text(.call(.jsonText, json)))
    add(self.json(json, is: .bool), .bool(.call(.jsonBool, json)))
    add(self.json(json, is: .null), .null)
    add(self.json(json, is: .array), Choice(.jsonArray(json)))
    add(self.json(json, is: .object), Choice(.jsonObject(json)))
    return Choice(result)
  }

  /// Refuses what the engine has no function for.
  func require(_ function: SQLFunction, _ span: SourceSpan) throws(Refusal) {
    guard dialect.templates[function] == nil else { return }
    throw Refusal(
      .function, "\(dialect.title) has no function for this (\(function.rawValue))", at: span)
  }
}
