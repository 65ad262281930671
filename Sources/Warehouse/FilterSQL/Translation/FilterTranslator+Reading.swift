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
    case .list(.json):
      let variable = "n"
      let element = rooted(SQLExpression(.variable(variable)))
      let elements = SQLExpression(
        .loop(.map, list: expression, variable: variable, body: element))
      return Choice(.list(dialect.templates[.jsonRoot] == nil ? expression : elements, .json))
    case .list(let element): return Choice(.list(expression, element))
    case .record(let members):
      return Choice(
        .record(
          members.map { member in
            let field = SQLExpression(.field(expression, member.name))
            return RecordEntry(
              name: member.name, presence: .isNotNull(field), value: value(of: field, member.type))
          }))
    case .json: return split(rooted(expression), content: expression)
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

  /// The JSON value of a column in the form of members and elements, which tells its kind.
  func rooted(_ json: SQLExpression) -> SQLExpression {
    dialect.templates[.jsonRoot] == nil ? json : .call(.jsonRoot, json)
  }

  /// Whether a JSON value is of a kind.
  private func json(_ json: SQLExpression, is kind: SQLDialect.JSONKind) -> SQLExpression {
    .comparison(.equal, .call(.jsonKind, json), .text(kind.rawValue))
  }

  /// Returns the alternatives that a JSON value may be, by its kind.
  ///
  /// - Parameter content: The value where it is an array or an object, if that can be read of an
  ///   expression that is computed sooner.
  func split(_ json: SQLExpression, content: SQLExpression? = nil) -> Choice {
    let isNumber = self.json(json, is: .number)
    let int = SQLExpression.call(.jsonInt, json)
    let uint = SQLExpression.call(.jsonUInt, json)
    let isBeyond = isNumber && .isNull(int)
    var result: [Choice.Alternative] = []
    func add(_ condition: SQLExpression, _ value: Choice) { result += value.holding(condition) }
    add(isNumber && .isNotNull(int), Choice(.int(int)))
    add(isBeyond && .isNotNull(uint), Choice(.uint(uint)))
    add(isBeyond && .isNull(uint), Choice(.double(.call(.jsonDouble, json), mayBeNaN: false)))
    add(self.json(json, is: .string), text(.call(.jsonText, json)))
    add(self.json(json, is: .bool), .bool(.call(.jsonBool, json)))
    add(self.json(json, is: .null), .null)
    add(self.json(json, is: .array), Choice(.jsonArray(content ?? json)))
    add(self.json(json, is: .object), Choice(.jsonObject(content ?? json)))
    return Choice(result)
  }

  /// Refuses what the engine has no function for.
  func require(_ function: SQLFunction, _ span: SourceSpan) throws(Refusal) {
    guard dialect.templates[function] == nil else { return }
    throw Refusal(
      .function, "\(dialect.title) has no function for this (\(function.rawValue))", at: span)
  }
}
