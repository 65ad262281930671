import ArgumentParser
import AudienceFilters
import CampaignAnalysis
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax

/// `swexpr synthesize`: generates users that test a config.
struct Synthesize: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make few users who test every audience and boundary of a campaign config.",
    discussion: """
      Prints one user per line with the audience that the config gives them: both sides of every \
      boundary, missing attributes, and who comes first where audiences overlap. Keep the file, and \
      swexpr test tells when a change of the config changes what they get.

        swexpr synthesize campaigns.json > users.test
        swexpr test campaigns.json users.test

      A line is {"placement", "context": {"user", "device", "params", "host"}, "expect": experiment or \
      null, "tests": [what the user tests]}. Exit codes: 0 done, 2 a file cannot be read.
      """)

  @Argument(
    help: ArgumentHelp("The campaign config; - reads standard input.", valueName: "config"))
  var config: String

  @OptionGroup var schema: SchemaOptions
  @OptionGroup var dialect: DialectOptions

  func run() throws {
    let input = try ConfigInput.read(config)
    let model = AnalysisModel(input.config, dialect: dialect.dialect)
    let suite = CampaignSynthesis(model, schema: try schema.schema()).suite()
    Output.write(suite.text)
    for question in suite.openQuestions {
      Output.error("not tested at \(question.placement): \(question.question): \(question.reason)")
    }
    let count = suite.users.count
    Output.error("\(count) user\(count == 1 ? "" : "s")")
  }
}

/// `swexpr test`: checks that users still get the recorded results.
struct TestUsers: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Run the users of a test file against a campaign config.",
    discussion: """
      The file has one user per line as swexpr synthesize writes them; write more by hand as you like.

        swexpr test campaigns.json users.test

      Each user is new: no limit is used up. Exit codes: 0 every user gets what is expected, 1 some do \
      not, 2 a file cannot be read.
      """)

  @Argument(help: ArgumentHelp("The campaign config.", valueName: "config"))
  var config: String

  @Argument(help: ArgumentHelp("The users; - reads standard input.", valueName: "users"))
  var users: String

  @OptionGroup var dialect: DialectOptions

  func run() throws {
    var input = StandardInputUse()
    try input.note(config, for: "the config")
    try input.note(users, for: "the users")
    let model = AnalysisModel(try ConfigInput.read(config).config, dialect: dialect.dialect)
    var lines = try LineReader(users)
    var count = 0
    var failures = 0
    let name = InputFile.name(users)
    while let line = try lines.next() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      let value: Value
      do throws(JSONError) {
        value = try Value(json: line)
      } catch {
        throw InputError("\(name):\(lines.lineNumber):\(error.column): \(error.message)")
      }
      guard let test = UserTest(value) else {
        throw InputError(
          "\(name):\(lines.lineNumber): a test has the members `placement`, `context` and `expect`")
      }
      count += 1
      let outcome = test.outcome(of: model)
      guard outcome != test.expected else { continue }
      failures += 1
      Output.line(
        "\(name):\(lines.lineNumber): \(test.placement) gives \(outcome ?? "nothing"),"
          + " expected \(test.expected ?? "nothing")")
    }
    Output.line("\(count) user\(count == 1 ? "" : "s"), \(failures) with another outcome")
    if failures > 0 { throw ExitStatus.no }
  }
}
