import AudienceFilters
import CampaignCore
import CampaignMatcher
import ExpressionEngine
import FilterAnalysis

/// The values that a preview read, as far as the filters of a placement can tell: two previews with
/// the same signature have the same result.
struct TimeSignature {
  /// The constants that each value is compared with.
  private var needs: [String: Needs] = [:]
  /// The values that free parts read, of which every change counts.
  private var free: Set<String> = []
  /// Whether a filter reads the time of day or the zone's offset, which do not grow steadily.
  private(set) var readsTimeOfDay = false
  /// Whether a filter reads what the user has bought.
  private(set) var readsPurchases = false

  private static let unsteady: Set<String> = [
    "device.localTime", "device.utcTime", "device.timezoneOffset", "device.localDateTime",
    "device.localDate",
  ]

  private static let purchases: Set<String> = [
    "subscriptionStatus", "activeEntitlements", "activeEntitlementObjects",
    "activeEntitlementsObject", "activeProducts", "customerInfo", "latestSubscriptionState",
    "latestSubscriptionPeriodType", "latestSubscriptionWillAutoRenew",
  ]

  init(_ model: AnalysisModel, placement: String) {
    let space = FilterSpace(model, schema: nil, limits: AnalysisLimits())
    for audience in model.placements.last(where: { $0.name == placement })?.audiences ?? [] {
      guard let filter = audience.filter else { continue }
      _ = space.add(filter, legacyKeys: audience.legacyKeys)
    }
    for condition in space.conditions {
      for source in condition.reads {
        let text = space.sources[source].text
        if Self.unsteady.contains(text) { readsTimeOfDay = true }
        let path = space.sources[source].path
        if path.root == "device", let name = path.names.first, Self.purchases.contains(name) {
          readsPurchases = true
        }
        if condition.reason != nil { free.insert(text) }
        needs[text, default: Needs()].formUnion(condition.needs[source] ?? Needs())
      }
    }
  }

  /// The outcome of each audience that was tried, and the class of each value that its filter read.
  func values(_ registration: MatchOutcome) -> [String] {
    registration.audiences.flatMap { audience -> [String] in
      [audience.outcome.rawValue]
        + (audience.readings + audience.computed).map { reading in
          "\(reading.name)=\(rank(reading.value, of: reading.name))"
        }
    }
  }

  private func rank(_ value: Value?, of name: String) -> String {
    guard let value else { return "missing" }
    guard let known = needs[name], !free.contains(name) else { return value.literal }
    if let number = value.exactNumber {
      let below = known.numbers.count { $0 < number }
      return "n\(below)\(known.numbers.contains(number) ? "=" : "")"
    }
    if case .string(let text) = value, !known.searchesTexts, known.sizes.isEmpty {
      let points = text.codePoints
      let below = known.texts.count { $0.lexicographicallyPrecedes(points) }
      return "t\(below)\(known.texts.contains(points) ? "=" : "")"
    }
    return value.literal
  }
}
