public import ExpressionEngine

/// Something the matcher did that the dashboard or an analytics tool wants to know, with its exact
/// wire name and parameters (docs/spec/campaigns.md §2.6–2.9, §8.7).
public enum MatchEvent: Sendable, Hashable {
  /// A placement was matched.
  case triggerFire(TriggerFire)
  /// A paywall was asked for.
  case presentationRequest(PresentationRequest)
  /// All assignments were confirmed.
  case confirmAllAssignments
  /// Preloading begins with so many paywalls.
  case preloadStart(count: Int)
  /// Preloading is done.
  case preloadComplete(count: Int)
  /// The user was identified.
  case identityAlias
  /// Everything of the user was forgotten.
  case reset
  /// The attributes of the user changed.
  case userAttributes(installedAt: Instant?, attributes: [String: Value])
  /// The subscription status changed.
  case subscriptionStatusChanged(SubscriptionStatus)
  /// A new config is in force.
  case configRefresh(buildID: String)
  /// A config did not decode; the previous one stays in force.
  case configFail(message: String)
  /// A paywall appeared.
  case paywallOpen([String: Value])
  /// A paywall disappeared.
  case paywallClose([String: Value])
  /// Any other event that the app tracked, with its parameters.
  case tracked(name: String, parameters: [String: Value])

  /// The tracked name.
  public var name: String {
    switch self {
    case .triggerFire: BuiltInEvent.triggerFire.rawValue
    case .presentationRequest: BuiltInEvent.paywallPresentationRequest.rawValue
    case .confirmAllAssignments: BuiltInEvent.confirmAllAssignments.rawValue
    case .preloadStart: BuiltInEvent.paywallPreloadStart.rawValue
    case .preloadComplete: BuiltInEvent.paywallPreloadComplete.rawValue
    case .identityAlias: BuiltInEvent.identityAlias.rawValue
    case .reset: BuiltInEvent.reset.rawValue
    case .userAttributes: BuiltInEvent.userAttributes.rawValue
    case .subscriptionStatusChanged: BuiltInEvent.subscriptionStatusDidChange.rawValue
    case .configRefresh: BuiltInEvent.configRefresh.rawValue
    case .configFail: BuiltInEvent.configFail.rawValue
    case .paywallOpen: BuiltInEvent.paywallOpen.rawValue
    case .paywallClose: BuiltInEvent.paywallClose.rawValue
    case .tracked(let name, _): name
    }
  }

  /// The parameters beyond the two that every event has.
  public func parameters(unmatchedKeys: MatchingOptions.UnmatchedKeys) -> [String: Value] {
    switch self {
    case .triggerFire(let fire): fire.parameters(unmatchedKeys: unmatchedKeys)
    case .presentationRequest(let request): request.parameters
    case .confirmAllAssignments, .identityAlias, .reset: [:]
    case .preloadStart(let count), .preloadComplete(let count):
      ["paywall_count": .int(Int64(count))]
    case .userAttributes(let installedAt, let attributes):
      attributes.merging(["application_installed_at": .string(installedAt?.description ?? "")]) {
        _, new in new
      }
    case .subscriptionStatusChanged(let status): Self.parameters(of: status)
    case .configRefresh(let buildID): ["config_build_id": .string(buildID)]
    case .configFail(let message): ["error_message": .string(message)]
    case .paywallOpen(let parameters), .paywallClose(let parameters), .tracked(_, let parameters):
      parameters
    }
  }

  private static func parameters(of status: SubscriptionStatus) -> [String: Value] {
    guard status.text == "ACTIVE" else { return ["status": .string(status.text)] }
    let ids = status.activeEntitlements.map(\.identifier).joined(separator: ",")
    return ["status": .string(status.text), "active_entitlement_ids": .string(ids)]
  }
}

/// The event `trigger_fire` (§2.6).
public struct TriggerFire: Sendable, Hashable {
  /// The placement.
  public var placement: String
  /// What came of it.
  public var result: TriggerResult

  /// Creates the event.
  public init(placement: String, result: TriggerResult) {
    self.placement = placement
    self.result = result
  }

  func parameters(unmatchedKeys: MatchingOptions.UnmatchedKeys) -> [String: Value] {
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
public struct PresentationRequest: Sendable, Hashable {
  /// What became of a request.
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
  /// What became of it.
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

  var parameters: [String: Value] {
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

/// An event as it is delivered: with all its parameters and its instant.
public struct TrackedEvent: Sendable, Hashable {
  /// What happened.
  public var event: MatchEvent
  /// When.
  public var instant: Instant
  /// The tracked name.
  public var name: String
  /// All parameters, `is_superwall` and `app_session_id` among them.
  public var parameters: [String: Value]

  /// The event as JSON: `name`, `at`, `parameters`.
  public var value: Value {
    .map([
      .string("name"): .string(name), .string("at"): .string(instant.description),
      .string("parameters"): Value(object: parameters),
    ])
  }
}

extension Value {
  /// A map with string keys.
  package init(object: [String: Value]) {
    self = .map(
      Dictionary(uniqueKeysWithValues: object.map { (Value.Key.string($0.key), $0.value) }))
  }

  /// The entries of a map whose keys are strings; `nil` for anything but a map.
  package var object: [String: Value]? {
    guard case .map(let entries) = self else { return nil }
    var result: [String: Value] = [:]
    for case (.string(let name), let value) in entries { result[name] = value }
    return result
  }
}
