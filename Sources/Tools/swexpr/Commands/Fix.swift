import ArgumentParser
import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import FilterCorpus

/// `swexpr fix`: applies the fixes that are certain.
struct Fix: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print a filter with the mistakes corrected whose correction is certain.",
    discussion: """
      An argument that names a file is read, everything else is a filter. The corrections, and the \
      mistakes that are left, go to standard error.

        swexpr fix 'user.plan = "pro"'
        swexpr fix --in-place filters/*.expr

      Exit codes: 0 nothing is left, 1 something is; 2 a file cannot be read or written.
      """)

  @Argument(
    help: ArgumentHelp("A filter, a file, or - for standard input.", valueName: "expr-or-file"))
  var filters: [String]

  @OptionGroup var schema: SchemaOptions
  @OptionGroup var dialect: DialectOptions
  @OptionGroup var diagnostics: DiagnosticOptions

  @Flag(name: [.short, .long], help: "Write the result back to the files.")
  var inPlace = false

  /// The largest number of rounds. A fix may uncover another mistake; this is enough for all
  /// mistakes that people make.
  private static let rounds = 20

  func run() throws {
    var isClean = true
    var input = StandardInputUse()
    let schema = try schema.schema()
    for argument in filters {
      try input.note(argument, for: "one filter and another")
      guard !argument.hasSuffix(".json") || !InputFile.exists(argument) else {
        throw InputError("\(argument): a config is not corrected; correct its filters one by one")
      }
      for source in try FilterInput.filters(argument) {
        let (text, left) = corrected(source, schema)
        isClean = isClean && left.isEmpty
        diagnostics.report(left, in: SourceText(text, name: source.name))
        if inPlace, let name = source.name, name != "<stdin>" {
          if text != source.text { try Self.write(text, to: name) }
        } else {
          Output.line(text)
        }
      }
    }
    if !isClean { throw ExitStatus.no }
  }

  /// Returns the text after all fixes, and the diagnostics that remain.
  private func corrected(_ source: SourceText, _ schema: AttributeSchema) -> (String, [Diagnostic])
  {
    var text = source.text
    for _ in 0..<Self.rounds {
      let current = SourceText(text, name: source.name)
      let found = problems(of: current, schema)
      let (next, fixed) = current.applyingFixes(of: found)
      guard !fixed.isEmpty, next != text else { return (text, found) }
      let lines = SourceLines(current)
      for diagnostic in fixed {
        let place = lines.location(of: diagnostic.primary.span.start)
        Output.error(
          "\(source.name ?? "<filter>"):\(place): \(diagnostic.id.rawValue): "
            + (diagnostic.fixIts.first?.message ?? ""))
      }
      text = next
    }
    return (text, problems(of: SourceText(text), schema))
  }

  private func problems(of source: SourceText, _ schema: AttributeSchema) -> [Diagnostic] {
    ParsedFilter(source, environment: dialect.environment).diagnostics(schema: schema)
  }

  private static func write(_ text: String, to path: String) throws(InputError) {
    do throws(TextFile.Failure) {
      try TextFile.write(text + "\n", to: path)
    } catch {
      throw InputError(error.description)
    }
  }
}
