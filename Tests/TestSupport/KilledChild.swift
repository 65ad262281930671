#if os(Linux)
  public import Foundation
  import Glibc

  /// This test program, started a second time and killed in the middle of its work.
  public enum KilledChild {
    /// Starts the child, lets it work for a while and kills it.
    ///
    /// - Parameters:
    ///   - test: The module and the suite that the child runs: `CampaignStoreTests.KillTests`.
    ///   - environment: The variables that make the suite work until it is killed. It prints a line
    ///     that starts with `ACK` when something is acknowledged.
    ///   - microseconds: The time from the first such line to the kill.
    /// - Returns: The output of the child.
    public static func run(
      _ test: String, environment: [String: String], killedAfter microseconds: UInt32
    ) throws -> Data {
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
      // Wait for the first sign of life, then let it run for a while.
      var output = Data()
      while !String(decoding: output, as: UTF8.self).contains("ACK") {
        let more = pipe.fileHandleForReading.availableData
        if more.isEmpty { break }
        output += more
      }
      usleep(microseconds)
      Glibc.kill(process.processIdentifier, SIGKILL)
      output += try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return output
    }
  }
#endif
