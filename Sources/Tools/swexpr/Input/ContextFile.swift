import CampaignCore
import CampaignMatcher
import ExpressionEngine

/// A file that describes a user: `user`, `device`, `params`, and the results of the app's
/// functions.
struct ContextFile {
  let user: [String: Value]
  let device: [String: Value]
  let params: [String: Value]
  /// The member `host`.
  let host: [String: Value]
  let hasHost: Bool

  init(_ path: String) throws(InputError) {
    let name = InputFile.name(path)
    var members = try ContextOptions.object(try InputFile.json(path), name)
    hasHost = members["host"] != nil
    func take(_ root: String) throws(InputError) -> [String: Value] {
      guard let value = members.removeValue(forKey: root) else { return [:] }
      return try ContextOptions.object(value, "\(name): `\(root)`")
    }
    user = try take("user")
    device = try take("device")
    params = try take("params")
    host = try take("host")
    if let other = members.keys.min() {
      throw InputError(
        "\(name): a context has the members user, device and params, found `\(other)`")
    }
  }

  /// Returns the request of a placement for this user.
  func request(_ placement: String) -> MatchRequest {
    var request = MatchRequest(placement, parameters: params)
    request.user = user
    request.device = device
    return request
  }
}
