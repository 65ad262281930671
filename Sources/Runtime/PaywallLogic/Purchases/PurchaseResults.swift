/// The result of a purchase by the controller or the store (docs/spec/campaigns.md §8.4).
public enum PaywallPurchaseResult: Sendable {
  /// The product was bought.
  case purchased
  /// The user left the payment sheet.
  case cancelled
  /// The purchase waits, such as for the approval of a parent.
  case pending
  /// The purchase failed.
  case failed(any Error)
}

/// The result of a restore by the controller or the store.
public enum PaywallRestoreResult: Sendable {
  /// The restore succeeded.
  case restored
  /// The restore failed.
  case failed((any Error)?)
}

// Errors are compared by their texts, which is all that events and alerts show of them.
extension PaywallPurchaseResult: Equatable {
  /// Whether the cases are the same, and for failures the texts of the errors.
  public static func == (left: PaywallPurchaseResult, right: PaywallPurchaseResult) -> Bool {
    left.description == right.description
  }
}

extension PaywallRestoreResult: Equatable {
  /// Whether the cases are the same, and for failures the texts of the errors.
  public static func == (left: PaywallRestoreResult, right: PaywallRestoreResult) -> Bool {
    left.description == right.description
  }
}

/// Why a purchase failed.
public enum PurchaseError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The store or the controller reports a fault.
  case message(String)
  /// The store reports that the user cancelled, which counts as cancelled.
  case userCancelled
  /// The product did not load.
  case productUnavailable
  /// A custom product needs a purchase controller, and there is none.
  case customProductWithoutController
  /// The SDK sells nothing while it observes the app's own purchases.
  case observing
  /// The same product is being bought.
  case underWay

  /// The error as a sentence for people.
  public var description: String {
    switch self {
    case .message(let text): text
    case .userCancelled: "the user cancelled the purchase"
    case .productUnavailable: "the product is not available"
    case .customProductWithoutController: "a custom product needs a purchase controller"
    case .observing: "purchases are observed, so that the app has to make them itself"
    case .underWay: "the product is being bought already"
    }
  }
}

/// How a purchase came back, reported by `transaction_restore`.
public enum RestoreOrigin: Sendable, Equatable {
  /// The user tried to buy what they have already; with the transaction if it is known.
  case viaPurchase(PaywallTransaction?)
  /// The user asked for a restore.
  case viaRestore
}

/// A kind of purchase, with the word of the wire.
public enum PurchaseKind: String, Sendable, Hashable, CaseIterable {
  /// A product that does not renew.
  case nonRecurringProductPurchase = "NON_RECURRING_PRODUCT_PURCHASE"
  /// A subscription that begins with an offer.
  case freeTrialStart = "FREE_TRIAL_START"
  /// A subscription.
  case subscriptionStart = "SUBSCRIPTION_START"

  /// The type of a purchase.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - transaction: The transaction, which knows whether an offer was taken.
  ///   - isTrialAvailable: Whether a trial was offered; decides if the transaction does not know.
  public init(product: PaywallProduct, transaction: PaywallTransaction?, isTrialAvailable: Bool) {
    guard product.period != nil else {
      self = .nonRecurringProductPurchase
      return
    }
    self = transaction?.hasOffer ?? isTrialAvailable ? .freeTrialStart : .subscriptionStart
  }
}

extension PaywallPurchaseResult: CustomStringConvertible {
  /// The result in a few words.
  public var description: String {
    switch self {
    case .purchased: "purchased"
    case .cancelled: "cancelled"
    case .pending: "pending"
    case .failed(let error): "failed: \(error)"
    }
  }
}

extension PaywallRestoreResult: CustomStringConvertible {
  /// The result in a few words.
  public var description: String {
    switch self {
    case .restored: "restored"
    case .failed(let error): "failed\(error.map { ": \($0)" } ?? "")"
    }
  }
}
