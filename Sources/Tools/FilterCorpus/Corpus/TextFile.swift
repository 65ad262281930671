#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads and writes whole files of text, without Foundation.
package enum TextFile {
  /// A file or folder that cannot be read or written.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path.
    package var path: String
    /// The system's message.
    package var reason: String

    /// `path: reason`
    package var description: String { "\(path): \(reason)" }

    init(path: String) {
      self.path = path
      reason = errno == ENOENT ? "there is no such file" : String(cString: strerror(errno))
    }

    init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }
  }

  /// The largest number of octets read from a file, so that an endless file, such as `/dev/zero`,
  /// does not fill the memory: 128 MiB.
  package static let maximumSize = 128 << 20

  /// The message for a file with more than ``maximumSize``.
  package static let tooLarge = "has more than \(maximumSize >> 20) MiB"

  /// The octets of a file, at most ``maximumSize``.
  package static func octets(_ path: String) throws(Failure) -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw Failure(path: path) }
    defer { fclose(file) }
    var octets: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      // A whole chunk is copied at once; a slice of one only in optimised builds.
      if count < chunk.count {
        octets += chunk[..<count]
        break
      }
      octets += chunk
      guard octets.count <= maximumSize else { throw Failure(path: path, reason: tooLarge) }
    }
    guard ferror(file) == 0 else { throw Failure(path: path) }
    return octets
  }

  /// Returns the text that octets are in UTF-8, or `nil`.
  package static func text(_ octets: [UInt8]) -> String? {
    let text = String(decoding: octets, as: UTF8.self)
    // What is not UTF-8 was replaced.
    return text.utf8.elementsEqual(octets) ? text : nil
  }

  /// The text of a file in UTF-8.
  package static func read(_ path: String) throws(Failure) -> String {
    guard let text = text(try octets(path)) else {
      throw Failure(path: path, reason: "the file is not UTF-8")
    }
    return text
  }

  /// Writes `text` in the place of what a file held.
  package static func write(_ text: String, to path: String) throws(Failure) {
    guard let file = fopen(path, "wb") else { throw Failure(path: path) }
    var text = text
    let isWritten = text.withUTF8 { fwrite($0.baseAddress, 1, $0.count, file) == $0.count }
    guard fclose(file) == 0, isWritten else { throw Failure(path: path) }
  }

  /// Returns whether `path` is a folder.
  package static func isFolder(_ path: String) -> Bool {
    guard let folder = opendir(path) else { return false }
    closedir(folder)
    return true
  }

  /// The paths of the files in a folder and its folders that end in `suffix`, sorted.
  ///
  /// Hidden entries are left out; symbolic links to folders are not followed beyond 16 levels.
  package static func paths(in folder: String, suffix: String) throws(Failure) -> [String] {
    try paths(in: folder, suffix: suffix, depth: 0).sorted()
  }

  private static func paths(
    in folder: String, suffix: String, depth: Int
  ) throws(Failure) -> [String] {
    guard depth < 16 else { return [] }
    guard let stream = opendir(folder) else { throw Failure(path: folder) }
    defer { closedir(stream) }
    var result: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { buffer in
        String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard !name.hasPrefix(".") else { continue }
      let path = "\(folder)/\(name)"
      if isFolder(path) {
        result += try paths(in: path, suffix: suffix, depth: depth + 1)
      } else if name.hasSuffix(suffix) {
        result.append(path)
      }
    }
    return result
  }
}
