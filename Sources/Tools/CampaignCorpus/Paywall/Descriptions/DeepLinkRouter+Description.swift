import CampaignCore
import ExpressionEngine
public import PaywallLogic

extension DeepLinkRouter.Event: CustomStringConvertible {
  /// The event in a few words.
  public var description: String {
    switch self {
    case .cachedConfig(let hasTrigger):
      "cachedConfig \(hasTrigger ? "with" : "without") deepLink_open"
    case .configured(let hasTrigger):
      "configured \(hasTrigger ? "with" : "without") deepLink_open"
    case .opened(let url): "opened \(url)"
    }
  }
}

extension DeepLinkRouter: CustomStringConvertible {
  /// The state of the config, and the link that waits.
  public var description: String {
    (isConfigured ? "configured" : "waiting for the config")
      + (hasDeepLinkTrigger ? ", deepLink_open presents" : "")
      + (pending.map { ", holds \($0)" } ?? "")
  }
}
