import ArgumentParser
import AudienceFilters
import CampaignAnalysis
import CampaignCore
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// `swexpr synthesize`: generates users that test a config.
struct Synthesize: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make few users who test every audience and boundary of a campaign config.",
    discussion: """
      Prints one user per line with the audience that the config gives them: both sides of every \
      boundary, missing attributes, who comes first where audiences overlap, every variant, and \
      every limit, used up and open again. Keep the file, and swexpr test reports when a change \
      of the config changes what they get.

        swexpr synthesize campaigns.json > users.test
        swexpr test campaigns.json users.test

      A line is {"placement", "context": {"user", "device", "params", "host"}, "expect": \
      experiment or null, "variant", "draw", "then": [{"wait": minutes, "expect", "variant", \
      "draw"}], "tests": [what the user tests]}. Exit codes: 0 done, 2 a file cannot be read.
      """)

  @Argument(
    help: ArgumentHelp("The campaign config; - reads standard input.", valueName: "config"))
  var config: String

  @OptionGroup var schema: SchemaOptions
  @OptionGroup var dialect: DialectOptions
  @OptionGroup var platform: PlatformOptions

  func run() throws {
    let input = try ConfigInput.read(config, rules: platform.options.config)
    let model = AnalysisModel(
      input.config, dialect: dialect.dialect, options: platform.options)
    let suite = CampaignSynthesis(model, schema: try schema.schema()).suite()
    Output.write(suite.text)
    for question in suite.openQuestions {
      Output.error("not tested at \(question.placement): \(question.question): \(question.reason)")
    }
    let count = suite.users.count
    Output.error("\(count) user\(count == 1 ? "" : "s")")
  }
}
