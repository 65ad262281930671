public import CampaignCore

/// The outcome of a request.
public struct MatchOutcome: Sendable {
  /// The placement.
  public let placement: String
  /// When it was registered; everything was evaluated at this time.
  public let instant: WallTime
  /// The result of the placement.
  public let result: PlacementResult
  /// The paywall to show. Tell it what happens; only then the limit counts.
  public let presentation: Presentation?
  /// The assignment that the server should hear about; call
  /// ``Matcher/Assignments/markSent(experimentIDs:)`` when it has.
  public let confirmation: ServerAssignment?
  /// The reports about the audiences, when `ReportDetail.full` was asked for.
  public let audiences: [AudienceReport]

  /// The outcome of a paywall that could not be shown after all.
  package func failing(with error: MatchError) -> MatchOutcome {
    MatchOutcome(
      placement: placement, instant: instant, result: .error(error), presentation: nil,
      confirmation: nil, audiences: audiences)
  }

  /// Why no paywall is shown; `nil` for a paywall, and for a request that failed.
  public var skipReason: SkipReason? { result.skipReason }

  /// Whether the feature of the placement runs right away (§8.5): on every skip, and on no
  /// error. With a paywall the dismissal decides, see ``Presentation/didDismiss(_:parameters:)``.
  public var runsFeatureNow: Bool { skipReason != nil }
}

extension MatchOutcome: CustomStringConvertible {
  /// The outcome as one line, such as `open_forecast: shows paywall pw_1 (experiment 10, variant 10a)`.
  public var description: String { "\(placement): \(result)" }
}
