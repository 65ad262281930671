import FilterSQL

extension DifferentialReport {
  /// The report of all filters of the repository in an engine. Where the engine cannot run, the
  /// filters are translated and nothing is compared. Each report is made once.
  static func all(_ engine: SQLDialect.Name) throws -> DifferentialReport {
    switch engine {
    case .duckdb: try duckDB.get()
    case .sqlite: try sqlite.get()
    case .postgresql: try postgreSQL.get()
    case .spark: try spark.get()
    }
  }

  private static let duckDB = Result { try make(.duckdb) }
  private static let sqlite = Result { try make(.sqlite) }
  private static let postgreSQL = Result { try make(.postgresql) }
  private static let spark = Result { try make(.spark) }

  private static func make(_ engine: SQLDialect.Name) throws -> DifferentialReport {
    let process = SQLProcess.engines.contains(engine) ? try SQLProcess(engine) : nil
    var groups = try DifferentialSources.corpus(DifferentialSources.folders)
    groups.append(try DifferentialSources.campaigns())
    return DifferentialRun(dialect: engine).run(groups, in: process)
  }
}
