import FilterAnalysis
import FilterSQL

@testable import ExpressionEngine
@testable import ExpressionSyntax

/// Compares the answers that SQLite gives to the SQL of a filter with those of the engine.
enum AnswersInSQLite {
  private static let rowCount = 16
  // libFuzzer runs everything on one thread.
  private nonisolated(unsafe) static let database = SQLiteDatabase()

  static func compare(_ text: String, _ environment: FilterEnvironment, seed: UInt64) {
    guard let filter = try? Filter(text, environment: environment) else { return }
    let table = ContextTable(
      rows(for: text, environment, seed: seed), form: .typed, dialect: .sqlite)
    let answer: String
    do throws(SQLFilterError) {
      answer = try SQLFilter(
        text, environment: environment, schema: table.schema, dialect: .named(.sqlite)
      ).answer
    } catch {
      return
    }
    let rows: [[Character]]
    do throws(SQLiteDatabase.Failure) {
      for statement in table.setup { try database.execute(statement) }
      rows = try database.rows(table.query([answer]))
    } catch {
      report("SQLite: \(error.text)\n\(text)\n\(answer)")
    }
    require(rows.count == table.rows.count, "\(rows.count) rows of \(table.rows.count)")
    for (index, variables) in table.rows.enumerated() {
      let context = Context(variables: variables)
      guard !filter.reachesLimit(over: context) else { continue }
      let expected = FilterAnswer(filter, context)
      require(
        rows[index] == [expected.rawValue],
        "\(rows[index]), not \(expected.rawValue), in \(table.description(ofRow: index))\n"
          + "\(environment.dialect.name): \(text)\n\(answer)")
    }
  }

  /// Rows of the attributes that a filter reads. An attribute has the same type in all rows, as in
  /// a table. Its values are those that the filter names, and neighbours of them.
  private static func rows(
    for text: String, _ environment: FilterEnvironment, seed: UInt64
  ) -> [[String: Value]] {
    var random = SeededGenerator(seed: seed)
    let (paths, named) = SmallContexts.reads(of: [text], environment.dialect)
    // The more often a filter names a kind, the more often attributes have it.
    let values = named.compactMap { $0 }.filter(isStorable)
    // All rows have the roots, of which a column of an attribute says nothing.
    var rows = [[String: Value]](
      repeating: ["user": [:], "device": [:], "params": [:]], count: rowCount)
    for path in paths {
      guard let kind = values.randomElement(using: &random) else { break }
      let own = values.filter { isSameKind($0, kind) }
      for index in rows.indices where Int.random(in: 0..<6, using: &random) > 0 {
        let value = own.randomElement(using: &random)
        if path.names.isEmpty, rows[index][path.root]?.objectValue == nil {
          rows[index][path.root] = value
        } else if path.names.count == 1, case .map(var members)? = rows[index][path.root] {
          members[.string(path.names[0])] = value
          rows[index][path.root] = .map(members)
        }
      }
    }
    return rows
  }

  /// Whether a column of SQLite can hold a value.
  private static func isStorable(_ value: Value) -> Bool {
    switch value {
    case .bool, .int, .bytes: true
    case .double(let number): number.isFinite
    case .string(let text): !text.unicodeScalars.contains("\0")
    default: false
    }
  }

  private static func isSameKind(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.bool, .bool), (.int, .int), (.double, .double), (.string, .string), (.bytes, .bytes):
      true
    default: false
    }
  }
}
