public import CampaignCore

/// A decision about a placement, for metrics and logs; see `Matcher.Configuration.onDecision`.
public struct DecisionRecord: Sendable {
  /// The placement.
  public let placement: String
  /// The kind of request; previews are decisions, too.
  public let kind: RequestKind
  /// The result.
  public let result: PlacementResult
  /// The audiences that were tried and whose filters have no value for the user.
  public let failures: [FilterFailure]
  /// The time of the decision, in nanoseconds of a monotonic clock: filters, limits and history, but
  /// not the time that the request waited.
  public let nanoseconds: UInt64
}
