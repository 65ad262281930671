import ExpressionEngine
import FilterSQL
import Testing

/// The filters of the corpus, of the campaigns, and of the conformance data if they are there, evaluated
/// over rows in databases, against the engine.
@Suite("The SQL of all filters gives the engine's answers", .serialized)
struct DifferentialTests {
  private static func check(_ report: DifferentialReport, _ name: String) {
    print("\(name): \(report.summary)")
    for text in report.errors.prefix(10) { Issue.record("the engine rejects \(text)") }
    for text in report.disagreements.prefix(10) { Issue.record("\(text)") }
    #expect(report.errors.isEmpty)
    #expect(report.disagreements.isEmpty)
  }

  /// Compares everything.
  ///
  /// - Parameter varied: How many filters have to answer differently from row to row, at least. The
  ///   others show nothing.
  private func compare(
    _ engine: SQLDialect.Name, rows: Int, varied: Int
  ) throws {
    let run = DifferentialRun(dialect: engine, rowCount: rows)
    let process = try SQLProcess(engine)
    var groups = try DifferentialSources.corpus(DifferentialSources.folders)
    groups.append(try DifferentialSources.campaigns())
    let report = run.run(groups, in: process)
    Self.check(report, "\(engine.rawValue), corpus")
    #expect(report.total().varied >= varied)
    let conformance = try DifferentialSources.conformance()
    guard !conformance.isEmpty else {
      print("skipped: no conformance data at ../shared (set SWEXPR_SHARED to its folder)")
      return
    }
    Self.check(run.run(conformance, in: process), "\(engine.rawValue), conformance")
  }

  @Test("in DuckDB", .needs(.duckdb))
  func duckDB() throws { try compare(.duckdb, rows: 12, varied: 1_000) }

  @Test("in DuckDB, over JSON columns", .needs(.duckdb))
  func duckDBOverJSON() throws {
    let run = DifferentialRun(dialect: .duckdb, form: .json, rowCount: 8)
    let groups = try DifferentialSources.corpus([
      "superscript/missing-left.corpus", "superscript/missing-right.corpus", "sql",
    ])
    Self.check(run.run(groups, in: try SQLProcess(.duckdb)), "DuckDB, JSON")
  }

  @Test("in SQLite", .needs(.sqlite))
  func sqlite() throws { try compare(.sqlite, rows: 8, varied: 500) }

  @Test("in PostgreSQL", .needs(.postgresql))
  func postgreSQL() throws { try compare(.postgresql, rows: 8, varied: 500) }

  @Test("in Spark", .needs(.spark))
  func spark() throws { try compare(.spark, rows: 8, varied: 500) }
}
