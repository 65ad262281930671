import CampaignCore
import CampaignMatcher
import CampaignStore
import ExpressionCoding
import ExpressionEngine
import Foundation
import TestSupport
import Testing

/// Why occurrences are kept as they are; see docs/decisions/0004-every-occurrence-is-kept.md.
@Suite("Occurrences are kept", .serialized)
struct OccurrenceRetentionTests {
  /// A config whose only audience has a limit.
  private func config(_ maximum: Int, minutes: Int64) throws -> Value {
    try Value(
      json: """
        {"build_id":"b","trigger_options":[{"event_name":"x","rules":[
        {"experiment_group_id":"1","experiment_id":"1",
        "variants":[{"variant_type":"HOLDOUT","variant_id":"h","percentage":100}],
        "occurrence":{"key":"k","max_count":\(maximum),
        "interval":{"type":"MINUTES","minutes":\(minutes)}},
        "preload":{"behavior":"ALWAYS"}}]}],
        "paywall_responses":[],"log_level":10,"localization":{"locales":[]},
        "app_session_timeout_ms":3600000,"toggles":[],"disable_preload":{"all":false,"triggers":[]}}
        """)
  }

  /// A store with occurrences.
  private func store(_ kind: StoreKind, _ instants: [Int64], _ folder: TemporaryFolder) throws
    -> any MatcherStore
  {
    let store = try kind.open(in: folder)
    try store.write { transaction throws(StoreError) in
      for instant in instants {
        try transaction.addOccurrence(key: "k", at: WallTime(milliseconds: instant))
      }
    }
    return store
  }

  @Test(
    "whichever occurrence is missing, or is a millisecond older, some config sees it",
    arguments: StoreKind.allCases)
  func everyOneMatters(_ kind: StoreKind) throws {
    let random = SeededRandomSource(seed: 23)
    // Three years, in order, with two at one instant.
    var instants = (0..<12).map { _ in Int64(random.uniform(below: 94_608_000_000)) }.sorted()
    instants.append(instants[11])
    for (index, instant) in instants.enumerated() {
      // The window begins at the occurrence, which is the last that the limit has room for.
      let minutes = (instants[12] - instant) / 60_000 + 1
      let clock = ManualClock(WallTime(milliseconds: instant + minutes * 60_000))
      let maximum = instants.count { $0 >= instant }
      var missing = instants
      missing.remove(at: index)
      var older = instants
      older[index] -= 1
      for (log, isReached) in [(instants, true), (missing, false), (older, false)] {
        let folder = try TemporaryFolder()
        let matcher = try Matcher(
          .init(store: try store(kind, log, folder), clock: clock, zone: .utc))
        try matcher.load(config(maximum, minutes: minutes))
        let result = try matcher.previewNow("x").result
        #expect((result.experiment == nil) == isReached)
        withExtendedLifetime(folder) {}
      }
    }
  }

  @Test("folding the history leaves occurrences alone", arguments: StoreKind.allCases)
  func foldingHistory(_ kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let store = try store(kind, [1, 2, 3], folder)
    try store.write { transaction throws(StoreError) in
      try transaction.compact(before: WallTime(milliseconds: .max))
    }
    let newest = try store.read { transaction throws(StoreError) in
      try transaction.newestOccurrences(key: "k", limit: 9)
    }
    #expect(newest.map(\.milliseconds) == [3, 2, 1])
    withExtendedLifetime(folder) {}
  }

  @Test("an occurrence takes about twenty bytes of the file")
  func size() throws {
    let folder = try TemporaryFolder()
    func bytes() throws -> Int {
      let files = try FileManager.default.contentsOfDirectory(
        at: folder.url, includingPropertiesForKeys: [.fileSizeKey])
      return try files.reduce(0) {
        $0 + (try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
      }
    }
    func add(_ numbers: Range<Int>) throws {
      let store = try SQLiteStore(path: folder.storePath)
      try store.write { transaction throws(StoreError) in
        for number in numbers {
          // One every two hours or so.
          let at = WallTime(milliseconds: 1_772_366_400_000 + Int64(number) * 7_654_321)
          try transaction.addOccurrence(key: "770", at: at)
        }
      }
    }
    try add(0..<1)
    let empty = try bytes()
    try add(1..<20_001)
    let perOccurrence = Double(try bytes() - empty) / 20_000
    #expect(perOccurrence > 10 && perOccurrence < 25, "\(perOccurrence)")
  }
}
