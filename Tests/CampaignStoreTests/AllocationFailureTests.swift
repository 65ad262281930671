#if os(Linux)
  import CampaignCore
  import CampaignMatcher
  import CampaignStore
  import ExpressionEngine
  import Foundation
  import GRDBSQLite
  import TestSupport
  import Testing

  /// Lets SQLite run out of memory at every size that an operation of a store may need.
  ///
  /// Swift itself ends the process when there is no memory, so only the allocations of SQLite can
  /// fail and be survived. The limit holds for the whole process, hence one of its own.
  @Suite("Failing allocations")
  struct AllocationFailureTests {
    /// The bytes between two limits; SQLite's smallest allocations.
    private static let step: Int64 = 1_024

    @Test("a store without memory reports it, and keeps what it has acknowledged")
    func limits() async {
      await #expect(processExitsWith: .success) {
        let folder = try TemporaryFolder()
        var outcome = Outcome()
        // The first connection sets up what SQLite keeps for as long as the process lives.
        try outcome.use(folder.storePath)
        let used = sqlite3_memory_used()
        var extra: Int64 = 0
        // Until nothing failed for a while.
        while outcome.successesInARow < 40, extra < 64 << 20 {
          extra += Self.step
          sqlite3_hard_heap_limit64(used + extra)
          outcome.attempt(folder.storePath)
          sqlite3_hard_heap_limit64(0)
          let stored = try Self.stored(folder.storePath)
          #expect(
            (outcome.acknowledged...(outcome.acknowledged + outcome.failed)).contains(stored),
            "\(stored) stored of \(outcome)")
        }
        #expect(outcome.failed > 20, "\(outcome)")
        #expect(outcome.successesInARow == 40, "\(outcome)")
        #expect(outcome.reasons.allSatisfy { !$0.isEmpty }, "\(outcome)")
        withExtendedLifetime(folder) {}
      }
    }

    /// The number of occurrences in a store.
    static func stored(_ path: String) throws -> Int {
      try SQLiteStore(path: path).read { transaction throws(StoreError) in
        try transaction.occurrenceCount(key: "k", since: nil, limit: .max)
      }
    }

    /// The results of adding occurrences.
    struct Outcome: CustomStringConvertible {
      var acknowledged = 0
      var failed = 0
      var successesInARow = 0
      var reasons: Set<String> = []

      var description: String {
        "\(acknowledged) acknowledged, \(failed) failed: \(reasons.sorted())"
      }

      mutating func attempt(_ path: String) {
        do throws(StoreError) {
          try use(path)
          successesInARow += 1
        } catch {
          failed += 1
          successesInARow = 0
          reasons.insert(error.reason)
        }
      }

      /// Opens the store, adds an occurrence and reads.
      mutating func use(_ path: String) throws(StoreError) {
        let store = try SQLiteStore(path: path)
        let at = WallTime(milliseconds: Int64(acknowledged))
        try store.write { transaction throws(StoreError) in
          try transaction.addOccurrence(key: "k", at: at)
          try transaction.record("opened", at: at)
          try transaction.setUserAttribute("count", to: .int(at.milliseconds))
        }
        acknowledged += 1
        _ = try store.read { transaction throws(StoreError) in
          try transaction.userAttributes()
        }
      }
    }
  }
#endif
