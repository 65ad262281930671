import CampaignCore
import CampaignMatcher
import ExpressionEngine
import PaywallLogic

extension AnalyticsEvent {
  /// Creates the event that a matcher tracked by itself.
  ///
  /// - Returns: `nil` for the events of paywalls and purchases, which the host announces, and for
  ///   placements of the app, which are no events of the SDK.
  init?(_ tracked: TrackedEvent, usesPurchaseController: Bool) {
    switch tracked.event {
    case .triggerFire(let fire): self = .triggerFire(fire)
    case .presentationRequest(let request): self = .paywallPresentationRequest(request)
    case .confirmAllAssignments: self = .confirmAllAssignments
    case .preloadStart(let count): self = .paywallPreloadStart(count: count)
    case .preloadComplete(let count): self = .paywallPreloadComplete(count: count)
    case .identityAlias: self = .identityAlias
    case .reset: self = .reset
    case .firstSeen: self = .firstSeen
    case .userAttributes(let installedAt, let attributes):
      self = .userAttributes(attributes, installedAt: installedAt?.description ?? "")
    case .subscriptionStatusChanged(let status): self = .subscriptionStatusDidChange(status)
    case .configRefresh(let buildID):
      self = .configRefresh(buildID: buildID, retryCount: 0, isCached: false, duration: 0)
    case .configFail(let message): self = .configFail(message: message)
    case .paywallOpen, .paywallClose, .warning: return nil
    case .tracked(let name, let parameters):
      switch BuiltInEvent(named: name) {
      case .appOpen: self = .appOpen
      case .appClose: self = .appClose
      case .appLaunch: self = .appLaunch
      case .sessionStart: self = .sessionStart
      case .touchesBegan: self = .touchesBegan
      case .deepLinkOpen: self = .deepLinkOpen(parameters)
      case .deviceAttributes: self = .deviceAttributes(parameters)
      case .appInstall:
        guard case .string(let date)? = parameters["application_installed_at"] else { return nil }
        self = .appInstall(installedAt: date, usesPurchaseController: usesPurchaseController)
      default: return nil
      }
    }
  }
}
