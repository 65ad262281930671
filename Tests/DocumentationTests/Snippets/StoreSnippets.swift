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
}
