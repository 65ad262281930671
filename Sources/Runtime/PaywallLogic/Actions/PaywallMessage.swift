import CampaignCore
public import ExpressionEngine

extension PaywallMessage {
  /// The name of the message, `event_name` on the wire.
  public var name: String {
    switch self {
    case .callbackResult: "callback_result"
    case .permissionResult: "permission_result"
    }
  }

  /// The members of the message beside its name.
  public var payload: [String: Value] {
    switch self {
    case .callbackResult(let id, let name, let result):
      var payload: [String: Value] = [
        "request_id": .string(id), "name": .string(name),
        "status": .string(result.status.rawValue),
      ]
      payload["data"] = result.data.map(Value.init(object:))
      return payload
    case .permissionResult(let id, let permission, let status):
      return [
        "request_id": .string(id), "permission_type": .string(permission.rawValue),
        "status": .string(status.rawValue),
      ]
    }
  }
}
