import CampaignCore
import CampaignMatcher
import CampaignStore
import ExpressionEngine
import Foundation
import GRDB
import TestSupport
import Testing

@Suite("Backup and restore", .serialized)
struct BackupTests {
  /// The contents of a store, in words.
  private func contents(_ store: SQLiteStore) throws -> [String] {
    try store.read { transaction throws(StoreError) in
      [
        "\(try transaction.identity() as Any)", "\(try transaction.installation())",
        "\(try transaction.assignments())",
        "\(try transaction.userAttributes().sorted { $0.key < $1.key })",
        "\(try transaction.count(of: "opened", since: nil))",
        "\(try transaction.newestOccurrences(key: "k", limit: 100))",
        "\(try transaction.record(named: "note") ?? "")",
      ]
    }
  }

  private func sample(_ path: String) throws -> SQLiteStore {
    let store = try SQLiteStore(path: path)
    try store.addSampleRecords()
    try store.write { transaction throws(StoreError) in
      try transaction.setRecord(named: "note", to: "kept")
    }
    return store
  }

  /// Changes a store in every table.
  private func change(_ store: SQLiteStore) throws {
    try store.write { transaction throws(StoreError) in
      try transaction.save(UserIdentity(aliasID: "other", seed: 8))
      try transaction.setUserAttribute("plan", to: nil)
      try transaction.setUserAttribute("city", to: "Ulm")
      try transaction.removeAssignments()
      try transaction.addOccurrence(key: "k", at: WallTime(milliseconds: 9))
      try transaction.record("opened", at: WallTime(milliseconds: 9))
      try transaction.setRecord(named: "note", to: "changed")
    }
  }

