public import CampaignCore

extension PresentationFlow {
  /// A decision of the matcher.
  public indirect enum Decision: Sendable, Equatable {
    /// A paywall is to be shown. It has loaded, and there is a view for it.
    case paywall(PaywallDetails)
    /// A paywall is to be shown, which has to be loaded first. When it has loaded and there is a view for
    /// it, another decision follows.
    case unloaded(PaywallDetails)
    /// There is a reason to show none.
    case skip(SkipReason)
    /// The request failed.
    case failed(MatchError)
  }

  /// An event of a presentation.
  public indirect enum Event: Sendable, Equatable {
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
    case replaced(PaywallDetails)
    /// The paywall has left the screen.
    case disappeared
  }
}

extension PresentationFlow.Decision {
  /// The paywall that is to be shown.
  var paywall: PaywallDetails? {
    switch self {
    case .paywall(let info), .unloaded(let info): info
    case .skip, .failed: nil
    }
  }
}
