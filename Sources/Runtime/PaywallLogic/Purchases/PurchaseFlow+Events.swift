extension PurchaseFlow {
  /// The entitlements that a user has after a restore.
  public struct RestoredEntitlements: Sendable, Hashable {
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
  public enum Observation: Sendable, Hashable {
    /// The payment sheet appeared.
    case started(StoreProduct)
    /// The user left it.
    case abandoned(StoreProduct)
    /// The payment sheet was late.
    case timedOut(StoreProduct)
    /// The purchase failed, for a reason in words.
    case failed(StoreProduct, message: String)
    /// The purchase waits, such as for the approval of a parent.
    case pending(StoreProduct)
    /// The product was bought. A session finds out itself whether a trial was available.
    case completed(StoreProduct, StoreTransaction?, isTrialAvailable: Bool = false)
  }

  /// An event of purchases and restores.
  public enum Event: Sendable, Hashable {
    /// Somebody wants to buy a product.
    case purchase(StoreProduct, from: Source, isTrialAvailable: Bool)
    /// Somebody wants to buy a product that did not load.
    case productUnavailable(from: Source)
    /// The purchase of a product is over; with the transaction if the store reports it. Without a product,
    /// the oldest purchase is meant.
    case purchaseFinished(PurchaseResult, StoreTransaction?, product: String? = nil)
    /// The store gave back the product, which the user has bought before.
    case purchaseRestored(StoreTransaction?, product: String? = nil)
    /// The payment sheet has not appeared in five seconds.
    case sheetTimedOut
    /// Somebody wants to restore.
    case restore(from: Source)
    /// The restore is over.
    case restoreFinished(RestorationResult, RestoredEntitlements)
    /// The app's own purchases did something.
    case observed(Observation)

    /// The kinds of events, for tests that must try each.
    public enum Kind: String, Sendable, CaseIterable {
      /// See ``Event/purchase(_:from:isTrialAvailable:)``.
      case purchase
      /// See ``Event/productUnavailable(from:)``.
      case productUnavailable
      /// See ``Event/purchaseFinished(_:_:product:)``.
      case purchaseFinished
      /// See ``Event/purchaseRestored(_:product:)``.
      case purchaseRestored
      /// See ``Event/sheetTimedOut``.
      case sheetTimedOut
      /// See ``Event/restore(from:)``.
      case restore
      /// See ``Event/restoreFinished(_:_:)``.
      case restoreFinished
      /// See ``Event/observed(_:)``.
      case observed
    }

    /// The kind of the event.
    public var kind: Kind {
      switch self {
      case .purchase: .purchase
      case .productUnavailable: .productUnavailable
      case .purchaseFinished: .purchaseFinished
      case .purchaseRestored: .purchaseRestored
      case .sheetTimedOut: .sheetTimedOut
      case .restore: .restore
      case .restoreFinished: .restoreFinished
      case .observed: .observed
      }
    }
  }
}

extension PurchaseFlow.Event: CustomStringConvertible {
  /// The event in a few words.
  public var description: String {
    switch self {
    case .purchase(let product, let source, let isTrialAvailable):
      "purchase \(product.id) from \(source)\(isTrialAvailable ? " with trial" : "")"
    case .productUnavailable(let source): "productUnavailable from \(source)"
    case .purchaseFinished(let result, let transaction, _):
      "purchaseFinished \(result)\(transaction.map { " " + $0.id } ?? "")"
    case .purchaseRestored: "purchaseRestored"
    case .sheetTimedOut: "sheetTimedOut"
    case .restore(let source): "restore from \(source)"
    case .restoreFinished(let result, let found):
      "restoreFinished \(result), \(found.isAnyActive ? "something" : "nothing") active"
        + (found.isAnyActive == found.coverPaywall
          ? "" : found.coverPaywall ? ", nothing to cover" : ", not all of the paywall")
    case .observed(.started(let product)): "observed start of \(product.id)"
    case .observed(.abandoned(let product)): "observed abandon of \(product.id)"
    case .observed(.timedOut(let product)): "observed late sheet of \(product.id)"
    case .observed(.failed(let product, _)): "observed failure of \(product.id)"
    case .observed(.pending(let product)): "observed wait for \(product.id)"
    case .observed(.completed(let product, _, let isTrialAvailable)):
      "observed completion of \(product.id)\(isTrialAvailable ? " with trial" : "")"
    }
  }
}

extension PurchaseFlow.Source: CustomStringConvertible {
  /// `paywall`, `paywall that stays` or `app`.
  public var description: String {
    switch self {
    case .paywall(_, let dismisses): dismisses ? "paywall" : "paywall that stays"
    case .app: "app"
    }
  }
}

extension PurchaseFlow: CustomStringConvertible {
  /// The purchases and restores under way, and the options that differ from the defaults.
  public var description: String {
    let parts =
      purchases.map { purchase in
        "purchasing \(purchase.product.id) from \(purchase.source)"
          + (purchase.isTrialAvailable ? " with trial" : "")
      } + restores.map { "restoring from \($0)" }
    let state = parts.isEmpty ? "idle" : parts.joined(separator: ", ")
    let chosen = [
      (options.hasPurchaseController, "controller"),
      (!options.showsFailureAlert, "no failure alert"),
      (options.hasTransactionFailTrigger, "transaction_fail trigger"),
      (options.observesPurchases, "observing"),
      (options.storeKitVersion == .storeKit1, "StoreKit 1"), (options.isTestMode, "test mode"),
      (options.offersWebRestore, "web restore"),
      (options.webRestoreNeedsEntitlement, "web restore needs an entitlement"),
      (options.reportsCustomStore, "custom store reported"),
    ].filter(\.0).map(\.1)
    return chosen.isEmpty ? state : "\(state) [\(chosen.joined(separator: ", "))]"
  }
}
