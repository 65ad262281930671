import CampaignSource
import Foundation
import Testing

@Suite("Swift in the article about campaigns, on configs from a server")
@MainActor struct SourceSnippets {
  private struct Server: Sendable {
    func config(unless etag: String?) async throws -> ConfigSource.Response {
      let file = repository.appending(path: "docs/config.json")
      return .document(try String(contentsOf: file, encoding: .utf8), etag: "1")
    }
  }

  @Test("campaigns: from a server, with a file in between")
  func source() async throws {
    let folder = FileManager.default.temporaryDirectory
    let path = folder.appending(path: "swexpr-\(UUID()).json").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let server = Server()
    let matcher = try Matcher()
    let source = ConfigSource(file: path) { etag in try await server.config(unless: etag) }
    try matcher.load(await source.load().document)
    let updates = Task {
      for await snapshot in await source.updates() { try matcher.load(snapshot.document) }
    }
    updates.cancel()
    #expect(FileManager.default.fileExists(atPath: path))
  }
}
