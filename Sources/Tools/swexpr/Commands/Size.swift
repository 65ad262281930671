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
        swexpr size campaigns.json --engine spark --data 'users/*.parquet'

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
      match, and the engine evaluates those as new users without a history, as `simulate` does. \
      Exit codes: 0 done, 1 something was refused, 2 input cannot be read or the engine failed.
      """)

  /// The query engines that can be run.
  enum Engine: String, ExpressibleByArgument, CaseIterable {
    case duckdb
    case spark

    var dialect: SQLDialect { .named(self == .duckdb ? .duckdb : .spark) }
  }

  @Argument(help: ArgumentHelp("The campaign config.", valueName: "config"))
  var config: String

  @Option(help: "The engine.")
  var engine: Engine = .duckdb

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
    let warehouse = try WarehouseProcess(engine: engine.rawValue, data: data)
    let schema = try absent.apply(to: try warehouse.schema())
    let placements = CampaignQuery.Placement.all(of: config)
    let query = CampaignQuery(
      placements, environment: FilterEnvironment(dialect: dialect.dialect, functionsOf: .builtIn),
      schema: schema, table: "users", dialect: engine.dialect)
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
    for gap in query.gaps where !partial || Self.isUnknown(gap) {
      let placement = placements.first { $0.name == gap.placement }
      if let source = placement?.audiences[gap.audience].filter {
        Output.error(gap.error.text(in: source))
      }
    }
    if !partial, !query.gaps.isEmpty { throw ExitStatus.no }
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
      table: "users", dialect: engine.dialect)
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

/// The counts of a campaign's audiences, as a table and as bars.
struct SizeReport {
  let placements: [CampaignQuery.Placement]
  let query: CampaignQuery
  /// The number of all rows, followed by the value of each column of the query.
  let counts: [Int]
  let seconds: Double

  /// The counts of placements that the engine has evaluated.
  private var evaluated: [Key: Int] = [:]

  private struct Key: Hashable {
    let placement: String
    let audience: Int?
    let share: CampaignQuery.Share?
  }

  init(
    placements: [CampaignQuery.Placement], query: CampaignQuery, counts: [Int], seconds: Double
  ) {
    self.placements = placements
    self.query = query
    self.counts = counts
    self.seconds = seconds
  }

  /// Adds the counts of a placement that the engine has evaluated. Rows that it was not given match
  /// no audience.
  mutating func add(_ simulation: Simulation, for placement: CampaignQuery.Placement) {
    var matched = 0
    for tally in simulation.tallies {
      matched += tally.matched
      evaluated[Key(placement: placement.name, audience: tally.index, share: nil)] = tally.matched
      for (position, variant) in tally.variants.enumerated() {
        evaluated[
          Key(placement: placement.name, audience: tally.index, share: .variant(position))] =
          variant.count
      }
    }
    evaluated[Key(placement: placement.name, audience: nil, share: nil)] = total - matched
  }

  private var total: Int { counts.first ?? 0 }

  private func count(
    _ placement: String, _ audience: Int?, _ share: CampaignQuery.Share? = nil
  ) -> Int? {
    if let count = evaluated[Key(placement: placement, audience: audience, share: share)] {
      return count
    }
    return query.columns.firstIndex {
      $0.placement == placement && $0.audience == audience && $0.share == share
    }
    .map { counts[$0 + 1] }
  }

  /// Returns the parts of an audience with their names: each variant, and the users whose variant
  /// is not determined, if there are any.
  private func shares(
    _ placement: String, _ index: Int, _ audience: CampaignQuery.Audience
  ) -> [(name: String, count: Int)] {
    guard audience.variants.count > 1 else { return [] }
    var result: [(String, Int)] = []
    for (position, variant) in audience.variants.enumerated() {
      guard let count = count(placement, index, .variant(position)) else { return [] }
      result.append((variant.id, count))
    }
    for (share, name) in [
      (CampaignQuery.Share.byChance, "by chance, no id"), (.undecided, "not decided"),
    ] {
      if let count = count(placement, index, share), count > 0 { result.append((name, count)) }
    }
    return result
  }

  /// The report for people.
  var text: String {
    var table = TextTable([
      ("placement", .left), ("audience", .left), ("users", .right), ("share", .right), ("", .left),
    ])
    for placement in placements {
      for (index, audience) in placement.audiences.enumerated() {
        table.add(
          row(index == 0 ? placement.name : "", audience.name, count(placement.name, index)))
        for share in shares(placement.name, index, audience) {
          table.add(row("", "  \(share.name)", share.count))
        }
      }
      table.add(row("", "none of them", count(placement.name, nil)))
      table.addGap()
    }
    return table.text + "\(total.grouped) users in \(seconds.text(places: 2)) s\n"
  }

  private func row(_ placement: String, _ audience: String, _ count: Int?) -> [String] {
    guard let count else { return [placement, audience, "not known"] }
    let share = total > 0 ? Double(count) / Double(total) : 0
    let bar = String(repeating: "█", count: Int((share * 30).rounded()))
    return [placement, audience, count.grouped, "\((share * 100).text(places: 1)) %", bar]
  }

  /// The report as a JSON document.
  var json: String {
    var writer = JSONWriter(pretty: true)
    writer.beginObject()
    writer.key("users")
    writer.int(Int64(total))
    writer.key("placements")
    writer.beginArray()
    for placement in placements {
      writer.beginObject()
      writer.key("placement")
      writer.string(placement.name)
      writer.key("audiences")
      writer.beginArray()
      for (index, audience) in placement.audiences.enumerated() {
        writer.beginObject()
        writer.key("experiment")
        writer.string(audience.name)
        writer.key("matched")
        if let count = count(placement.name, index) {
          writer.int(Int64(count))
        } else {
          writer.null()
        }
        writeVariants(placement.name, index, audience, to: &writer)
        writer.endObject()
      }
      writer.endArray()
      writer.key("unmatched")
      if let count = count(placement.name, nil) { writer.int(Int64(count)) } else { writer.null() }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.text
  }

  private func writeVariants(
    _ placement: String, _ index: Int, _ audience: CampaignQuery.Audience,
    to writer: inout JSONWriter
  ) {
    guard query.countsVariants else { return }
    writer.key("variants")
    writer.beginObject()
    for (position, variant) in audience.variants.enumerated() {
      guard let count = count(placement, index, .variant(position)) else { continue }
      writer.key(variant.id)
      writer.int(Int64(count))
    }
    writer.endObject()
    for (key, share) in [("byChance", CampaignQuery.Share.byChance), ("notDecided", .undecided)] {
      guard let count = count(placement, index, share) else { continue }
      writer.key(key)
      writer.int(Int64(count))
    }
  }
}
