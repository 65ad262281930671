import CampaignCore
import CampaignCorpus
import CampaignMatcher
import CampaignStore
import Foundation
import TestSupport
import Testing

/// The case folders of the corpus.
struct CorpusFolder: Sendable, CustomTestStringConvertible {
  let url: URL

  var testDescription: String { url.lastPathComponent }

  static let corpus = TestFiles.root.appending(path: "corpus/campaigns")

  static let all: [CorpusFolder] = {
    let entries =
      (try? FileManager.default.contentsOfDirectory(at: corpus, includingPropertiesForKeys: nil))
      ?? []
    return entries.map(CorpusFolder.init).filter {
      FileManager.default.fileExists(atPath: $0.url.appending(path: "steps.txt").path)
    }.sorted { $0.url.lastPathComponent < $1.url.lastPathComponent }
  }()

  func read(_ name: String) -> String? {
    // Cases that need the same config share it.
    let places = [url.appending(path: name), Self.corpus.appending(path: "shared/\(name)")]
    return places.lazy.compactMap { try? String(contentsOf: $0, encoding: .utf8) }.first
  }
}

@Suite("The campaign corpus")
struct CampaignCorpusTests {
  @Test("there are at least sixty cases")
  func count() {
    #expect(CorpusFolder.all.count >= 60)
  }

  @Test("every case comes out as it says, in memory", arguments: CorpusFolder.all)
  func inMemory(_ folder: CorpusFolder) throws {
    let store = InMemoryStore()
    try run(folder) { () throws(StoreError) in store }
  }

  @Test("every case comes out as it says, in SQLite", arguments: CorpusFolder.all)
  func inSQLite(_ folder: CorpusFolder) throws {
    let temporary = try TemporaryFolder()
    let path = temporary.storePath
    try run(folder) { () throws(StoreError) in try SQLiteStore(path: path) }
    withExtendedLifetime(temporary) {}
  }

  private func run(
    _ folder: CorpusFolder, open: @escaping CampaignCaseRunner.OpenStore
  ) throws {
    let text = try #require(folder.read("steps.txt"))
    let campaignCase = try CampaignCase(text)
    #expect(!campaignCase.steps.isEmpty)
    #expect(campaignCase.steps.contains { !$0.expected.isEmpty })
    let runner = try CampaignCaseRunner(campaignCase, openStore: open, readFile: folder.read)
    for failure in try runner.run() where !failure.isExpected {
      Issue.record("\(folder.url.lastPathComponent)/steps.txt \(failure)")
    }
  }
}
