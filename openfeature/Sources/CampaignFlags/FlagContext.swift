import AudienceFilters
import CampaignCore

/// The evaluation context of a request: the unit, and its attributes in the layers of filters.
///
/// `user`, `device` and `params` of a context are layers, if they are objects. Everything else is
/// an attribute of the user.
struct FlagContext {
  /// The unit that variants are chosen for, `targetingKey` in the request.
  let unitID: String
  private(set) var user: [String: Value] = [:]
  private(set) var device: [String: Value] = [:]
  private(set) var parameters: [String: Value] = [:]

  /// Reads the body of a request.
  init(body: some Sequence<UInt8>) throws(FlagError) {
    let document: Value
    do throws(JSONError) {
      document = try Array(body).withUnsafeBufferPointer { bytes throws(JSONError) in
        try Value(json: bytes)
      }
    } catch {
      throw FlagError(
        .parseError, "\(error.message), at line \(error.line), column \(error.column)")
    }
    guard let context = document["context"]?.objectValue else {
      throw FlagError(.invalidContext, "the body must be an object with the object `context`")
    }
    guard case .string(let unitID)? = context["targetingKey"], !unitID.isEmpty else {
      throw FlagError(.targetingKeyMissing, "the context must have the text `targetingKey`")
    }
    self.unitID = unitID
    for (name, value) in context where name != "targetingKey" {
      switch (name, value.objectValue) {
      case ("user", let layer?): user.merge(layer) { _, new in new }
      case ("device", let layer?): device = layer
      case ("params", let layer?): parameters = layer
      default: if user[name] == nil { user[name] = value }
      }
    }
  }
}

/// The reason why a request has no flag, as the protocol writes it.
public struct FlagError: Error, Sendable, Hashable {
  /// A code of OpenFeature.
  public enum Code: String, Sendable, Hashable {
    /// The body is not JSON.
    case parseError = "PARSE_ERROR"
    /// The body has no context.
    case invalidContext = "INVALID_CONTEXT"
    /// The context does not say which unit it is about.
    case targetingKeyMissing = "TARGETING_KEY_MISSING"
    /// The config has no such flag.
    case flagNotFound = "FLAG_NOT_FOUND"
    /// Anything else.
    case general = "GENERAL"
  }

  /// The code.
  public let code: Code
  /// The reason for a person.
  public let details: String

  init(_ code: Code, _ details: String) {
    self.code = code
    self.details = details
  }

  /// The error as a body.
  ///
  /// - Parameter key: The flag of the request; `nil` if it was about all flags.
  public func body(key: String? = nil) -> String {
    var members: [String: Value] = [
      "errorCode": .string(code.rawValue), "errorDetails": .string(details),
    ]
    members["key"] = key.map { .string($0) }
    return Value(object: members).jsonText()
  }
}
