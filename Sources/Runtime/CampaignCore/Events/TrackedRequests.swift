package import ExpressionEngine

/// The event `trigger_fire` (§2.6).
public struct TriggerFire: Sendable, Equatable {
  /// The placement.
  public var placement: String
  /// The result of the placement.
  public var result: PlacementResult

  /// Creates the event.
  public init(placement: String, result: PlacementResult) {
    self.placement = placement
    self.result = result
  }

  package func parameters(unmatchedKeys: MatchingOptions.UnmatchedKeys) -> [String: Value] {
    var parameters: [String: Value] = [
      "trigger_name": .string(placement), "result": .string(result.wireName),
    ]
    switch result {
    case .paywall(let experiment):
      parameters["variant_id"] = .string(experiment.variant.id)
      parameters["experiment_id"] = .string(experiment.id)
      parameters["paywall_identifier"] = .string(experiment.variant.paywallIdentifier ?? "")
    case .holdout(let experiment):
      parameters["variant_id"] = .string(experiment.variant.id)
      parameters["experiment_id"] = .string(experiment.id)
    case .noAudienceMatch(let unmatched):
      for audience in unmatched {
        let source = Value.string(audience.source.rawValue)
        if unmatchedKeys.contains(.audience) {
          parameters["unmatched_audience_" + audience.experimentID] = source
        }
        if unmatchedKeys.contains(.rule) {
          parameters["unmatched_rule_" + audience.experimentID] = source
        }
      }
    case .placementNotFound, .error: break
    }
    return parameters
  }
}

/// The event `paywallPresentationRequest` (§2.7).
public struct PresentationRequest: Sendable, Equatable {
  /// The outcome of a request.
  public enum Status: String, Sendable, Hashable {
    /// A paywall is to be presented.
    case presentation
    /// No paywall is presented.
    case noPresentation = "no_presentation"
    /// The request waited too long.
    case timeout
  }

  /// The placement.
  public var placement: String
  /// The kind of request.
  public var kind: RequestKind
  /// The outcome of the request.
  public var status: Status
  /// Why, in the word of the wire; `nil` when presented.
  public var reason: String?
  /// The whole context as JSON text, when the toggle asks for it.
  public var expressionParameters: String?

  /// Creates the event.
  public init(
    placement: String, kind: RequestKind, status: Status, reason: String? = nil,
    expressionParameters: String? = nil
  ) {
    self.placement = placement
    self.kind = kind
    self.status = status
    self.reason = reason
    self.expressionParameters = expressionParameters
  }

  package var parameters: [String: Value] {
    var parameters: [String: Value] = [
      "source_event_name": .string(placement), "pipeline_type": .string(kind.description),
      "status": .string(status.rawValue), "status_reason": .string(reason ?? ""),
    ]
    if let expressionParameters {
      parameters["expression_params"] = .string(expressionParameters)
    }
    return parameters
  }
}