  @Test("a restored store has what the backup had, and nothing else")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let backup = folder.storePath + ".backup"
    let store = try sample(folder.storePath)
    let before = try contents(store)
    try store.backUp(to: backup)
    try change(store)
    let revision = try store.read { transaction throws(StoreError) in try transaction.revision() }
    let changed = try contents(store)
    #expect(zip(before, changed).filter { $0 == $1 }.count == 1)  // the installation
    let other = try SQLiteStore(path: folder.storePath)
    #expect(try contents(other) == changed)
    try store.restore(from: backup)
    #expect(try contents(store) == before)
    #expect(try contents(other) == before)
    #expect(
      try store.read { transaction throws(StoreError) in try transaction.revision() } != revision)
    // A store on another device, and one in memory.
    let second = try SQLiteStore(path: folder.storePath + ".second")
    try change(second)
    try second.restore(from: backup)
    #expect(try contents(second) == before)
    #expect(try contents(SQLiteStore(copyOf: backup)) == before)
    let memory = try SQLiteStore(copyOf: folder.storePath)
    try change(memory)
    try memory.backUp(to: backup)
    try store.restore(from: backup)
    #expect(try contents(store) == changed)
    withExtendedLifetime(folder) {}
  }

  @Test("a backup is one file, replaced only when the new one is complete")
  func replaces() throws {
    let folder = try TemporaryFolder()
    let backup = folder.url.appending(path: "backup")
    let store = try sample(folder.storePath)
    try Data("precious".utf8).write(to: backup)
    try store.backUp(to: backup.path)
    try store.backUp(to: backup.path)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names == ["backup", "store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
    let missing = #expect(throws: StoreError.self) { try store.backUp(to: "/no/such/folder/b") }
    #expect(missing?.operation == "back up store to /no/such/folder/b")
    let itself = #expect(throws: StoreError.self) { try store.backUp(to: folder.storePath) }
    #expect(itself?.reason == "that is the file of the store itself")
    // A file that is in use would get a log that does not belong to it.
    let open = try sample(folder.storePath + ".open")
    let used = #expect(throws: StoreError.self) {
      try store.backUp(to: folder.storePath + ".open")
    }
    #expect(used?.kind == .busy)
    #expect(try contents(open) == contents(store))
    withExtendedLifetime(folder) {}
  }

  @Test("a store that is damaged does not replace a good backup")
  func damagedStore() throws {
    let folder = try TemporaryFolder()
    let backup = URL(filePath: folder.storePath + ".backup")
    do {
      let store = try sample(folder.storePath)
      try store.write { transaction throws(StoreError) in
        for number in 0..<2_000 {
          try transaction.record("event \(number)", at: WallTime(milliseconds: 1))
        }
      }
      try store.backUp(to: backup.path)
    }
    let good = try Data(contentsOf: backup)
    var bytes = try Data(contentsOf: URL(filePath: folder.storePath))
    // The header of a page in the middle.
    let page = bytes.count / 2_048 * 1_024
    for index in page..<page + 8 { bytes[index] = 0xFF }
    try bytes.write(to: URL(filePath: folder.storePath))
    let store = try SQLiteStore(path: folder.storePath)
    let error = #expect(throws: StoreError.self) { try store.backUp(to: backup.path) }
    #expect(error?.kind == .damaged)
    #expect(try Data(contentsOf: backup) == good)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!names.contains { $0.contains("partial") })
    // The way back that the documents describe.
    #expect(throws: StoreError.self) { try store.restore(from: folder.storePath) }
    withExtendedLifetime(store) {}
    _ = try SQLiteStore.moveAside(folder.storePath)
    let new = try SQLiteStore(path: folder.storePath)
    try new.restore(from: backup.path)
    #expect(
      try new.read { transaction throws(StoreError) in
        try transaction.count(of: "event 1999", since: nil)
      } == 1)
    withExtendedLifetime(folder) {}
  }

  @Test("a damaged backup is refused, and the store keeps everything")
  func damagedBackup() throws {
    let folder = try TemporaryFolder()
    let backup = URL(filePath: folder.storePath + ".backup")
    let store = try sample(folder.storePath)
    try store.backUp(to: backup.path)
    let good = try Data(contentsOf: backup)
    try change(store)
    let now = try contents(store)
    let original = try contents(SQLiteStore(copyOf: backup.path))
    let random = SeededRandomSource(seed: 31)
    var refused = 0
    var damaged: [Data] = [Data(), good.prefix(100), Data("not a database at all".utf8)]
    damaged += (0..<10).map { _ in
      good.prefix(512 + Int(random.uniform(below: UInt64(good.count - 512))))
    }
    let cut = damaged.count
    for _ in 0..<Effort.times(200) {
      var bad = good
      let position = Int(random.uniform(below: UInt64(good.count)))
      for index in position..<min(position + 16, good.count) {
        bad[index] = UInt8(truncatingIfNeeded: random.uniform(below: 256))
      }
      damaged.append(bad)
    }
    for (index, bytes) in damaged.enumerated() {
      try bytes.write(to: backup)
      var failure: StoreError?
      do throws(StoreError) {
        try store.restore(from: backup.path)
      } catch {
        failure = error
        refused += 1
      }
      #expect(failure != nil || index >= cut, "\(bytes.count) bytes were taken for a backup")
      // Else it was the mark of the checksum that was damaged.
      #expect(
        try contents(store) == (failure == nil ? original : now), "\(index): \(failure as Any)")
      try good.write(to: backup)
      try store.restore(from: backup.path)
      #expect(try contents(store) == original)
      try change(store)
    }
    #expect(refused > damaged.count * 9 / 10, "\(refused) of \(damaged.count)")
    TortureTable.add(
      "backup damaged", tried: damaged.count, worked: damaged.count - refused, reported: refused)
    withExtendedLifetime(folder) {}
  }

  @Test(
    "a value that no store writes makes a backup unusable",
    arguments: [
      "UPDATE event SET total = 'abc'", "UPDATE occurrence SET total = 10 - at",
      "UPDATE user_attribute SET value = '{'", "UPDATE assignment SET kind = 'ELSE'",
      "UPDATE identity SET seed = x'00ff'", "UPDATE record SET text = x'ff'",
      "UPDATE installation SET subscription = '['", "DROP TABLE record",
      "DELETE FROM grdb_migrations",
      "DROP TABLE grdb_migrations", "INSERT INTO grdb_migrations VALUES ('99 from the future')",
      "CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM identity; END",
    ])
  func wrongValues(_ sql: String) throws {
    let folder = try TemporaryFolder()
    let backup = folder.storePath + ".backup"
    let store = try sample(folder.storePath)
    let before = try contents(store)
    try store.backUp(to: backup)
    // What is written by SQLite loses the checksum.
    let connection = try DatabaseQueue(path: backup)
    try connection.write { try $0.execute(sql: sql) }
    try connection.close()
    let bytes = try Data(contentsOf: URL(filePath: backup))
    try bytes.prefix(bytes.count / 1_024 * 1_024).write(to: URL(filePath: backup))
    if sql.contains("TRIGGER") {
      // It belongs to the backup, and nothing runs it.
      try store.restore(from: backup)
    } else {
      let error = #expect(throws: StoreError.self) { try store.restore(from: backup) }
      #expect(error?.operation == "restore store from \(backup)")
      #expect(error?.kind == (sql.contains("future") ? .newerVersion : .damaged), "\(sql)")
    }
    #expect(try contents(store) == before)
    withExtendedLifetime(folder) {}
  }

  @Test("a backup can be used as a store, and restored from after that")
  func usedAsStore() throws {
    let folder = try TemporaryFolder()
    let backup = folder.storePath + ".backup"
    let store = try sample(folder.storePath)
    try store.backUp(to: backup)
    let length = try Data(contentsOf: URL(filePath: backup)).count
    #expect(length % 1_024 == 16)
    let changed = try {
      let second = try SQLiteStore(path: backup)
      try change(second)
      return try contents(second)
    }()
    try store.restore(from: backup)
    #expect(try contents(store) == changed)
    withExtendedLifetime(folder) {}
  }

  @Test("what is missing, empty or of another program is no backup, and no store either")
  func foreign() throws {
    let folder = try TemporaryFolder()
    let store = try sample(folder.storePath)
    let before = try contents(store)
    let other = folder.storePath + ".other"
    let missing = #expect(throws: StoreError.self) { try store.restore(from: other) }
    #expect(missing?.reason == "there is no such file")
    try Data().write(to: URL(filePath: other))
    let empty = #expect(throws: StoreError.self) { try store.restore(from: other) }
    #expect(empty?.reason == "the file is empty")
    let connection = try DatabaseQueue(path: other)
    try connection.write { try $0.execute(sql: "CREATE TABLE note (text)") }
    try connection.close()
    let bytes = try Data(contentsOf: URL(filePath: other))
    for open in [
      { try store.restore(from: other) }, { _ = try SQLiteStore(path: other) },
      { _ = try SQLiteStore(copyOf: other) },
    ] {
      let error = #expect(throws: StoreError.self) { try open() }
      #expect(error?.reason == "it is a database of another program")
    }
    #expect(try contents(store) == before)
    // Its tables are as they were.
    let tables = try DatabaseQueue(path: other).read { database in
      try String.fetchAll(database, sql: "SELECT name FROM sqlite_master")
    }
    #expect(tables == ["note"] && !bytes.isEmpty)
    withExtendedLifetime(folder) {}
  }
}
