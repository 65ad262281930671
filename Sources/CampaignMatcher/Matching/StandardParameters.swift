import AudienceFilters
import ExpressionEngine

/// The parameters that every registration has beside those of the app (docs/spec/campaigns.md
/// §6.6).
struct StandardParameters {
  var placement: String
  var isStandardEvent = false
  var sessionID = ""
  var isFeatureGatable = true

  /// Their names.
  static let names = [
    "event_name", "$event_name", "$is_standard_event", sessionName, "$is_feature_gatable",
  ]

  /// The one that tells the session.
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

  /// Adds them; they win over the app's own.
  func add(to parameters: inout [String: Value]) {
    parameters.reserveCapacity(parameters.count + Self.names.count)
    for name in Self.names { parameters[name] = value(name) }
  }
}
