import CampaignCore
import ExpressionCoding
import ExpressionEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The file that keeps a config between launches: one line about the config, then its text.
///
/// The line holds the digest of the text, so that a file that was cut or changed is noticed. A new
/// file is written beside the old one and then takes its name, so that each reader finds one of
/// the two, whole.
struct ConfigFile: Sendable {
  let path: String

  /// Reads the file.
  ///
  /// - Returns: The config, or `nil` if there is no file.
  func read() throws(ConfigSourceError) -> ConfigSnapshot? {
    guard access(path, F_OK) == 0 else { return nil }
    let octets = try contents()
    guard let end = octets.firstIndex(of: UInt8(ascii: "\n")) else { throw damaged }
    let body = Array(octets[(end + 1)...])
    guard let line = try? Value(json: String(decoding: octets[..<end], as: UTF8.self)),
      case .map(let fields) = line, case .string(Self.digest(of: body)) = fields["sha256"],
      case .int(let milliseconds) = fields["confirmedAt"]
    else { throw damaged }
    var etag: String?
    if case .string(let text) = fields["etag"] { etag = text }
    return try ConfigSnapshot(
      text: String(decoding: body, as: UTF8.self), etag: etag,
      at: WallTime(milliseconds: milliseconds), origin: .file)
  }

  /// Replaces the file.
  func write(_ snapshot: ConfigSnapshot) throws(ConfigSourceError) {
    let body = Array(snapshot.text.utf8)
    var fields: [Value.Key: Value] = [
      "sha256": .string(Self.digest(of: body)),
      "confirmedAt": .int(snapshot.confirmedAt.milliseconds),
    ]
    fields["etag"] = snapshot.etag.map { .string($0) }
    let octets = Array(Value.map(fields).jsonText().utf8) + [UInt8(ascii: "\n")] + body
    // The process in the name keeps two that write at once apart.
    let draft = "\(path).\(getpid()).new"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { throw failure("cannot be written") }
    var isWritten = octets.withUnsafeBytes { Self.write($0, to: file) } && fsync(file) == 0
    isWritten = close(file) == 0 && isWritten
    guard isWritten, rename(draft, path) == 0 else {
      let error = failure("cannot be written")
      unlink(draft)
      throw error
    }
  }

  private static func write(_ octets: UnsafeRawBufferPointer, to file: Int32) -> Bool {
    var rest = octets[...]
    while !rest.isEmpty {
      let bytes = UnsafeRawBufferPointer(rebasing: rest)
      #if canImport(Darwin)
        let count = Darwin.write(file, bytes.baseAddress, bytes.count)
      #elseif canImport(Musl)
        let count = Musl.write(file, bytes.baseAddress, bytes.count)
      #else
        let count = Glibc.write(file, bytes.baseAddress, bytes.count)
      #endif
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func contents() throws(ConfigSourceError) -> [UInt8] {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw failure("cannot be read") }
    defer { close(file) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = buffer.withUnsafeMutableBytes {
        pread(file, $0.baseAddress, $0.count, off_t(result.count))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("cannot be read") }
      if count == 0 { return result }
      result += buffer[..<count]
    }
  }

  private var damaged: ConfigSourceError { .file(path: path, reason: "is damaged") }

  private func failure(_ verb: String) -> ConfigSourceError {
    .file(path: path, reason: "\(verb): \(String(cString: strerror(errno)))")
  }

  private static func digest(of octets: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(
      SHA256.digest(of: octets).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
