public import CampaignCore
public import ExpressionEngine

/// Something the matcher did that the dashboard or an analytics tool wants to know, with its exact
/// wire name and parameters (docs/spec/campaigns.md §2.6–2.9, §8.7).
public enum MatchEvent: Sendable, Equatable {
  /// A placement was matched.
  case triggerFire(TriggerFire)
  /// A paywall was asked for.
  case presentationRequest(PresentationRequest)
  /// All assignments were confirmed.
  case confirmAllAssignments
  /// Preloading begins with so many paywalls.
  case preloadStart(count: Int)
  /// Preloading is done.
  case preloadComplete(count: Int)
  /// The user was identified.
  case identityAlias
  /// Everything of the user was forgotten.
  case reset
  /// The user is new.
  case firstSeen
  /// The attributes of the user changed.
  case userAttributes(installedAt: WallTime?, attributes: [String: Value])
  /// The subscription status changed.
  case subscriptionStatusChanged(UserSubscriptionStatus)
  /// A new config is in force.
  case configRefresh(buildID: String)
  /// A config did not decode; the previous one stays in force.
  case configFail(message: String)
  /// A paywall appeared.
  case paywallOpen([String: Value])
  /// A paywall disappeared.
  case paywallClose([String: Value])
  /// Any other event that the app tracked, with its parameters.
  case tracked(name: String, parameters: [String: Value])
  /// The app probably uses the matcher wrongly. It is delivered, and does not enter the history.
  case warning(MatchWarning)

  /// The tracked name.
  public var name: String {
    switch self {
    case .triggerFire: BuiltInEvent.triggerFire.rawValue
    case .presentationRequest: BuiltInEvent.paywallPresentationRequest.rawValue
    case .confirmAllAssignments: BuiltInEvent.confirmAllAssignments.rawValue
    case .preloadStart: BuiltInEvent.paywallPreloadStart.rawValue
    case .preloadComplete: BuiltInEvent.paywallPreloadComplete.rawValue
    case .identityAlias: BuiltInEvent.identityAlias.rawValue
    case .reset: BuiltInEvent.reset.rawValue
    case .firstSeen: BuiltInEvent.firstSeen.rawValue
    case .userAttributes: BuiltInEvent.userAttributes.rawValue
    case .subscriptionStatusChanged: BuiltInEvent.subscriptionStatusDidChange.rawValue
    case .configRefresh: BuiltInEvent.configRefresh.rawValue
    case .configFail: BuiltInEvent.configFail.rawValue
    case .paywallOpen: BuiltInEvent.paywallOpen.rawValue
    case .paywallClose: BuiltInEvent.paywallClose.rawValue
    case .tracked(let name, _): name
    case .warning: "matcher_warning"
    }
  }

  /// The parameters beyond the two that every event has.
  public func parameters(unmatchedKeys: MatchingOptions.UnmatchedKeys) -> [String: Value] {
    switch self {
    case .triggerFire(let fire): fire.parameters(unmatchedKeys: unmatchedKeys)
    case .presentationRequest(let request): request.parameters
    case .confirmAllAssignments, .identityAlias, .reset, .firstSeen: [:]
    case .preloadStart(let count), .preloadComplete(let count):
      ["paywall_count": .int(Int64(count))]
    case .userAttributes(let installedAt, let attributes):
      attributes.merging(["application_installed_at": .string(installedAt?.description ?? "")]) {
        _, new in new
      }
    case .subscriptionStatusChanged(let status): status.eventParameters
    case .configRefresh(let buildID): ["config_build_id": .string(buildID)]
    case .configFail(let message): ["error_message": .string(message)]
    case .paywallOpen(let parameters), .paywallClose(let parameters), .tracked(_, let parameters):
      parameters
    case .warning(let warning):
      [
        "warning": .string(warning.kind.rawValue), "placement": .string(warning.placement),
        "message": .string(warning.description),
      ]
    }
  }
}

/// A probable mistake in the use of the matcher.
public struct MatchWarning: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a warning.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A ``Presentation`` was released before the app called `didPresent()` or `didFail()`, so that
    /// the paywall counts as failed, and no occurrence limit counts it.
    case presentationReleased = "presentation-released"
    /// The time for a paywall to appear is over (`ReadinessLimits.presentation`), and the next
    /// request has its turn.
    case presentationOverdue = "presentation-overdue"
  }

  /// The kind.
  public var kind: Kind
  /// The placement of the paywall.
  public var placement: String

  /// Creates a warning.
  public init(_ kind: Kind, placement: String) {
    self.kind = kind
    self.placement = placement
  }

  /// The warning as a sentence, without a full stop.
  public var description: String {
    let start = "the paywall of `\(placement)`"
    return switch kind {
    case .presentationReleased:
      "\(start) was released before didPresent() or didFail(), so it counts as failed"
    case .presentationOverdue: "\(start) was not reported in time by didPresent() or didFail()"
    }
  }
}

/// An event as it is delivered: with all its parameters and its instant.
public struct TrackedEvent: Sendable, Equatable {
  /// The event.
  public var event: MatchEvent
  /// When.
  public var instant: WallTime
  /// The tracked name.
  public var name: String
  /// All parameters, `is_superwall` and `app_session_id` among them.
  public var parameters: [String: Value]

  /// The event as JSON: `name`, `at`, `parameters`.
  public var value: Value {
    .map([
      .string("name"): .string(name), .string("at"): .string(instant.description),
      .string("parameters"): Value(object: parameters),
    ])
  }
}
