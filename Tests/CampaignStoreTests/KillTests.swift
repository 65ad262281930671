#if os(Linux)
  import CampaignMatcher
  import CampaignStore
  import ExpressionEngine
  import Foundation
  import Glibc
  import Testing

  /// Kills a process in the middle of its registrations, again and again.
  ///
  /// The child is this test program itself: started with `SWEXPR_KILL_CHILD` set, the test
  /// ``child()`` registers for ever and prints each registration once it is acknowledged.
  @Suite("Sudden death", .serialized)
  struct KillTests {
    static let childStore = ProcessInfo.processInfo.environment["SWEXPR_KILL_CHILD"]
    /// How often the child is killed; set `SWEXPR_KILLS` to 200 for the long run.
    static let kills = Int(ProcessInfo.processInfo.environment["SWEXPR_KILLS"] ?? "5") ?? 5
    static let maximum = 2_000

    @Test("registers until it is killed", .enabled(if: childStore != nil))
    func child() throws {
      let matcher = try Matcher(store: SQLiteStore(path: #require(Self.childStore)), zone: .utc)
      if matcher.config == nil { try matcher.load(TestConfig.limited(maximum: Self.maximum)) }
      try matcher.setUserAttributes(["member": .bool(true)])
      var request = MatchRequest("x")
      request.presentation = .immediate
      while true {
        let line = "ACK \(try matcher.register(request).result.caseName)\n"
        _ = line.withCString { write(1, $0, strlen($0)) }
      }
    }

    @Test(
      "nothing acknowledged is lost and no limit is exceeded",
      .enabled(if: childStore == nil), .timeLimit(.minutes(10)))
    func kill() throws {
      let folder = try TemporaryFolder()
      let random = SeededRandomSource(seed: UInt64(Date().timeIntervalSince1970))
      var acknowledged = ["paywall": 0, "holdout": 0]
      for _ in 0..<Self.kills {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments =
          CommandLine.arguments.dropFirst().filter { $0.hasSuffix(".xctest") }
          + ["--testing-library", "swift-testing", "--filter", "KillTests"]
        process.environment = ProcessInfo.processInfo.environment.merging(
          ["SWEXPR_KILL_CHILD": folder.storePath]) { _, new in new }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        try pipe.fileHandleForWriting.close()
        // Wait for the first sign of life, then let it run for a random while.
        var output = pipe.fileHandleForReading.availableData
        while !output.isEmpty, !String(decoding: output, as: UTF8.self).contains("ACK") {
          output += pipe.fileHandleForReading.availableData
        }
        usleep(useconds_t(random.uniform(below: 20_000)))
        Glibc.kill(process.processIdentifier, SIGKILL)
        output += try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
          // A last line that was cut in the middle is no acknowledgement.
          for name in acknowledged.keys where line == "ACK \(name)" {
            acknowledged[name, default: 0] += 1
          }
        }
        try check(folder, acknowledged)
      }
      #expect(acknowledged["paywall", default: 0] > 0)
    }

    private func check(_ folder: TemporaryFolder, _ acknowledged: [String: Int]) throws {
      let store = try SQLiteStore(path: folder.storePath)
      try store.read { transaction throws(StoreError) in
        let paywalls = try transaction.occurrenceCount(key: "k", since: nil, limit: .max)
        let holdouts = try transaction.occurrenceCount(key: "rest", since: nil, limit: .max)
        let events = try transaction.count(of: "x", since: nil)
        // One registration per kill may be durable although its acknowledgement was not printed.
        #expect(paywalls >= acknowledged["paywall", default: 0])
        #expect(holdouts >= acknowledged["holdout", default: 0])
        #expect(paywalls + holdouts <= acknowledged.values.reduce(0, +) + Self.kills)
        #expect(paywalls <= Self.maximum)
        #expect(holdouts == 0 || paywalls == Self.maximum)
        // A registration is there as a whole or not at all.
        #expect(events == paywalls + holdouts)
        #expect(try transaction.count(of: "paywall_open", since: nil) == paywalls)
        #expect(try transaction.count(of: "trigger_fire", since: nil) == events)
      }
    }
  }
#endif
