import ArgumentParser
import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterSQL

/// `swexpr sql`: translates filters to SQL.
struct SQLCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: "Print a filter, or a whole campaign, as SQL.",
    discussion: """
      The SQL gives for each row of a table what the engine gives for the row's context:

        swexpr sql 'user.age >= 18 && user.plan != "pro"' \\
            --schema users.json --engine duckdb
        swexpr sql campaigns.json --schema users.json \\
            --engine spark --table events.users

      A filter becomes a condition for WHERE. --answer prints an expression that is true, false, \
      or NULL where the filter fails. --partial leaves out the operands of && that have no form \
      in SQL: the filter matches some of the rows that are left, and the engine decides which.

      A config becomes one query that counts the rows of each audience, those that no audience \
      before it in its placement has matched, and of each variant. Variants are chosen by the \
      hash of user.appUserId, user.id or user.aliasId, for DuckDB and Spark.

      The table has a column for each attribute of the schema, called by its path: "user.age". A \
      NULL is a missing attribute. A filter that reads an attribute without a column is refused, \
      unless --missing names it. Without --schema, the columns are the attributes of the SDKs. \
      Exit codes: 0 done, 1 something has no form in SQL that is \
      certain to give the same results, 2 the command line or the input cannot be read.
      """)

  @Argument(
    help: ArgumentHelp(
      "The filter, a file with one, or a campaign config (.json).", valueName: "filter"))
  var filter: String

  @OptionGroup var schema: SchemaOptions
  @OptionGroup var absent: AbsentOptions
  @OptionGroup var dialect: DialectOptions

  @Option(help: "The engine that the SQL is for.")
  var engine: SQLDialect.Name = .duckdb

  @Option(help: ArgumentHelp("The table of a campaign's query.", valueName: "name"))
  var table = "users"

  @Flag(help: "Print one expression: true, false, or NULL where the filter fails.")
  var answer = false

  @Flag(help: "Leave out what has no form in SQL.")
  var partial = false

  func run() throws {
    let attributes = schema.path == nil ? AttributeSchema.builtIn : try schema.own()
    let columns = try absent.apply(to: TableSchema(columnsFor: attributes))
    let environment = FilterEnvironment(dialect: dialect.dialect, functionsOf: .builtIn)
    if FilterInput.isConfig(filter) {
      try printCampaign(columns, environment)
      return
    }
    let sources = try FilterInput.filters(filter)
    var isComplete = true
    var needsEngine = false
    for source in sources {
      do throws(SQLFilterError) {
        let sql = try SQLFilter(
          source, environment: environment, schema: columns, dialect: .named(engine),
          isPartial: partial)
        for refusal in sql.refusals {
          Output.error(SQLFilterError.refused(refusal).text(in: source))
          needsEngine = true
        }
        if sql.isPartial { Output.line("-- every match meets this; the engine has to tell which") }
        Output.line(answer ? sql.answer : sql.commentedCondition)
      } catch {
        Output.error(error.text(in: source))
        isComplete = false
        if error.needsEngine { needsEngine = true }
      }
    }
    if needsEngine { Output.error(engineHelp) }
    if !isComplete { throw ExitStatus.no }
  }

  /// What evaluates a filter that has no form in SQL.
  private var engineHelp: String {
    engine == .sqlite
      ? "help: the extension for SQLite evaluates every filter: `.load ./swexpr`, then "
        + "`swexpr('FILTER', json)`: docs/warehouse.md#the-extension-for-sqlite"
      : "help: the package for Python evaluates every filter in DuckDB, Spark and data frames: "
        + "docs/columns.md"
  }

  private func printCampaign(_ columns: TableSchema, _ environment: FilterEnvironment) throws {
    let config = try ConfigInput.read(filter)
    let placements = CampaignQuery.Placement.all(of: config)
    let query = CampaignQuery(
      placements, environment: environment, schema: columns, table: table,
      dialect: .named(engine))
    Output.write(query.text)
    if !query.countsVariants {
      Output.error(
        "variants are not counted: DuckDB and Spark can choose them, if the table has a column of "
          + "texts for user.appUserId, user.id or user.aliasId")
    }
    for gap in query.gaps {
      let placement = placements.first { $0.name == gap.placement }
      if let source = placement?.audiences[gap.audience].filter {
        Output.error(gap.error.text(in: source))
      }
    }
    if query.gaps.contains(where: \.error.needsEngine) { Output.error(engineHelp) }
    if !query.gaps.isEmpty { throw ExitStatus.no }
  }
}

extension SQLFilterError {
  /// Whether the filter has no form in SQL, rather than a column too few.
  fileprivate var needsEngine: Bool {
    if case .refused(let refusal) = self { refusal.attribute == nil } else { false }
  }
}
