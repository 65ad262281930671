#if os(Linux)
  import ExpressionEngine
  import Foundation
  import Glibc

  /// This test program, started a second time to do something beside the test.
  public final class PeerProcess: Sendable {
    private let process: Locked<Process>
    private let output: FileHandle

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - test: The module and the suite that it runs: `CampaignStoreTests.PeerTests`.
    ///   - environment: The variables that make the suite do its work.
    public init(_ test: String, environment: [String: String]) throws {
      let process = Process()
      process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments =
        CommandLine.arguments.dropFirst().filter { $0.hasSuffix(".xctest") }
        + ["--testing-library", "swift-testing", "--filter", test]
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in
        new
      }
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = FileHandle.nullDevice
      try process.run()
      try pipe.fileHandleForWriting.close()
      output = pipe.fileHandleForReading
      self.process = Locked(process)
    }

    /// Prints a line that ``lines()`` returns.
    public static func say(_ text: String) {
      FileHandle.standardOutput.write(Data("PEER \(text)\n".utf8))
    }

    /// Waits for the first line that starts with a word.
    public func wait(for word: String) {
      var text = Data()
      while !String(decoding: text, as: UTF8.self).contains("PEER \(word)") {
        let more = output.availableData
        if more.isEmpty { return }
        text += more
      }
    }

    /// Waits for the end of the program, and returns what it said since the last waiting.
    public func lines() throws -> [String] {
      let text = String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self)
      process.withLock { $0.waitUntilExit() }
      return text.split(separator: "\n").compactMap { line in
        line.hasPrefix("PEER ") ? String(line.dropFirst(5)) : nil
      }
    }

    /// Ends the program at once.
    public func kill() {
      process.withLock { process in
        _ = Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
    }
  }
#endif
