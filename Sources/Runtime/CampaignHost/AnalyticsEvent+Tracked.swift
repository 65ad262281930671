import CampaignCore
import CampaignMatcher
import ExpressionEngine
import PaywallLogic

extension AnalyticsEvent {
  /// The events of the SDK that a matcher tracks by itself. The host tracks the others.
  private static let ofMatcher: Set<BuiltInEvent> = [
    .appClose, .appInstall, .appLaunch, .appOpen, .configFail, .configRefresh,
    .confirmAllAssignments, .deepLinkOpen, .deviceAttributes, .firstSeen, .identityAlias,
    .paywallPreloadComplete, .paywallPreloadStart, .paywallPresentationRequest, .reset,
    .sessionStart, .subscriptionStatusDidChange, .touchesBegan, .triggerFire, .userAttributes,
  ]

  /// Creates the event that a matcher tracked by itself.
  ///
  /// - Returns: `nil` for events that the host announces, and for placements of the app, which are
  ///   no events of the SDK.
  init?(_ tracked: TrackedEvent, usesPurchaseController: Bool) {
    guard let name = BuiltInEvent(named: tracked.name), Self.ofMatcher.contains(name) else {
      return nil
    }
    var parameters = tracked.parameters
    // Each event has them, by its surroundings.
    parameters["is_superwall"] = nil
    parameters["app_session_id"] = nil
    if name == .appInstall {
      parameters["using_purchase_controller"] = .bool(usesPurchaseController)
    }
    let detail: String? =
      switch tracked.event {
      case .triggerFire(let fire): fire.placement
      case .subscriptionStatusChanged(let status): status.wireName
      default: nil
      }
    self.init(name, parameters, isSeenByFilters: name == .deepLinkOpen, detail: detail)
  }
}
