public import CampaignCore

extension PresentationFlow {
  /// An event of a presentation.
  public enum Event: Sendable, Hashable {
    /// The matcher decided.
    case decided(Decision)
    /// The paywall has loaded.
    case loaded(LoadedPaywall)
    /// The paywall is on screen.
    case presented
    /// The page of the paywall shows something else.
    case contentChanged(ContentState)
    /// Another paywall takes the place of this one, which goes before the matcher decides.
    case makeRoom
    /// The paywall could not be presented, or its exit offer could not.
    case failed(MatchError)
    /// The network failed; `isSubscribed` says whether the user has an active entitlement.
    case networkFailed(isSubscribed: Bool, MatchError)
    /// The product with this identifier was bought.
    case purchased(String)
    /// An earlier purchase was restored.
    case restored
    /// The user, the app, a link or a fault closes the paywall.
    case closed(CloseReason)
    /// The survey is over; `nil` if none was due.
    case surveyFinished(SurveyPicker.Presentation?)
    /// The look for an exit offer is over.
    case exitOffer(isFound: Bool)
    /// Another paywall takes the place of this one.
    case replaced(PaywallInfo)
    /// The paywall has left the screen.
    case disappeared

    /// The kinds of events, for tests that must try each.
    public enum Kind: String, Sendable, CaseIterable {
      /// See ``Event/decided(_:)``.
      case decided
      /// See ``Event/loaded(_:)``.
      case loaded
      /// See ``Event/contentChanged(_:)``.
      case contentChanged
      /// See ``Event/makeRoom``.
      case makeRoom
      /// See ``Event/presented``.
      case presented
      /// See ``Event/failed(_:)``.
      case failed
      /// See ``Event/networkFailed(isSubscribed:_:)``.
      case networkFailed
      /// See ``Event/purchased(_:)``.
      case purchased
      /// See ``Event/restored``.
      case restored
      /// See ``Event/closed(_:)``.
      case closed
      /// See ``Event/surveyFinished(_:)``.
      case surveyFinished
      /// See ``Event/exitOffer(isFound:)``.
      case exitOffer
      /// See ``Event/replaced(_:)``.
      case replaced
      /// See ``Event/disappeared``.
      case disappeared
    }

    /// The kind of the event.
    public var kind: Kind {
      switch self {
      case .decided: .decided
      case .loaded: .loaded
      case .contentChanged: .contentChanged
      case .makeRoom: .makeRoom
      case .presented: .presented
      case .failed: .failed
      case .networkFailed: .networkFailed
      case .purchased: .purchased
      case .restored: .restored
      case .closed: .closed
      case .surveyFinished: .surveyFinished
      case .exitOffer: .exitOffer
      case .replaced: .replaced
      case .disappeared: .disappeared
      }
    }
  }
}

extension PresentationFlow.Event: CustomStringConvertible {
  /// The event in a few words.
  public var description: String {
    switch self {
    case .decided(let decision): "decided \(decision)"
    case .loaded(let paywall): "loaded \(paywall.info.identifier)"
    case .contentChanged(let state): "content \(state.rawValue)"
    case .presented, .restored, .makeRoom, .disappeared: kind.rawValue
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

extension PresentationFlow.Decision {
  /// The paywall that is to be shown.
  var paywall: PaywallInfo? {
    switch self {
    case .paywall(let info), .unloaded(let info): info
    case .skip, .failed, .reserved: nil
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
    case .failed(let error): "error \(error.code)"
    case .reserved: "reserved"
    }
  }
}

extension PresentationFlow: CustomStringConvertible {
  /// The phase, with the gating of the paywall.
  public var description: String {
    func text(_ info: PaywallInfo) -> String {
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
