import AudienceFilters
import CampaignCore
import CampaignMatcher
import CampaignStore
import ExpressionCoding
import ExpressionEngine
import Harness

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Generated campaigns of the sizes that the matcher's limits are stated for.
struct GeneratedCampaigns {
  private let user: [String: Value] = [
    "plan": "trial", "age": 31, "sessions": 12, "email": "u@example.org", "homeSpot": "Ericeira",
  ]
  private let device: [String: Value] = [
    "platform": "iOS", "interfaceType": "iphone", "regionCode": "GB", "appVersion": "5.3.1",
    "preferredLanguageCode": "en", "subscriptionStatus": "INACTIVE",
  ]

  /// A trigger of ten audiences, of which the last one matches and has a limit that is never
  /// reached. Each paywall counts as shown within the registration's transaction.
  func requests() throws -> BenchmarkCase {
    let plain = try matcher(InMemoryStore(), filters: filters(readingParameters: false))
    let reading = try matcher(InMemoryStore(), filters: filters(readingParameters: true))
    let file = TemporaryFile()
    let durable = try matcher(
      SQLiteStore(path: file.path), filters: filters(readingParameters: true))
    var wanted = MatchRequest(
      "placement", parameters: ["days": 5, "spot": "Croyde", "level": 2])
    wanted.presentation = .immediate
    let request = wanted
    return BenchmarkCase(
      name: "10 audiences",
      subjects: [
        ClosureSubject(name: "preview", expectedSum: 1) { iterations in
          countAnswers(iterations) { try plain.previewNow(request) }
        },
        ClosureSubject(name: "preview-params", expectedSum: 1) { iterations in
          countAnswers(iterations) { try reading.previewNow(request) }
        },
        ClosureSubject(name: "register", expectedSum: 1) { iterations in
          countAnswers(iterations) { try reading.registerNow(request) }
        },
        ClosureSubject(name: "register-sqlite", expectedSum: 1) { iterations in
          withExtendedLifetime(file) {
            countAnswers(iterations) { try durable.registerNow(request) }
          }
        },
      ])
  }

  /// JSON text to a matcher with compiled filters and chosen variants.
  func loading() throws -> BenchmarkCase {
    let triggers = (0..<100).map { placement in
      trigger("placement\(placement)", (0..<10).map { filter(placement * 10 + $0, true) })
    }
    let text = config(triggers).jsonText()
    return BenchmarkCase(
      name: "1,000 audiences",
      subjects: [
        ClosureSubject(name: "load", expectedSum: 1) { iterations in
          countAnswers(iterations) {
            let matcher = try Matcher()
            try matcher.load(ConfigDocument(json: text))
            return matcher
          }
        }
      ])
  }

  /// Users as JSON text, walked over twenty audiences; one user is the unit.
  func simulation() throws -> BenchmarkCase {
    var generator = FilterGenerator(seed: 20_261_121)
    let filters = (0..<20).map { _ in generator.nextFilter(segments: 40) }
    let (config, notes) = try ConfigDecoder().decode(config([trigger("placement", filters)]))
    let simulation = Simulation(
      config, diagnostics: notes, random: SeededRandomSource(seed: 1),
      now: WallTime(seconds: 1_800_000_000))
    let lines = (0..<1_000).map { number in
      var user = user
      user["id"] = .string("usr_\(number % 40)")
      user["age"] = .int(Int64.random(in: 13...80, using: &generator))
      user["sessions"] = .int(Int64.random(in: 0...60, using: &generator))
      let record = Value.map(["user": object(user), "device": object(device)])
      return Array(record.jsonText().utf8)
    }
    return BenchmarkCase(
      name: "20 audiences",
      subjects: [
        ClosureSubject(name: "simulate", expectedSum: 1) { iterations in
          var counted: UInt64 = 0
          for number in 0..<iterations {
            let isRead = lines[number % lines.count].withUnsafeBufferPointer { line in
              (try? simulation.add(json: line)) != nil
            }
            if isRead { counted &+= 1 }
          }
          return counted
        }
      ])
  }

  // MARK: Making configs

  private func object(_ members: [String: Value]) -> Value {
    .map(Dictionary(uniqueKeysWithValues: members.map { (Value.Key.string($0.key), $0.value) }))
  }

  private func matcher(_ store: any MatcherStore, filters: [String]) throws -> Matcher {
    let matcher = try Matcher(.init(store: store, zone: .utc, random: SeededRandomSource(seed: 1)))
    try matcher.load(config([trigger("placement", filters)]))
    try matcher.user.setAttributes(user)
    matcher.device.set(values: device)
    return matcher
  }

  /// Nine filters that are not true and one that is.
  private func filters(readingParameters: Bool) -> [String] {
    (0..<9).map { filter($0, readingParameters) } + ["user.plan == \"trial\" && user.age >= 18"]
  }

  private func filter(_ number: Int, _ readsParameters: Bool) -> String {
    let other = readsParameters ? "params.days > \(10 + number)" : "user.sessions > \(20 + number)"
    return number % 2 == 0
      ? "device.regionCode == \"R\(number)\" && user.age > 18"
      : "device.platform == \"iOS\" && \(other)"
  }

  private func trigger(_ placement: String, _ filters: [String]) -> Value {
    let rules = filters.enumerated().map { index, filter in
      var rule: [Value.Key: Value] = [
        "experiment_group_id": .string(placement),
        "experiment_id": .string("\(placement)-\(index)"), "expression_cel": .string(filter),
        "variants": .list([
          .map([
            "variant_type": "TREATMENT", "variant_id": .string("\(placement)-\(index)-a"),
            "percentage": 100, "paywall_identifier": "pw",
          ])
        ]),
        "preload": .map(["behavior": "NEVER"]),
      ]
      if index == filters.count - 1 {
        rule["occurrence"] = .map([
          "key": .string(placement), "max_count": 1_000_000_000,
          "interval": .map(["type": "MINUTES", "minutes": 1_440]),
        ])
      }
      return Value.map(rule)
    }
    return .map(["event_name": .string(placement), "rules": .list(rules)])
  }

  private func config(_ triggers: [Value]) -> Value {
    .map([
      "build_id": "bench", "trigger_options": .list(triggers),
      "paywall_responses": .list([.map(["id": "1", "identifier": "pw"])]),
      "log_level": 10, "localization": .map(["locales": .list([])]),
      "app_session_timeout_ms": 3_600_000, "toggles": .list([]),
      "disable_preload": .map(["all": .bool(false), "triggers": .list([])]),
    ])
  }
}

/// A file of an SQLite store, removed with what SQLite keeps beside it.
private final class TemporaryFile: Sendable {
  let path = FileManager.default.temporaryDirectory
    .appending(path: "swexpr-benchmarks-\(UUID().uuidString).sqlite").path

  deinit {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }
}
