public import CampaignCore
import ExpressionEngine

/// A product as Adapty's events describe it.
public struct AdaptyProduct: Sendable, Equatable {
  /// The product identifier in the store.
  public var vendorProductID: String
  /// The title in the user's language.
  public var localizedTitle: String
  /// The description in the user's language.
  public var localizedDescription: String
  /// The price as it is shown.
  public var localizedPrice: String
  /// The price.
  public var price: Price
  /// The code of the currency.
  public var currencyCode: String

  /// Creates a product.
  public init(
    vendorProductID: String, localizedTitle: String = "", localizedDescription: String = "",
    localizedPrice: String = "", price: Price = .zero, currencyCode: String = ""
  ) {
    self.vendorProductID = vendorProductID
    self.localizedTitle = localizedTitle
    self.localizedDescription = localizedDescription
    self.localizedPrice = localizedPrice
    self.price = price
    self.currencyCode = currencyCode
  }
}

/// An error as Adapty's events describe it.
public struct AdaptyError: Error, Sendable, Equatable {
  /// A kind of failure, with the word of the wire.
  public enum Code: Sendable, Equatable {
    /// `purchase_failed`
    case purchaseFailed
    /// `web_payment_failed`
    case webPaymentFailed
    /// `restore_failed`
    case restoreFailed
    /// `products_loading_failed`
    case productsLoadingFailed
    /// `rendering_failed`
    case renderingFailed
    /// Any other code.
    case other(String)

    /// The word of the wire.
    public var wireName: String {
      switch self {
      case .purchaseFailed: "purchase_failed"
      case .webPaymentFailed: "web_payment_failed"
      case .restoreFailed: "restore_failed"
      case .productsLoadingFailed: "products_loading_failed"
      case .renderingFailed: "rendering_failed"
      case .other(let name): name
      }
    }

    /// The codes with a meaning of their own.
    public static let known: [Code] = [
      .purchaseFailed, .webPaymentFailed, .restoreFailed, .productsLoadingFailed,
      .renderingFailed,
    ]

    /// Creates a code from the word of the wire.
    public init(wireName: String) {
      self = Self.known.first { $0.wireName == wireName } ?? .other(wireName)
    }
  }

  /// The kind of failure.
  public var code: Code
  /// The sentence for people.
  public var message: String
  /// The cause.
  public var underlyingError: String?

  /// Creates an error.
  public init(code: Code, message: String, underlyingError: String? = nil) {
    self.code = code
    self.message = message
    self.underlyingError = underlyingError
  }
}

/// The purchases of a user, as Adapty knows them.
public struct AdaptyProfile: Sendable, Equatable {
  /// A right that a purchase gives.
  public struct AccessLevel: Sendable, Equatable {
    /// The identifier.
    public var id: String
    /// Whether it is in force.
    public var isActive: Bool
    /// When it ends; `nil` for a lifetime.
    public var expiresAt: WallTime?

    /// Creates an access level.
    public init(id: String, isActive: Bool, expiresAt: WallTime? = nil) {
      self.id = id
      self.isActive = isActive
      self.expiresAt = expiresAt
    }
  }

  /// A subscription.
  public struct Subscription: Sendable, Equatable {
    /// The product identifier in the store.
    public var vendorProductID: String
    /// Whether it is in force.
    public var isActive: Bool
    /// When it ends.
    public var expiresAt: WallTime?

    /// Creates a subscription.
    public init(vendorProductID: String, isActive: Bool, expiresAt: WallTime? = nil) {
      self.vendorProductID = vendorProductID
      self.isActive = isActive
      self.expiresAt = expiresAt
    }
  }

  /// The access levels, by id.
  public var accessLevels: [AccessLevel]
  /// The subscriptions.
  public var subscriptions: [Subscription]

  /// Creates a profile.
  public init(accessLevels: [AccessLevel] = [], subscriptions: [Subscription] = []) {
    self.accessLevels = accessLevels
    self.subscriptions = subscriptions
  }

  /// The access levels as entitlements, each with the products of the subscriptions in force.
  public var entitlements: [UserEntitlement] {
    accessLevels.map { level in
      var entitlement = UserEntitlement(identifier: level.id)
      entitlement.isActive = level.isActive
      entitlement.expiresAt = level.expiresAt
      entitlement.store = .appStore
      let active = subscriptions.filter(\.isActive).map(\.vendorProductID)
      if level.isActive { entitlement.productIDs = active }
      return entitlement
    }.merged()
  }

  /// The status that follows from the active entitlements.
  public var status: UserSubscriptionStatus {
    let active = entitlements.filter(\.isActive)
    return active.isEmpty ? .inactive : .active(Set(active))
  }
}
