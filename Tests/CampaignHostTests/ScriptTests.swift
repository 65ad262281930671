import CampaignCore
import CampaignCorpus
import CampaignMatcher
import CampaignStore
import Foundation
import TestSupport
import Testing

/// The stories of `corpus/paywall/stories`, on both stores. With SWEXPR_BLESS their results are
/// written.
@Suite("The scripts of paywalls")
struct ScriptTests {
  private static let folder = TestFiles.root.appending(path: "corpus/paywall/stories")

  private static let names: [String] = {
    let all = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (all ?? []).filter { $0.hasSuffix(".txt") }.sorted()
  }()

  private func run(_ name: String, store: any MatcherStore) async throws {
    let file = Self.folder.appending(path: name)
    let text = try String(contentsOf: file, encoding: .utf8)
    let runner = try PaywallScriptRunner(
      CampaignCase(text), openStore: { () throws(StoreError) in store },
      readFile: { try? String(contentsOf: Self.folder.appending(path: $0), encoding: .utf8) })
    let outcomes = try await runner.run()
    if ProcessInfo.processInfo.environment["SWEXPR_BLESS"] != nil {
      try CampaignCase.blessed(text, outcomes: outcomes)
        .write(to: file, atomically: true, encoding: .utf8)
      return
    }
    #expect(outcomes.contains { !$0.lines.isEmpty })
    for outcome in outcomes where !outcome.isExpected {
      Issue.record("\(name):\(outcome.step.line): got \(outcome.got)")
    }
  }

  @Test("there are fifteen")
  func count() {
    #expect(Self.names.count >= 15)
  }

  @Test("a question that would have to wait is not asked", .timeLimit(.minutes(5)))
  func waitingQuestion() async throws {
    let story = try CampaignCase(
      """
      title: Questions

      result workout
      no config
      result workout
      load config.json
      result workout
      status inactive
      result workout
      """)
    let runner = try PaywallScriptRunner(
      story, openStore: { () throws(StoreError) in InMemoryStore() },
      readFile: { try? String(contentsOf: Self.folder.appending(path: $0), encoding: .utf8) })
    let results = try await runner.run().filter { $0.step.command == "result" }
    #expect(
      results.map(\.lines) == [
        ["waits"], ["error 104"], ["waits"], ["paywall (experiment 3, variant 3a)"],
      ])
  }

  @Test("come out as they say, in memory", arguments: names)
  func inMemory(_ name: String) async throws {
    try await run(name, store: InMemoryStore())
  }

  @Test("come out as they say, in SQLite", arguments: names)
  func inSQLite(_ name: String) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "scripts-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await run(name, store: try SQLiteStore(path: folder.appending(path: "s.sqlite").path))
  }
}
