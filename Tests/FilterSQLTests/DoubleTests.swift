import ExpressionEngine
import FilterSQL
import Testing

/// Arithmetic of doubles at the ends of their range, where databases give up or round twice.
@Suite("Sums, products and quotients of extreme doubles are the engine's", .serialized)
struct DoubleTests {
  private static let operands: [Double] = [
    0, -0.0, 1, -1, 0.5, 1.5, 3, -7, 1e-15, 1e-16, 1e-30, 1e-150, 1e-151, 1e150, 1e151, 1e290,
    8e307,
    .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 3 * .leastNonzeroMagnitude,
    .leastNormalMagnitude, .leastNormalMagnitude / 2, 0x1p-537, 0x1.8p-538, 0x1p-538, 0x1p-500,
    0x1.000001p-530, 0x1.fffffffffffffp-539, 0x1p-512, 0x1p512, 0x1p511, 0x1.fffffffffffffp511,
    0x1p600, 0x1p1023, -0x1p1023, 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023, 0x1p970, 0x1p969,
    .infinity, -.infinity, .nan, 0x1p-60, 0x1p-52, 0x1p-51, 0x1p-50,
  ]

  @Test("in DuckDB", .needs(.duckdb)) func duckDB() throws { try compare(.duckdb) }
  @Test("in PostgreSQL", .needs(.postgresql)) func postgreSQL() throws { try compare(.postgresql) }

  private func compare(_ engine: SQLDialect.Name) throws {
    let contexts = Self.operands.flatMap { x in
      Self.operands.map { y in
        [
          "x": x, "y": y, "sum": x + y, "difference": x - y, "product": x * y, "quotient": x / y,
        ].mapValues { Value.double($0) }
      }
    }
    let table = ContextTable(contexts, form: .typed, dialect: engine)
    let filters = [("+", "sum"), ("-", "difference"), ("*", "product"), ("/", "quotient")]
      .flatMap { op, result in
        // The reciprocal tells the signs of zeros apart.
        [
          "x \(op) y == \(result)", "1.0 / (x \(op) y) == 1.0 / \(result)",
          "x \(op) y != x \(op) y",
        ]
      }
    for dialect in [Dialect.superscript, .cel] {
      let environment = FilterEnvironment(dialect: dialect)
      let answers = try filters.map { text in
        try SQLFilter(
          text, environment: environment, schema: table.schema, dialect: .named(engine)
        ).answer
      }
      let rows = try SQLProcess(engine).rows(setup: table.setup, query: table.query(answers)).get()
      try #require(rows.count == table.rows.count)
      for (column, text) in filters.enumerated() {
        let filter = try Filter(text, environment: environment)
        let wrong = rows.indices.first { index in
          Array(rows[index])[column]
            != FilterAnswer(filter, Context(variables: table.rows[index])).rawValue
        }
        if let wrong { Issue.record("\(text) in \(table.description(ofRow: wrong))") }
      }
    }
  }
}
