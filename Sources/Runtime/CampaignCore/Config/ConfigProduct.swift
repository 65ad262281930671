/// A product of the config and what owning it unlocks (§1.4).
public struct ConfigProduct: Sendable, Equatable {
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
  /// The entitlements that it unlocks.
  public var entitlements: Set<UserEntitlement>

  /// Creates a product.
  public init(
    referenceName: String? = nil, storeProduct: StoreProduct, compositeID: String? = nil,
    entitlements: Set<UserEntitlement> = []
  ) {
    self.referenceName = referenceName
    self.storeProduct = storeProduct
    self.compositeID = compositeID
    self.entitlements = entitlements
  }

  /// The id of the product: the composite id when there is one.
  public var id: String { compositeID ?? storeProduct.id }
}
