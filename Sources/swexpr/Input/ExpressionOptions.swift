public import ArgumentParser
import ExpressionEngine
public import ExpressionSyntax

extension Dialect.Name: ExpressibleByArgument {}

/// The dialect of filters.
struct DialectOptions: ParsableArguments {
  @Option(help: "The dialect of the filter.")
  var dialect: Dialect.Name = .superscript

  /// An environment of the dialect without host functions.
  var environment: FilterEnvironment { FilterEnvironment(dialect: .named(dialect)) }
}

/// One filter with its dialect.
struct ExpressionOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The filter, or - to read it from standard input.", valueName: "expr"))
  var expression: String

  @OptionGroup var dialect: DialectOptions

  /// The text of the filter.
  func source() throws(InputError) -> SourceText { try FilterInput.expression(expression) }
}

/// The filters given on the command line.
enum FilterInput {
  /// Returns the filter in an argument, or in standard input for `-`.
  static func expression(_ argument: String) throws(InputError) -> SourceText {
    guard argument == "-" else { return SourceText(argument) }
    return SourceText(bytes: trimmed(try InputFile.octets("-")), name: "<stdin>")
  }

  /// Returns the filters that an argument refers to: the filter in an existing file, those of the
  /// audiences of a campaign config (`.json`), or otherwise the argument itself.
  static func filters(_ argument: String) throws(InputError) -> [SourceText] {
    guard argument != "-", InputFile.exists(argument) else {
      if looksLikeFile(argument) { throw InputError("\(argument): there is no such file") }
      return [try expression(argument)]
    }
    if isConfig(argument) { return try ConfigInput.read(argument).sources }
    return [SourceText(bytes: trimmed(try InputFile.octets(argument)), name: argument)]
  }

  /// Returns whether an argument names a campaign config.
  static func isConfig(_ argument: String) -> Bool {
    argument != "-" && argument.hasSuffix(".json") && InputFile.exists(argument)
  }

  /// Returns whether an argument looks like a file name, so that a misspelled name is not treated
  /// as a filter.
  private static func looksLikeFile(_ argument: String) -> Bool {
    guard [".expr", ".cel", ".json", ".txt"].contains(where: argument.hasSuffix) else {
      return false
    }
    return argument.utf8.allSatisfy { $0 > 0x20 && !"\"'()<>=&|?".utf8.contains($0) }
  }

  /// Returns the octets without the last line break, which belongs to the file, not to the filter.
  private static func trimmed(_ octets: [UInt8]) -> [UInt8] {
    var octets = octets
    if octets.last == 0x0A { octets.removeLast() }
    if octets.last == 0x0D { octets.removeLast() }
    return octets
  }
}
