import ArgumentParser
import CampaignMatcher
import CampaignStore
import ExpressionEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// `swexpr bench-match`: what matching costs. Not listed in the help.
struct MatchBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench-match",
    abstract: "Measure previews, registrations and the loading of configs.",
    discussion: """
        swexpr bench-match --json

      A trigger has ten audiences, of which the last one matches; half of the filters read params. \
      preview runs on a store in memory, register on one in memory and one in SQLite (write-ahead \
      log, synchronous NORMAL), each paywall counting as shown within its transaction.

      With --json, one document: {"preview_ns", "preview_params_ns", "register_memory_ns", \
      "register_sqlite_per_second", "load_1000_ms"}.
      """,
    shouldDisplay: false)

  @Option(help: "How many registrations and previews a round has.")
  var count = 20_000

  @Option(help: "How many rounds; the median counts.")
  var rounds = 5

  @Option(help: ArgumentHelp("Where the SQLite file goes.", valueName: "folder"))
  var folder: String?

  @Flag(help: "Measure processor time, which other work on the machine changes less.")
  var cpu = false

  @Flag(help: "Print one JSON document.")
  var json = false

  func validate() throws {
    guard count > 0, rounds > 0 else {
      throw ValidationError("--count and --rounds must be positive")
    }
  }

  func run() throws {
    do throws(StoreError) {
      let results = try measure()
      if json {
        var members: [Value.Key: Value] = [:]
        for (name, value) in results { members[.string(name)] = .double(value) }
        Output.line(Value.map(members).jsonText(pretty: true))
      } else {
        for (name, value) in results { Output.line("\(name) \(value.text(places: 1))") }
      }
    } catch {
      throw InputError(error.description)
    }
  }

  private func measure() throws(StoreError) -> [(String, Double)] {
    let plain = try matcher(InMemoryStore(), readsParameters: false)
    let reading = try matcher(InMemoryStore(), readsParameters: true)
    let request = Self.request
    var results: [(String, Double)] = []
    results.append(
      ("preview_ns", try median { () throws(StoreError) in _ = try plain.preview(request) }))
    results.append(
      (
        "preview_params_ns",
        try median { () throws(StoreError) in _ = try reading.preview(request) }
      ))
    results.append(
      (
        "register_memory_ns",
        try median { () throws(StoreError) in _ = try reading.register(request) }
      ))
    let path =
      (folder ?? Output.environment("TMPDIR") ?? "/tmp") + "/bench-match-\(getpid()).sqlite"
    defer { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
    let durable = try matcher(SQLiteStore(path: path), readsParameters: true)
    let registration = try median { () throws(StoreError) in _ = try durable.register(request) }
    results.append(("register_sqlite_per_second", 1e9 / registration))
    results.append(("load_1000_ms", try loading()))
    return results
  }

  /// What the clock shows.
  private var nanoseconds: Double {
    var time = timespec()
    clock_gettime(cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// The median of the rounds, in nanoseconds per call.
  private func median(_ body: () throws(StoreError) -> Void) throws(StoreError) -> Double {
    var times: [Double] = []
    for _ in 0..<rounds {
      let start = nanoseconds
      for _ in 0..<count { try body() }
      times.append((nanoseconds - start) / Double(count))
    }
    return times.sorted()[rounds / 2]
  }

  /// The milliseconds that decoding and compiling a thousand audiences takes.
  private func loading() throws(StoreError) -> Double {
    let text = Self.config(placements: 100, readsParameters: true).jsonText()
    var times: [Double] = []
    for _ in 0..<rounds {
      let start = nanoseconds
      do {
        let (config, notes) = try ConfigDecoder().decode(Value(json: text))
        let matcher = try Matcher()
        try matcher.load(config, diagnostics: notes)
      } catch {
        throw StoreError(operation: "load config", reason: String(describing: error))
      }
      times.append((nanoseconds - start) / 1e6)
    }
    return times.sorted()[rounds / 2]
  }

  private static var request: MatchRequest {
    var request = MatchRequest("place0", parameters: ["days": 5, "spot": "Croyde", "level": 2])
    request.presentation = .immediate
    return request
  }

  private func matcher(
    _ store: any MatcherStore, readsParameters: Bool
  ) throws(StoreError) -> Matcher {
    let matcher = try Matcher(store: store, zone: .utc, random: SeededRandomSource(seed: 1))
    do throws(LoadError) {
      try matcher.load(Self.config(placements: 1, readsParameters: readsParameters))
    } catch {
      throw StoreError(operation: "load config", reason: error.description)
    }
    try matcher.setUserAttributes([
      "plan": "trial", "age": 31, "sessions": 12, "email": "u@example.org", "homeSpot": "Ericeira",
    ])
    matcher.setDevice(values: [
      "platform": "iOS", "interfaceType": "iphone", "regionCode": "GB", "appVersion": "5.3.1",
      "preferredLanguageCode": "en", "subscriptionStatus": "INACTIVE",
    ])
    return matcher
  }

  /// A config of ten audiences per placement. The first nine do not match; the last one has a limit
  /// that is never reached.
  private static func config(placements: Int, readsParameters: Bool) -> Value {
    let triggers = (0..<placements).map { placement in
      let rules = (0..<10).map { index in
        var rule: [Value.Key: Value] = [
          "experiment_group_id": .string("c\(placement)"),
          "experiment_id": .string("e\(placement)-\(index)"),
          "expression_cel": .string(filter(placement * 10 + index, index, readsParameters)),
          "variants": .list([
            .map([
              "variant_type": "TREATMENT", "variant_id": .string("v\(placement)-\(index)"),
              "percentage": 100, "paywall_identifier": "pw",
            ])
          ]),
          "preload": .map(["behavior": "NEVER"]),
        ]
        if index == 9 {
          rule["occurrence"] = .map([
            "key": .string("k\(placement)"), "max_count": 1_000_000_000,
            "interval": .map(["type": "MINUTES", "minutes": 1_440]),
          ])
        }
        return Value.map(rule)
      }
      return Value.map(["event_name": .string("place\(placement)"), "rules": .list(rules)])
    }
    return .map([
      "build_id": "bench", "trigger_options": .list(triggers),
      "paywall_responses": .list([
        .map(["id": "1", "identifier": "pw", "name": "P", "url": "https://example.org"])
      ]),
      "log_level": 10, "localization": .map(["locales": .list([])]),
      "app_session_timeout_ms": 3_600_000, "toggles": .list([]),
      "disable_preload": .map(["all": .bool(false), "triggers": .list([])]),
    ])
  }

  private static func filter(_ number: Int, _ index: Int, _ readsParameters: Bool) -> String {
    if index == 9 { return "user.plan == \"trial\" && user.age >= 18 + \(number - 9) * 0" }
    let other = readsParameters ? "params.days > \(10 + number)" : "user.sessions > \(20 + number)"
    return index % 2 == 0
      ? "device.regionCode == \"R\(number)\" && user.age > 18"
      : "device.platform == \"iOS\" && \(other)"
  }
}
