#if os(Linux)
  import CampaignCore
  import CampaignMatcher
  import CampaignStore
  import ExpressionEngine
  import Foundation
  import Glibc
  import TestSupport
  import Testing

  /// Kills a process in the middle of its registrations, again and again.
  ///
  /// The child is this test program itself: started with `SWEXPR_KILL_CHILD` set, the test
  /// ``child()`` registers for ever and prints each registration once it is acknowledged.
  @Suite("Sudden death", .serialized)
  struct KillTests {
    static let childStore = ProcessInfo.processInfo.environment["SWEXPR_KILL_CHILD"]
    /// How often the child is killed; set `SWEXPR_KILLS` to 200 for the long run.
    static let kills =
      Int(ProcessInfo.processInfo.environment["SWEXPR_KILLS"] ?? "")
      ?? (TortureTable.isOn ? 50 : 5)
    static let maximum = 2_000

    @Test("registers until it is killed", .enabled(if: childStore != nil))
    func child() throws {
      let matcher = try Matcher(
        .init(store: SQLiteStore(path: #require(Self.childStore)), zone: .utc))
      if matcher.config == nil { try matcher.load(TestConfig.limited(maximum: Self.maximum)) }
      try matcher.user.setAttributes(["member": .bool(true)])
      var request = MatchRequest("x")
      request.presentation = .immediate
      while true {
        let line = "ACK \(try matcher.registerNow(request).result.caseName)\n"
        _ = line.withCString { write(1, $0, strlen($0)) }
      }
    }

    @Test(
      "nothing acknowledged is lost and no limit is exceeded",
      .enabled(if: childStore == nil), .timeLimit(.minutes(10)))
    func kill() async throws {
      let folder = try TemporaryFolder()
      let path = folder.storePath
      let sightings = try await OwnThreads.run { try Self.killRepeatedly(path) } ?? []
      #expect(sightings.count == Self.kills)
      for (index, sighting) in sightings.enumerated() { check(sighting, kills: index + 1) }
      #expect((sightings.last?.acknowledgedPaywalls ?? 0) > 0)
      let last = try #require(sightings.last)
      TortureTable.add(
        "killed while it registers", tried: Self.kills, worked: sightings.count, reported: 0,
        "\(last.acknowledgedPaywalls + last.acknowledgedHoldouts) registrations acknowledged,"
          + " \(last.registrations) stored")
      withExtendedLifetime(folder) {}
    }

    /// What was acknowledged up to a kill, and what the store has after it.
    struct Sighting: Sendable {
      var acknowledgedPaywalls = 0
      var acknowledgedHoldouts = 0
      var paywalls = 0
      var holdouts = 0
      var registrations = 0
      var opens = 0
      var fires = 0
    }

    private static func killRepeatedly(_ path: String) throws -> [Sighting] {
      let random = SeededRandomSource(seed: UInt64(Date().timeIntervalSince1970))
      var sightings: [Sighting] = []
      var sighting = Sighting()
      for _ in 0..<kills {
        let output = try PeerProcess.output(
          of: "CampaignStoreTests.KillTests", environment: ["SWEXPR_KILL_CHILD": path],
          killedAfter: UInt32(random.uniform(below: 20_000)))
        // A last line that was cut in the middle is no acknowledgement.
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
        sighting.acknowledgedPaywalls += lines.count { $0 == "ACK paywall" }
        sighting.acknowledgedHoldouts += lines.count { $0 == "ACK holdout" }
        try sighting.look(into: SQLiteStore(path: path))
        sightings.append(sighting)
      }
      return sightings
    }

    private func check(_ sighting: Sighting, kills: Int) {
      let acknowledged = sighting.acknowledgedPaywalls + sighting.acknowledgedHoldouts
      // One registration per kill may be durable although its acknowledgement was not printed.
      #expect(sighting.paywalls >= sighting.acknowledgedPaywalls)
      #expect(sighting.holdouts >= sighting.acknowledgedHoldouts)
      #expect(sighting.paywalls + sighting.holdouts <= acknowledged + kills)
      #expect(sighting.paywalls <= Self.maximum)
      #expect(sighting.holdouts == 0 || sighting.paywalls == Self.maximum)
      // A registration is there as a whole or not at all.
      #expect(sighting.registrations == sighting.paywalls + sighting.holdouts)
      #expect(sighting.opens == sighting.paywalls)
      #expect(sighting.fires == sighting.registrations)
    }
  }

  extension KillTests.Sighting {
    /// Notes what the store has.
    fileprivate mutating func look(into store: SQLiteStore) throws {
      let counts = try store.read { transaction throws(StoreError) in
        [
          try transaction.occurrenceCount(key: "k", since: nil, limit: .max),
          try transaction.occurrenceCount(key: "rest", since: nil, limit: .max),
          try transaction.count(of: "x", since: nil),
          try transaction.count(of: "paywall_open", since: nil),
          try transaction.count(of: "trigger_fire", since: nil),
        ]
      }
      (paywalls, holdouts) = (counts[0], counts[1])
      (registrations, opens, fires) = (counts[2], counts[3], counts[4])
    }
  }
#endif
