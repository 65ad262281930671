import ExpressionEngine
import FilterSQL
import Testing

/// The filters of the corpus, of the campaigns, and of the conformance data if they are there,
/// evaluated over rows in databases, against the engine.
@Suite("The SQL of all filters gives the engine's answers", .serialized)
struct DifferentialTests {
  private static func check(_ report: DifferentialReport, _ name: String) {
    print("\(name): \(report.summary)")
    for text in report.errors.prefix(10) { Issue.record("the engine rejects \(text)") }
    for text in report.disagreements.prefix(10) { Issue.record("\(text)") }
    #expect(report.errors.isEmpty)
    #expect(report.disagreements.isEmpty)
  }

  /// Checks the report of all filters.
  ///
  /// - Parameter varied: How many filters have to answer differently from row to row, at least. The
  ///   others show nothing.
  private func check(_ engine: SQLDialect.Name, varied: Int) throws {
    let report = try DifferentialReport.all(engine)
    Self.check(report, "\(engine.rawValue), corpus")
    #expect(report.total().varied >= varied)
  }

  /// Compares the conformance data beside the repository, if there are any.
  private func checkConformance(_ engine: SQLDialect.Name) throws {
    let groups = try DifferentialSources.conformance()
    guard !groups.isEmpty else {
      print("skipped: no conformance data at ../shared (set SWEXPR_SHARED to its folder)")
      return
    }
    let report = DifferentialRun(dialect: engine).run(groups, in: try SQLProcess(engine))
    Self.check(report, "\(engine.rawValue), conformance")
  }

  @Test("in DuckDB", .needs(.duckdb))
  func duckDB() throws { try check(.duckdb, varied: 900) }

  @Test("in DuckDB, over JSON columns", .needs(.duckdb))
  func duckDBOverJSON() throws {
    let run = DifferentialRun(dialect: .duckdb, form: .json, rowCount: 8)
    let groups = try DifferentialSources.corpus([
      "superscript/missing-left.corpus", "superscript/missing-right.corpus", "sql",
    ])
    Self.check(run.run(groups, in: try SQLProcess(.duckdb)), "DuckDB, JSON")
  }

  @Test("in SQLite", .needs(.sqlite))
  func sqlite() throws { try check(.sqlite, varied: 300) }

  @Test("in PostgreSQL", .needs(.postgresql))
  func postgreSQL() throws { try check(.postgresql, varied: 450) }

  @Test("in Spark", .needs(.spark))
  func spark() throws { try check(.spark, varied: 450) }

  @Test("in DuckDB, conformance data", .needs(.duckdb))
  func duckDBConformance() throws { try checkConformance(.duckdb) }

  @Test("in SQLite, conformance data", .needs(.sqlite))
  func sqliteConformance() throws { try checkConformance(.sqlite) }

  @Test("in PostgreSQL, conformance data", .needs(.postgresql))
  func postgreSQLConformance() throws { try checkConformance(.postgresql) }

  @Test("in Spark, conformance data", .needs(.spark))
  func sparkConformance() throws { try checkConformance(.spark) }
}
