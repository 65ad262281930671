import CampaignCore
import ExpressionCoding
import ExpressionEngine
import TestSupport
import Testing

@Suite("Simulations over columns")
struct SimulationColumnTests {
  /// Filters that read what differs between users, placements and platforms.
  private static let filters: [String?] = [
    "user.age >= 18 && device.model in [\"a\", \"b\"]", "user.tags.contains(\"x\")",
    "user.seed < 50", "user.isLoggedIn == false", "device.totalPaywallViews >= 1",
    "device.daysSinceInstall == 0 && user.age < 30", "device.localTime >= \"12:00:00\"",
    "device.placementsInDay(\"p1\") >= 1", "device.daysSince(\"app_launch\") == null",
    "params.event_name == \"p2\"", "params[\"$is_standard_event\"] == false",
    "params.amount > 2.5", "params.list.contains(1)", "params.note == \"n\"",
    "user.tags.exists(t, t == \"y\")", "has(user.when)", "user.when == null", "user.mixed > 1",
    "user.text.startsWith(\"$\")", "user.nosuch == 1", "user.age >", nil,
    "device.daysSince_config_refresh == 0", "size(user.tags) == 0", "user.price >= 0.0",
  ]

  private static func config(_ random: inout SplitMix64, legacyKeys: Bool) -> CampaignConfig {
    var config = CampaignConfig(buildID: "b")
    config.triggers = ["p1", "p2", "app_open", "paywall_open"].map { placement in
      let audiences = (0..<4).map { number in
        let variants = (0..<[1, 1, 2, 3][random.below(4)]).map {
          Variant(id: "v\($0)", kind: .treatment, percentage: [0, 20, 50][$0])
        }
        var audience = Audience(
          campaignID: "c", experimentID: "e\(random.below(6))", variants: variants)
        audience.expression = filters[random.below(filters.count)]
        if legacyKeys, random.below(4) == 0 {
          audience.computedProperties = [
            ComputedProperty(kind: .daysSince, eventName: "config_refresh")
          ]
        }
        if random.below(8) == 0 {
          audience.limit = OccurrenceLimit(
            key: "k\(number)", maximum: Int64(random.below(2)), interval: .infinity)
        }
        return audience
      }
      return CampaignTrigger(placement: placement, audiences: audiences)
    }
    return config
  }

  /// Lists of texts in the memory of a list column.
  private static func lists(_ count: Int, _ random: inout SplitMix64) -> Column {
    var texts: [String?] = []
    let ends = UnsafeMutablePointer<Int64>.allocate(capacity: count + 1)
    ends[0] = 0
    for row in 0..<count {
      for _ in 0..<random.below(3) { texts.append(["x", "$x", "y$", "z"][random.below(4)]) }
      ends[row + 1] = Int64(texts.count)
    }
    return Column(
      .list(ColumnBounds(UnsafePointer(ends)), elements: Column(texts)), count: count,
      owner: Released(ends))
  }

  /// Memory that ends with a column.
  private final class Released: @unchecked Sendable {
    private let memory: UnsafeMutablePointer<Int64>

    init(_ memory: UnsafeMutablePointer<Int64>) { self.memory = memory }

    deinit { memory.deallocate() }
  }

  private static func batch(_ count: Int, _ random: inout SplitMix64) throws -> ColumnBatch {
    func pick(_ choices: [Value?]) -> [Value?] {
      (0..<count).map { _ in choices[random.below(choices.count)] }
    }
    func texts(_ choices: [String?]) -> Column {
      Column((0..<count).map { _ in choices[random.below(choices.count)] })
    }
    // Only users with a seed and an id of their own are counted without chance.
    var columns: [AttributePath: Column] = [
      "user.seed": Column((0..<count).map { _ in Optional(random.below(100)) }),
      "user.id": Column((0..<count).map { Optional("user \($0)") }),
      "user.appUserId": texts(["", nil, "one", "two"]),
      "user.age": Column((0..<count).map { _ in [nil, 17, 18, 40][random.below(4)] as Int? }),
      "device.model": texts(["a", "b", "c", nil]),
    ]
    let others: [AttributePath: Column] = [
      "user.tags": Column(
        values: pick([
          nil, .list([]), .list([.string("x"), .null]), .list([.string("y")]), .null,
        ])),
      "user.isLoggedIn": Column(
        (0..<count).map { _ in [nil, true, false][random.below(3)] as Bool? }),
      "user.when": Column(values: pick([nil, .timestamp(Value.Timestamp(seconds: 1))])),
      "user.mixed": Column(
        values: pick([.int(1), .int(2), .string("3"), .map(["a": .null]), nil])),
      "user.text": texts(["$a", "a$", "", nil]),
      "user.price": Column(
        (0..<count).map { _ in [nil, 1.5, .nan, 0][random.below(4)] as Double? }),
      "device.totalPaywallViews": Column(
        (0..<count).map { _ in [nil, 0, 3][random.below(3)] as Int? }),
      "device.localTime": texts([nil, "11:59:00", "12:00:00"]),
      "params.amount": Column(
        (0..<count).map { _ in [nil, 2.5, 3.0][random.below(3)] as Double? }),
      "params.note": texts(["n", nil, "m"]),
      "params.event_name": texts([nil, "own"]),
      AttributePath(root: "params", names: ["$is_standard_event"]): texts(["x", nil]),
    ]
    for (path, column) in others.sorted(by: { "\($0.key)" < "\($1.key)" })
    where random.below(3) > 0 {
      columns[path] = column
    }
    if random.below(3) == 0 { columns["user.tags"] = Self.lists(count, &random) }
    switch random.below(8) {
    case 0: columns["params.list"] = Column(values: pick([nil, .list([.int(1)]), .int(1)]))
    case 1: columns["params.amount"] = Column([Double?](repeating: .infinity, count: count))
    case 2: columns["plan"] = texts(["gold", nil])
    default: break
    }
    return try ColumnBatch(columns, rowCount: count)
  }

