extension PurchaseFlow {
  /// The entitlements that a user has after a restore.
  public struct RestoredEntitlements: Sendable, Equatable {
    /// Whether any entitlement is active.
    public var isAnyActive: Bool
    /// Whether the active ones are all that the paywall's products give.
    public var coverPaywall: Bool

    /// Creates a finding.
    public init(isAnyActive: Bool, coverPaywall: Bool? = nil) {
      self.isAnyActive = isAnyActive
      self.coverPaywall = coverPaywall ?? isAnyActive
    }
  }

  /// Something that the app's own purchases did. The second version of StoreKit shows completions
  /// only.
  public indirect enum Observation: Sendable, Equatable {
    /// The payment sheet appeared.
    case started(PaywallProduct)
    /// The user left it.
    case abandoned(PaywallProduct)
    /// The payment sheet was late.
    case timedOut(PaywallProduct)
    /// The purchase failed, for a reason in words.
    case failed(PaywallProduct, message: String)
    /// The purchase waits, such as for the approval of a parent.
    case pending(PaywallProduct)
    /// The product was bought. A session finds out itself whether a trial was available.
    case completed(PaywallProduct, PaywallTransaction?, isTrialAvailable: Bool = false)
  }

  /// An event of purchases and restores.
  public indirect enum Event: Sendable, Equatable {
    /// Somebody wants to buy a product.
    case purchase(PaywallProduct, from: Source, isTrialAvailable: Bool)
    /// Somebody wants to buy a product that did not load.
    case productUnavailable(from: Source)
    /// The purchase of a product is over; with the transaction if the store reports it. Without a product,
    /// the oldest purchase is meant.
    case purchaseFinished(PaywallPurchaseResult, PaywallTransaction?, product: String? = nil)
    /// The store gave back the product, which the user has bought before.
    case purchaseRestored(PaywallTransaction?, product: String? = nil)
    /// The payment sheet has not appeared in five seconds.
    case sheetTimedOut
    /// Somebody wants to restore.
    case restore(from: Source)
    /// The restore is over.
    case restoreFinished(PaywallRestoreResult, RestoredEntitlements)
    /// The app's own purchases did something.
    case observed(Observation)
  }
}
