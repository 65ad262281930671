import CampaignCore
import ExpressionCoding
import ExpressionEngine

/// Configs to measure with.
enum SampleConfig {
  /// The filters of twenty audiences, from narrow to wide.
  static let filters = [
    "user.age > 70 && user.plan == \"family\" && device.regionCode == \"SE\"",
    "user.spent > 19500.0",
    "device.platform == \"iOS\" && user.sessions > 195",
    "user.plan == \"pro\" && device.regionCode in [\"JP\", \"IN\"] && user.age < 20",
    "size(device.activeEntitlements) > 0 && user.sessions > 190",
    "device.appVersionPadded < \"005.001.000\" && user.plan == \"trial\"",
    "user.email == null && device.preferredLanguageCode == \"sv\"",
    "device.daysSinceInstall < 7 && device.totalPaywallViews == 0",
    "user.seed < 3",
    "device.interfaceType == \"ipad\" && user.plan == \"family\" && user.sessions > 100",
    "user.interests.contains(\"dive\") && user.age >= 60",
    "device.preferredLanguageCode == \"ja\" && device.regionCode != \"JP\" && user.seed < 50",
    "device.subscriptionStatus == \"ACTIVE\" && user.plan != \"pro\" && user.age > 60",
    "user.sessions == 0 || user.sessions == 1",
    "device.deviceModel.startsWith(\"iPad\") && user.seed > 90",
    "device.regionCode in [\"DE\", \"FR\"] && user.plan == \"trial\" && user.age < 30",
    "device.daysSinceInstall > 365 && user.plan == \"free\"",
    "user.spent > 100.0 && user.spent < 900.0",
    "device.platform == \"Android\" && user.seed < 20 && user.age < 40",
    "size(device.activeEntitlements) == 0 && user.plan == \"free\"",
  ]

  /// Returns a config whose audiences are spread over some placements, as JSON.
  static func text(filters: [String], placements: Int = 1) -> String {
    let audiences = filters.enumerated().map { index, filter in
      Value.map([
        "experiment_group_id": "sample", "experiment_id": .string("exp-\(index + 1)"),
        "expression_cel": .string(filter),
        "variants": .list([
          .map([
            "variant_type": "TREATMENT", "variant_id": .string("\(index + 1)-a"),
            "percentage": 70, "paywall_identifier": "pw_a",
          ]),
          .map([
            "variant_type": "HOLDOUT", "variant_id": .string("\(index + 1)-h"), "percentage": 30,
          ]),
        ]),
        "preload": .map(["behavior": "NEVER"]),
      ])
    }
    let size = (filters.count + placements - 1) / placements
    let triggers = (0..<placements).map { number -> Value in
      .map([
        "event_name": .string(number == 0 ? "sample" : "sample\(number)"),
        "rules": .list(Array(audiences.dropFirst(number * size).prefix(size))),
      ])
    }
    let config = Value.map([
      "build_id": "sample", "trigger_options": .list(triggers),
      "paywall_responses": .list([
        .map(["id": "1", "identifier": "pw_a", "name": "A", "url": "https://example.org/a"])
      ]),
      "log_level": 10, "localization": .map(["locales": .list([])]),
      "app_session_timeout_ms": 3_600_000, "toggles": .list([]),
      "disable_preload": .map(["all": .bool(false), "triggers": .list([])]),
    ])
    return config.jsonText(pretty: true)
  }
}

/// Makes up filters like those of campaigns, over a given number of attributes: a segment, which
/// few filters share, and one to four other conditions.
///
/// Of five attributes one each is a number, a text of a few, a version, a text that may be missing
/// or has an ending, and an event whose history is asked.
struct InventedFilters {
  /// A filter has up to five conditions, each about another attribute.
  static let minimumAttributes = 5

  private let attributes: Int
  private let segments: Int
  private var random: SplitMix64

  /// - Parameters:
  ///   - attributes: The number of attributes, at least ``minimumAttributes``.
  ///   - segments: The number of segments.
  init(attributes: Int, segments: Int, seed: UInt64) {
    self.attributes = attributes
    self.segments = max(1, segments)
    random = SplitMix64(seed: seed)
  }

  /// Returns the next filter.
  mutating func next() -> String {
    var numbers: [Int] = []
    let count = 1 + random.below(4)
    while numbers.count < count {
      let number = 1 + random.below(attributes - 1)
      if !numbers.contains(number) { numbers.append(number) }
    }
    var conditions = ["user.segment == \"s\(random.below(segments))\""]
    conditions += numbers.map { condition(about: $0) }
    // Every fourth filter has an alternative.
    if count > 1, random.below(4) == 0 {
      conditions.append("(\(conditions.removeLast()) || \(conditions.removeLast()))")
    }
    return conditions.joined(separator: " && ")
  }

  private static let texts = ["free", "trial", "basic", "pro", "family", "team", "gold", "staff"]

  private mutating func condition(about number: Int) -> String {
    switch number % 5 {
    case 0:
      let name = "user.n\(number)"
      return "\(name) \(random.pick(["<", "<=", ">", ">=", "=="])) \(random.below(100))"
    case 1:
      let name = "user.t\(number)"
      switch random.below(4) {
      case 0: return "\(name) != \"\(random.pick(Self.texts))\""
      case 1:
        return "\(name) in [\"\(random.pick(Self.texts))\", \"\(random.pick(Self.texts))\"]"
      default: return "\(name) == \"\(random.pick(Self.texts))\""
      }
    case 2:
      let version = "00\(1 + random.below(9)).0\(10 + random.below(90)).000"
      return "params.v\(number) \(random.pick(["<", ">="])) \"\(version)\""
    case 3:
      let name = "user.m\(number)"
      switch random.below(3) {
      case 0: return "\(name) == null"
      case 1: return "has(\(name))"
      default: return "\(name).endsWith(\"@\(random.pick(Self.texts)).example\")"
      }
    default:
      let call = ["daysSince", "placementsInDay", "placementsSinceInstall"][number / 5 % 3]
      return
        "device.\(call)(\"event\(number)\") \(random.pick(["<", ">="])) \(1 + random.below(30))"
    }
  }
}
