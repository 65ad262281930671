public import CampaignCore
public import ExpressionEngine

/// The result of redeeming a code of a web purchase (docs/spec/campaigns.md §8.4).
public indirect enum PaywallRedemptionResult: Sendable, Equatable {
  /// The code was redeemed.
  case success(code: String, RedemptionInfo)
  /// The code could not be redeemed.
  case error(code: String, message: String)
  /// The code is too old; a new one may have been sent.
  case expiredCode(code: String, isResent: Bool, obfuscatedEmail: String?)
  /// There is no such code.
  case invalidCode(code: String)
  /// The subscription that the code unlocks has ended.
  case expiredSubscription(code: String, RedemptionInfo)

  /// The code.
  public var code: String {
    switch self {
    case .success(let code, _), .error(let code, _), .expiredCode(let code, _, _),
      .invalidCode(let code), .expiredSubscription(let code, _):
      code
    }
  }
}

/// The server's record of a redeemed purchase.
public struct RedemptionInfo: Sendable, Equatable {
  /// The product that was bought on the web.
  public struct Product: Sendable, Equatable {
    /// The product identifier.
    public var identifier: String
    /// The length of the trial in days; 0 without one.
    public var trialDays: Int

    /// Creates a product.
    public init(identifier: String, trialDays: Int = 0) {
      self.identifier = identifier
      self.trialDays = trialDays
    }
  }

  /// The user, or the device, that the purchase belongs to.
  public enum Owner: Sendable, Equatable {
    /// A user of the app, by the app's own id.
    case appUser(String)
    /// A device, by the id that the SDK gave it.
    case device(String)
  }

  /// The user, or the device, that the purchase belongs to.
  public var owner: Owner?
  /// The id of the buyer in the app.
  public var appUserID: String?
  /// The store of the purchase.
  public var store: PaymentStore?
  /// The id of the buyer in the store.
  public var storeCustomerID: String?
  /// The address of the buyer.
  public var email: String?
  /// The subscriptions at Paddle.
  public var paddleSubscriptionIDs: [String] = []
  /// The subscriptions at Stripe; for one-time purchases the ids of the checkout sessions.
  public var stripeSubscriptionIDs: [String] = []
  /// The paywall of the purchase.
  public var paywallIdentifier: String?
  /// The product that was bought.
  public var product: Product?
  /// The placement of the paywall.
  public var placement: String?
  /// The variant of the paywall.
  public var variantID: String?
  /// The experiment of the paywall.
  public var experimentID: String?
  /// The parameters of the placement.
  public var placementParameters: [String: Value] = [:]
  /// The entitlements that the purchase gives.
  public var entitlements: [UserEntitlement] = []

  /// Creates an empty record.
  public init() {}
}

extension PaywallRedemptionResult: CustomStringConvertible {
  /// The result in a few words.
  public var description: String {
    switch self {
    case .success(let code, _): "success \(code)"
    case .error(let code, let message): "error \(code): \(message)"
    case .expiredCode(let code, let isResent, let email):
      "expiredCode \(code)\(isResent ? ", resent" : "")\(email.map { " to " + $0 } ?? "")"
    case .invalidCode(let code): "invalidCode \(code)"
    case .expiredSubscription(let code, _): "expiredSubscription \(code)"
    }
  }
}
