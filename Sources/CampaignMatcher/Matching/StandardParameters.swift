import ExpressionEngine

/// The parameters that every registration has beside those of the app (spec/campaigns.md §6.6).
struct StandardParameters {
  var placement: String
  var isStandardEvent = false
  var sessionID = ""
  var isFeatureGatable = true

  /// Their names.
  static let names: Set<String> = [
    "event_name", "$event_name", "$is_standard_event", "$app_session_id", "$is_feature_gatable",
  ]

  /// Adds them; they win over the app's own.
  func add(to parameters: inout [String: Value]) {
    parameters.reserveCapacity(parameters.count + Self.names.count)
    parameters["event_name"] = .string(placement)
    parameters["$event_name"] = .string(placement)
    parameters["$is_standard_event"] = .bool(isStandardEvent)
    parameters["$app_session_id"] = .string(sessionID)
    parameters["$is_feature_gatable"] = .bool(isFeatureGatable)
  }

  /// A context whose parameters are complete.
  func added(to context: Context) -> Context {
    var parameters = context.snapshot()["params"]?.object ?? [:]
    add(to: &parameters)
    return context.replacing(params: Context.Layer(parameters))
  }
}
