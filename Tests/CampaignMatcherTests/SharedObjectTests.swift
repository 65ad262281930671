import AudienceFilters
import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import Foundation
import Testing

/// One filter, set, environment, context and matcher on eight threads, while configs are replaced
/// and host functions block or throw.
@Suite("Objects that threads share give the results of one thread")
struct SharedObjectTests {
  private struct Refusal: Error {}

  private static let threads = 8
  private static let rounds = 300

  /// A gate that lets nobody through until all are there, so that host functions overlap.
  private static let environment = FilterEnvironment(
    deviceFunctions: [
      "blocks": { arguments, _ in
        Thread.sleep(forTimeInterval: 0.000_2)
        return arguments.first ?? .null
      },
      "throws": { _, _ in throw Refusal() },
    ])

  private static let texts = [
    "user.age >= 18 && user.plan == \"pro\"", "user.tags.exists(t, t.startsWith(\"a\"))",
    "device.blocks(user.age) > 3", "device.throws() == 1", "user.tags.map(t, t + \"!\")",
    "user.name.matches(\"^(A|B)+n+$\")", "user.age in [1, 2, 25, 30, 35, 40, 45]",
    "user.nobody.there",
    "size(user.tags.filter(t, t.contains(\"b\"))) == 1",
  ]

  private static let context = Context(variables: [
    "user": [
      "age": 25, "plan": "pro", "name": "Ann",
      "tags": ["ab", "b", .string(String(repeating: "z", count: 50))],
    ]
  ])

  private static func summary(_ filter: Filter, _ context: Context) -> String {
    do throws(EvaluationError) {
      return try evaluate(filter, context).literal
    } catch {
      return error.id.rawValue
    }
  }

  private static func summary(_ results: [Result<Value, EvaluationError>]) -> [String] {
    results.map {
      switch $0 {
      case .success(let value): value.literal
      case .failure(let error): error.id.rawValue
      }
    }
  }

  /// Runs `body` on threads of their own and returns the mistakes of all.
  private static func onThreads(_ body: @escaping @Sendable (Int) -> [String]) -> [String] {
    let mistakes = Locked<[String]>([])
    let group = DispatchGroup()
    for number in 0..<threads {
      group.enter()
      let thread = Thread {
        let found = body(number)
        mistakes.withLock { $0 += found }
        group.leave()
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    group.wait()
    return mistakes.withLock { $0 }
  }

  @Test("filters, a set, a context and an environment")
  func evaluation() throws {
    let filters = try Self.texts.map { try Filter($0, environment: Self.environment) }
    let set = FilterSet(filters)
    let wanted = filters.map { Self.summary($0, Self.context) }
    #expect(wanted.contains("true") && wanted.contains("E0514"))
    let truths = wanted.map { $0 == "true" }
    let mistakes = Self.onThreads { number in
      var mistakes: [String] = []
      for round in 0..<Self.rounds {
        let index = (number + round) % filters.count
        let text = Self.texts[index]
        let result = Self.summary(filters[index], Self.context)
        if result != wanted[index] { mistakes.append("`\(text)`: \(result)") }
        if filters[index].matches(Self.context) != truths[index] { mistakes.append(text) }
        switch round % 10 {
        case 0:
          if set.matches(Self.context) != truths { mistakes.append("the set matches others") }
        case 1:
          if Self.summary(set.evaluate(Self.context)) != wanted {
            mistakes.append("the set has other values")
          }
        case 2:
          // Compiled here, with what all share: the environment, the names, the patterns.
          if let filter = try? Filter(text, environment: Self.environment),
            Self.summary(filter, Self.context) == wanted[index]
          {
            break
          }
          mistakes.append("`\(text)` compiled here")
        default: break
        }
      }
      return mistakes
    }
    for mistake in Set(mistakes).sorted().prefix(10) { Issue.record("\(mistake)") }
  }

  private static func config(_ variant: String) throws -> Value {
    try Value(
      json: """
        {"build_id":"b","trigger_options":[{"event_name":"x","rules":[
        {"experiment_group_id":"1","experiment_id":"\(variant)","expression_cel":"user.age > 18",
        "variants":[{"variant_type":"HOLDOUT","variant_id":"\(variant)","percentage":100}],"preload":{"behavior":"ALWAYS"}}]}],
        "paywall_responses":[],"log_level":10,"localization":{"locales":[]},
        "app_session_timeout_ms":3600000,"toggles":[],
        "disable_preload":{"all":false,"triggers":[]}}
        """)
  }

  @Test("a matcher whose configs are replaced in between")
  func matcher() throws {
    let matcher = try Matcher(
      .init(store: InMemoryStore(), options: .iOS, zone: .utc))
    let configs = try ["a", "b"].map { try Self.config($0) }
    try matcher.load(configs[0])
    try matcher.user.setAttributes(["age": 25])
    try matcher.device.setSubscriptionStatus(.inactive)
    let seen = Locked<Set<String>>([])
    let mistakes = Self.onThreads { number in
      var mistakes: [String] = []
      for round in 0..<Self.rounds / 4 {
        do {
          if number == 0 {
            // Every third config does not decode, which leaves the one before it in force.
            if round % 3 == 2 {
              if (try? matcher.load(Value(json: "[]"))) != nil { mistakes.append("a list loads") }
            } else {
              try matcher.load(configs[round % 2])
            }
            continue
          }
          if number == 1 { try matcher.user.setAttributes(["age": .int(Int64(20 + round))]) }
          switch try matcher.registerNow(MatchRequest("x")).result {
          case .holdout(let experiment):
            seen.withLock { _ = $0.insert(experiment.variant.id) }
            if experiment.id != experiment.variant.id { mistakes.append("a mixture of configs") }
          case let other: mistakes.append("\(other)")
          }
        } catch {
          mistakes.append("\(error)")
        }
      }
      return mistakes
    }
    for mistake in Set(mistakes).sorted().prefix(10) { Issue.record("\(mistake)") }
    #expect(seen.withLock { $0 }.isSubset(of: ["a", "b"]) && !seen.withLock { $0.isEmpty })
  }
}
