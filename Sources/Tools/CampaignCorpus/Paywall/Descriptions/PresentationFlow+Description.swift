import CampaignCore
import ExpressionEngine
public import PaywallLogic

extension PresentationFlow.Event: CustomStringConvertible {
  /// The event in a few words.
  public var description: String {
    switch self {
    case .decided(let decision): "decided \(decision)"
    case .loaded(let paywall): "loaded \(paywall.info.identifier)"
    case .contentChanged(let state): "content \(state.rawValue)"
    case .presented: "presented"
    case .restored: "restored"
    case .makeRoom: "makeRoom"
    case .disappeared: "disappeared"
    case .failed(let error): "failed \(error.code)"
    case .networkFailed(let isSubscribed, let error):
      "networkFailed \(isSubscribed ? "subscribed" : "unsubscribed") \(error.code)"
    case .purchased(let product): "purchased \(product)"
    case .closed(let reason): "closed \(reason.rawValue)"
    case .surveyFinished(let presentation):
      "surveyFinished \(presentation?.rawValue ?? "none")"
    case .exitOffer(let isFound): "exitOffer \(isFound ? "found" : "none")"
    case .replaced(let info): "replaced \(info.identifier)"
    }
  }
}

extension PresentationFlow.Decision: CustomStringConvertible {
  /// The decision in a few words.
  public var description: String {
    switch self {
    case .paywall(let info): "paywall \(info.identifier)"
    case .unloaded(let info): "paywall \(info.identifier) to load"
    case .skip(let reason): "\(reason)"
    case .failed(.reservedPlacement): "reserved"
    case .failed(let error): "error \(error.code)"
    }
  }
}

extension PresentationFlow: CustomStringConvertible {
  /// The phase, with the gating of the paywall.
  public var description: String {
    func text(_ info: PaywallDetails) -> String {
      "\(info.identifier) \(info.featureGating.rawValue)"
    }
    let text =
      switch phase {
      case .deciding: "deciding"
      case .loading(let info): "loading \(text(info))"
      case .loaded(let info): "loaded \(text(info))"
      case .makingRoom(let info): "making room of \(text(info))"
      case .vacated(let info): "vacated \(text(info))"
      case .presenting(let info): "presenting \(text(info))"
      case .presented(let info): "presented \(text(info))"
      case .surveying(let info, let result, let reason):
        "surveying \(text(info)) (\(result), \(reason.rawValue))"
      case .lookingForExitOffer(let info): "looking for exit offer \(text(info))"
      case .awaitingReplacement(let info): "awaiting replacement of \(text(info))"
      case .dismissing(let info, let result, let reason, let next):
        "dismissing \(text(info)) (\(result), \(reason.rawValue))"
          + (next.map { ", then \(text($0))" } ?? "")
      case .ended: "ended"
      }
    return text + (survey.map { ", survey \($0.rawValue)" } ?? "")
      + (settled.map { ", \($0) before" } ?? "")
      + (inheritedGating.map { ", inherits \($0.rawValue)" } ?? "")
      + (content == .ready ? "" : ", content \(content.rawValue)")
      + (request == .register ? "" : ", by the app")
  }
}