  @Test("equal users one by one", arguments: 0..<20, [MatchingOptions.Platform.iOS, .android])
  func equalsOneByOne(seed: UInt64, platform: MatchingOptions.Platform) throws {
    var random = SplitMix64(seed: seed)
    let config = Self.config(&random, legacyKeys: seed % 5 == 0)
    var options = platform == .iOS ? MatchingOptions.iOS : .android
    options.variantChoice = .deterministic(.userOrAlias)
    func simulation() -> Simulation {
      Simulation(
        config, options: options, random: SeededRandomSource(seed: 1),
        now: WallTime(milliseconds: 1_772_366_400_000))
    }
    let (whole, single) = (simulation(), simulation())
    for count in [0, 1, seed % 10 == 0 ? 1_030 : 200] {
      let users = try Self.batch(count, &random)
      try whole.add(users)
      for row in 0..<count { single.add(users.context(at: row)) }
    }
    #expect(whole.users == single.users)
    #expect(whole.tallies == single.tallies)
    #expect(whole.unmatched == single.unmatched)
    #expect(whole.tallies.contains { $0.matched > 0 })
  }

  @Test("lines of JSON equal users one by one", arguments: 0..<20, [false, true])
  func linesEqualOneByOne(seed: UInt64, isAndroid: Bool) throws {
    var random = SplitMix64(seed: seed &+ 100)
    let config = Self.config(&random, legacyKeys: seed % 5 == 0)
    var options = isAndroid ? MatchingOptions.android : .iOS
    options.variantChoice = .deterministic(.userOrAlias)
    func simulation() -> Simulation {
      Simulation(
        config, options: options, random: SeededRandomSource(seed: 1),
        now: WallTime(milliseconds: 1_772_366_400_000))
    }
    let (lines, single) = (simulation(), simulation())
    let users = try Self.batch(seed % 10 == 0 ? 2_100 : 200, &random)
    for row in 0..<users.rowCount {
      let snapshot = Value(object: users.context(at: row).snapshot())
      guard case .map(var roots) = snapshot else { continue }
      // Values that JSON does not have.
      for (name, value) in ["when": Value.list([.null]), "price": .double(0.5)] {
        guard case .map(var user)? = roots["user"], user[.string(name)] != nil else { continue }
        user[.string(name)] = value
        roots["user"] = .map(user)
      }
      let damaged = random.below(20) == 0
      if random.below(10) == 0 { roots["params"] = .int(3) }
      let text = Value.map(roots).jsonText()
      single.add(try Context(json: text))
      // A user alone has no other roots.
      let isBare = roots.keys.allSatisfy { $0 == "user" }
      let line = isBare && random.below(2) == 0 ? roots["user"]?.jsonText() ?? "" : text
      if damaged {
        #expect(throws: JSONError.self) {
          try Array(line.utf8.dropLast()).withUnsafeBufferPointer { try lines.add(json: $0) }
        }
      }
      try Array(line.utf8).withUnsafeBufferPointer { try lines.add(json: $0) }
      if random.below(50) == 0 { #expect(lines.users == single.users) }
      if random.below(100) == 0 { #expect(lines.tallies == single.tallies) }
    }
    #expect(lines.users == single.users)
    #expect(lines.tallies == single.tallies)
    #expect(lines.unmatched == single.unmatched)
    #expect(lines.tallies.contains { $0.matched > 0 })
  }

  @Test("draw what users do not bring along")
  func draws() throws {
    var config = CampaignConfig(buildID: "b")
    let variants = ["a", "b"].map { Variant(id: $0, kind: .holdout, percentage: 50) }
    var audience = Audience(campaignID: "c", experimentID: "e", variants: variants)
    audience.expression = "user.seed < 50 && device.aliases.contains(user.aliasId)"
    config.triggers = [CampaignTrigger(placement: "p", audiences: [audience])]
    let simulation = Simulation(
      config, random: SeededRandomSource(seed: 1), now: WallTime(milliseconds: 0))
    try simulation.add(ColumnBatch(["user.age": Column((0..<10_000).map { Optional($0) })]))
    let tally = try #require(simulation.tallies.first)
    #expect((4_700...5_300).contains(tally.matched))
    #expect(tally.variants.allSatisfy { (2_200...2_800).contains($0.count) })
  }
}
