import ArgumentParser
import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax

/// `swexpr simulate`: counts the users in each audience.
struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Count how many of many users fall into each audience and variant.",
    discussion: """
      FILE has one user per line as JSON: {"user": {…}, "device": {…}, "params": {…}}, or the \
      attributes of the user alone. It is read as a stream, so its size does not matter.

        swexpr simulate --config campaigns.json --users users.ndjson
        swexpr simulate --config campaigns.json --users - \\
            --placement open_forecast < users.ndjson
        swexpr simulate --config campaigns.json --users users.ndjson --seed 7 --json

      Each user is new, without history, and gets a variant of their own: at random (--seed \
      repeats it), or with --variants deterministic by the hash of their appUserId, id or \
      aliasId. Users without a seed get one at random. Empty lines do not count.

      With --json, one document: {"users", "skipped", "placements": [{"placement", "unmatched", \
      "audiences": [{"experiment", "tried", "matched", "variants": [{"id", "type", "count"}]}]}]}. \
      Exit codes: 0 done, 2 a file or a line cannot be read.
      """)

  /// The choice of variants.
  enum Variants: String, ExpressibleByArgument, CaseIterable {
    case random
    case deterministic
  }

  @Option(help: ArgumentHelp("The campaign config.", valueName: "file"))
  var config: String

  @Option(
    help: ArgumentHelp("The users, one per line; - reads standard input.", valueName: "file"))
  var users: String

  @Option(
    name: .customLong("placement"),
    help: ArgumentHelp("Only this placement; may be given several times.", valueName: "name"))
  var placements: [String] = []

  @Option(help: "The choice of variants.")
  var variants: Variants = .random

  @OptionGroup var moment: MomentOptions
  @OptionGroup var dialect: DialectOptions

  @Flag(
    name: .customLong("skip-invalid"),
    help: "Skip lines that are not JSON objects, and report their number.")
  var skipInvalid = false

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() throws {
    var input = StandardInputUse()
    try input.note(config, for: "--config")
    try input.note(users, for: "--users")
    let config = try ConfigInput.read(config, rules: moment.platform.options.config)
    try config.checkPlacements(placements)
    let (instant, zone) = try moment.moment()
    var options = moment.platform.options
    if variants == .deterministic { options.variantChoice = .deterministic(.userOrAlias) }
    let simulation = Simulation(
      config.config, diagnostics: config.notes,
      placements: placements.isEmpty ? nil : Set(placements), options: options,
      random: moment.random, now: instant, zone: zone, dialect: .named(dialect.dialect))
    for diagnostic in simulation.diagnostics { Output.error("\(config.path): \(diagnostic)") }
    let skipped = try UserFile(users).count(in: simulation, skipsInvalid: skipInvalid)
    if json {
      Output.line(simulation.value(skipped: skipped).jsonText(pretty: true))
    } else {
      Output.write(simulation.text)
      if simulation.misshapenUsers > 0 {
        Output.error(
          "\(InputFile.name(users)): warning[not-an-object]: lines where `user`, `device` or `params` "
            + "is not an object: \(simulation.misshapenUsers.grouped); it is ignored there, or taken "
            + "for an attribute of the user")
      }
      if skipped > 0 { Output.error("\(skipped.grouped) lines are not users and were skipped") }
    }
  }
}

extension Int {
  /// The number with commas between groups of three digits.
  var grouped: String {
    let digits = String(magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return self < 0 ? "-" + text : text
  }
}
