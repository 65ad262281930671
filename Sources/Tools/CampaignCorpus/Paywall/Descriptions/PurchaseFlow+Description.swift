import CampaignCore
import ExpressionEngine
public import PaywallLogic

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
