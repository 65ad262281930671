public import CampaignCore

/// A transaction in the receipts of the device.
public struct ReceiptTransaction: Sendable, Equatable {
  /// The kind of the product.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Used up, and gives no entitlement by itself.
    case consumable
    /// Bought once, for life.
    case nonConsumable
    /// A subscription that renews by itself.
    case autoRenewable
    /// A subscription that ends.
    case nonRenewing

    /// Whether the product is a subscription.
    public var isSubscription: Bool { self == .autoRenewable || self == .nonRenewing }
  }

  /// The id of the transaction.
  public var id: String
  /// The product.
  public var productID: String
  /// The kind of the product.
  public var kind: Kind
  /// When this period was bought.
  public var purchasedAt: WallTime
  /// When the first period was bought.
  public var originallyPurchasedAt: WallTime
  /// When the period ends; `nil` for products that do not end.
  public var expiresAt: WallTime?
  /// Whether the store took it back.
  public var isRevoked = false
  /// Whether the subscription will renew, as far as the transaction says.
  public var willRenew = false
  /// Whether the payment failed and access goes on for a while.
  public var isInGracePeriod = false
  /// Whether the store tries the payment again.
  public var isInBillingRetryPeriod = false
  /// The offer of the period.
  public var offerType: OfferType?
  /// The group of the subscription.
  public var subscriptionGroupID: String?

  /// Creates a transaction.
  ///
  /// - Parameters:
  ///   - id: The id of the transaction.
  ///   - productID: The product.
  ///   - kind: The kind of the product.
  ///   - purchasedAt: When this period was bought.
  ///   - originallyPurchasedAt: When the first period was bought; by default this one.
  public init(
    id: String, productID: String, kind: Kind, purchasedAt: WallTime,
    originallyPurchasedAt: WallTime? = nil
  ) {
    self.id = id
    self.productID = productID
    self.kind = kind
    self.purchasedAt = purchasedAt
    self.originallyPurchasedAt = originallyPurchasedAt ?? purchasedAt
  }

  /// Whether the transaction renewed a subscription.
  public var isRenewal: Bool {
    kind == .autoRenewable && !isRevoked && originallyPurchasedAt < purchasedAt
  }

  /// Whether the transaction ends after `now`. One that was revoked, or that has no end, does not.
  public func isUnexpired(at now: WallTime) -> Bool {
    guard !isRevoked, let expiresAt else { return false }
    return now < expiresAt
  }

  /// Whether the product is in force: not revoked, and either not expired or bought for life.
  public func isActive(at now: WallTime) -> Bool {
    guard !isRevoked else { return false }
    return expiresAt == nil ? kind == .nonConsumable : isUnexpired(at: now)
  }
}

/// The state of a subscription as a whole. The store knows it better than a single transaction does: a
/// refund can end a subscription whose transactions look valid.
public struct SubscriptionStanding: Sendable, Equatable {
  /// Whether it will renew.
  public var willRenew: Bool
  /// The state; `nil` if the store does not say.
  public var state: SubscriptionState?

  /// Creates the state of a subscription.
  public init(willRenew: Bool, state: SubscriptionState? = nil) {
    self.willRenew = willRenew
    self.state = state
  }

  /// Whether the state ends all rights, whatever the transactions say.
  public var hasEnded: Bool { state == .revoked || state == .expired }
}

/// A product that the user bought once at least.
public struct OwnedProduct: Sendable, Hashable {
  /// The product.
  public var id: String
  /// Whether it is in force.
  public var isActive: Bool
  /// When it was bought.
  public var purchasedAt: WallTime

  /// Creates an owned product.
  public init(id: String, isActive: Bool, purchasedAt: WallTime) {
    self.id = id
    self.isActive = isActive
    self.purchasedAt = purchasedAt
  }
}

extension Sequence<OwnedProduct> {
  /// The products in force.
  public var activeProductIDs: Set<String> { Set(filter(\.isActive).map(\.id)) }

  /// Whether the latest purchase of a product is in force.
  public func isSubscribed(to productID: String) -> Bool {
    filter { $0.id == productID }.max { $0.purchasedAt < $1.purchasedAt }?.isActive ?? false
  }
}
