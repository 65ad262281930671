import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import Testing

@Suite("Records of decisions")
struct DecisionRecordTests {
  private final class Diary: Sendable {
    private let lines = Locked<[DecisionRecord]>([])
    func note(_ record: DecisionRecord) { lines.withLock { $0.append(record) } }
    func take() -> [DecisionRecord] {
      lines.withLock { records in
        defer { records = [] }
        return records
      }
    }
  }

  private static func audience(_ id: String, _ filter: String) -> String {
    """
    {"experiment_group_id":"1","experiment_id":"\(id)","expression_cel":"\(filter)",
    "variants":[{"variant_type":"HOLDOUT","variant_id":"h\(id)","percentage":100}],
    "preload":{"behavior":"ALWAYS"}}
    """
  }

  private static func config(_ filters: [(id: String, text: String)]) throws -> ConfigDocument {
    let rules = filters.map { audience($0.id, $0.text) }.joined(separator: ",")
    return try ConfigDocument(
      json: """
        {"build_id":"b","trigger_options":[{"trigger_version":"V2","event_name":"p","rules":[\(rules)]}],
        "paywall_responses":[],"log_level":10,"localization":{"locales":[]},
        "app_session_timeout_ms":1,"toggles":[],"disable_preload":{"all":false,"triggers":[]}}
        """)
  }

  @Test("a decision is reported with the filters that fail, and only those that were tried")
  func failures() throws {
    let diary = Diary()
    var configuration = Matcher.Configuration()
    configuration.onDecision = { diary.note($0) }
    let matcher = try Matcher(configuration)
    try matcher.device.setSubscriptionStatus(.inactive)
    try matcher.load(
      Self.config([
        ("1", "1 / user.none == 1"), ("2", "user.age > 18"), ("3", "user.age == 0"),
        ("4", "2 / user.none == 1"),
      ]))
    _ = try matcher.registerNow("p")
    let record = try #require(diary.take().first)
    #expect(record.placement == "p")
    #expect(record.kind == .presentation)
    #expect(record.result.caseName == "holdout")
    #expect(record.failures.map(\.experimentID) == ["1"])
    #expect(record.failures.first?.id == .unsupportedOperands)
    _ = try matcher.previewNow("q")
    let preview = try #require(diary.take().first)
    #expect(preview.kind == .getPresentationResult)
    #expect(preview.result == .placementNotFound)
    #expect(preview.failures.isEmpty)
  }

  @Test("a placement with many audiences is reported alike")
  func set() throws {
    let diary = Diary()
    var configuration = Matcher.Configuration()
    configuration.onDecision = { diary.note($0) }
    let matcher = try Matcher(configuration)
    try matcher.device.setSubscriptionStatus(.inactive)
    let filters = (0..<60).map {
      (id: "\($0)", text: $0 == 7 ? "1 / user.none == 1" : "user.age > \($0)")
    }
    try matcher.load(Self.config(filters))
    _ = try matcher.registerNow("p")
    #expect(diary.take().first?.failures.map(\.experimentID) == ["7"])
  }
}
