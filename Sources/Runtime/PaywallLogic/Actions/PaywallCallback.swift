import CampaignCore
public import ExpressionEngine

/// A request of a paywall to the app's code (docs/spec/campaigns.md §8.6).
public struct PaywallCallback: Sendable, Equatable {
  /// Whether the chain of actions waits for the result.
  public enum Behavior: String, Sendable, Hashable, CaseIterable {
    /// The next action waits for the result.
    case blocking
    /// The next action runs at once, and the branch when the result comes.
    case nonBlocking = "non-blocking"
  }

  /// The id that the result carries back.
  public var requestID: String
  /// The name in the editor.
  public var name: String
  /// Whether the chain of actions waits for the result.
  public var behavior: Behavior
  /// The values that the paywall sends along; strings, numbers and booleans keep their kind.
  public var variables: [String: Value]?

  /// Creates a request.
  public init(
    requestID: String, name: String, behavior: Behavior = .blocking,
    variables: [String: Value]? = nil
  ) {
    self.requestID = requestID
    self.name = name
    self.behavior = behavior
    self.variables = variables
  }

  /// Reads the message of a page: `request_id`, `name`, `behavior` and, if there are any,
  /// `variables`.
  ///
  /// - Returns: `nil` when one of the first three is missing or the behavior is unknown. The message
  ///   is ignored then.
  public init?(message: Value) {
    guard let members = message.objectValue, case .string(let id)? = members["request_id"],
      case .string(let name)? = members["name"],
      case .string(let word)? = members["behavior"], let behavior = Behavior(rawValue: word)
    else { return nil }
    self.init(
      requestID: id, name: name, behavior: behavior, variables: members["variables"]?.objectValue)
  }
}

/// The result of a ``PaywallCallback``, from the app's code.
public struct PaywallCallbackResult: Sendable, Equatable {
  /// Which branch runs, with the word of the wire.
  public enum Status: String, Sendable, Hashable, CaseIterable {
    /// `onSuccess`.
    case success
    /// `onFailure`.
    case failure
  }

  /// Which branch runs.
  public var status: Status
  /// Values for the paywall.
  public var data: [String: Value]?

  /// A result that runs `onSuccess`.
  public static func success(data: [String: Value]? = nil) -> PaywallCallbackResult {
    PaywallCallbackResult(status: .success, data: data)
  }

  /// A result that runs `onFailure`.
  public static func failure(data: [String: Value]? = nil) -> PaywallCallbackResult {
    PaywallCallbackResult(status: .failure, data: data)
  }

  /// Whether the data can be sent to the page: JSON has all of it.
  public var isEncodable: Bool { data?.values.allSatisfy(\.hasJSON) ?? true }

  /// The result as `callbacks.<name>` shows it: `status`, and `data` if there is any.
  public var value: Value {
    var members: [String: Value] = ["status": .string(status.rawValue)]
    members["data"] = data.map(Value.init(object:))
    return Value(object: members)
  }
}

extension Value {
  /// Whether JSON has the value without loss of its kind.
  fileprivate var hasJSON: Bool {
    switch self {
    case .null, .bool, .int, .uint, .string: true
    case .double(let number): number.isFinite
    case .list(let elements): elements.allSatisfy(\.hasJSON)
    case .map(let entries):
      entries.allSatisfy { key, value in
        guard case .string = key else { return false }
        return value.hasJSON
      }
    case .bytes, .timestamp, .duration, .function, .type, .optional, .network: false
    }
  }
}
