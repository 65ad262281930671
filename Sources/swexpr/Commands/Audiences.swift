import ArgumentParser
import CampaignMatcher
import ExpressionEngine
import ExpressionSyntax
import FilterCorpus

/// `swexpr audiences`: every audience's filter for every user.
struct Audiences: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Evaluate every audience's filter of a campaign config for some users.",
    discussion: """
      Prints a row for each audience of each placement and a column for each context.

        swexpr audiences --config campaigns.json --context ana.json --context ben.json

      A context is a JSON file {"user": {…}, "device": {…}, "params": {…}}. What functions of the app \
      answer stands in its member "host": {"daysSince(app_open)": 3}; without it the event history is \
      empty. Limits, variants and history are not considered: this is about filters alone. With \
      --json, one document: {"audiences": [{"placement", "campaign", "experiment", "filter", \
      "results": [{"context", "outcome", "value"}]}]}. Exit codes: 0 done, 2 a file cannot be read.
      """)

  @Option(help: ArgumentHelp("The campaign config.", valueName: "file"))
  var config: String

  @Option(
    name: .customLong("context"), parsing: .upToNextOption,
    help: ArgumentHelp("The contexts, a column each.", valueName: "file"))
  var contexts: [String]

  @Option(help: "Only audiences of this placement.")
  var placement: String?

  @OptionGroup var dialect: DialectOptions

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() throws {
    var input = StandardInputUse()
    try input.note(config, for: "--config")
    let config = try ConfigInput.read(config)
    var people: [AudiencePerson] = []
    for path in contexts {
      try input.note(path, for: "--context")
      people.append(try AudiencePerson(path))
    }
    let triggers = config.config.triggers.filter { placement == nil || $0.placement == placement }
    if let placement, triggers.isEmpty {
      let close = Suggestions.help(for: placement, among: config.config.triggers.map(\.placement))
      throw InputError(
        "\(config.path): there is no placement `\(placement)`" + (close.map { "; \($0)" } ?? ""))
    }
    let overview = AudienceOverview(
      config: config, triggers: triggers, people: people, dialect: dialect.dialect)
    Output.write(json ? overview.document + "\n" : overview.page(width: Output.width))
  }
}
