public import ExpressionEngine

/// What is asked of the matcher: a placement, its parameters, and what else holds for this one
/// request.
public struct MatchRequest: Sendable {
  /// The placement, compared exactly.
  public var placement: String
  /// The parameters as the app hands them in; they are sanitized (docs/spec/campaigns.md §6.7).
  public var parameters: [String: Value]
  /// User attributes that hold for this request only, over the stored ones.
  public var user: [String: Value] = [:]
  /// Device attributes that hold for this request only, over all others.
  public var device: [String: Value] = [:]
  /// How much is said about each audience.
  public var detail = ReportDetail.result
  /// Who tells that a paywall appeared.
  public var presentation = PresentationMode.byHost
  /// Whether a feature waits behind the placement; part of the standard parameters.
  public var isFeatureGatable = true
  /// The gating that a follow-up inherits from the paywall it replaces.
  var inheritedGating: Paywall.FeatureGating?
  /// Whether the placement is a built-in event.
  var isStandardEvent = false
  /// When the placement was recorded as an event; `nil` while it is not.
  var recordedAt: Instant?

  /// Creates a request.
  public init(_ placement: String, parameters: [String: Value] = [:]) {
    self.placement = placement
    self.parameters = parameters
  }
}
