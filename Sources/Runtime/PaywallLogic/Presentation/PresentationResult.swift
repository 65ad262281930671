public import CampaignCore

/// The outcome that registering a placement would have.
public enum PresentationResult: Sendable, Hashable {
  /// No campaign has the placement.
  case placementNotFound
  /// No audience matches.
  case noAudienceMatch
  /// The paywall of this experiment would be shown.
  case paywall(Experiment)
  /// The user is held out.
  case holdout(Experiment)
  /// A paywall would be shown, but cannot be: no config, no status, no view, or one is on screen.
  case paywallNotAvailable

  /// Creates the result of a decision.
  ///
  /// - Parameters:
  ///   - decision: The decision of the matcher.
  ///   - isPaywallOnScreen: Whether a paywall is on screen, which keeps others away.
  public init(_ decision: PresentationFlow.Decision, isPaywallOnScreen: Bool = false) {
    switch decision {
    case .skip(.placementNotFound), .reserved: self = .placementNotFound
    case .skip(.noAudienceMatch): self = .noAudienceMatch
    case .skip(.holdout(let experiment)): self = .holdout(experiment)
    case .failed: self = .paywallNotAvailable
    case .paywall(let info), .unloaded(let info):
      guard let experiment = info.experiment, !isPaywallOnScreen else {
        self = .paywallNotAvailable
        return
      }
      self = .paywall(experiment)
    }
  }
}
