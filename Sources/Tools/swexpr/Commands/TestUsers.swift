import ArgumentParser
import CampaignAnalysis
import CampaignCore
import CampaignCorpus
import ExpressionCoding
import ExpressionEngine
import FilterCorpus

/// `swexpr test`: checks that users still get the recorded results.
struct TestUsers: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Run tests against a campaign config.",
    discussion: """
      A file of tests has one user per line, as swexpr synthesize writes them; write more by hand \
      as you like. A story (.txt) is a case of the campaign corpus, with registrations, time and \
      limits; it loads the config itself.

        swexpr test campaigns.json users.test
        swexpr test campaigns.json users.test limits.txt --coverage
        swexpr test campaigns.json users.test --watch

      A line is {"placement", "context": {"user", "device", "params", "host"}, "expect": \
      experiment or null}, and may have "variant", "draw" (the number that is drawn for the \
      variant), "name" and "tests" (remarks). With "variant" and without "draw" it is enough that \
      the user can get the variant. Each user of a line is new: no limit is used up. "then" lets \
      them register the placement again, which counts: [{"wait": minutes, "expect", "variant", \
      "draw"}].

      --coverage lists the audiences that no user of a line reaches, and the conditions that were \
      never seen to hold or to fail. With --json, one document: {"tests", "failures": [{"file", \
      "line", "message"}], "coverage"}. Exit codes: 0 all tests pass, 1 some do not, 2 a file \
      cannot be read.
      """)

  @Argument(help: ArgumentHelp("The campaign config.", valueName: "config"))
  var config: String

  @Argument(
    help: ArgumentHelp("The tests; - reads users from standard input.", valueName: "tests"))
  var tests: [String]

  @OptionGroup var dialect: DialectOptions
  @OptionGroup var platform: PlatformOptions

  @Flag(help: "Tell which parts of the config no test tries.")
  var coverage = false

  @Flag(help: "Run again whenever a file changes.")
  var watch = false

  @Flag(help: "Print one JSON document.")
  var json = false

  func validate() throws {
    guard !watch || config != "-" && !tests.contains("-") else {
      throw ValidationError("--watch needs files")
    }
    guard !watch || !json else { throw ValidationError("--watch and --json exclude each other") }
  }

  func run() throws {
    guard watch else {
      if try !runOnce() { throw ExitStatus.no }
      return
    }
    var files = FileWatch([config] + tests)
    files.repeatForever { () throws(InputError) in _ = try runOnce() }
  }

  /// Runs all tests, and returns whether they pass.
  private func runOnce() throws(InputError) -> Bool {
    var input = StandardInputUse()
    try input.note(config, for: "the config")
    for path in tests { try input.note(path, for: "the tests") }
    let model = AnalysisModel(
      try ConfigInput.read(config, rules: platform.options.config).config,
      dialect: dialect.dialect, options: platform.options)
    var report = TestReport(coverage: TestCoverage(model))
    for path in tests {
      if path.hasSuffix(".txt") {
        try report.addStory(path)
      } else {
        try report.addUsers(path)
      }
    }
    if json {
      Output.line(report.value(withCoverage: coverage).jsonText(pretty: true))
    } else {
      Output.write(report.text(withCoverage: coverage))
    }
    return report.failures.isEmpty
  }
}

/// The results of tests.
private struct TestReport {
  struct Failure {
    var file: String
    var line: Int
    var message: String
  }

  var coverage: TestCoverage
  private(set) var users = 0
  private(set) var stories = 0
  private(set) var failures: [Failure] = []

  init(coverage: TestCoverage) { self.coverage = coverage }

  // MARK: Running

  /// Runs the users of a file.
  mutating func addUsers(_ path: String) throws(InputError) {
    var lines = try LineReader(path)
    let name = InputFile.name(path)
    while let line = try lines.next() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      let value: Value
      do throws(JSONError) {
        value = try Value(json: line)
      } catch {
        throw InputError("\(name):\(lines.lineNumber):\(error.column): \(error.message)")
      }
      let test: UserTest
      do throws(UserTest.ReadingError) {
        test = try UserTest(reading: value)
      } catch {
        throw InputError("\(name):\(lines.lineNumber): \(error)")
      }
      users += 1
      coverage.add(test)
      for message in test.failures(coverage.makers) {
        failures.append(Failure(file: name, line: lines.lineNumber, message: message))
      }
    }
  }

  /// Runs a story.
  mutating func addStory(_ path: String) throws(InputError) {
    stories += 1
    for outcome in try CampaignCaseFile(path: path).failuresInMemory() {
      let step = "\(outcome.step.command) \(outcome.step.argument)"
      failures.append(
        Failure(
          file: path, line: outcome.step.line,
          message: "\(step) gives \(outcome.got), expected \(outcome.want)"))
    }
  }

  // MARK: Telling

  func text(withCoverage: Bool) -> String {
    var text = failures.map { "\($0.file):\($0.line): \($0.message)\n" }.joined()
    var counts: [String] = []
    if users > 0 || stories == 0 { counts.append("\(users) user\(users == 1 ? "" : "s")") }
    if stories > 0 { counts.append("\(stories) stor\(stories == 1 ? "y" : "ies")") }
    text += counts.joined(separator: ", ") + ", \(failures.count) with another outcome\n"
    return withCoverage ? text + coverage.text : text
  }

  func value(withCoverage: Bool) -> Value {
    var members: [Value.Key: Value] = [
      "tests": .int(Int64(users + stories)),
      "failures": .list(
        failures.map { failure in
          [
            "file": .string(failure.file), "line": .int(Int64(failure.line)),
            "message": .string(failure.message),
          ]
        }),
    ]
    if withCoverage { members["coverage"] = coverage.value }
    return .map(members)
  }
}
