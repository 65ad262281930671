public import ExpressionEngine

/// The transactions and entitlements that `device.customerInfo` shows (§6.2).
public struct CustomerRecord: Sendable, Equatable, Codable {
  /// A subscription.
  public struct Subscription: Sendable, Equatable, Codable {
    /// The id of the transaction.
    public var transactionID: String
    /// The product.
    public var productID: String
    /// When it was bought.
    public var purchasedAt: WallTime
    /// Whether it will renew.
    public var willRenew = false
    /// Whether it was taken back.
    public var isRevoked = false
    /// Whether it is in its grace period.
    public var isInGracePeriod = false
    /// Whether its payment is being retried.
    public var isInBillingRetryPeriod = false
    /// Whether it is in force.
    public var isActive = false
    /// When it ends.
    public var expiresAt: WallTime?
    /// The offer it began with.
    public var offerType: OfferType?
    /// The group of the subscription.
    public var subscriptionGroupID: String?
    /// The store.
    public var store = PaymentStore.appStore

    /// Creates a subscription.
    public init(transactionID: String, productID: String, purchasedAt: WallTime) {
      self.transactionID = transactionID
      self.productID = productID
      self.purchasedAt = purchasedAt
    }
  }

  /// A purchase that is no subscription.
  public struct NonSubscription: Sendable, Equatable, Codable {
    /// The id of the transaction.
    public var transactionID: String
    /// The product.
    public var productID: String
    /// When it was bought.
    public var purchasedAt: WallTime
    /// Whether it is used up.
    public var isConsumable = false
    /// Whether it was taken back.
    public var isRevoked = false
    /// The store.
    public var store = PaymentStore.appStore

    /// Creates a purchase.
    public init(transactionID: String, productID: String, purchasedAt: WallTime) {
      self.transactionID = transactionID
      self.productID = productID
      self.purchasedAt = purchasedAt
    }
  }

  /// The subscriptions.
  public var subscriptions: [Subscription] = []
  /// The other purchases.
  public var nonSubscriptions: [NonSubscription] = []
  /// The entitlements.
  public var entitlements: [UserEntitlement] = []
  /// The user.
  public var userID = ""
  /// Whether the real data have not been loaded yet.
  public var isPlaceholder = false

  /// Creates a record without transactions.
  public init(entitlements: [UserEntitlement] = []) {
    self.entitlements = entitlements
  }

  /// The record before anything was loaded.
  public static let placeholder: CustomerRecord = {
    var info = CustomerRecord()
    info.isPlaceholder = true
    return info
  }()

  /// The record as a filter sees it; dates are seconds since 2001-01-01T00:00:00Z.
  public var value: Value {
    .map([
      .string("subscriptions"): .list(subscriptions.map(\.contextValue)),
      .string("nonSubscriptions"): .list(nonSubscriptions.map(\.contextValue)),
      .string("entitlements"): .list(entitlements.map(\.contextValue)),
      .string("isPlaceholder"): .bool(isPlaceholder),
    ])
  }
}

extension WallTime {
  /// Seconds since 2001-01-01T00:00:00Z, the form of dates inside objects (§6.2). A whole number is
  /// an int, which is how numbers pass through JSON.
  var referenceDateValue: Value {
    Value(wholeOr: Double(milliseconds) / 1_000 - 978_307_200)
  }
}

/// Builds the entries of an object, leaving out what is `nil`.
private struct ObjectBuilder {
  var entries: [Value.Key: Value] = [:]

  mutating func add(_ name: String, _ value: Value?) {
    if let value { entries[.string(name)] = value }
  }
}

extension CustomerRecord.Subscription {
  fileprivate var contextValue: Value {
    var object = ObjectBuilder()
    object.add("transactionId", .string(transactionID))
    object.add("productId", .string(productID))
    object.add("purchaseDate", purchasedAt.referenceDateValue)
    object.add("willRenew", .bool(willRenew))
    object.add("isRevoked", .bool(isRevoked))
    object.add("isInGracePeriod", .bool(isInGracePeriod))
    object.add("isInBillingRetryPeriod", .bool(isInBillingRetryPeriod))
    object.add("isActive", .bool(isActive))
    object.add("expirationDate", expiresAt?.referenceDateValue)
    object.add("offerType", offerType.map { .string($0.rawValue) })
    object.add("subscriptionGroupId", subscriptionGroupID.map(Value.string))
    object.add("store", .string(store.rawValue))
    return .map(object.entries)
  }
}

extension CustomerRecord.NonSubscription {
  fileprivate var contextValue: Value {
    var object = ObjectBuilder()
    object.add("transactionId", .string(transactionID))
    object.add("productId", .string(productID))
    object.add("purchaseDate", purchasedAt.referenceDateValue)
    object.add("isConsumable", .bool(isConsumable))
    object.add("isRevoked", .bool(isRevoked))
    object.add("store", .string(store.rawValue))
    return .map(object.entries)
  }
}

extension UserEntitlement {
  /// The entitlement as a filter sees it.
  var contextValue: Value {
    var object = ObjectBuilder()
    object.add("identifier", .string(identifier))
    object.add("type", .string(type))
    object.add("isActive", .bool(isActive))
    object.add("productIds", Value(texts: productIDs))
    object.add("latestProductId", latestProductID.map(Value.string))
    object.add("store", store.map { .string($0.rawValue) })
    object.add("startsAt", startsAt?.referenceDateValue)
    object.add("renewedAt", renewedAt?.referenceDateValue)
    object.add("expiresAt", expiresAt?.referenceDateValue)
    object.add("isLifetime", isLifetime.map(Value.bool))
    object.add("willRenew", willRenew.map(Value.bool))
    object.add("state", state.map { .string($0.rawValue) })
    object.add("offerType", offerType.map { .string($0.rawValue) })
    return .map(object.entries)
  }
}
