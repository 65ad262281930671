public import CampaignCore
public import ExpressionEngine

/// Why a response of the server cannot be read.
public enum ResponseError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The text is not JSON.
  case syntax(JSONError)
  /// A member does not have the expected value.
  case member(ConfigError)

  /// The error as a sentence, with the place.
  public var description: String {
    switch self {
    case .syntax(let error): "the response is not JSON: \(error)"
    case .member(let error): "the response cannot be read: \(error)"
    }
  }
}

/// Readers of the JSON that the subscription service sends (docs/spec/campaigns.md §8.16).
///
/// Dates are integers, milliseconds since 1970, or texts of ISO 8601. Members are in camelCase; the
/// readers also accept snake_case. An unknown store becomes `PaymentStore.other`. Any other value that
/// does not fit fails the whole response, also within an array: a customer must not lose a purchase
/// because one of several could not be read, and the app keeps what it has.
public enum ServerResponses {
  /// Reads a customer info.
  ///
  /// - Parameter text: A JSON object.
  /// - Throws: ``ResponseError``, with the path of the member that does not fit.
  public static func customerInfo(json text: String) throws(ResponseError) -> CustomerRecord {
    try read(text, CustomerRecord.init(response:))
  }

  /// Reads the response with the web entitlements, whose only member is `customerInfo`.
  ///
  /// - Parameter text: A JSON object.
  /// - Throws: ``ResponseError``, with the path of the member that does not fit.
  public static func webEntitlements(json text: String) throws(ResponseError) -> CustomerRecord {
    try read(text) { value throws(ConfigError) in
      try CustomerRecord(response: value.object()["customer_info"])
    }
  }

  /// Reads one transaction of a subscription.
  ///
  /// - Parameter text: A JSON object.
  /// - Throws: ``ResponseError``, with the path of the member that does not fit.
  public static func subscription(
    json text: String
  ) throws(ResponseError) -> CustomerRecord.Subscription {
    try read(text, CustomerRecord.Subscription.init(response:))
  }

  /// Reads one transaction of a product that is not a subscription.
  ///
  /// - Parameter text: A JSON object.
  /// - Throws: ``ResponseError``, with the path of the member that does not fit.
  public static func nonSubscription(
    json text: String
  ) throws(ResponseError) -> CustomerRecord.NonSubscription {
    try read(text, CustomerRecord.NonSubscription.init(response:))
  }

  /// Reads one entitlement.
  ///
  /// - Parameter text: A JSON object.
  /// - Throws: ``ResponseError``, with the path of the member that does not fit.
  public static func entitlement(json text: String) throws(ResponseError) -> UserEntitlement {
    try read(text, UserEntitlement.init(response:))
  }

  /// Reads the response to codes, or to the question about a checkout.
  ///
  /// - Parameter text: A JSON object.
  /// - Throws: ``ResponseError``, with the path of the member that does not fit.
  public static func redemption(json text: String) throws(ResponseError) -> RedeemResponse {
    try read(text, RedeemResponse.init(_:))
  }

  /// Reads the tokens of introductory offers, by product.
  ///
  /// - Parameter text: A JSON object.
  /// - Throws: ``ResponseError``, with the path of the member that does not fit.
  public static func introOfferTokens(
    json text: String
  ) throws(ResponseError) -> [String: IntroOfferTokens.Token] {
    try read(text) { value throws(ConfigError) in
      var tokens: [String: IntroOfferTokens.Token] = [:]
      for (product, element) in try value.object()["tokens"].object().members {
        let token = try element.object()
        tokens[product] = IntroOfferTokens.Token(
          text: try token["token"].string(),
          expiresAt: try token["expires_at"].milliseconds())
      }
      return tokens
    }
  }

  private static func read<Result>(
    _ text: String, _ decode: (ConfigValue) throws(ConfigError) -> Result
  ) throws(ResponseError) -> Result {
    let document: ConfigDocument
    do throws(JSONError) {
      document = try ConfigDocument(json: text)
    } catch {
      throw .syntax(error)
    }
    do throws(ConfigError) {
      return try decode(ConfigValue(ConfigLog(document, naming: .response)))
    } catch {
      throw .member(error)
    }
  }
}
