/// Why no paywall is shown (docs/spec/campaigns.md §8.12).
public enum SkipReason: Sendable, Hashable, CustomStringConvertible {
  /// The user is held out.
  case holdout(CampaignExperiment)
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
