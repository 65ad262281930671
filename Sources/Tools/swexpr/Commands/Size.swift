import ArgumentParser
import AudienceFilters
import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterSQL

/// `swexpr size`: counts the rows of a warehouse in each audience.
struct Size: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Count in a warehouse how many users fall into each audience.",
    discussion: """
        swexpr size campaigns.json --data users.parquet
        swexpr size campaigns.json --data users.parquet --engine native
        swexpr size campaigns.json --data 'users/*.parquet' --engine spark --by engine

      The data are Parquet, CSV or JSON files (by their extension). A column is an attribute by \
      its name, user.age, or a struct of them, user; NULL is missing. The columns are read from \
      the data.

      A filter that reads an attribute without a column is refused, unless --missing names it. \
      With --partial the engine evaluates it, and an attribute that neither a column nor the SDKs \
      have is reported: no row has it.

      Variants are chosen by the hash of the first of user.appUserId, user.id and user.aliasId \
      that is a text and not empty, as `simulate --variants deterministic` chooses them.

      DuckDB and Spark run in the Python environment of warehouse/; scripts/install-warehouse \
      makes it. SWEXPR_WAREHOUSE_PYTHON names another Python. Audiences without a form in SQL are \
      listed with the reason, and those after them in the placement are not counted. With --json, \
      one document. With --partial, the database selects the users whom such placements may \
      match, and the engine evaluates those as new users without a history, as `simulate` does.

      With --engine native nothing becomes SQL: the engine itself reads the columns, on all cores, \
      and counts every audience, for new users without a history. It is the default where SQL \
      refuses an audience, if scripts/install-warehouse --native has installed the package. With \
      --by engine, Spark counts so on its executors.

      \
      Exit codes: 0 done, 1 something was refused, 2 input cannot be read or the engine failed.
      """)

  /// The query engines that can be run.
  enum Engine: String, ExpressibleByArgument, CaseIterable {
    case duckdb
    case spark
    case native

    var dialect: SQLDialect { .named(self == .spark ? .spark : .duckdb) }

    /// The engine that reads the files.
    var reader: String { self == .spark ? "spark" : "duckdb" }
  }

  /// The ways to count.
  enum Way: String, ExpressibleByArgument, CaseIterable {
    case sql
    case engine
  }

  @Argument(help: ArgumentHelp("The campaign config.", valueName: "config"))
  var config: String

  @Option(help: "The engine: by default DuckDB, or native where SQL refuses an audience.")
  var engine: Engine?

  @Option(help: "How Spark counts.")
  var by = Way.sql

  @Option(help: ArgumentHelp("The files with the users.", valueName: "files"))
  var data: String

  @OptionGroup var absent: AbsentOptions
  @OptionGroup var moment: MomentOptions
  @OptionGroup var dialect: DialectOptions

  @Flag(
    help: """
      Evaluate placements that have no form in SQL with the engine, over the rows that may match.
      """)
  var partial = false

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() throws {
    let config = try ConfigInput.read(config)
    let engine = engine ?? .duckdb
    let warehouse = try WarehouseProcess(engine: engine.reader, data: data)
    let schema = try absent.apply(to: try warehouse.schema())
    let placements = CampaignQuery.Placement.all(of: config)
    let query = CampaignQuery(
      placements, environment: FilterEnvironment(dialect: dialect.dialect, functionsOf: .builtIn),
      schema: schema, table: "users", dialect: engine.dialect)
    let refused = query.gaps.contains { !Self.isUnknown($0) }
    if engine == .native || by == .engine
      || self.engine == nil && refused && !partial && warehouse.hasPackage
    {
      guard self.config != "-" else {
        throw InputError("the package reads the config itself: give its file instead of `-`")
      }
      let document = try warehouse.campaign(self.config, options: engineOptions())
      let report = try SizeReport(placements: placements, document: document)
      Output.write(json ? report.json + "\n" : report.text)
      for gap in query.gaps where Self.isUnknown(gap) { note(gap, placements) }
      return
    }
    let result = try warehouse.counts(query.text)
    guard result.counts.count == query.columns.count + 1 else {
      throw InputError(
        "the engine counted \(result.counts.count) columns of \(query.columns.count + 1)")
    }
    var report = SizeReport(
      placements: placements, query: query, counts: result.counts, seconds: result.seconds)
    if partial {
      for gap in query.gaps {
        guard let placement = placements.first(where: { $0.name == gap.placement }) else {
          continue
        }
        report.add(try evaluate(placement, config, warehouse, schema), for: placement)
      }
    }
    Output.write(json ? report.json + "\n" : report.text)
    for gap in query.gaps where !partial || Self.isUnknown(gap) { note(gap, placements) }
    if !partial, !query.gaps.isEmpty { throw ExitStatus.no }
  }

  /// Writes why an audience has no form in SQL.
  private func note(_ gap: CampaignQuery.Gap, _ placements: [CampaignQuery.Placement]) {
    let placement = placements.first { $0.name == gap.placement }
    if let source = placement?.audiences[gap.audience].filter {
      Output.error(gap.error.text(in: source))
    }
  }

  /// The options of the package's campaign.
  private func engineOptions() -> Value {
    var options: [String: Value] = [
      "platform": .string(moment.platform.platform.rawValue),
      "dialect": .string(dialect.dialect.rawValue),
    ]
    if let seed = moment.seed { options["seed"] = .int(Int64(bitPattern: seed)) }
    if let now = moment.now { options["now"] = .string(now) }
    return Value(object: options)
  }

  /// Returns whether an audience reads an attribute that neither the table nor the SDKs have: the
  /// engine does not find it either.
  private static func isUnknown(_ gap: CampaignQuery.Gap) -> Bool {
    guard case .refused(let refusal) = gap.error, let path = refusal.attribute else {
      return false
    }
    return AttributeSchema.builtIn.attribute(at: path) == nil
  }

  /// Walks a placement with the engine, over the rows that an audience of it may match.
  private func evaluate(
    _ placement: CampaignQuery.Placement, _ config: ConfigInput, _ warehouse: WarehouseProcess,
    _ schema: TableSchema
  ) throws -> Simulation {
    let query = try CandidateQuery(
      placement, environment: FilterEnvironment(dialect: dialect.dialect, functionsOf: .builtIn),
      schema: schema,
      table: "users", dialect: (engine ?? .duckdb).dialect)
    let (instant, zone) = try moment.moment()
    var options = moment.platform.options
    options.variantChoice = .deterministic(.userOrAlias)
    let simulation = Simulation(
      config.config, diagnostics: config.notes, placements: [placement.name], options: options,
      random: moment.random, now: instant, zone: zone, dialect: .named(dialect.dialect))
    try warehouse.forEachRow(of: query.text) { row throws(JSONError) in
      try simulation.add(json: row)
    }
    return simulation
  }
}
