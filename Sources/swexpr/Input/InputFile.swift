import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import FilterCorpus

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads what the command line names: files, and standard input for `-`.
enum InputFile {
  /// The octets of a file, or of standard input for `-`.
  static func octets(_ path: String) throws(InputError) -> [UInt8] {
    if path == "-" { return try standardInput() }
    do throws(TextFile.Failure) {
      return try TextFile.octets(path)
    } catch {
      throw InputError(error.description)
    }
  }

  /// The name of a place for messages.
  static func name(_ path: String) -> String { path == "-" ? "<stdin>" : path }

  /// The plain JSON document in a file.
  static func json(_ path: String) throws(InputError) -> Value {
    try json(try octets(path), name: name(path))
  }

  /// The plain JSON document in a text given on the command line.
  static func json(_ text: String, option: String) throws(InputError) -> Value {
    try json(Array(text.utf8), name: option)
  }

  /// The plain JSON document in some bytes; a mistake is reported under a name.
  static func json(_ octets: [UInt8], name: String) throws(InputError) -> Value {
    try document(octets, name: name) { bytes throws(JSONError) in try Value(json: bytes) }
  }

  /// What a reader of JSON makes of some bytes; a mistake is reported under a name.
  static func document<Document>(
    _ octets: [UInt8], name: String,
    _ read: (UnsafeBufferPointer<UInt8>) throws(JSONError) -> Document
  ) throws(InputError) -> Document {
    let outcome = octets.withUnsafeBufferPointer { bytes -> Result<Document, JSONError> in
      do throws(JSONError) {
        return .success(try read(bytes))
      } catch {
        return .failure(error)
      }
    }
    do throws(JSONError) {
      return try outcome.get()
    } catch {
      throw InputError(
        "\(name):\(error.line):\(error.column): \(error.message)\(excerpt(octets, error))")
    }
  }

  /// The line with a mistake and a caret below it; nothing where it would not fit on a screen.
  private static func excerpt(_ octets: [UInt8], _ error: JSONError) -> String {
    let lines = octets.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.indices.contains(error.line - 1) else { return "" }
    let line = String(decoding: lines[error.line - 1], as: UTF8.self)
    let scalars = line.unicodeScalars
    guard (1...100).contains(scalars.count), error.column <= scalars.count + 1,
      scalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return "" }
    let number = "\(error.line)"
    let margin = String(repeating: " ", count: number.count)
    let indent = String(repeating: " ", count: max(0, error.column - 1))
    return "\n\(margin) |\n\(number) | \(line)\n\(margin) | \(indent)^"
  }

  /// Whether there is a regular file (or a pipe) of that name.
  static func exists(_ path: String) -> Bool {
    // A text with a NUL or as long as no path names nothing.
    guard path.utf8.count < 4096, !path.utf8.contains(0) else { return false }
    return access(path, R_OK) == 0 && !TextFile.isFolder(path)
  }

  private static func standardInput() throws(InputError) -> [UInt8] {
    var octets: [UInt8] = []
    let chunkSize = 1 << 16
    var chunk = [UInt8](repeating: 0, count: chunkSize)
    while true {
      let count = read(STDIN_FILENO, &chunk, chunkSize)
      if count > 0 {
        octets.append(contentsOf: chunk[..<count])
        guard octets.count <= TextFile.maximumSize else {
          throw InputError("standard input \(TextFile.tooLarge)")
        }
      } else if count == 0 {
        return octets
      } else if errno != EINTR {
        throw InputError("standard input cannot be read: \(String(cString: strerror(errno)))")
      }
    }
  }
}

/// Standard input can be read once; this sees to it that one argument at most asks for it.
struct StandardInputUse {
  private var user: String?

  /// Notes that `argument` is read from standard input, if it is `-`.
  mutating func note(_ value: String?, for argument: String) throws(InputError) {
    guard value == "-" else { return }
    if let user {
      throw InputError("\(user) and \(argument) cannot both be read from standard input")
    }
    user = argument
  }
}
