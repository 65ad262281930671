import ArgumentParser
import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine

/// `swexpr sample-users`: generates users for a simulation. Not listed in the help.
struct SampleUsers: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample-users",
    abstract: "Write invented users, or a campaign config for them, to measure simulate with.",
    discussion: """
        swexpr sample-users --config > campaigns.json
        swexpr sample-users --count 1000000 > users.ndjson

      The same --seed writes the same users.
      """,
    shouldDisplay: false)

  @Option(help: "The number of users.")
  var count = 1_000

  @Option(help: "The sequence that chance follows.")
  var seed: UInt64 = 1

  @Flag(help: "Write a config of one placement with 20 audiences instead.")
  var config = false

  func validate() throws {
    guard count >= 0 else { throw ValidationError("--count must not be negative") }
  }

  func run() throws {
    if config { return Output.line(Self.configText) }
    var random = SplitMix64(seed: seed)
    var text = ""
    for number in 0..<count {
      text += Self.user(number, &random)
      text += "\n"
      if text.utf8.count > 1 << 16 {
        Output.write(text)
        text.removeAll(keepingCapacity: true)
      }
    }
    Output.write(text)
  }

  private static let countries = ["US", "GB", "DE", "FR", "BR", "JP", "IN", "MX", "PT", "SE"]
  private static let languages = ["en", "de", "fr", "pt", "ja", "hi", "es", "sv"]
  private static let plans = ["free", "trial", "pro", "family"]
  private static let models = ["iPhone14,5", "iPhone15,2", "iPad13,4", "iPhone12,1"]
  private static let interests = ["surf", "sail", "dive", "row", "fish"]

  /// Returns a user as an app would send one: some attributes are always present, others only
  /// sometimes.
  private static func user(_ number: Int, _ random: inout SplitMix64) -> String {
    var user =
      "\"id\":\"u\(number)\",\"seed\":\(random.below(100)),\"sessions\":\(random.below(200))"
    user += ",\"plan\":\"\(random.pick(plans))\",\"age\":\(16 + random.below(60))"
    if random.below(10) < 7 { user += ",\"email\":\"u\(number)@example.org\"" }
    if random.below(10) < 5 {
      user += ",\"spent\":\(random.below(20_000)).\(random.below(90) + 10)"
    }
    if random.below(10) < 3 {
      user += ",\"interests\":[\"\(random.pick(interests))\",\"\(random.pick(interests))\"]"
    }
    let isPad = random.below(5) == 0
    var device = "\"platform\":\"\(isPad || random.below(10) < 6 ? "iOS" : "Android")\""
    let minor = random.below(12)
    device += ",\"interfaceType\":\"\(isPad ? "ipad" : "iphone")\""
    device +=
      ",\"deviceModel\":\"\(random.pick(models))\",\"appVersion\":\"5.\(minor).0\""
    device += ",\"appVersionPadded\":\"005.\(padded(minor)).000\""
    device += ",\"osVersion\":\"\(15 + random.below(4)).\(random.below(6))\""
    device += ",\"preferredLanguageCode\":\"\(random.pick(languages))\""
    device += ",\"regionCode\":\"\(random.pick(countries))\""
    let active = random.below(8) == 0
    device += ",\"activeEntitlements\":[\(active ? "\"pro\"" : "")]"
    device += ",\"subscriptionStatus\":\"\(active ? "ACTIVE" : "INACTIVE")\""
    device += ",\"daysSinceInstall\":\(random.below(400)),\"totalPaywallViews\":\(random.below(30))"
    return "{\"user\":{\(user)},\"device\":{\(device)}}"
  }

  private static func padded(_ number: Int) -> String {
    String(repeating: "0", count: 3 - String(number).count) + String(number)
  }

  /// The filters of the sample's audiences, from narrow to wide.
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

  private static var configText: String {
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
    let config = Value.map([
      "build_id": "sample",
      "trigger_options": .list([
        .map(["event_name": "sample", "rules": .list(audiences)])
      ]),
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

extension SplitMix64 {
  fileprivate mutating func pick(_ choices: [String]) -> String { choices[below(choices.count)] }
}
