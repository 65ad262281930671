import ArgumentParser
import ExpressionPrinting
import ExpressionSyntax
import FilterCorpus

/// `swexpr fmt`: prints filters in the canonical layout.
struct Format: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fmt",
    abstract: "Print a filter in its canonical layout.",
    discussion: """
      Spaces, line breaks and quotes become uniform; the meaning, the comments and the order \
      stay. An argument that names a file is read, everything else is a filter.

        swexpr fmt 'user.age>=18&&(user.plan=="pro")'
        swexpr fmt --in-place filters/*.expr
        swexpr fmt --check filters/*.expr

      Exit codes: 0 done, 1 a filter does not parse or, with --check, is not in canonical layout; \
      2 a file cannot be read or written.
      """)

  @Argument(
    help: ArgumentHelp("A filter, a file, or - for standard input.", valueName: "expr-or-file"))
  var filters: [String]

  @OptionGroup var dialect: DialectOptions
  @OptionGroup var diagnostics: DiagnosticOptions

  @Option(help: "The number of characters that a line should not exceed, at least 20.")
  var width = 100

  @Flag(name: [.short, .long], help: "Write the layout back to the files.")
  var inPlace = false

  @Flag(help: "Print nothing but the names of files that are not in canonical layout.")
  var check = false

  func validate() throws {
    guard width >= 20 else { throw ValidationError("--width must be at least 20") }
    guard !(inPlace && check) else {
      throw ValidationError("--in-place and --check exclude each other")
    }
  }

  func run() throws {
    var isClean = true
    var input = StandardInputUse()
    for argument in filters {
      try input.note(argument, for: "one filter and another")
      guard !argument.hasSuffix(".json") || !InputFile.exists(argument) else {
        throw InputError("\(argument): a campaign config cannot be formatted, only filters")
      }
      let isFile = argument != "-" && InputFile.exists(argument)
      if inPlace, !isFile { throw InputError("\(argument): --in-place needs a file") }
      for source in try FilterInput.filters(argument) {
        let tree: SyntaxTree
        do throws(SyntaxError) {
          tree = try ExpressionSyntax.parse(source, dialect: .named(dialect.dialect))
        } catch {
          diagnostics.report(error.diagnostics, in: source)
          isClean = false
          continue
        }
        let layout = SyntaxPrinter.format(tree, width: width)
        let isCanonical = layout.utf8.elementsEqual(source.bytes)
        if check {
          guard !isCanonical else { continue }
          Output.line(source.name ?? argument)
          isClean = false
        } else if inPlace {
          guard !isCanonical else { continue }
          do throws(TextFile.Failure) {
            try TextFile.write(layout + "\n", to: argument)
          } catch {
            throw InputError(error.description)
          }
        } else {
          Output.line(layout)
        }
      }
    }
    if !isClean { throw ExitStatus.no }
  }
}
