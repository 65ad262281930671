public import CampaignCore

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
  case holdout(Experiment)
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
