public import ExpressionEngine

/// Whether the user has bought something (docs/spec/campaigns.md §8.1).
public enum SubscriptionStatus: Sendable, Hashable {
  /// Not known yet.
  case unknown
  /// Nothing is in force.
  case inactive
  /// The entitlements; an empty set counts as inactive.
  case active(Set<Entitlement>)

  /// `UNKNOWN`, `INACTIVE` or `ACTIVE`; active only when an entitlement is flagged active.
  public var text: String {
    switch self {
    case .unknown: "UNKNOWN"
    case .inactive: "INACTIVE"
    case .active(let entitlements): entitlements.contains(where: \.isActive) ? "ACTIVE" : "INACTIVE"
    }
  }

  /// The entitlements of the active set, ordered by identifier so that contexts are reproducible.
  public var activeEntitlements: [Entitlement] {
    guard case .active(let entitlements) = self else { return [] }
    return entitlements.sorted { $0.identifier < $1.identifier }
  }

  /// The attribute that tells the status.
  package static let statusName = "subscriptionStatus"
  /// All attributes that follow from the status, on any platform.
  package static let attributeNames = [
    statusName, "activeEntitlements", "activeEntitlementObjects", "activeEntitlementsObject",
  ]

  /// The attributes that follow from the status.
  package func attributes(platform: MatchingOptions.Platform) -> [String: Value] {
    var result: [String: Value] = [:]
    add(to: &result, platform: platform)
    return result
  }

  func add(to device: inout [String: Value], platform: MatchingOptions.Platform) {
    device[Self.statusName] = .string(text)
    device["activeEntitlements"] = Value(texts: activeEntitlements.map(\.identifier))
    switch platform {
    case .iOS:
      device["activeEntitlementObjects"] = .list(activeEntitlements.map(\.contextValue))
    case .android:
      device["activeEntitlementsObject"] = .list(
        activeEntitlements.map { entitlement in
          .map([
            .string("identifier"): .string(entitlement.identifier),
            .string("type"): .string(entitlement.type),
          ])
        })
    }
  }
}

/// The transactions and entitlements behind `device.customerInfo` (§6.2).
public struct CustomerInfo: Sendable, Hashable {
  /// A subscription.
  public struct Subscription: Sendable, Hashable {
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
    public var offerType: String?
    /// The group of the subscription.
    public var subscriptionGroupID: String?
    /// The store.
    public var store = Entitlement.Store.appStore

    /// Creates a subscription.
    public init(transactionID: String, productID: String, purchasedAt: WallTime) {
      self.transactionID = transactionID
      self.productID = productID
      self.purchasedAt = purchasedAt
    }
  }

  /// A purchase that is no subscription.
  public struct NonSubscription: Sendable, Hashable {
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
    public var store = Entitlement.Store.appStore

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
  public var entitlements: [Entitlement] = []
  /// Whether the real data have not been loaded yet.
  public var isPlaceholder = false

  /// Creates an empty record.
  public init() {}

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

extension CustomerInfo.Subscription {
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
    object.add("offerType", offerType.map(Value.string))
    object.add("subscriptionGroupId", subscriptionGroupID.map(Value.string))
    object.add("store", .string(store.rawValue))
    return .map(object.entries)
  }
}

extension CustomerInfo.NonSubscription {
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

extension Entitlement {
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
    object.add("state", state.map(Value.string))
    object.add("offerType", offerType.map(Value.string))
    return .map(object.entries)
  }
}
