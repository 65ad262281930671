import AudienceFilters
import ExpressionEngine

/// The parameters that every registration has beside those of the app (docs/spec/campaigns.md §6.6).
struct StandardParameters {
  let placement: String
  let isStandardEvent: Bool
  let sessionID: String
  let isFeatureGatable: Bool

  init(_ request: MatchRequest, sessionID: String) {
    placement = request.placement
    isStandardEvent = request.isStandardEvent
    self.sessionID = sessionID
    isFeatureGatable = request.isFeatureGatable
  }

  /// Their names.
  static let names = [
    "event_name", "$event_name", "$is_standard_event", sessionName, "$is_feature_gatable",
  ]

  /// The name of the parameter that holds the session.
  static let sessionName = "$app_session_id"

  /// Whether a filter reads any of them.
  static func areRead(by filter: Filter) -> Bool { areRead(names, by: filter.requirements) }

  /// Whether a filter reads any of some of them.
  static func areRead(_ names: [String], by requirements: Requirements) -> Bool {
    requirements.attributes.contains { attribute in
      (attribute.root == "params" && names.contains(attribute.name))
        || (attribute.root == nil && attribute.name == "params")
    }
  }

  /// The value of one of them; `nil` for any other name.
  func value(_ name: String) -> Value? {
    switch name {
    case "event_name", "$event_name": .string(placement)
    case "$is_standard_event": .bool(isStandardEvent)
    case Self.sessionName: .string(sessionID)
    case "$is_feature_gatable": .bool(isFeatureGatable)
    default: nil
    }
  }

  // MARK: Copies with a dollar sign

  /// The names under which an event of the SDK has each of its parameters again: with `$` before them
  /// (§6.6).
  static func copies(of request: MatchRequest) -> [String] {
    guard request.isStandardEvent else { return [] }
    return (request.copied ?? request.parameters).keys.filter { isCopied($0, in: request) }
      .map { "$" + $0 }
  }

  /// The parameter that a name with `$` is a copy of.
  static func original(of name: String, in request: MatchRequest) -> Value? {
    guard request.isStandardEvent, !SanitationRules.acceptsName(name) else { return nil }
    let original = String(name.dropFirst())
    guard isCopied(original, in: request) else { return nil }
    return (request.copied ?? request.parameters)[original]
  }

  /// Whether a parameter has a copy. Of a deep link only its parts have one, and not what its query
  /// says.
  private static func isCopied(_ name: String, in request: MatchRequest) -> Bool {
    guard SanitationRules.acceptsName(name) else { return false }
    return request.copied != nil || request.placement != BuiltInEvent.deepLinkOpen.rawValue
      || DeepLink.fixedNames.contains(name)
  }
}
