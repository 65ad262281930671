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
        swexpr sample-users --config --audiences 1000 --attributes 40 > many.json

      The same --seed writes the same users and the same audiences.
      """,
    shouldDisplay: false)

  @Option(help: "The number of users.")
  var count = 1_000

  @Option(help: "The sequence that chance follows.")
  var seed: UInt64 = 1

  @Flag(help: "Write a config of one placement with 20 audiences instead.")
  var config = false

  @Option(help: "With --config, the number of audiences, which are invented then.")
  var audiences: Int?

  @Option(help: "The number of attributes that these audiences read.")
  var attributes = 40

  @Option(help: "The number of placements over which these audiences are spread.")
  var placements = 1

  func validate() throws {
    guard count >= 0 else { throw ValidationError("--count must not be negative") }
    guard audiences ?? 1 > 0, placements > 0, attributes >= InventedFilters.minimumAttributes else {
      throw ValidationError(
        "--audiences and --placements must be at least 1, --attributes at least "
          + "\(InventedFilters.minimumAttributes)")
    }
    guard audiences == nil || config else { throw ValidationError("--audiences needs --config") }
  }

  func run() throws {
    if config {
      guard let audiences else {
        return Output.line(SampleConfig.text(filters: SampleConfig.filters))
      }
      var invented = InventedFilters(attributes: attributes, segments: audiences / 4, seed: seed)
      let filters = (0..<audiences).map { _ in invented.next() }
      return Output.line(SampleConfig.text(filters: filters, placements: placements))
    }
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
}

extension SplitMix64 {
  mutating func pick(_ choices: [String]) -> String { choices[below(choices.count)] }
}
