import ExpressionEngine
import ExpressionSyntax
import FilterCorpus
import FilterSQL
import Foundation
import Testing

/// Every case of the corpus, as rows in a database, against the engine.
@Suite(.serialized) struct DifferentialTests {
  /// The engines that can be asked here. The others are skipped, and the name of the test says so.
  private static var canAsk: Bool { SQLProcess.python != nil }

  private static let corpora = ["corpus/superscript", "corpus/cel", "corpus/sql"]

  private static func cases(_ paths: [String]) throws -> [(file: String, item: ConformanceCase)] {
    try paths.flatMap { path in
      let file = SQLProcess.repository.appending(path: path).path
      return try CaseFile.cases(at: file).map { item in
        (String(item.id.prefix { $0 != "#" }), item)
      }
    }
  }

  private static func check(_ report: DifferentialReport) {
    for text in report.errors.prefix(10) { Issue.record("the engine rejects \(text)") }
    for text in report.disagreements.prefix(10) { Issue.record("\(text)") }
    #expect(report.errors.isEmpty)
    #expect(report.disagreements.isEmpty)
  }

  private static func total(_ report: DifferentialReport) -> DifferentialReport.Count {
    report.files.values.reduce(into: DifferentialReport.Count()) { sum, count in
      sum.cases += count.cases
      sum.accepted += count.accepted
      sum.varied += count.varied
    }
  }

  @Test(
    "DuckDB gives the engine's answers (skipped without scripts/install-warehouse)",
    .enabled(if: canAsk))
  func duckDB() throws {
    let run = DifferentialRun(
      dialect: .duckdb, form: .typed, process: try SQLProcess(.duckdb), rowCount: 12)
    let report = run.run(try Self.cases(Self.corpora))
    Self.check(report)
    let total = Self.total(report)
    #expect(total.accepted * 100 >= total.cases * 90)
    // Cases whose answer differs from row to row are those that show something.
    #expect(total.varied >= 800)
    let realistic = try #require(report.files["superscript/realistic"])
    #expect(realistic.accepted * 100 >= realistic.cases * 95)
  }

  @Test("DuckDB gives the engine's answers over JSON columns", .enabled(if: canAsk))
  func duckDBOverJSON() throws {
    let run = DifferentialRun(
      dialect: .duckdb, form: .json, process: try SQLProcess(.duckdb), rowCount: 8)
    let paths = ["missing-left", "missing-right"].map { "corpus/superscript/\($0).corpus" }
    Self.check(run.run(try Self.cases(paths + ["corpus/sql"])))
  }

  @Test("SQLite gives the engine's answers", .enabled(if: canAsk))
  func sqlite() throws {
    let run = DifferentialRun(
      dialect: .sqlite, form: .typed, process: try SQLProcess(.sqlite), rowCount: 8)
    let paths = ["compare", "logic", "numeric-string"].map { "corpus/superscript/\($0).corpus" }
    Self.check(run.run(try Self.cases(paths)))
  }

  @Test(
    "Spark gives the engine's answers (make test-spark)",
    .enabled(if: canAsk && ProcessInfo.processInfo.environment["SWEXPR_TEST_SPARK"] != nil))
  func spark() throws {
    let run = DifferentialRun(
      dialect: .spark, form: .typed, process: try SQLProcess(.spark), rowCount: 6)
    let paths = ["realistic", "missing-left", "version"].map { "corpus/superscript/\($0).corpus" }
    Self.check(run.run(try Self.cases(paths)))
  }

  /// A fault that somebody might build into the translation.
  enum Fault: String, CaseIterable, CustomTestStringConvertible {
    case nulls = " IS NOT NULL"
    case order = " < "
    case overflow = " + 27670116110564327424) % 18446744073709551616 - 9223372036854775808"
    case equality = " = "

    var testDescription: String { rawValue }

    /// The SQL with the fault in it.
    func apply(_ text: String) -> String {
      switch self {
      case .nulls: text.replacingAll(rawValue, by: " IS NULL")
      case .order: text.replacingAll(rawValue, by: " <= ")
      case .overflow: text.replacingAll(rawValue, by: " + 1) % 9223372036854775807")
      case .equality: text.replacingAll(rawValue, by: " <> ")
      }
    }
  }

  @Test("A fault is found", .enabled(if: canAsk), arguments: Fault.allCases)
  func fault(_ fault: Fault) throws {
    var run = DifferentialRun(
      dialect: .duckdb, form: .typed, process: try SQLProcess(.duckdb), rowCount: 12)
    run.fault = { fault.apply($0) }
    let paths = ["missing-left", "compare", "version"].map { "corpus/superscript/\($0).corpus" }
    let report = run.run(try Self.cases(paths + ["corpus/sql"]))
    #expect(!report.disagreements.isEmpty)
  }
}
