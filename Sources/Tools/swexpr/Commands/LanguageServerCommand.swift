import ArgumentParser
import AudienceFilters
import FilterAnalysis
import FilterCorpus
import LanguageServer

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// `swexpr lsp`: the language server for editors.
struct LanguageServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract: "Serve an editor with diagnostics, completion and hover for filters.",
    discussion: """
      Speaks the Language Server Protocol over standard input and output. Editors start it; \
      docs/editors.md has the settings. It understands filters (.filter, .expr, .cel) and the \
      filters in campaign configs (.json).

      Beside a document it reads schema.json, the attributes of your own, and context.json and \
      contexts/*.json, sample users.

      Exit codes: 0 after the editor has asked to shut down, 1 otherwise, 2 a file cannot be read.
      """)

  @OptionGroup var schema: SchemaOptions

  /// Accepted, because many clients pass it; there is no other transport.
  @Flag(help: "Use standard input and output, as always.")
  var stdio = false

  func run() throws {
    let server = LanguageServer(
      files: DiskFiles(), schema: try schema.schema(),
      version: Swexpr.configuration.version)
    var framer = MessageFramer()
    while true {
      while let frame = framer.next() {
        switch frame {
        case .message(let content): server.receive(content)
        case .malformed(let reason): server.receiveMalformed(reason)
        }
      }
      if let messages = server.respond() {
        for message in messages { Output.write(MessageFramer.frame(message)) }
        if let status = server.exitStatus { return try Self.exit(status) }
        // A message that has arrived meanwhile may cancel a request that waits.
        guard Self.hasInput else { continue }
      }
      guard let bytes = Self.read() else { return try Self.exit(server.statusAtEndOfInput) }
      framer.append(bytes)
    }
  }

  private static func exit(_ status: Int32) throws {
    if status != 0 { throw ExitStatus.no }
  }

  /// Whether standard input can be read without waiting.
  private static var hasInput: Bool {
    var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }

  /// Returns what has arrived on standard input, waiting for it; `nil` at the end.
  private static func read() -> [UInt8]? {
    let capacity = 1 << 16
    while true {
      var count = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
        count = posixRead(STDIN_FILENO, buffer.baseAddress, capacity)
        initialized = max(count, 0)
      }
      if count > 0 { return bytes }
      guard count < 0, errno == EINTR else { return nil }
    }
  }
}

private func posixRead(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int)
  -> Int
{
  read(descriptor, buffer, count)
}

/// The files on disk.
private struct DiskFiles: WorkspaceFiles {
  func contents(of path: String) -> [UInt8]? {
    guard InputFile.exists(path) else { return nil }
    return try? InputFile.octets(path)
  }

  func names(in folder: String) -> [String] {
    let paths = (try? TextFile.paths(in: folder, suffix: ".json")) ?? []
    // Those of folders inside it have a longer path.
    return paths.map { String($0.dropFirst(folder.count + 1)) }.filter { !$0.contains("/") }
  }
}
