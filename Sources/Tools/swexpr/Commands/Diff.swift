import ArgumentParser
import AudienceFilters
import CampaignAnalysis
import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax

/// `swexpr diff`: finds the users for whom a new config changes the result.
struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show exactly which users get another decision from a new campaign config.",
    discussion: """
      For each placement: the old and the new decision, and filters that are true for exactly the \
      users for whom it changes. The filters are not samples: a decision changes for a user if and \
      only if one of them is true, as long as no limit is used up.

        swexpr diff old.json new.json
        swexpr diff old.json new.json --users users.ndjson
        swexpr diff old.json new.json --markdown > comment.md

      Where audiences overlap, such filters are many; then shorter ones come first, which select \
      the same users among those who got the old audience. Of much that changes the first \
      changes and filters are listed, and how many more there are; --full lists all of them. \
      Every attribute may be anything; filters for texts where numbers are compared, and the \
      like, are only counted, unless --all is given. With --users, one user per line as for \
      swexpr simulate, each change says how many of them it concerns; the attributes are taken \
      as they are given. With --json, one document: {"placements": [{"placement", "kind": \
      "changed" | "added" | "removed", "users", "changes": [{"old": {"index", "experiment", \
      "variants"}, "new", "filters", "among", "likely", "exact", "user", "assumes", "count"}]}], \
      "unchanged", "open", "free"}; members without a value are left out. Exit codes: 0 every \
      user gets the same, 1 some do not, 2 a file cannot be read.
      """)

  @Argument(help: ArgumentHelp("The config as it is.", valueName: "old"))
  var old: String

  @Argument(help: ArgumentHelp("The config as it is to be.", valueName: "new"))
  var new: String

  @Option(help: ArgumentHelp("Only this placement.", valueName: "name"))
  var placement: String?

  @Option(
    help: ArgumentHelp("Users to count, one per line; - for standard input.", valueName: "file"))
  var users: String?

  @OptionGroup var dialect: DialectOptions
  @OptionGroup var platform: PlatformOptions

  @Flag(help: "Also print filters about values of unexpected kinds.")
  var all = false

  @Flag(help: "List everything, however long it is.")
  var full = false

  @Flag(help: "Print Markdown for a pull request.")
  var markdown = false

  @Flag(help: "Print one JSON document.")
  var json = false

  func validate() throws {
    guard !markdown || !json else {
      throw ValidationError("--markdown and --json exclude each other")
    }
  }

  func run() throws {
    var input = StandardInputUse()
    try input.note(old, for: "the old config")
    try input.note(new, for: "the new config")
    try input.note(users, for: "--users")
    let before = try model(old)
    let after = try model(new)
    let changes = CampaignComparison(old: before, new: after, placement: placement).changes()
    var counts: [String: ChangeCount] = [:]
    for change in changes.placements {
      counts[change.name] = ChangeCount(change, old: before, new: after)
    }
    if let users { try count(users, &counts) } else { counts = [:] }
    if json {
      Output.line(changes.value(counts: counts).jsonText(pretty: true))
    } else {
      Output.write(
        markdown
          ? changes.markdown(counts: counts, full: full)
          : changes.text(counts: counts, detailed: all, full: full))
    }
    if !changes.isEmpty { throw ExitStatus.no }
  }

  private func model(_ path: String) throws(InputError) -> AnalysisModel {
    AnalysisModel(
      try ConfigInput.read(path, rules: platform.options.config).config,
      dialect: dialect.dialect, options: platform.options)
  }

  private func count(_ path: String, _ counts: inout [String: ChangeCount]) throws(InputError) {
    var lines = try LineReader(path)
    while let line = try lines.next() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      let context: Context
      do throws(JSONError) {
        context = Self.context(try Value(json: line))
      } catch {
        throw InputError(
          "\(InputFile.name(path)):\(lines.lineNumber):\(error.column): \(error.message)")
      }
      for name in counts.keys { counts[name]?.add(context) }
    }
  }

  /// Creates the context of a user in the form that `swexpr simulate` reads: with `user`, `device`
  /// and `params`, or the attributes alone.
  private static func context(_ value: Value) -> Context {
    var members: [String: Value] = [:]
    if case .map(let entries) = value {
      for case (.string(let name), let value) in entries { members[name] = value }
    }
    var variables: [String: Value] = ["user": .map([:]), "device": .map([:]), "params": .map([:])]
    let roots = members.filter { variables[$0.key] != nil }
    if roots.isEmpty {
      variables["user"] = value
    } else {
      variables.merge(roots) { _, new in new }
    }
    return Context(variables: variables)
  }
}
