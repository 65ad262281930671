import FilterAnalysis
import FilterSQL

@testable import ExpressionEngine
@testable import ExpressionSyntax

/// Compares the answers that SQLite gives to the SQL of a filter with those of the engine.
enum AnswersInSQLite {
  private static let rowCount = 16
  // libFuzzer runs everything on one thread.
  private nonisolated(unsafe) static let database = SQLiteDatabase()

  /// Rows whose attributes have the names that the filters of the seeds read. The types differ from
  /// group to group, never within one, as in a table.
  private static let groups: [[[String: Value]]] = [
    [
      [
        "user": [
          "age": 25, "name": "Ada", "score": 0.5, "pro": true, "plan": "trial", "sessions": 12,
          "email": "ada@example.com", "isMember": false,
        ],
        "device": ["platform": "iOS", "appVersion": "1.2.3", "count": 3],
        "params": ["score": 1, "i": 7, "s": "é"], "x": 1, "s": "a",
      ],
      [
        "user": ["age": 17, "pro": false, "plan": ""], "device": [:], "params": ["score": 0],
        "x": 5,
        "s": "5",
      ],
    ],
    [
      [
        "user": ["age": 25.5, "name": true, "score": 3, "plan": 4, "email": "x"],
        "device": ["platform": "Android", "appVersion": 2], "params": ["score": "10", "i": 0.25],
        "x": 0.5, "s": false,
      ]
    ],
  ]

  static func compare(_ text: String, _ environment: FilterEnvironment, seed: UInt64) {
    guard let filter = try? Filter(text, environment: environment) else { return }
    let group = groups[Int(seed % 2)]
    var variation = ContextVariation(seed: seed, pool: constants(of: text, environment))
    let table = ContextTable(
      variation.contexts(like: group, count: rowCount).map { $0.mapValues(storable) },
      form: .typed, dialect: .sqlite)
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
      guard !reachesLimit(filter, context) else { continue }
      let expected = FilterAnswer(filter, context)
      require(
        rows[index] == [expected.rawValue],
        "\(rows[index]), not \(expected.rawValue), in \(table.description(ofRow: index))\n"
          + "\(environment.dialect.name): \(text)\n\(answer)")
    }
  }

  private static func reachesLimit(_ filter: Filter, _ context: Context) -> Bool {
    do throws(EvaluationError) {
      _ = try filter.evaluate(context)
      return false
    } catch {
      return [.stepLimit, .memoryLimit, .patternLimit].contains(error.id)
    }
  }

  /// The values that a filter names.
  private static func constants(of text: String, _ environment: FilterEnvironment) -> [Value] {
    guard let lowered = try? LoweredExpression(SourceText(text), environment: environment) else {
      return []
    }
    return lowered.nodes.compactMap {
      if case .constant(let value) = $0.kind { value } else { nil }
    }
  }

  /// A value that a column of SQLite can hold.
  private static func storable(_ value: Value) -> Value {
    switch value {
    case .double(let number) where !number.isFinite: .double(0.25)
    case .string(let text) where text.unicodeScalars.contains("\0"): "nul"
    case .map(let entries): .map(entries.mapValues(storable))
    default: value
    }
  }
}
