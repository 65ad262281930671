import CampaignCore
import ExpressionEngine
public import PaywallLogic

extension ActionChain.Event: CustomStringConvertible {
  /// The event in a few words.
  public var description: String {
    switch self {
    case .presented(let info, let hasHandler):
      "presented \(info.identifier)\(hasHandler ? " with handler" : "")"
    case .tapped(let id, let actions):
      "tapped \(id): \(actions.map(\.description).joined(separator: ", "))"
    case .callbackFinished(let id, let result): "callbackFinished \(id) \(result.status.rawValue)"
    case .timedOut(let id): "timedOut \(id)"
    case .permissionAnswered(let id, let isGranted):
      "permissionAnswered \(id) \(isGranted ? "yes" : "no")"
    case .dismissed: "dismissed"
    }
  }
}

extension ActionChain: CustomStringConvertible {
  /// The paywall, what waits, and the results so far.
  public var description: String {
    guard let paywall else { return "no paywall" + resultsText + permissionText }
    let waiting = pendingRequestIDs
    return paywall.identifier + (hasHandler ? " with handler" : "")
      + (waiting.isEmpty ? "" : ", waits for \(waiting.joined(separator: " "))") + resultsText
      + permissionText
  }

  private var resultsText: String {
    let texts = results.keys.sorted().map { "\($0) \(results[$0]?.status.rawValue ?? "")" }
    return texts.isEmpty ? "" : ", results: \(texts.joined(separator: " "))"
  }

  private var permissionText: String {
    let texts = permissions.answers.map { "\($0.rawValue) \($1.rawValue)" }.sorted()
    return texts.isEmpty ? "" : ", answers: \(texts.joined(separator: " "))"
  }
}
