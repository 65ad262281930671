import ArgumentParser
import AudienceFilters
import CampaignAnalysis
import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// `swexpr report`: writes a campaign config as one HTML page.
struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a campaign config as one HTML page: placements, audiences, faults, sizes.",
    discussion: """
      The page needs no other file and no script, so it can be mailed, kept by a build, and read \
      on a phone. It has every placement with its audiences in order, their filters, limits and \
      variants, what `swexpr check` and `swexpr prove` find, and, if files are given, the sizes \
      that `swexpr simulate` counts and the changes that `swexpr diff` proves.

        swexpr report campaigns.json > report.html
        swexpr report campaigns.json --users users.ndjson --old last.json > report.html

      Exit codes: 0 done, 2 a file cannot be read.
      """)

  @Argument(
    help: ArgumentHelp("The campaign config; - reads standard input.", valueName: "config"))
  var config: String

  @Option(help: ArgumentHelp("Users to count, one per line.", valueName: "file"))
  var users: String?

  @Option(help: ArgumentHelp("The config before, to tell what changes.", valueName: "file"))
  var old: String?

  @Option(help: "The heading; the name of the file by default.")
  var title: String?

  @OptionGroup var schema: SchemaOptions
  @OptionGroup var moment: MomentOptions
  @OptionGroup var dialect: DialectOptions

  func run() throws {
    var files = StandardInputUse()
    try files.note(config, for: "the config")
    try files.note(users, for: "--users")
    try files.note(old, for: "--old")
    let rules = moment.platform.options.config
    let input = try ConfigInput.read(config, rules: rules)
    let schema = try schema.schema()
    let model = AnalysisModel(
      input.config, dialect: dialect.dialect, options: moment.platform.options)
    var page = CampaignPage(
      config: input, title: title ?? input.path,
      proof: CampaignProver(model, schema: schema).proof(),
      notes: input.notes.map {
        ConfigNote(
          file: input.path, kind: $0.kind.rawValue, path: $0.path, message: $0.message)
      },
      schema: schema, environment: dialect.environment)
    if let users { page.simulation = try simulation(of: input, users) }
    if let old {
      let before = AnalysisModel(
        try ConfigInput.read(old, rules: rules).config, dialect: dialect.dialect,
        options: moment.platform.options)
      page.changes = (
        CampaignComparison(old: before, new: model, placement: nil).changes(), InputFile.name(old)
      )
    }
    Output.write(page.document)
  }

  /// Counts the users of a file, each with the variant that their id decides.
  private func simulation(of input: ConfigInput, _ users: String) throws -> Simulation {
    let (instant, zone) = try moment.moment()
    var options = moment.platform.options
    options.variantChoice = .deterministic(.userOrAlias)
    let simulation = Simulation(
      input.config, diagnostics: input.notes, options: options, random: moment.random,
      now: instant, zone: zone, dialect: .named(dialect.dialect))
    _ = try UserFile(users).count(in: simulation, skipsInvalid: false)
    return simulation
  }
}
