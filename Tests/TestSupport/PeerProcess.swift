#if os(Linux)
  import ExpressionEngine
  public import Foundation
  import Glibc

  /// This test program, started a second time to do something beside the test.
  public final class PeerProcess: Sendable {
    private let process: Locked<Process>
    private let pipe: FileHandle

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
      self.pipe = pipe.fileHandleForReading
      self.process = Locked(process)
    }

    /// Prints a line that ``lines()`` returns.
    public static func say(_ text: String) {
      FileHandle.standardOutput.write(Data("PEER \(text)\n".utf8))
    }

    /// Reads what the program prints, up to a text or to the end.
    ///
    /// - Returns: The output so far, which may go on after the text.
    @discardableResult
    public func read(upTo text: String) -> Data {
      var read = Data()
      while !String(decoding: read, as: UTF8.self).contains(text) {
        let more = pipe.availableData
        if more.isEmpty { break }
        read += more
      }
      return read
    }

    /// Waits for the first line that starts with a word.
    public func wait(for word: String) { read(upTo: "PEER \(word)") }

    /// Waits for the end of the program, and returns what it has printed since the last read.
    public func readToEnd() throws -> Data {
      let rest = try pipe.readToEnd() ?? Data()
      process.withLock { $0.waitUntilExit() }
      return rest
    }

    /// Waits for the end of the program, and returns what it said since the last waiting.
    public func lines() throws -> [String] {
      String(decoding: try readToEnd(), as: UTF8.self).split(separator: "\n").compactMap { line in
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

    /// Starts a program, lets it work for a while and ends it in the middle of its work.
    ///
    /// - Parameters:
    ///   - test: The module and the suite that it runs.
    ///   - environment: The variables that make the suite work until it is killed. It prints a line
    ///     that starts with `ACK` when something is acknowledged.
    ///   - microseconds: The time from the first such line to the end.
    /// - Returns: The output of the program.
    public static func output(
      of test: String, environment: [String: String], killedAfter microseconds: UInt32
    ) throws -> Data {
      let peer = try PeerProcess(test, environment: environment)
      let start = peer.read(upTo: "ACK")
      usleep(microseconds)
      peer.kill()
      return start + (try peer.readToEnd())
    }
  }
#endif
