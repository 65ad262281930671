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

/// Reads the inputs that the command line names: files, and standard input for `-`.
enum InputFile {
  /// Returns the octets of a file, or of standard input for `-`.
  static func octets(_ path: String) throws(InputError) -> [UInt8] {
    if path == "-" { return utf8(try standardInput()) }
    do throws(TextFile.Failure) {
      return utf8(try TextFile.octets(path))
    } catch {
      throw InputError(error.description)
    }
  }

  /// Returns the text in UTF-8 without a byte order mark. Windows writes such marks, and some of
  /// its programs write UTF-16, which begins with one.
  static func utf8(_ octets: [UInt8]) -> [UInt8] {
    if octets.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(octets.dropFirst(3)) }
    let isLittle = octets.starts(with: [0xFF, 0xFE])
    guard isLittle || octets.starts(with: [0xFE, 0xFF]) else { return octets }
    let units = stride(from: 2, to: octets.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(octets[index]), UInt16(octets[index + 1]))
      return isLittle ? first | second << 8 : first << 8 | second
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// Returns the name of an input for messages.
  static func name(_ path: String) -> String { path == "-" ? "<stdin>" : path }

  /// Returns the plain JSON document in a file.
  static func json(_ path: String) throws(InputError) -> Value {
    try json(try octets(path), name: name(path))
  }

  /// Returns the plain JSON document in a text given on the command line.
  static func json(_ text: String, option: String) throws(InputError) -> Value {
    try json(Array(text.utf8), name: option)
  }

  /// Returns the plain JSON document in octets; a mistake is reported under `name`.
  static func json(_ octets: [UInt8], name: String) throws(InputError) -> Value {
    try document(octets, name: name) { bytes throws(JSONError) in try Value(json: bytes) }
  }

  /// Returns the document that a JSON reader makes of octets; a mistake is reported under `name`.
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

  /// Returns the line with a mistake and a caret below it; empty if the line does not fit on a
  /// screen.
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

  /// Returns whether a regular file (or a pipe) with that name exists.
  static func exists(_ path: String) -> Bool {
    // A text that contains a NUL, or is too long for a path, is not a file name.
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

/// Makes sure that at most one argument reads standard input, which can be read only once.
struct StandardInputUse {
  private var user: String?

  /// Records that `argument` is read from standard input, if its value is `-`.
  mutating func note(_ value: String?, for argument: String) throws(InputError) {
    guard value == "-" else { return }
    if let user {
      throw InputError("\(user) and \(argument) cannot both be read from standard input")
    }
    user = argument
  }
}
