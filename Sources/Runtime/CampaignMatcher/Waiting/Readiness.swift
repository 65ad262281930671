import CampaignCore
import ExpressionEngine

/// The things that a request may have to wait for, in order (docs/spec/campaigns.md §2.1 step 5).
enum Readiness: Int, Sendable, Hashable, CaseIterable {
  /// A config.
  case config
  /// A subscription status other than unknown.
  case subscriptionStatus
  /// The server's assignments, after an identify that restores them.
  case identity

  /// The error of a request that has waited too long; `nil` when it goes on all the same.
  var error: MatchError? {
    switch self {
    case .config: .noConfig
    case .subscriptionStatus: .subscriptionStatusTimeout
    case .identity: nil
    }
  }
}

extension MatchingOptions.ReadinessLimits {
  subscript(stage: Readiness) -> Value.Duration? {
    switch stage {
    case .config: config
    case .subscriptionStatus: subscriptionStatus
    case .identity: identity
    }
  }
}

extension MatcherState {
  /// The first thing from `stage` on that a request lacks.
  func missing(for request: MatchRequest, from stage: Readiness = .config) -> Readiness? {
    Readiness.allCases.dropFirst(stage.rawValue).first { stage in
      switch stage {
      case .config: compiled == nil
      case .subscriptionStatus: request.waitsForStatus && !knowsSubscription(for: request)
      case .identity: !isIdentityReady
      }
    }
  }
}
