import ExpressionCoding
import ExpressionEngine
import FilterAnalysis
import FilterSQL

/// Contexts as the rows of a table, with the columns that hold exactly their values.
struct ContextTable {
  /// Whether values become typed columns where they can, or JSON columns where they can.
  enum Form: String, CaseIterable {
    case typed
    case json
  }

  let schema: TableSchema
  /// The variables of each row.
  let rows: [[String: Value]]
  let dialect: SQLDialect.Name

  /// - Parameters:
  ///   - contexts: The variables of each row. Where the columns cannot hold that a variable is
  ///     missing, rows without it are left out.
  ///   - form: The columns that are preferred.
  init(_ contexts: [[String: Value]], form: Form, dialect: SQLDialect.Name) {
    let types = Types(dialect: dialect, form: form)
    var columns: [TableSchema.Column] = []
    var names: Set<String> = []
    func addColumn(_ path: [String], _ values: [Value]) {
      var name = path.joined(separator: ".")
      // Engines take names that differ in case for the same one, and cut off long ones.
      if name.isEmpty || name.utf8.count > 60 || !names.insert(name.lowercased()).inserted {
        name = "column \(columns.count)"
      }
      columns.append(TableSchema.Column(name, path: path, types.type(of: values)))
    }
    var empty: Set<String> = []
    var rows = contexts
    for name in Set(contexts.flatMap(\.keys)).sorted() {
      let values = contexts.compactMap { $0[name] }
      if form == .typed, let members = Self.members(of: values, isFlat: !types.hasStructs) {
        // That the variable is there is not written anywhere.
        rows = rows.filter { $0[name] != nil }
        if members.isEmpty { empty.insert(name) }
        for (member, values) in members { addColumn([name, member], values) }
      } else {
        addColumn([name], values)
      }
    }
    var schema = TableSchema(columns, emptyVariables: empty)
    // The contexts lack attributes that the filters read.
    schema.absent = .any
    self.schema = schema
    self.rows = rows
    self.dialect = dialect
  }

  /// Returns the members of maps, each with its values, if a column for each is to hold them.
  ///
  /// - Parameter isFlat: Whether there is no type for a map. Otherwise only empty maps are meant.
  private static func members(of values: [Value], isFlat: Bool) -> [(String, [Value])]? {
    var members: [String: [Value]] = [:]
    for value in values {
      guard case .map(let entries) = value, isFlat || entries.isEmpty else { return nil }
      for (key, member) in entries {
        guard case .string(let name) = key else { return nil }
        members[name, default: []].append(member)
      }
    }
    return members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  // MARK: Statements

  /// The statements that make the table, called `t`.
  var setup: [String] {
    let writer = RowWriter(dialect: dialect)
    let columns = schema.columns.map { "\(writer.identifier($0.name)) \(writer.typeName($0.type))" }
    let drop = "DROP TABLE IF EXISTS t"
    var tuples: [String] = []
    for (index, row) in rows.enumerated() {
      let cells = schema.columns.map { writer.cell(value(row, $0.path), $0.type) }
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

  /// The query for the answers of filters, a column for each after the number of the row.
  func query(_ answers: [String]) -> String {
    let writer = RowWriter(dialect: dialect)
    let columns = [writer.identifier("row number")] + answers.enumerated().map { "\($1) AS a\($0)" }
    return "SELECT \(columns.joined(separator: ",\n"))\nFROM t"
  }

  /// A row, for people.
  func description(ofRow index: Int) -> String {
    let values = rows[index].sorted { $0.key < $1.key }
    return String(
      values.map { "\($0.key): \($0.value.literal)" }.joined(separator: ", ").prefix(700))
  }

  /// Returns the value of a row that a column holds.
  private func value(_ row: [String: Value], _ path: [String]) -> Value? {
    guard let name = path.first, let value = row[name] else { return nil }
    guard path.count > 1 else { return value }
    guard case .map(let entries) = value else { return nil }
    return entries[.string(path[1])]
  }
}

/// The types of columns that hold values exactly.
private struct Types {
  let dialect: SQLDialect.Name
  let form: ContextTable.Form

  var hasStructs: Bool { dialect == .duckdb || dialect == .spark }
  private var hasJSON: Bool { dialect == .duckdb || dialect == .postgresql }

  /// The type of a column for values; ``ColumnType/other(_:)`` if no type holds them all.
  func type(of values: [Value]) -> ColumnType {
    if form == .typed, let type = typed(values) { return type }
    if hasJSON, values.allSatisfy({ $0.isPlainJSON(dialect) }) { return .json }
    return typed(values) ?? .other("INTEGER")
  }

  /// The type that all values have; `nil` if there is none.
  private func typed(_ values: [Value]) -> ColumnType? {
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
    case .list: return list(values)
    case .map: return record(values)
    default: return nil
    }
  }

  private func list(_ values: [Value]) -> ColumnType? {
    if dialect == .sqlite { return nil }
    var elements: [Value] = []
    for value in values {
      guard case .list(let own) = value else { return nil }
      elements += own
    }
    let present = elements.filter { $0 != .null }
    guard let element = typed(present) else { return nil }
    // PostgreSQL has neither lists of lists nor structs.
    switch element {
    case .list, .record, .json, .other: return hasStructs ? .list(element) : nil
    default: return .list(element)
    }
  }

  private func record(_ values: [Value]) -> ColumnType? {
    guard hasStructs else { return nil }
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
    return .record(
      members.sorted { $0.key < $1.key }.map { name, values in
        ColumnType.Member(name, type(of: values))
      })
  }
}

extension Value {
  /// Whether the value is what reading its JSON text gives, from a column of an engine.
  fileprivate func isPlainJSON(_ dialect: SQLDialect.Name) -> Bool {
    switch self {
    case .null, .bool, .int: true
    case .string(let text): !text.unicodeScalars.contains("\0")
    case .uint(let number): number > UInt64(Int64.max)
    case .double(let number):
      // PostgreSQL keeps decimal numbers, which have neither exponents nor a negative zero.
      number.isFinite
        && (dialect != .postgresql
          || !("\(number)".contains("e") || (number == 0 && number.sign == .minus)))
    case .list(let elements): elements.allSatisfy { $0.isPlainJSON(dialect) }
    case .map(let entries):
      entries.allSatisfy { key, value in
        if case .string(let name) = key {
          value.isPlainJSON(dialect) && !name.unicodeScalars.contains("\0")
        } else {
          false
        }
      }
    default: false
    }
  }
}
