public import ArgumentParser
import ExpressionEngine
public import ExpressionSyntax
import FilterCorpus

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
    if argument != "-", TextFile.isFolder(argument) { return try filters(inFolder: argument) }
    guard argument != "-", InputFile.exists(argument) else {
      if looksLikeFile(argument) { throw InputError("\(argument): there is no such file") }
      return [try expression(argument)]
    }
    if isConfig(argument) { return try ConfigInput.read(argument).sources }
    return [SourceText(bytes: trimmed(try InputFile.octets(argument)), name: argument)]
  }

  /// Returns the files that arguments name, those in folders among them.
  static func files(_ arguments: [String]) -> [String] {
    arguments.flatMap { argument -> [String] in
      guard argument != "-" else { return [] }
      if TextFile.isFolder(argument) { return (try? paths(inFolder: argument)) ?? [] }
      return InputFile.exists(argument) || looksLikeFile(argument) ? [argument] : []
    }
  }

  /// Returns the paths of the filters in a folder and the folders in it, sorted.
  private static func paths(inFolder folder: String) throws(InputError) -> [String] {
    var paths: [String] = []
    do throws(TextFile.Failure) {
      for ending in endings { paths += try TextFile.paths(in: folder, suffix: ending) }
    } catch {
      throw InputError(error.description)
    }
    return paths.sorted()
  }

  private static let endings = [".expr", ".filter", ".cel"]

  /// Returns the filters in the files of a folder and the folders in it, sorted by path.
  private static func filters(inFolder folder: String) throws(InputError) -> [SourceText] {
    let paths = try paths(inFolder: folder)
    guard !paths.isEmpty else {
      throw InputError(
        "\(folder): a folder without filters (\(endings.joined(separator: ", "))); "
          + "name a config inside it by its own path")
    }
    var sources: [SourceText] = []
    for path in paths {
      sources.append(SourceText(bytes: trimmed(try InputFile.octets(path)), name: path))
    }
    return sources
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
