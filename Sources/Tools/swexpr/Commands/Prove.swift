import ArgumentParser
import AudienceFilters
import CampaignAnalysis
import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring

/// `swexpr prove`: proves the faults of a campaign config for all users.
struct Prove: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prove what a campaign config does for all users.",
    discussion: """
      Finds audiences that no user can match or reach, conditions that change nothing, \
      conditions that fail, and variants and paywalls that no user gets. Each finding is proved, \
      or has a user who shows it: save the user as a file, and run it.

        swexpr prove campaigns.json
        swexpr prove campaigns.json --placement open_forecast --all
        swexpr prove campaigns.json --schema attributes.json --json

      The attributes of the SDKs have the types of the built-in schema, your own those of \
      --schema, or any. Unknown attributes that look misspelled, or are under a root that the \
      schema lists in full, are reported as `check` does: no user has them.

      Parts that compare attributes with each other, calculate, match patterns \
      or look at the elements of lists are treated as unknown, and are listed.

      With --json, one document: {"findings": [{"kind", "fault", "message", "placement", \
      "audience": {"index", "experiment"}, "related", "conditions", "shorter", "user": {"user", \
      "device", "params", "host"}, "assumes"}], "open": [{"placement", "audience", "question", \
      "reason"}], "free": [{"text", "reason"}], "audiences", "faults", "notes", "attributes", \
      "classes", "nodes"}; members without a value are left out. Exit codes: 0 no faults, 1 \
      faults, 2 a file cannot be read.
      """)

  @Argument(
    help: ArgumentHelp("The campaign config; - reads standard input.", valueName: "config"))
  var config: String

  @Option(help: ArgumentHelp("Only this placement.", valueName: "name"))
  var placement: String?

  @OptionGroup var schema: SchemaOptions
  @OptionGroup var dialect: DialectOptions
  @OptionGroup var platform: PlatformOptions
  @OptionGroup var diagnostics: DiagnosticOptions

  @Flag(help: "Also tell overlaps and attributes that may be missing.")
  var all = false

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() throws {
    let input = try ConfigInput.read(config, rules: platform.options.config)
    try input.checkPlacements(placement.map { [$0] } ?? [])
    let model = AnalysisModel(
      input.config, dialect: dialect.dialect, options: platform.options)
    let schema = try schema.schema()
    reportUnknownAttributes(input, schema)
    let proof = CampaignProver(model, schema: schema, placement: placement).proof()
    if json {
      Output.line(proof.value.jsonText(pretty: true))
    } else {
      Output.write(proof.text(detailed: all))
    }
    if !proof.faults.isEmpty { throw ExitStatus.no }
  }

  /// Reports attributes that the schema does not know, where that is a mistake.
  private func reportUnknownAttributes(_ input: ConfigInput, _ schema: AttributeSchema) {
    var unknown = UnknownAttributes(schema: schema)
    for trigger in input.config.triggers where placement == nil || trigger.placement == placement {
      for audience in trigger.audiences {
        guard let source = input.source(of: audience, in: trigger) else { continue }
        let filter = ParsedFilter(source, environment: dialect.environment)
        diagnostics.report(unknown.findings(in: filter), in: source)
      }
    }
  }
}
