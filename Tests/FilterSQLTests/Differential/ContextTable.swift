import ExpressionCoding
import ExpressionEngine
import FilterSQL

/// Contexts as the rows of a table, with the columns that hold exactly their values.
struct ContextTable {
  /// Thrown when no column holds a value exactly.
  struct Unrepresentable: Error {
    let description: String
  }

  /// Whether variables become typed columns where they can, or JSON columns where they can.
  enum Form: String, CaseIterable {
    case typed
    case json
  }

  let schema: TableSchema
  let rows: [[String: Value]]
  let dialect: SQLDialect.Name

  /// - Parameters:
  ///   - contexts: The variables of each row.
  ///   - form: What is preferred.
  init(
    _ contexts: [[String: Value]], form: Form, dialect: SQLDialect.Name
  ) throws(Unrepresentable) {
    var columns: [TableSchema.Column] = []
    var names: Set<String> = []
    for name in Set(contexts.flatMap(\.keys)).sorted() {
      let values = contexts.compactMap { $0[name] }
      let type = try Self.type(of: values, form: form, dialect: dialect)
      // Engines take names that differ in case for the same one.
      guard names.insert(name.lowercased()).inserted, !name.isEmpty else {
        throw Unrepresentable(description: "two columns of one name")
      }
      columns.append(TableSchema.Column(name, path: [name], type))
    }
    schema = TableSchema(columns)
    rows = contexts
    self.dialect = dialect
  }

  // MARK: Types

  private static func type(
    of values: [Value], form: Form, dialect: SQLDialect.Name
  ) throws(Unrepresentable) -> ColumnType {
    if form == .typed, let type = typed(values, dialect) { return type }
    if values.allSatisfy(\.isPlainJSON), dialect != .spark { return .json }
    if form == .json, let type = typed(values, dialect) { return type }
    throw Unrepresentable(description: "no column holds these values")
  }

  /// The type that all values have; `nil` if there is none.
  private static func typed(_ values: [Value], _ dialect: SQLDialect.Name) -> ColumnType? {
    guard let first = values.first else { return nil }
    func all(_ type: ColumnType, _ test: (Value) -> Bool) -> ColumnType? {
      values.allSatisfy(test) ? type : nil
    }
    switch first {
    case .bool: return all(.bool) { if case .bool = $0 { true } else { false } }
    case .int: return all(.int) { if case .int = $0 { true } else { false } }
    case .uint:
      if dialect == .sqlite { return nil }
      return all(.uint) { if case .uint = $0 { true } else { false } }
    case .double:
      return all(.double) {
        if case .double(let number) = $0 { dialect != .sqlite || number.isFinite } else { false }
      }
    case .string:
      return all(.string) {
        if case .string(let text) = $0 {
          dialect == .duckdb || !text.unicodeScalars.contains("\0")
        } else {
          false
        }
      }
    case .bytes: return all(.bytes) { if case .bytes = $0 { true } else { false } }
    case .timestamp:
      if dialect == .sqlite { return nil }
      return all(.timestamp) {
        if case .timestamp(let instant) = $0 {
          instant.nanoseconds % 1000 == 0 && instant.nanoseconds < 1_000_000_000
            && (-62_135_596_800...253_402_300_799).contains(instant.seconds)
        } else {
          false
        }
      }
    case .list: return list(values, dialect)
    case .map: return record(values, dialect)
    default: return nil
    }
  }

  private static func list(_ values: [Value], _ dialect: SQLDialect.Name) -> ColumnType? {
    if dialect == .sqlite { return nil }
    var elements: [Value] = []
    for value in values {
      guard case .list(let own) = value else { return nil }
      elements += own
    }
    let present = elements.filter { $0 != .null }
    guard let element = typed(present, dialect) else { return nil }
    // PostgreSQL has neither lists of lists nor structs.
    switch element {
    case .list, .record, .json, .other: return dialect == .duckdb ? .list(element) : nil
    default: return .list(element)
    }
  }

  private static func record(_ values: [Value], _ dialect: SQLDialect.Name) -> ColumnType? {
    if dialect == .sqlite || dialect == .postgresql { return nil }
    var members: [String: [Value]] = [:]
    for value in values {
      guard case .map(let entries) = value else { return nil }
      for (key, member) in entries {
        guard case .string(let name) = key, !name.isEmpty else { return nil }
        members[name, default: []].append(member)
      }
    }
    guard !members.isEmpty, Set(members.keys.map { $0.lowercased() }).count == members.count else {
      return nil
    }
    var result: [ColumnType.Member] = []
    for (name, values) in members.sorted(by: { $0.key < $1.key }) {
      if let type = typed(values, dialect) {
        result.append(ColumnType.Member(name, type))
      } else if values.allSatisfy(\.isPlainJSON), dialect == .duckdb {
        result.append(ColumnType.Member(name, .json))
      } else {
        return nil
      }
    }
    return .record(result)
  }

  // MARK: Statements

  /// The statements that make the table, called `t`.
  var setup: [String] {
    let writer = RowWriter(dialect: dialect)
    let columns = schema.columns.map { "\(writer.identifier($0.name)) \(writer.typeName($0.type))" }
    let drop = "DROP TABLE IF EXISTS t"
    var tuples: [String] = []
    for (index, row) in rows.enumerated() {
      let cells = schema.columns.map { writer.cell(row[$0.name], $0.type) }
      tuples.append("(" + ([String(index)] + cells).joined(separator: ", ") + ")")
    }
    if dialect == .spark {
      let names = (["row number"] + schema.columns.map(\.name)).map { writer.identifier($0) }
      let view =
        "CREATE OR REPLACE TEMPORARY VIEW t AS SELECT * FROM VALUES "
        + tuples.joined(separator: ", ") + " AS v(" + names.joined(separator: ", ") + ")"
      return [view]
    }
    let all = ([writer.identifier("row number") + " INTEGER"] + columns).joined(separator: ", ")
    return [
      drop, "CREATE TEMPORARY TABLE t (\(all))",
      "INSERT INTO t VALUES " + tuples.joined(separator: ", "),
    ]
  }

  /// The query for the answers of filters, a column for each.
  func query(_ answers: [String]) -> String {
    let writer = RowWriter(dialect: dialect)
    return "SELECT " + answers.enumerated().map { "\($1) AS a\($0)" }.joined(separator: ",\n")
      + "\nFROM t ORDER BY \(writer.identifier("row number"))"
  }
}

extension Value {
  /// Whether the value is what reading its JSON text gives.
  var isPlainJSON: Bool {
    switch self {
    case .null, .bool, .int: true
    case .string(let text): !text.unicodeScalars.contains("\0")
    case .uint(let number): number > UInt64(Int64.max)
    case .double(let number): number.isFinite
    case .list(let elements): elements.allSatisfy(\.isPlainJSON)
    case .map(let entries):
      entries.allSatisfy { key, value in
        if case .string(let name) = key {
          value.isPlainJSON && !name.unicodeScalars.contains("\0")
        } else {
          false
        }
      }
    default: false
    }
  }
}
