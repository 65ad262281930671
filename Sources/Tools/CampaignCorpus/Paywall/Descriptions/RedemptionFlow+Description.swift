import CampaignCore
import ExpressionEngine
public import PaywallLogic

extension RedemptionFlow.Event: CustomStringConvertible {
  /// The event in a few words.
  public var description: String {
    switch self {
    case .paywallPresented(let info, let entitlements):
      "paywallPresented \(info.identifier) for \(entitlements.sorted().joined(separator: ","))"
    case .paywallDismissed: "paywallDismissed"
    case .existingCodes: "existingCodes"
    case .launched: "launched"
    case .link(let code): "link \(code)"
    case .responded(let response, _, _, _):
      "responded \(response.results.map(\.description).joined(separator: ", "))"
        + " \(response.customerInfo)"
    case .recovered(let response, let code, _, _):
      "recovered \(code) \(response.customerInfo)"
    case .networkFailed(let message, _): "networkFailed \(message)"
    case .foregrounded(let now): "foregrounded \(now)"
    case .fetched(let info, let now, _): "fetched \(info.summary) \(now)"
    case .checkout(let step, let product): "\(step.rawValue) \(product)"
    }
  }
}

extension RedemptionFlow: CustomStringConvertible {
  /// The requests under way, the codes, the queue, the paywall and the date of the last fetch.
  public var description: String {
    var parts = running.isEmpty ? ["idle"] : running.map(\.description)
    if !codes.isEmpty { parts.append("codes \(codes.joined(separator: ","))") }
    if !queue.isEmpty { parts.append("then \(queue.joined(separator: ","))") }
    if let identifier = paywallIdentifier { parts.append("over \(identifier)") }
    if let date = fetchedAt { parts.append("fetched \(date)") }
    if !web.entitlements.isEmpty { parts.append("web \(web)") }
    return parts.joined(separator: "; ")
  }
}

extension RedemptionFlow.Redemption: CustomStringConvertible {
  /// The codes and the number of repetitions.
  public var description: String {
    let list = codes.map(\.description).joined(separator: ",")
    return "redeeming \(kind.wireName) [\(list)] #\(attempt)" + (id > 0 ? " id \(id)" : "")
      + (isOverPaywall ? " over a paywall" : "") + (isRepeated ? ", then again" : "")
  }
}
