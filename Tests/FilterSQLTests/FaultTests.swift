import FilterSQL
import Testing

/// The comparison finds faults that somebody might build into the translation.
@Suite("A fault in the SQL is found", .serialized)
struct FaultTests {
  /// A fault: a part of the SQL, and what is there instead.
  enum Fault: String, CaseIterable, CustomTestStringConvertible {
    /// Missing attributes count as there.
    case missingIsThere
    /// Missing and present are confused.
    case nulls
    /// Texts are ordered without regard to case.
    case collation
    /// Equal values are less than each other.
    case order
    /// Sums do not wrap around where they should.
    case overflow
    case equality

    var testDescription: String { rawValue }

    /// The SQL for DuckDB with the fault in it.
    func apply(_ text: String) -> String {
      switch self {
      case .missingIsThere:
        text.replacing(/"[^"]*"(\."[^"]*")* IS NOT NULL/, with: "TRUE")
      case .nulls: text.replacingAll(" IS NOT NULL", by: " IS NULL")
      case .collation: text.replacing(/\ (<|<=|>|>=) '/) { " COLLATE NOCASE \($0.1) '" }
      case .order: text.replacingAll(" < ", by: " <= ")
      case .overflow:
        text.replacingAll(
          " + 27670116110564327424) % 18446744073709551616 - 9223372036854775808",
          by: " + 1) % 9223372036854775807")
      case .equality: text.replacingAll(" = ", by: " <> ")
      }
    }
  }

  @Test("in DuckDB", .needs(.duckdb), arguments: Fault.allCases)
  func duckDB(_ fault: Fault) throws {
    try expectDisagreements(.duckdb) { fault.apply($0) }
  }

  @Test("the order of a language in PostgreSQL", .needs(.postgresql))
  func postgreSQL() throws {
    try expectDisagreements(.postgresql) { $0.replacingAll(" COLLATE \"C\"", by: "") }
  }

  private func expectDisagreements(
    _ engine: SQLDialect.Name, _ fault: @escaping @Sendable (String) -> String
  ) throws {
    var run = DifferentialRun(dialect: engine)
    let groups = try DifferentialSources.corpus([
      "superscript/missing-left.corpus", "superscript/compare.corpus",
      "superscript/version.corpus", "sql",
    ])
    run.fault = fault
    let process = try SQLProcess(engine)
    // Queries that fail are errors, not answers; the fault has to change an answer.
    #expect(groups.contains { !run.run([$0], in: process).disagreements.isEmpty })
  }
}
