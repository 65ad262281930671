import CampaignStore
import Foundation
import Testing

@Suite("Swift in the article about stores")
@MainActor struct StoreSnippets {
  @Test("campaigns: stores")
  func stores() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "swexpr-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "campaigns.sqlite").path
    let lasting = try Matcher(.init(store: SQLiteStore(path: path)))
    let alias = try lasting.user.identity().aliasID
    #expect(try Matcher(.init(store: SQLiteStore(path: path))).user.identity().aliasID == alias)
  }

  @Test("campaigns: backup and restore")
  func backups() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "swexpr-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "campaigns.sqlite").path
    let backup = folder.appending(path: "campaigns.backup").path
    let store = try SQLiteStore(path: path)
    let alias = try Matcher(.init(store: store)).user.identity().aliasID
    try store.backUp(to: backup)  // while others write
    try store.restore(from: backup)
    let moved = try SQLiteStore.moveAside(path)  // the old file, to be examined
    let fresh = try SQLiteStore(path: path)
    try fresh.restore(from: backup)
    #expect(try Matcher(.init(store: fresh)).user.identity().aliasID == alias)
    #expect(moved == path + ".damaged-1")
  }
}
