/// How a paywall ended for the user (docs/spec/campaigns.md §8.4). A cancelled purchase is no end: the
/// paywall stays, and closing it then is ``declined``.
public enum PaywallResult: Sendable, Hashable, CustomStringConvertible {
  /// The product with this identifier was bought.
  case purchased(String)
  /// The user closed the paywall, or the app or a link did.
  case declined
  /// An earlier purchase was restored.
  case restored

  /// The result in one or two words.
  public var description: String {
    switch self {
    case .purchased(let product): "purchased \(product)"
    case .declined: "declined"
    case .restored: "restored"
    }
  }
}

/// Why a paywall closed, with the word of the wire (docs/spec/campaigns.md §8.4).
public enum CloseReason: String, Sendable, Hashable, CaseIterable {
  /// It has not closed.
  case none
  /// A purchase, a link or the app closed it.
  case systemLogic
  /// Another paywall takes its place.
  case forNextPaywall
  /// Its content did not load.
  case webViewFailedToLoad
  /// The user closed it.
  case manualClose
}

/// Why no paywall is shown (docs/spec/campaigns.md §8.12).
public enum SkipReason: Sendable, Hashable, CustomStringConvertible {
  /// The user is held out.
  case holdout(PaywallInfo.Experiment)
  /// No audience matches.
  case noAudienceMatch
  /// No campaign has the placement.
  case placementNotFound

  /// The name of the reason.
  public var description: String {
    switch self {
    case .holdout(let experiment): "holdout \(experiment.id)"
    case .noAudienceMatch: "noAudienceMatch"
    case .placementNotFound: "placementNotFound"
    }
  }

  /// The name that version 3 of the SDK gave the reason. Its `userIsSubscribed` has no counterpart:
  /// version 4 keeps subscribers out by the audience's filter.
  public var version3Name: String {
    switch self {
    case .holdout: "holdout"
    case .noAudienceMatch: "noRuleMatch"
    case .placementNotFound: "eventNotFound"
    }
  }
}

/// Why a paywall could not be presented, with the code of the reference SDK (docs/spec/campaigns.md §2.7).
public enum PresentationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The debugger is on screen.
  case debuggerPresented
  /// A paywall is on screen already.
  case paywallAlreadyPresented
  /// There is no view to present on.
  case noPresenter
  /// There is no config.
  case noConfig
  /// The subscription status was not known in time.
  case subscriptionStatusTimeout
  /// The content of a gated paywall did not load.
  case webViewFailed
  /// The experiment has no assignment.
  case noAssignment
  /// The paywall or its products did not load.
  case loadFailed(String)

  /// The domain of the code.
  public var domain: String {
    switch self {
    case .noAssignment: "SWPaywallNotFound"
    case .loadFailed: "PaywallLogic"
    default: "SWKPresentationError"
    }
  }

  /// The code within the domain.
  public var code: Int {
    switch self {
    case .debuggerPresented: 101
    case .paywallAlreadyPresented: 102
    case .noPresenter: 103
    case .noConfig: 104
    case .subscriptionStatusTimeout: 105
    case .webViewFailed: 106
    case .noAssignment: 404
    case .loadFailed: 1
    }
  }

  /// The error as a sentence for people.
  public var description: String {
    switch self {
    case .debuggerPresented: "the debugger is on screen (101)"
    case .paywallAlreadyPresented: "a paywall is already on screen (102)"
    case .noPresenter: "there is no view to present the paywall on (103)"
    case .noConfig: "there is no campaign config (104)"
    case .subscriptionStatusTimeout: "the subscription status is still unknown (105)"
    case .webViewFailed: "the content of a gated paywall did not load (106)"
    case .noAssignment: "the matched audience has no variant assigned (404)"
    case .loadFailed(let message): "the paywall did not load: \(message)"
    }
  }

  /// Every error with a code of its own.
  public static let coded: [PresentationError] = [
    .debuggerPresented, .paywallAlreadyPresented, .noPresenter, .noConfig,
    .subscriptionStatusTimeout, .webViewFailed, .noAssignment,
  ]
}
