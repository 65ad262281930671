import CampaignCore
import ExpressionEngine
public import PaywallLogic

extension EntitlementBook.Event: CustomStringConvertible {
  /// The event in a few words.
  public var description: String {
    switch self {
    case .restored(let status): "restored \(status)"
    case .configured(let products): "configured \(products.keys.sorted().joined(separator: ","))"
    case .statusSet(let status): "statusSet \(status)"
    case .deviceLoaded(let info, _): "deviceLoaded \(info.summary)"
    case .webLoaded(let info): "webLoaded \(info.summary)"
    case .customerInfoRequested: "customerInfoRequested"
    case .pinned(let entitlements):
      "pinned \(entitlements.map { "\(UserSubscriptionStatus.active($0))" } ?? "to nothing")"
    }
  }
}

extension EntitlementBook: CustomStringConvertible {
  /// The status and the customer info, and who waits.
  public var description: String {
    var parts = ["\(status)", "info \(customerInfo.summary)"]
    if let device { parts.append("device \(device.summary)") }
    if let webInfo { parts.append("web \(webInfo.summary)") }
    if !configured.isEmpty { parts.append("config \(configured.keys.sorted())") }
    if isAwaited { parts.append("awaited") }
    if isPinned { parts.append("pinned") }
    if hasPurchaseController { parts.append("controller") }
    return parts.joined(separator: "; ")
  }
}
