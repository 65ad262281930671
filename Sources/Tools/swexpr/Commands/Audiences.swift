import ArgumentParser
import AudienceTable
import CampaignAnalysis
import CampaignCore
import CampaignMatcher
import ExpressionEngine
import ExpressionSyntax
import FilterCorpus

/// `swexpr audiences`: evaluates every audience's filter for every user.
struct Audiences: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Evaluate the filter of every audience of a campaign config for some users.",
    discussion: """
      Prints a row for each audience of each placement and a column for each context.

        swexpr audiences --config campaigns.json --context ana.json \\
            --context ben.json

      A context is a JSON file {"user": {…}, "device": {…}, "params": {…}}. Each user is new, as \
      in match without --store: nothing has happened but the placement. The member "host" \
      replaces the results of the history: {"daysSince(app_open)": 3}. An audience whose limit \
      lets no user in is passed over. With --json, one document: {"audiences": [{"placement", \
      "campaign", "experiment", "filter", "results": [{"context", "outcome": "match" | "late" | \
      "limit" | "no" | "error", "value", "error"}]}]}. Exit codes: 0 done, 2 a file cannot be \
      read.
      """)

  @Option(help: ArgumentHelp("The campaign config.", valueName: "file"))
  var config: String

  @Option(
    name: .customLong("context"), parsing: .upToNextOption,
    help: ArgumentHelp("The contexts, a column each.", valueName: "file"))
  var contexts: [String]

  @Option(help: "Only audiences of this placement.")
  var placement: String?

  @OptionGroup var moment: MomentOptions
  @OptionGroup var dialect: DialectOptions

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() throws {
    var input = StandardInputUse()
    try input.note(config, for: "--config")
    let config = try ConfigInput.read(config, rules: moment.platform.options.config)
    var users: [AudienceTable.User] = []
    for path in contexts {
      try input.note(path, for: "--context")
      users.append(try user(path))
    }
    let placements = config.config.triggers.map(\.placement)
    if let placement, config.config.trigger(of: placement) == nil {
      let close = Suggestions.help(for: placement, among: placements)
      throw InputError(
        "\(config.path): there is no placement `\(placement)`" + (close.map { "; \($0)" } ?? ""))
    }
    let matcher = try matcher(config)
    let table: AudienceTable
    do throws(StoreError) {
      table = try AudienceTable(
        config: config.config, path: config.path, placement: placement, users: users,
        matcher: matcher)
    } catch {
      throw InputError(error.description)
    }
    Output.write(json ? table.document + "\n" : table.page(width: Output.width))
  }

  /// Returns the user in a file of a context.
  private func user(_ path: String) throws(InputError) -> AudienceTable.User {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let name = path == "-" ? "stdin" : file.hasSuffix(".json") ? String(file.dropLast(5)) : file
    let context = try ContextFile(path)
    for call in context.host.keys.sorted() {
      let function = String(call.prefix { $0 != "(" })
      if HistoryFunction(rawValue: function) == nil {
        Output.error(
          "\(InputFile.name(path)): note: `host`: filters have no function `\(function)`")
      }
    }
    return .init(name: name, request: context.request(""), historyAnswers: context.host)
  }

  /// Returns a matcher for a new user.
  private func matcher(_ config: ConfigInput) throws(InputError) -> Matcher {
    let (instant, zone) = try moment.moment()
    do {
      let matcher = try Matcher(
        .init(
          options: moment.platform.options, clock: ManualClock(instant), zone: zone,
          random: moment.random, dialect: .named(dialect.dialect),
          explain: FilterExplanation.init(of:in:)))
      try matcher.load(config.config, diagnostics: config.notes)
      return matcher
    } catch {
      throw InputError("\(config.path): \(error)")
    }
  }
}
