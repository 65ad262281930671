import CampaignCore
import ExpressionCoding
import ExpressionEngine
public import PaywallLogic

extension PaywallAction: CustomStringConvertible {
  /// The action in a few words.
  public var description: String {
    switch self {
    case .callback(let name, let behavior, _, let onSuccess, let onFailure):
      "callback \(name) \(behavior.rawValue)" + text("success", onSuccess)
        + text("failure", onFailure)
    case .custom(let name): "custom \(name)"
    case .requestPermission(let permission, let onGranted, let onDenied):
      "permission \(permission.rawValue)" + text("granted", onGranted) + text("denied", onDenied)
    case .setUserAttributes(let attributes):
      "attributes "
        + Value(object: attributes.mapValues { $0 ?? .null }).jsonText()
    case .customPlacement(let name, _): "placement \(name)"
    case .purchase(let name): "purchase \(name)"
    case .restore: "restore"
    case .openURL(let url): "open \(url)"
    case .openDeepLink(let url): "deep link \(url)"
    case .requestReview: "review"
    case .close: "close"
    }
  }

  private func text(_ branch: String, _ actions: [PaywallAction]) -> String {
    actions.isEmpty
      ? "" : " \(branch)(\(actions.map(\.description).joined(separator: "; ")))"
  }
}

extension PaywallCallback: CustomStringConvertible {
  /// The request in a few words.
  public var description: String {
    "\(requestID) \(name) \(behavior.rawValue)"
      + (variables.map { " " + Value(object: $0).jsonText() } ?? "")
  }
}
