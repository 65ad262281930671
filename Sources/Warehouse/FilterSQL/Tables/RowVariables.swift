/// The variables that a row holds, put together from its columns.
struct RowVariables: Sendable {
  /// The parts of which a variable, or a part of one, is made.
  indirect enum Shape: Sendable {
    /// A column, or a part of one.
    case column(SQLExpression, ColumnType)
    /// A map of parts, each of which a row may lack.
    case record([(name: String, part: Variable)])
  }

  /// A variable, or a part of one, and whether a row has it.
  struct Variable: Sendable {
    var presence: SQLExpression
    var shape: Shape
  }

  /// The variables by name.
  private(set) var named: [String: Variable] = [:]

  init(_ schema: TableSchema) {
    let columns = schema.columns.map { (path: $0.path[...], column: $0) }
    for (name, variable) in Self.parts(of: columns) { named[name] = variable }
    for name in schema.emptyVariables.union(schema.variablesOfAbsent) where named[name] == nil {
      named[name] = Variable(presence: .yes, shape: .record([]))
    }
  }

  /// Returns a part of a variable; `nil` if no column holds it.
  func part(_ root: String, _ name: String) -> Variable? {
    guard let variable = named[root], case .record(let parts) = variable.shape,
      let part = parts.first(where: { $0.name == name })?.part
    else { return nil }
    return Variable(presence: variable.presence && part.presence, shape: part.shape)
  }

  /// Groups columns by the first step of their paths.
  private static func parts(
    of columns: [(path: ArraySlice<String>, column: TableSchema.Column)]
  ) -> [(String, Variable)] {
    var order: [String] = []
    var groups: [String: [(path: ArraySlice<String>, column: TableSchema.Column)]] = [:]
    for (path, column) in columns {
      guard let first = path.first else { continue }
      if groups[first] == nil { order.append(first) }
      groups[first, default: []].append((path.dropFirst(), column))
    }
    return order.map { name in
      let group = groups[name] ?? []
      if let whole = group.first(where: { $0.path.isEmpty })?.column {
        let column = SQLExpression(.column(whole.name))
        return (
          name,
          Variable(
            presence: whole.isNullable ? .isNotNull(column) : .yes,
            shape: shape(of: column, whole.type))
        )
      }
      let parts = parts(of: group)
      // A map of columns is there; what a row lacks are its parts.
      return (
        name,
        Variable(presence: .yes, shape: .record(parts.map { (name: $0.0, part: $0.1) }))
      )
    }
  }

  /// A struct is a map of its members; anything else is one value.
  private static func shape(of expression: SQLExpression, _ type: ColumnType) -> Shape {
    guard case .record(let members) = type else { return .column(expression, type) }
    return .record(
      members.map { member in
        let field = SQLExpression(.field(expression, member.name))
        return (
          name: member.name,
          part: Variable(presence: .isNotNull(field), shape: shape(of: field, member.type))
        )
      })
  }
}
