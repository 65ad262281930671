import CampaignCore
import CampaignMatcher
import ExpressionEngine

/// Reads the settings of a case.
enum CaseSettings {
  private static let otherNames: Set<String> = ["title", "spec", "clock", "zone", "zone change"]

  /// The options that a case may set, each by the name it has in ``MatchingOptions``.
  private static let switches: [String: any WritableKeyPath<MatchingOptions, Bool> & Sendable] = [
    "resolvesVariantFromConfig": \.resolvesVariantFromConfig,
    "assignsOnlyRepresentativeTriggers": \.assignsOnlyRepresentativeTriggers,
    "preloadsOnlyFirstMatch": \.preloadsOnlyFirstMatch,
    "resetKeepsInstallEvents": \.resetKeepsInstallEvents,
    "failsOnNonFiniteParameters": \.failsOnNonFiniteParameters,
    "allowsOnePaywallOnly": \.allowsOnePaywallOnly,
    "reservesFetchedPaywalls": \.reservesFetchedPaywalls,
    "comparesPlacementsCanonically": \.comparesPlacementsCanonically,
    "requiresPaywallAppearance": \.config.requiresPaywallAppearance,
  ]

  /// Whether a setting is one of matchers.
  static func isName(_ key: String) -> Bool {
    otherNames.contains(key) || switches[key] != nil
      || ["platform", "peek", "variants", "assignments", "unmatched keys"].contains(key)
  }

  static func options(
    _ settings: [CampaignCase.Setting]
  ) throws(CampaignCaseError) -> MatchingOptions {
    let isAndroid = settings.contains { $0.name == "platform" && $0.value == "Android" }
    var options = isAndroid ? MatchingOptions.android : .iOS
    for setting in settings where !otherNames.contains(setting.name) {
      let (name, value) = (setting.name, setting.value)
      if let path = switches[name] {
        options[keyPath: path] = value == "yes"
        continue
      }
      switch (name, value) {
      case ("platform", "iOS"), ("platform", "Android"): break
      case ("peek", "none"): options.peekEffects = []
      case ("peek", "iOS"): options.peekEffects = .iOS
      case ("peek", "Android"): options.peekEffects = .android
      case ("variants", "deterministic"): options.variantChoice = .deterministic(.userOrAlias)
      case ("assignments", "on confirmation"): options.assignmentPersistence = .onConfirmation
      case ("unmatched keys", "both"): options.unmatchedKeys = [.audience, .rule]
      default:
        throw CampaignCaseError(
          line: setting.line, problem: "unknown setting `\(name): \(value)`")
      }
    }
    return options
  }

  static func clock(_ campaignCase: CampaignCase) throws(CampaignCaseError) -> WallTime {
    guard let instant = WallTime(rfc3339: campaignCase["clock"] ?? "2026-03-01T12:00:00Z") else {
      throw CampaignCaseError(line: 1, problem: "the clock needs a date and time")
    }
    return instant
  }

  /// The zone: `UTC`, an offset such as `+02:00`, or `New York`, whose changes of the years 2020 to
  /// 2027 are listed here, so no case needs a database of zones.
  static func zone(_ campaignCase: CampaignCase) throws(CampaignCaseError) -> ZoneRules {
    let text = campaignCase["zone"] ?? "UTC"
    guard let zone = zone(named: text) else {
      throw CampaignCaseError(line: 1, problem: "unknown zone `\(text)`")
    }
    return zone
  }

  static func zone(named text: String) -> ZoneRules? {
    if text == "UTC" { return .utc }
    if text == "New York" { return newYork }
    guard let instant = WallTime(rfc3339: "1970-01-02T00:00:00" + text) else { return nil }
    return .fixed(offsetSeconds: 86_400 - instant.seconds)
  }

  private static let newYork: ZoneRules = {
    // Second Sunday of March at 2:00 standard time, first Sunday of November at 2:00 summer time.
    let changes = [
      ("2020-03-08", "2020-11-01"), ("2021-03-14", "2021-11-07"), ("2022-03-13", "2022-11-06"),
      ("2023-03-12", "2023-11-05"), ("2024-03-10", "2024-11-03"), ("2025-03-09", "2025-11-02"),
      ("2026-03-08", "2026-11-01"), ("2027-03-14", "2027-11-07"),
    ].flatMap { spring, autumn in
      [
        WallTime(rfc3339: spring + "T07:00:00Z").map {
          ZoneRules.Change(instant: $0, offsetSeconds: -14_400)
        },
        WallTime(rfc3339: autumn + "T06:00:00Z").map {
          ZoneRules.Change(instant: $0, offsetSeconds: -18_000)
        },
      ].compactMap(\.self)
    }
    return ZoneRules(initialOffsetSeconds: -18_000, changes: changes)
  }()
}
