/// Makes audience filters and users, the same ones for the same seed on every machine.
struct FilterGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  private mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: choices.indices, using: &self)]
  }

  /// An audience filter: one selective equality and one to four of the conditions campaigns are
  /// made of, in random order.
  ///
  /// - Parameter segments: how many different segments the selective equality chooses from.
  mutating func nextFilter(segments: Int) -> String {
    var conditions = ["user.id == \"usr_\(Int.random(in: 0..<max(1, segments), using: &self))\""]
    for _ in 0..<Int.random(in: 1...4, using: &self) { conditions.append(nextCondition()) }
    conditions.shuffle(using: &self)
    return conditions.joined(separator: " && ")
  }

  private mutating func nextCondition() -> String {
    switch Int.random(in: 0..<10, using: &self) {
    case 0: return "user.age >= \(Int.random(in: 16...65, using: &self))"
    case 1: return "user.plan == \"\(pick(["trial", "free", "basic", "pro"]))\""
    case 2: return "user.sessions > \(Int.random(in: 0...50, using: &self))"
    case 3: return "device.platform == \"\(pick(["iOS", "Android"]))\""
    case 4:
      return "device.appVersionPadded >= \"00\(pick([1, 2, 3])).0\(pick([10, 12, 20])).000\""
    case 5: return "device.regionCode in [\"\(pick(["US", "GB"]))\", \"\(pick(["DE", "FR"]))\"]"
    case 6: return "device.languageCode == \"\(pick(["en", "de", "fr", "es"]))\""
    case 7: return "device.daysSinceInstall >= \(Int.random(in: 0...60, using: &self))"
    case 8: return "device.totalPaywallViews < \(Int.random(in: 1...30, using: &self))"
    default: return "params.placement == \"\(pick(["onboarding_end", "settings", "home"]))\""
    }
  }

  /// A user with the attributes of `user`, those that filters test set at random.
  mutating func nextUser(like user: [String: Any]) -> [String: Any] {
    var user = user
    user["age"] = Int.random(in: 13...80, using: &self)
    user["plan"] = pick(["trial", "free", "basic", "pro"])
    user["sessions"] = Int.random(in: 0...60, using: &self)
    user["purchases"] = Int.random(in: 0...15, using: &self)
    return user
  }

  /// A conjunction of at least the given length that stays true.
  static func longConjunction(bytes: Int) -> String {
    var source = "user.age >= 18"
    source.reserveCapacity(bytes + 64)
    var number = 0
    while source.utf8.count < bytes {
      source += " && user.sessions != \(1_000 + number)"
      number += 1
    }
    return source
  }
}
