import CampaignCore
import CampaignMatcher
import CampaignStore
import ExpressionEngine
import Foundation
import GRDB
import TestSupport
import Testing

/// The stores that must behave alike.
enum StoreKind: String, CaseIterable, Sendable {
  case inMemory
  case sqlite

  func open(in folder: TemporaryFolder) throws -> any MatcherStore {
    switch self {
    case .inMemory: InMemoryStore()
    case .sqlite: try SQLiteStore(path: folder.storePath)
    }
  }
}

/// What a transaction may throw to end itself.
private let refusal = StoreError(operation: "test", reason: "on purpose")

@Suite("Every store", .serialized)
struct StoreConformanceTests {
  private func withStore(_ kind: StoreKind, _ body: (any MatcherStore) throws -> Void) throws {
    let folder = try TemporaryFolder()
    try body(kind.open(in: folder))
    withExtendedLifetime(folder) {}
  }

  @Test("counts occurrences in an inclusive window, in any order", arguments: StoreKind.allCases)
  func occurrences(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      try store.write { transaction throws(StoreError) in
        for at in [10, 30, 20, 20, 40, 5] {
          try transaction.addOccurrence(key: "k", at: WallTime(milliseconds: Int64(at)))
        }
        try transaction.addOccurrence(key: "other", at: WallTime(milliseconds: 1))
      }
      try store.read { transaction throws(StoreError) in
        func count(_ start: Int64?, limit: Int = 100) throws(StoreError) -> Int {
          try transaction.occurrenceCount(
            key: "k", since: start.map { WallTime(milliseconds: $0) }, limit: limit)
        }
        #expect(try count(nil) == 6)
        #expect(try count(20) == 4)
        #expect(try count(21) == 2)
        #expect(try count(40) == 1)
        #expect(try count(41) == 0)
        #expect(try count(nil, limit: 3) == 3)
        #expect(try transaction.occurrenceCount(key: "no", since: nil, limit: 9) == 0)
        let newest = try transaction.newestOccurrences(key: "k", limit: 4)
        #expect(newest.map(\.milliseconds) == [40, 30, 20, 20])
        // The limit ends between two of one instant.
        #expect(try transaction.newestOccurrences(key: "k", limit: 3).count == 3)
        #expect(try transaction.newestOccurrences(key: "k", limit: 99).count == 6)
      }
    }
  }

  @Test("answers every question about the history, compacted or not", arguments: StoreKind.allCases)
  func history(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      let random = SeededRandomSource(seed: 11)
      var reference: [String: [Int64]] = [:]
      for round in 0..<400 {
        let name = ["a", "b", "c"][Int(random.uniform(below: 3))]
        let at = Int64(random.uniform(below: 3_000)) + Int64(round) * 10
        reference[name, default: []].append(at)
        try store.write { transaction throws(StoreError) in
          try transaction.record(name, at: WallTime(milliseconds: at))
        }
      }
      func check(from horizon: Int64) throws {
        try store.read { transaction throws(StoreError) in
          for (name, all) in reference {
            #expect(try transaction.count(of: name, since: nil) == all.count)
            #expect(
              try transaction.lastOccurrence(of: name, before: nil)?.milliseconds == all.max())
            for start in stride(from: horizon, to: 8_000, by: 173) {
              let since = WallTime(milliseconds: start)
              #expect(
                try transaction.count(of: name, since: since) == all.filter { $0 >= start }.count)
              let earlier = all.filter { $0 < start }.max()
              let last = try transaction.lastOccurrence(of: name, before: since)
              if start > horizon || earlier == nil {
                #expect(last?.milliseconds == earlier)
              }
            }
          }
          #expect(try transaction.lastOccurrence(of: "never", before: nil) == nil)
        }
      }
      try check(from: 0)
      for horizon in [Int64(500), 2_000, 2_000, 4_000] {
        try store.write { transaction throws(StoreError) in
          try transaction.compact(before: WallTime(milliseconds: horizon))
        }
        try check(from: horizon)
      }
      try store.write { transaction throws(StoreError) in
        try transaction.removeEvents(keeping: ["b"])
      }
      reference = reference.filter { $0.key == "b" }
      try check(from: 4_000)
      #expect(
        try store.read { transaction throws(StoreError) in
          try transaction.count(of: "a", since: nil)
        } == 0)
    }
  }

  @Test("keeps assignments by experiment, ordered by id", arguments: StoreKind.allCases)
  func assignments(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      let treatment = Variant(
        id: "t", kind: .treatment, percentage: 30, paywallIdentifier: "pw")
      let holdout = Variant(id: "h", kind: .holdout, percentage: 70)
      try store.write { transaction throws(StoreError) in
        for id in ["b", "a", "é", "10", "9"] {
          try transaction.save(
            VariantAssignment(experimentID: id, variant: treatment, isSent: false))
        }
        try transaction.save(VariantAssignment(experimentID: "a", variant: holdout, isSent: true))
        try transaction.removeAssignment(of: "b")
        try transaction.removeAssignment(of: "none")
      }
      try store.read { transaction throws(StoreError) in
        #expect(try transaction.assignments().map(\.experimentID) == ["10", "9", "a", "é"])
        let kept = try transaction.assignment(of: "a")
        #expect(kept == VariantAssignment(experimentID: "a", variant: holdout, isSent: true))
        #expect(try transaction.assignment(of: "9")?.variant.paywallIdentifier == "pw")
        #expect(try transaction.assignment(of: "b") == nil)
      }
      try store.write { transaction throws(StoreError) in try transaction.removeAssignments() }
      #expect(
        try store.read { transaction throws(StoreError) in try transaction.assignments() }.isEmpty)
    }
  }

  @Test("an assignment that was read is read anew after a change", arguments: StoreKind.allCases)
  func changedAssignments(_ kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder)
    func assignment(_ variant: String) -> VariantAssignment {
      VariantAssignment(
        experimentID: "e", variant: Variant(id: variant, kind: .treatment, percentage: 0),
        isSent: false)
    }
    try store.write { transaction throws(StoreError) in
      #expect(try transaction.assignment(of: "e") == nil)
      for variant in ["a", "b"] {
        try transaction.save(assignment(variant))
        #expect(try transaction.assignment(of: "e") == assignment(variant))
      }
      try transaction.removeAssignment(of: "e")
      #expect(try transaction.assignment(of: "e") == nil)
      try transaction.save(assignment("c"))
      #expect(try transaction.assignment(of: "e") == assignment("c"))
      try transaction.removeAssignments()
      #expect(try transaction.assignment(of: "e") == nil)
    }
    withExtendedLifetime(folder) {}
  }

  @Test("keeps identity, installation and attributes exactly", arguments: StoreKind.allCases)
  func identity(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      let identity = UserIdentity(aliasID: "$SuperwallAlias:X", userID: "ä'\";--", seed: 99)
      var installation = Installation(installedAt: WallTime(milliseconds: -5))
      installation.hasResignedActive = true
      installation.subscription = [
        "subscriptionStatus": "ACTIVE", "activeEntitlements": ["gold", "ä\"\u{0}"],
        "activeEntitlementObjects": [["identifier": "gold", "startsAt": 1.5, "isActive": true]],
      ]
      let attributes: [String: Value] = [
        "text": .string("\u{0}\n\"é😀"), "int": .int(.min), "big": .uint(.max),
        "double": .double(1.5), "whole": .double(2), "tiny": .double(.leastNonzeroMagnitude),
        "flag": .bool(false),
        "list": .list([.null, .map([:]), .list([.int(1)])]), "null": .null,
        "map": .map([.string("a b"): .string("true")]),
      ]
      try store.write { transaction throws(StoreError) in
        #expect(try transaction.identity() == nil)
        #expect(try transaction.installation() == Installation())
        try transaction.save(identity)
        try transaction.save(installation)
        for (name, value) in attributes { try transaction.setUserAttribute(name, to: value) }
        try transaction.setUserAttribute("gone", to: .int(1))
        try transaction.setUserAttribute("gone", to: Optional.none)
      }
      try store.read { transaction throws(StoreError) in
        #expect(try transaction.identity() == identity)
        #expect(try transaction.installation() == installation)
        #expect(try transaction.userAttributes() == attributes)
      }
    }
  }

  @Test("keeps the subscription status for the next launch", arguments: StoreKind.allCases)
  func subscription(_ kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let memory = InMemoryStore()
    func open() throws -> any MatcherStore {
      kind == .inMemory ? memory : try SQLiteStore(path: folder.storePath)
    }
    #expect(try !Matcher(.init(store: open())).device.isSubscriptionStatusKnown)
    for (status, attribute) in [
      (UserSubscriptionStatus.inactive, Value.string("INACTIVE")),
      (.active([UserEntitlement(active: "gold")]), "ACTIVE"), (.active([]), "INACTIVE"),
      (.unknown, "UNKNOWN"),
    ] {
      try Matcher(.init(store: open())).device.setSubscriptionStatus(status)
      let matcher = try Matcher(.init(store: open()))
      #expect(matcher.device.isSubscriptionStatusKnown == (status != .unknown))
      #expect(
        try matcher.evaluate("device.subscriptionStatus", for: MatchRequest("x"))
          == .value(attribute))
      // The record that it lies in is written for other reasons, too.
      try matcher.app.didInstall()
      try matcher.app.willResignActive()
      try matcher.user.reset()
      #expect(
        try Matcher(.init(store: open())).device.isSubscriptionStatusKnown == (status != .unknown))
    }
    withExtendedLifetime(folder) {}
  }

  @Test("a file from before there was a column for the subscription status is brought up to date")
  func olderFile() throws {
    let folder = try TemporaryFolder()
    let installation = Installation(installedAt: WallTime(milliseconds: 7))
    try SQLiteStore(path: folder.storePath).write { transaction throws(StoreError) in
      try transaction.save(installation)
    }
    let connection = try DatabaseQueue(path: folder.storePath)
    try connection.write { database in
      try database.execute(sql: "ALTER TABLE installation DROP COLUMN subscription")
      try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier LIKE '2 %'")
    }
    try connection.close()
    let store = try SQLiteStore(path: folder.storePath)
    #expect(
      try store.read { transaction throws(StoreError) in try transaction.installation() }
        == installation)
    try Matcher(.init(store: store)).device.setSubscriptionStatus(.inactive)
    #expect(try Matcher(.init(store: store)).device.isSubscriptionStatusKnown)
    withExtendedLifetime(folder) {}
  }

  @Test("undoes everything when a transaction throws", arguments: StoreKind.allCases)
  func rollBack(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      let variant = Variant(id: "v", kind: .treatment, percentage: 1)
      try store.write { transaction throws(StoreError) in
        try transaction.record("e", at: WallTime(milliseconds: 5))
        try transaction.addOccurrence(key: "k", at: WallTime(milliseconds: 5))
        try transaction.save(VariantAssignment(experimentID: "1", variant: variant, isSent: false))
        try transaction.setUserAttribute("a", to: .int(1))
      }
      let revision = try store.read { transaction throws(StoreError) in
        try transaction.revision()
      }
      #expect(throws: refusal) {
        try store.write { transaction throws(StoreError) in
          try transaction.record("e", at: WallTime(milliseconds: 7))
          try transaction.record("e", at: WallTime(milliseconds: 3))
          try transaction.addOccurrence(key: "k", at: WallTime(milliseconds: 7))
          try transaction.removeAssignments()
          try transaction.setUserAttribute("a", to: .int(2))
          try transaction.setUserAttribute("b", to: .int(2))
          try transaction.save(UserIdentity(aliasID: "x", seed: 1))
          try transaction.removeEvents(keeping: [])
          throw refusal
        }
      }
      try store.read { transaction throws(StoreError) in
        #expect(try transaction.count(of: "e", since: nil) == 1)
        #expect(try transaction.lastOccurrence(of: "e", before: nil)?.milliseconds == 5)
        #expect(try transaction.occurrenceCount(key: "k", since: nil, limit: 9) == 1)
        #expect(try transaction.assignments().count == 1)
        #expect(try transaction.userAttributes() == ["a": .int(1)])
        #expect(try transaction.identity() == nil)
        #expect(try transaction.revision() != revision)
      }
    }
  }

  @Test("refuses to write in a reading transaction", arguments: StoreKind.allCases)
  func readOnly(_ kind: StoreKind) throws {
    try withStore(kind) { store in
      #expect(throws: StoreError.self) {
        try store.read { transaction throws(StoreError) in
          try transaction.record("e", at: WallTime(milliseconds: 1))
        }
      }
      let count = try store.read { transaction throws(StoreError) in
        try transaction.count(of: "e", since: nil)
      }
      #expect(count == 0)
    }
  }

  @Test("two connections to one file see what the other committed")
  func twoConnections() throws {
    let folder = try TemporaryFolder()
    let first = try SQLiteStore(path: folder.storePath)
    let second = try SQLiteStore(path: folder.storePath)
    for round in 1...20 {
      for store in [first, second] {
        try store.write { transaction throws(StoreError) in
          try transaction.record("e", at: WallTime(milliseconds: Int64(round)))
          try transaction.addOccurrence(key: "k", at: WallTime(milliseconds: Int64(round)))
        }
      }
    }
    for store in [first, second] {
      try store.read { transaction throws(StoreError) in
        #expect(try transaction.count(of: "e", since: nil) == 40)
        #expect(try transaction.occurrenceCount(key: "k", since: nil, limit: 99) == 40)
      }
    }
    func assignments() throws -> [String?] {
      try second.read { transaction throws(StoreError) in
        [
          try transaction.assignment(of: "e")?.variant.id,
          try transaction.assignment(of: "other")?.variant.id,
        ]
      }
    }
    #expect(try assignments() == [nil, nil])
    let before = try second.read { transaction throws(StoreError) in try transaction.revision() }
    try first.write { transaction throws(StoreError) in
      try transaction.save(UserIdentity(aliasID: "a", seed: 1))
      let variant = Variant(id: "v", kind: .holdout, percentage: 0)
      try transaction.save(VariantAssignment(experimentID: "e", variant: variant, isSent: true))
    }
    let after = try second.read { transaction throws(StoreError) in try transaction.revision() }
    #expect(before != after)
    #expect(try assignments() == ["v", nil])
  }

  @Test("a file that is no store is refused with its path")
  func noStore() throws {
    let folder = try TemporaryFolder()
    try Data(repeating: 65, count: 4_096).write(to: URL(filePath: folder.storePath))
    #expect(throws: StoreError.self) { try SQLiteStore(path: folder.storePath) }
    #expect(throws: StoreError.self) { try SQLiteStore(path: "/no/such/folder/store.sqlite") }
  }
}
