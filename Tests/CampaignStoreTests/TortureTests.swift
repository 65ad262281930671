import CampaignCore
import CampaignMatcher
import CampaignStore
import ExpressionEngine
import Foundation
import GRDB
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a store does when its file is harmed. `make torture` runs more of it.
@Suite("Torture", .serialized)
struct TortureTests {
  /// How often each kind of harm is tried.
  private static let rounds = TortureTable.isOn ? 200 : 20

  /// Makes a store with some hundred rows and closes it.
  private func store(in folder: TemporaryFolder) throws -> Data {
    do {
      let store = try SQLiteStore(path: folder.storePath)
      try store.write { transaction throws(StoreError) in
        try transaction.save(UserIdentity(aliasID: "a", seed: 7))
        for at in Int64(0)..<300 {
          try transaction.record("event \(at % 40)", at: WallTime(milliseconds: at))
          try transaction.addOccurrence(key: "key \(at % 10)", at: WallTime(milliseconds: at))
        }
      }
    }
    let connection = try DatabaseQueue(path: folder.storePath)
    try connection.writeWithoutTransaction { database in
      _ = try database.checkpoint(.truncate)
      try database.execute(sql: "PRAGMA journal_mode = DELETE")
    }
    try connection.close()
    return try Data(contentsOf: folder.url.appending(path: "store.sqlite"))
  }

  /// Opens a store and uses all of it: it works or reports an error, and never anything else.
  private func use(_ path: String) throws(StoreError) {
    let store = try SQLiteStore(path: path)
    try store.write { transaction throws(StoreError) in
      _ = try transaction.identity()
      for number in 0..<40 { _ = try transaction.count(of: "event \(number)", since: nil) }
      try transaction.record("event 1", at: WallTime(milliseconds: 1_000))
      try transaction.addOccurrence(key: "key 1", at: WallTime(milliseconds: 1_000))
    }
  }

  @Test("a flipped byte is reported or harmless")
  func flips() throws {
    let folder = try TemporaryFolder()
    let good = try store(in: folder)
    let random = SeededRandomSource(seed: 11)
    var reported = 0
    for _ in 0..<Self.rounds {
      var bad = good
      let position = Int(random.uniform(below: UInt64(good.count)))
      bad[position] ^= UInt8(1 << random.uniform(below: 8))
      try replace(folder, bad)
      do throws(StoreError) { try use(folder.storePath) } catch { reported += 1 }
    }
    #expect(reported < Self.rounds)
    TortureTable.add(
      "one bit flipped", tried: Self.rounds, worked: Self.rounds - reported, reported: reported)
  }

  @Test("a file that is cut off is reported, or nothing of it is missing")
  func truncation() throws {
    let folder = try TemporaryFolder()
    let good = try store(in: folder)
    let random = SeededRandomSource(seed: 12)
    let lengths =
      [1, 2, 100, 511, good.count - 1_000, good.count - 1]
      + (0..<Self.rounds).map { _ in 512 + Int(random.uniform(below: UInt64(good.count - 512))) }
    for length in lengths {
      try replace(folder, good.prefix(length))
      #expect(throws: StoreError.self, "\(length) bytes") { try use(folder.storePath) }
    }
    TortureTable.add("cut off", tried: lengths.count, worked: 0, reported: lengths.count)
    // An empty file is a new store.
    try replace(folder, Data())
    try use(folder.storePath)
  }

  private func replace(_ folder: TemporaryFolder, _ data: Data) throws {
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: folder.storePath + suffix)
    }
    try data.write(to: folder.url.appending(path: "store.sqlite"))
  }

  @Test("a store of a newer version is refused, also as a copy")
  func newer() throws {
    let folder = try TemporaryFolder()
    _ = try store(in: folder)
    let connection = try DatabaseQueue(path: folder.storePath)
    try connection.write {
      try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 from the future')")
    }
    try connection.close()
    for open in [SQLiteStore.init(copyOf:), { try SQLiteStore(path: $0) }] {
      let error = #expect(throws: StoreError.self) { try open(folder.storePath) }
      #expect(error?.reason == "a newer version has written it")
    }
    TortureTable.add("of a newer version", tried: 2, worked: 0, reported: 2)
  }

  @Test("a file that is removed or replaced while it is open is noticed at the next write")
  func removed() throws {
    for replaces in [false, true] {
      let folder = try TemporaryFolder()
      let matcher = try Matcher(.init(store: SQLiteStore(path: folder.storePath), zone: .utc))
      try matcher.events.track("seen")
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: folder.storePath + suffix)
      }
      if replaces { try use(folder.storePath) }
      let error = #expect(throws: StoreError.self) { try matcher.events.track("seen") }
      #expect(error?.reason == "the file was removed or replaced while it was open")
    }
    TortureTable.add("removed or replaced while open", tried: 2, worked: 0, reported: 2)
  }

  @Test("a damaged store is moved aside, and a new one takes its place")
  func aside() throws {
    let folder = try TemporaryFolder()
    try Data([1]).write(to: folder.url.appending(path: "store.sqlite"))
    #expect(throws: StoreError.self) { try SQLiteStore(path: folder.storePath) }
    let moved = try SQLiteStore.moveAside(folder.storePath)
    #expect(moved == folder.storePath + ".damaged-1")
    try use(folder.storePath)
    #expect(try SQLiteStore.moveAside(folder.storePath) == folder.storePath + ".damaged-2")
    #expect(try Data(contentsOf: URL(filePath: moved)) == Data([1]))
    #expect(throws: StoreError.self) { try SQLiteStore.moveAside(folder.storePath) }
    // The log of a store that is open, or whose process died, goes with it.
    let open = try SQLiteStore(path: folder.storePath)
    try open.addSampleRecords()
    let aside = try SQLiteStore.moveAside(folder.storePath)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!names.contains("store.sqlite-wal") && names.contains("store.sqlite.damaged-3-wal"))
    let count = try SQLiteStore(copyOf: aside).read { transaction throws(StoreError) in
      try transaction.count(of: "opened", since: nil)
    }
    #expect(count == 4)
    withExtendedLifetime(open) {}
  }

  @Test(
    "once a full disk has room again, the first write succeeds",
    .enabled(
      if: ProcessInfo.processInfo.environment["SWEXPR_SMALL_DISK"] != nil,
      "SWEXPR_SMALL_DISK names a folder on a disk of a few hundred kilobytes; make torture makes one"
    ))
  func fullDisk() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["SWEXPR_SMALL_DISK"])
    let path = folder + "/store.sqlite"
    let ballast = URL(filePath: folder + "/ballast")
    try Data(count: 150_000).write(to: ballast)
    let matcher = try Matcher(.init(store: SQLiteStore(path: path), zone: .utc))
    var stored = 0
    #expect(throws: StoreError.self) {
      for _ in 0..<100_000 {
        try matcher.events.track("an event with a long name \(stored)")
        stored += 1
      }
    }
    try FileManager.default.removeItem(at: ballast)
    try matcher.events.track("after")
    #expect(
      try matcher.evaluate("device.placementsSinceInstall(\"after\")", for: MatchRequest(""))
        == .value(.int(1)))
    let again = try SQLiteStore(path: path)
    let last = try again.read { transaction throws(StoreError) in
      try transaction.count(of: "an event with a long name \(stored - 1)", since: nil)
    }
    #expect(last == 1)
    TortureTable.add(
      "disk full, then with room again", tried: 1, worked: 1, reported: 1,
      "\(stored) events acknowledged, \(stored) stored")
  }
}
