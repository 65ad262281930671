import AudienceFilters
import CampaignCore
import CampaignMatcher
import ExpressionEngine
import TestSupport
import Testing

/// Values made by hand may nest without bound, JSON may not.
@Suite("Deeply nested values", .serialized)
struct DeepValueTests {
  /// A scalar within so many lists and maps in turn.
  private static func nested(_ depth: Int, _ innermost: Value = 1) -> Value {
    var value = innermost
    for level in 0..<depth {
      value = level % 2 == 0 ? .list([value]) : .map([.string("k"): value])
    }
    return value
  }

  private static func depth(of value: Value) -> Int {
    var depth = 0
    var rest = value
    while true {
      switch rest {
      case .list(let elements):
        guard let first = elements.first else { return depth }
        rest = first
      case .map(let entries):
        guard let first = entries.values.first else { return depth }
        rest = first
      default: return depth
      }
      depth += 1
    }
  }

  @Test(
    "sanitation walks no deeper than the engine",
    arguments: [MatchingOptions.iOS, .android], [1, 127, 128, 129, 2_000])
  func sanitation(_ options: MatchingOptions, depth: Int) async throws {
    let results = try #require(
      try await OwnThreads.run {
        let sanitizer = AttributeSanitizer(options: options)
        let value = Self.nested(depth)
        return (
          Self.depth(of: sanitizer.contextValue(value)),
          sanitizer.userAttributeChanges(["a": value])["a"].flatMap(\.self).map(Self.depth),
          sanitizer.placementParameters(["a": .map([.string("v"): value])]).count
        )
      })
    #expect(results.0 <= 128 && (depth > 127 || results.0 == depth))
    // iOS drops what it cannot keep, Android keeps what it can.
    let kept = depth < 128 ? depth : options.platform == .iOS ? nil : 128
    #expect(results.1 == kept)
    #expect(results.2 == 1)
  }

  @Test(
    "attributes, parameters and devices of any depth can be handed in and read again",
    arguments: StoreKind.allCases, [MatchingOptions.iOS, .android])
  func matcher(_ kind: StoreKind, _ options: MatchingOptions) async throws {
    let folder = try TemporaryFolder()
    let path = folder
    let store = try kind.open(in: path)
    let answers = try await OwnThreads.run { () throws -> [FilterAnswer] in
      let matcher = try Matcher(.init(store: store, options: options, zone: .utc))
      try matcher.load(TestConfig.followUps())
      var answers: [FilterAnswer] = []
      for depth in [100, 127, 128, 129, 2_000] {
        let value = Self.nested(depth)
        try matcher.user.setAttributes(["deep": value, "plain": .int(Int64(depth))])
        matcher.device.set(values: ["deep": value])
        matcher.device.mergeEnrichment(["other": value])
        var request = MatchRequest("start", parameters: ["deep": .map([.string("v"): value])])
        request.user = ["own": value]
        request.device = ["own": value]
        _ = try matcher.registerNow(request)
        _ = try matcher.previewNow(
          MatchRequest(
            "start", parameters: ["deep": .map([.string("v"): Self.nested(2_000, .double(.nan))])]))
        answers.append(try matcher.evaluate("user.plain", for: request))
        _ = try matcher.contextSnapshot()
      }
      return answers
    }
    #expect(answers == [100, 127, 128, 129, 2_000].map { .value(.int($0)) })
    withExtendedLifetime(folder) {}
  }

  @Test("a simulation takes contexts of any depth")
  func simulation() async throws {
    let users = try await OwnThreads.run { () throws -> Int in
      let (config, _) = try ConfigDecoder().decode(TestConfig.limited(maximum: 1))
      let simulation = Simulation(
        config, random: SeededRandomSource(seed: 1), now: WallTime(milliseconds: 0))
      simulation.add(Context(user: Context.Layer(["deep": Self.nested(2_000)])))
      return simulation.users
    }
    #expect(users == 1)
  }
}
