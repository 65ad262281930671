/// A product of the config and what owning it unlocks (§1.4).
public struct ConfigProduct: Sendable, Hashable {
  /// Where a product is sold.
  public enum StoreProduct: Sendable, Hashable {
    /// The App Store, with an optional billing plan (`UP_FRONT` or `MONTHLY`).
    case appStore(id: String, billingPlan: String?)
    /// Stripe, with optional trial days.
    case stripe(id: String, trialDays: Int64?)
    /// Paddle.
    case paddle(id: String)
    /// Anything else, by the app.
    case custom(id: String)

    /// The identifier within the store.
    public var id: String {
      switch self {
      case .appStore(let id, _), .stripe(let id, _), .paddle(let id), .custom(let id): id
      }
    }
  }

  /// The name on the dashboard.
  public var referenceName: String?
  /// The product in its store.
  public var storeProduct: StoreProduct
  /// The composite id, which wins over the store's.
  public var compositeID: String?
  /// What it unlocks.
  public var entitlements: Set<Entitlement>

  /// Creates a product.
  public init(
    referenceName: String? = nil, storeProduct: StoreProduct, compositeID: String? = nil,
    entitlements: Set<Entitlement> = []
  ) {
    self.referenceName = referenceName
    self.storeProduct = storeProduct
    self.compositeID = compositeID
    self.entitlements = entitlements
  }

  /// The id of the product: the composite id when there is one.
  public var id: String { compositeID ?? storeProduct.id }
}

/// A right that a product gives (§1.4, §6.2).
public struct Entitlement: Sendable, Hashable {
  /// The store that granted an entitlement.
  public enum Store: String, Sendable, Hashable {
    /// The App Store.
    case appStore = "APP_STORE"
    /// Stripe.
    case stripe = "STRIPE"
    /// Paddle.
    case paddle = "PADDLE"
    /// The Play Store.
    case playStore = "PLAY_STORE"
    /// Granted by the service itself.
    case superwall = "SUPERWALL"
    /// Granted by the app.
    case custom = "CUSTOM"
    /// Unknown.
    case other = "OTHER"
  }

  /// The identifier.
  public var identifier: String
  /// The kind; only `SERVICE_LEVEL` exists.
  public var type = "SERVICE_LEVEL"
  /// Whether it is in force.
  public var isActive = false
  /// The products that give it, in order.
  public var productIDs: [String] = []
  /// The product that gave it last.
  public var latestProductID: String?
  /// Where it comes from.
  public var store: Store?
  /// When it began.
  public var startsAt: WallTime?
  /// When it was renewed.
  public var renewedAt: WallTime?
  /// When it ends.
  public var expiresAt: WallTime?
  /// Whether it never ends.
  public var isLifetime: Bool?
  /// Whether it will renew.
  public var willRenew: Bool?
  /// `inGracePeriod`, `subscribed`, `expired`, `inBillingRetryPeriod` or `revoked`.
  public var state: String?
  /// `trial`, `code`, `promotional` or `winback`.
  public var offerType: String?

  /// Creates an inactive entitlement.
  public init(identifier: String) {
    self.identifier = identifier
  }

  /// Creates an entitlement that is in force, of the App Store, as an app makes one of which it knows the
  /// identifier only (docs/spec/campaigns.md §8.1).
  public init(active identifier: String) {
    self.identifier = identifier
    isActive = true
    store = .appStore
  }
}
