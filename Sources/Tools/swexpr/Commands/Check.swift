import ArgumentParser
import AudienceFilters
import CampaignAnalysis
import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import FilterCorpus

/// `swexpr check`: checks that filters compile, and looks for probable mistakes.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check filters without evaluating them.",
    discussion: """
      An argument that names a file is read: one filter, or a campaign config (.json), all of \
      whose audiences are checked. Everything else is a filter.

        swexpr check 'user.age >= 18 &&'
        swexpr check filters/spring.expr filters/summer.expr
        swexpr check campaigns.json
        swexpr check --watch filters/

      Warnings are about filters that run but probably do not do what you meant: misspelled \
      attributes, comparisons that never hold, traps of the dialect. `swexpr explain-error W0704` \
      explains one; a comment // swexpr:ignore W0704 in the filter silences it.

      A config that decodes but looks wrong gives warnings, too: values that the format does not \
      know, paywalls that do not exist, and the faults that `swexpr prove` finds, such as \
      audiences that are never reached.

      An attribute that the schema does not know may be missing for some users. If that makes them \
      match, or a condition fail, a note at the end names it; list it in a --schema to have it \
      checked.

      With --json, one document: {"errors", "warnings", "filters": [{"name", "text", \
      "diagnostics"}], "config": [{"file", "kind", "path", "message"}]}, and "open" and \
      "failing", the attributes of the notes, if there are any. Exit codes: 0 no errors, \
      1 errors (with --strict, or warnings), 2 a file cannot be read.
      """)

  @Argument(
    help: ArgumentHelp("A filter, a file, or - for standard input.", valueName: "expr-or-file"))
  var filters: [String]

  @OptionGroup var schema: SchemaOptions
  @OptionGroup var dialect: DialectOptions
  @OptionGroup var diagnostics: DiagnosticOptions

  @Flag(help: "Exit with 1 if there are warnings, too.")
  var strict = false

  @Flag(help: "Print one JSON document.")
  var json = false

  @Flag(help: "Check again whenever a file changes.")
  var watch = false

  func validate() throws {
    guard watch else { return }
    guard !json else { throw ValidationError("--watch and --json exclude each other") }
    guard filters.allSatisfy({ TextFile.isFolder($0) || !FilterInput.files([$0]).isEmpty }) else {
      throw ValidationError("--watch needs files or folders")
    }
  }

  func run() throws {
    guard watch else {
      if try !runOnce() { throw ExitStatus.no }
      return
    }
    var files = FileWatch { [filters] in FilterInput.files(filters) }
    files.repeatForever { () throws(InputError) in _ = try runOnce() }
  }

  /// Checks all filters, and returns whether they are right.
  private func runOnce() throws(InputError) -> Bool {
    var input = StandardInputUse()
    var sources: [(text: SourceText, isAudience: Bool)] = []
    var notes: [ConfigNote] = []
    let schema = try schema.schema()
    for argument in filters {
      try input.note(argument, for: "one filter and another")
      if FilterInput.isConfig(argument) {
        let config = try ConfigInput.read(argument)
        sources += config.sources.map { ($0, true) }
        notes += ConfigNote.notes(of: config, schema: schema, dialect: dialect.dialect)
      } else {
        sources += try FilterInput.filters(argument).map { ($0, false) }
      }
    }
    let environment = dialect.environment
    var errors = 0
    var warnings = notes.count
    var open: Set<AttributePath> = []
    var failing: Set<AttributePath> = []
    var loose: [LooseAlternative] = []
    for note in notes { Output.error(note.text) }
    var checked: [(source: SourceText, findings: [Diagnostic])] = []
    for (source, isAudience) in sources {
      // The notes on a config report what is proved of its audiences.
      let filter = ParsedFilter(source, environment: environment)
      let findings = filter.findings(schema: schema, proves: !isAudience)
      let found = findings.diagnostics
      open.formUnion(findings.openAttributes)
      // What is proved of audiences has a note of its own.
      if !isAudience {
        failing.formUnion(findings.failingAttributes)
        if let alternative = findings.looseAlternative { loose.append(alternative) }
      }
      errors += found.count { $0.severity == .error }
      warnings += found.count { $0.severity == .warning }
      diagnostics.report(found, in: source)
      checked.append((source, found))
    }
    let names = open.map(\.description).sorted()
    let failingNames = failing.map(\.description).sorted()
    if json {
      Output.line(
        JSONWriter.document { writer in
          writer.member("filters", checked) { Self.write($1.source, $1.findings, to: &$0) }
          writer.member("config", notes) { Self.write($1, to: &$0) }
          writer.member("errors", errors)
          writer.member("warnings", warnings)
          if !names.isEmpty { writer.member("open", texts: names) }
          if !failingNames.isEmpty { writer.member("failing", texts: failingNames) }
          if !loose.isEmpty { writer.member("mixed", texts: loose.map { $0.condition }) }
        })
    } else {
      Output.line(
        "\(Self.count(sources.count, "filter")), \(Self.count(errors, "error")), "
          + Self.count(warnings, "warning"))
      if !names.isEmpty { Output.error(Self.note(names)) }
      if !failingNames.isEmpty { Output.error(Self.note(failing: failingNames)) }
      for alternative in loose.prefix(8) { Output.error(Self.note(alternative)) }
    }
    return errors == 0 && !(strict && warnings > 0)
  }

  /// Returns the sentence about attributes that the schema does not know.
  private static func note(_ names: [String]) -> String {
    "note: users match who have none of your attributes, because of \(listed(names))\n"
      + "  = help: list your attributes in a schema (--schema); those that are optional are checked"
  }

  /// Returns the sentence about attributes without which a condition fails.
  private static func note(failing names: [String]) -> String {
    "note: users without \(listed(names)) may not match, since a condition fails for them\n"
      + "  = help: write `(has(\(names[0])) ? … : true)` around the condition if they are to meet it, "
      + "`: false` if not"
  }

  /// Returns the sentence about a condition that is enough by itself.
  private static func note(_ loose: LooseAlternative) -> String {
    "note: `\(loose.condition)` is enough by itself, since `&&` binds tighter than `||`\n"
      + "  = help: if another condition is meant for all users, write `(… || …) && …`; if not, "
      + "parentheses around `\(loose.others)` say so"
  }

  private static func listed(_ names: [String]) -> String {
    let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
    return names.prefix(8).map { "`\($0)`" }.joined(separator: ", ") + rest
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private static func write(_ note: ConfigNote, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("file", note.file)
      writer.member("kind", note.kind)
      writer.member("path", note.path)
      writer.member("message", note.message)
    }
  }

  private static func write(
    _ source: SourceText, _ diagnostics: [Diagnostic], to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("name", source.name)
      writer.member("text", source.text)
      writer.key("diagnostics")
      writer.raw(DiagnosticRenderer.json(diagnostics, in: source))
    }
  }
}
