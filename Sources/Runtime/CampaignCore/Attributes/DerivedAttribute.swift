import ExpressionEngine

/// The `device` attributes that follow from what the matcher itself knows: the clock, the identity,
/// the installation and the history (docs/spec/campaigns.md §6.1). What the app sets wins over
/// them.
///
/// This is the table from which contexts are built. The matcher computes only those that a filter of
/// the trigger reads.
public enum DerivedAttribute: String, Sendable, Hashable, CaseIterable {
  /// The day in UTC.
  case utcDate
  /// The time in UTC.
  case utcTime
  /// Both; with `Z` on iOS.
  case utcDateTime
  /// The day on the wall clock.
  case localDate
  /// The time on the wall clock.
  case localTime
  /// Both, without a zone.
  case localDateTime
  /// Seconds ahead of UTC now.
  case timezoneOffset
  /// Whole days since the installation; 0 when unknown.
  case daysSinceInstall
  /// Whole minutes since the installation; 0 when unknown.
  case minutesSinceInstall
  /// When the app was installed; empty when unknown.
  case appInstallDate
  /// Whole days since the last paywall; absent before the first.
  case daysSinceLastPaywallView
  /// Whole minutes since the last paywall; absent before the first.
  case minutesSinceLastPaywallView
  /// The number of paywalls that the user has seen.
  case totalPaywallViews
  /// How often a review was requested.
  case totalReviewRequests
  /// Whether the app has never been left.
  case isFirstAppOpen
  /// The identified user, or empty text.
  case appUserId
  /// The alias in a list.
  case aliases

  /// The attribute with a name on any platform.
  init?(name: String) {
    if name == Self.totalReviewRequests.name(on: .android) {
      self = .totalReviewRequests
    } else if let attribute = Self(rawValue: name) {
      self = attribute
    } else {
      return nil
    }
  }

  /// The name on a platform.
  func name(on platform: MatchingOptions.Platform) -> String {
    self == .totalReviewRequests && platform == .android ? "reviewRequestCount" : rawValue
  }
}

/// The values from which derived attributes are computed.
struct DerivedAttributeSource {
  let now: WallTime
  let zone: ZoneRules
  let platform: MatchingOptions.Platform
  let identity: UserIdentity
  let installation: Installation

  func value(
    _ attribute: DerivedAttribute, in history: any EventHistory
  ) throws(StoreError) -> Value? {
    switch attribute {
    case .utcDate: return .string(ZoneRules.utc.local(now).dateText)
    case .utcTime: return .string(ZoneRules.utc.local(now).timeText)
    case .utcDateTime:
      return .string(dateTime(ZoneRules.utc.local(now)) + (platform == .iOS ? "Z" : ""))
    case .localDate: return .string(zone.local(now).dateText)
    case .localTime: return .string(zone.local(now).timeText)
    case .localDateTime: return .string(dateTime(zone.local(now)))
    case .timezoneOffset: return .int(zone.offsetSeconds(at: now))
    case .daysSinceInstall: return .int(units(.days, since: installation.installedAt) ?? 0)
    case .minutesSinceInstall: return .int(units(.minutes, since: installation.installedAt) ?? 0)
    case .appInstallDate: return .string(installation.installedAt?.description ?? "")
    case .daysSinceLastPaywallView:
      return units(.days, since: try lastPaywallView(in: history)).map(Value.int)
    case .minutesSinceLastPaywallView:
      return units(.minutes, since: try lastPaywallView(in: history)).map(Value.int)
    case .totalPaywallViews:
      let event = BuiltInEvent.paywallOpen.rawValue
      return .int(Int64(try history.count(of: event, since: nil)))
    case .totalReviewRequests:
      let event = BuiltInEvent.reviewRequested.rawValue
      return .int(Int64(try history.count(of: event, since: nil)))
    case .isFirstAppOpen: return .bool(!installation.hasResignedActive)
    case .appUserId: return .string(identity.userID ?? "")
    case .aliases: return .list([.string(identity.aliasID)])
    }
  }

  private func lastPaywallView(
    in history: any EventHistory
  ) throws(StoreError) -> WallTime? {
    try history.lastOccurrence(of: BuiltInEvent.paywallOpen.rawValue, before: nil)
  }

  private func dateTime(_ local: LocalDateTime) -> String { local.dateText + "T" + local.timeText }

  private func units(_ unit: CalendarUnit, since start: WallTime?) -> Int64? {
    start.map { CalendarArithmetic.wholeUnits.difference(unit, from: $0, to: now, in: zone) }
  }
}
