import CampaignCore
import CampaignMatcher
import CampaignStore
import ExpressionEngine
import Foundation
import GRDB
import TestSupport
import Testing

/// SQLite stores any kind of value in any column, so that a file that something else wrote to can
/// hold anything.
@Suite("A damaged store")
struct DamagedStoreTests {
  private static let damages = [
    "UPDATE identity SET seed = 'abc'",
    "UPDATE identity SET seed = x'00ff'",
    "UPDATE identity SET alias_id = x'ff'",
    "UPDATE event SET at = 'xx' WHERE at = 3",
    "UPDATE event SET total = 9223372036854775807",
    "UPDATE event SET total = 1.5e300",
    "UPDATE event SET total = -3",
    "UPDATE event SET total = 1",
    "UPDATE event SET total = 0 WHERE at = 1",
    "UPDATE occurrence SET total = 'abc'",
    "UPDATE occurrence SET total = 9223372036854775807",
    "UPDATE occurrence SET total = 10 - at",
    "UPDATE assignment SET is_sent = 'maybe'",
    "UPDATE assignment SET variant_id = x'ff'",
    "UPDATE assignment SET kind = 'ELSE'",
    "UPDATE installation SET installed_at = 'yesterday'",
    "UPDATE installation SET subscription = '{'",
    "UPDATE installation SET subscription = '[1]'",
    "UPDATE installation SET subscription = x'ff'",
    "UPDATE user_attribute SET value = '{'",
    "UPDATE user_attribute SET value = x'ff'",
  ]

  @Test("ends in an error that says what was read", arguments: damages)
  func damage(_ sql: String) throws {
    let folder = try TemporaryFolder()
    try SQLiteStore(path: folder.storePath).addSampleRecords()
    let connection = try DatabaseQueue(path: folder.storePath)
    try connection.write { try $0.execute(sql: sql) }
    let store = try SQLiteStore(path: folder.storePath)
    let error = #expect(throws: StoreError.self) { try store.readEverything() }
    #expect(
      error?.operation.hasPrefix("read") == true || error?.operation.hasPrefix("count") == true)
    // Nor does adding to it.
    _ = try? store.write { transaction throws(StoreError) in
      try transaction.addOccurrence(key: "k", at: WallTime(milliseconds: 9))
      try transaction.record("opened", at: WallTime(milliseconds: 9))
    }
    withExtendedLifetime(folder) {}
  }

  @Test(
    "whose list of tables is damaged does not open",
    arguments: [
      "type = NULL", "type = 5", "name = NULL", "name = x'ff'", "tbl_name = 1.5", "sql = x''",
    ])
  func damagedTables(_ change: String) throws {
    let folder = try TemporaryFolder()
    try SQLiteStore(path: folder.storePath).addSampleRecords()
    let connection = try DatabaseQueue(path: folder.storePath)
    try connection.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA writable_schema = ON")
      try database.execute(sql: "UPDATE sqlite_master SET \(change) WHERE name = 'event'")
    }
    try connection.close()
    let error = #expect(throws: StoreError.self) { try SQLiteStore(path: folder.storePath) }
    #expect(error?.reason.isEmpty == false)
    #expect(throws: StoreError.self) { try SQLiteStore(copyOf: folder.storePath) }
    withExtendedLifetime(folder) {}
  }
}
