/// A file of cases in any format, recognized by its name: `.corpus`, or JSON Lines.
package enum CaseFile {
  /// Why cases cannot be had from a path.
  package enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file cannot be read.
    case file(TextFile.Failure)
    /// The file is not what its format asks for.
    case format(CorpusError)

    /// The sentence for people.
    package var description: String {
      switch self {
      case .file(let failure): failure.description
      case .format(let error): error.description
      }
    }
  }

  /// The cases of a file, or of all `.corpus` files in a folder and its folders.
  package static func cases(at path: String) throws(Failure) -> [ConformanceCase] {
    var result: [ConformanceCase] = []
    for file in try files(at: path) { result += try fileCases(file) }
    return result
  }

  /// The path itself, or if it is a folder the `.corpus` files in it, sorted.
  package static func files(at path: String) throws(Failure) -> [String] {
    guard TextFile.isFolder(path) else { return [path] }
    do throws(TextFile.Failure) {
      return try TextFile.paths(in: path, suffix: ".corpus")
    } catch {
      throw .file(error)
    }
  }

  private static func fileCases(_ path: String) throws(Failure) -> [ConformanceCase] {
    let text: String
    do throws(TextFile.Failure) {
      text = try TextFile.read(path)
    } catch {
      throw .file(error)
    }
    do throws(CorpusError) {
      if path.hasSuffix(".corpus") { return try CorpusFile(reading: text, path: path).cases }
      return try ConformanceReader.read(text, path: path)
    } catch {
      throw .format(error)
    }
  }
}
