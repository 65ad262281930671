import CampaignCore
import ExpressionEngine

// The events of purchases, restores and redemptions, one member each.

extension AnalyticsEvent {
  // MARK: Purchases

  /// The payment sheet appeared.
  public static func transactionStart(_ details: TransactionDetails) -> Self {
    Self(.transactionStart, details)
  }
  /// The payment sheet did not appear in time.
  public static func transactionTimeout(_ details: TransactionDetails) -> Self {
    Self(.transactionTimeout, details)
  }
  /// The user left the payment sheet.
  public static func transactionAbandon(_ details: TransactionDetails) -> Self {
    Self(
      .transactionAbandon, details,
      forFilters: details.product.abandonedParameters.mapValues { .string($0) })
  }
  /// The purchase failed, or waits for an approval.
  public static func transactionFail(_ details: TransactionDetails, message: String) -> Self {
    Self(
      .transactionFail, details, ["message": .string(message)],
      detail: "\(details.product.id): \(message)")
  }
  /// The product was bought.
  public static func transactionComplete(
    _ details: TransactionDetails, _ type: PurchaseKind
  ) -> Self {
    Self(
      .transactionComplete, details, ["transaction_type": .string(type.rawValue)],
      detail: "\(details.product.id) \(type.rawValue)"
        + (details.transaction.map { " " + $0.id } ?? ""))
  }
  /// A subscription began without a trial.
  public static func subscriptionStart(_ details: TransactionDetails) -> Self {
    Self(.subscriptionStart, details, namesSource: false)
  }
  /// A subscription began with a trial.
  public static func freeTrialStart(_ details: TransactionDetails) -> Self {
    Self(.freeTrialStart, details, namesSource: false)
  }
  /// A product that does not renew was bought.
  public static func nonRecurringProductPurchase(_ details: TransactionDetails) -> Self {
    Self(.nonRecurringProductPurchase, details, namesSource: false)
  }

  private init(
    _ name: BuiltInEvent, _ details: TransactionDetails, _ parameters: [String: Value] = [:],
    forFilters: [String: Value?] = [:], namesSource: Bool = true, detail: String? = nil
  ) {
    var own: [String: Value?] = parameters
    if namesSource {
      own["store"] = .string(details.store.rawValue)
      own["source"] = .string(details.source)
      own["storekit_version"] = details.storeKitVersion.map { .string($0.rawValue) }
    }
    self.init(
      name, about: details.info, product: details.tellsProduct ? details.product : nil,
      payment: details.transaction, own, forFilters: forFilters, transaction: details,
      detail: detail ?? details.product.id)
  }

  // MARK: Restores

  /// A purchase was restored.
  public static func transactionRestore(
    _ info: PaywallDetails, _ type: RestoreOrigin, product: PaywallProduct?, source: String,
    storeKitVersion: PurchaseFlow.StoreKitVersion?
  ) -> Self {
    var payment: PaywallTransaction?
    var detail = "via restore"
    if case .viaPurchase(let known) = type {
      payment = known
      detail = "via purchase"
    }
    return Self(
      .transactionRestore, about: info, product: product, payment: payment,
      [
        "store": "APP_STORE", "source": .string(source),
        "storekit_version": storeKitVersion.map { .string($0.rawValue) },
        "restore_via_purchase_attempt": .bool(payment != nil),
      ], detail: detail)
  }
  /// A restore began.
  public static func restoreStart(_ info: PaywallDetails) -> Self {
    Self(.restoreStart, about: info, detail: info.identifier)
  }
  /// A restore succeeded.
  public static func restoreComplete(_ info: PaywallDetails) -> Self {
    Self(.restoreComplete, about: info, detail: info.identifier)
  }
  /// A restore failed.
  public static func restoreFail(_ info: PaywallDetails, message: String) -> Self {
    Self(
      .restoreFail, about: info, ["error_message": .string(message)],
      detail: [info.identifier, message].filter { !$0.isEmpty }.joined(separator: " "))
  }

  // MARK: The web

  /// The checkout page opened.
  public static func stripeCheckoutStart(_ info: PaywallDetails, productID: String) -> Self {
    Self(.stripeCheckoutStart, info, productID)
  }
  /// The user submitted the checkout page.
  public static func stripeCheckoutSubmit(_ info: PaywallDetails, productID: String) -> Self {
    Self(.stripeCheckoutSubmit, info, productID)
  }
  /// The purchase on the checkout page was made.
  public static func stripeCheckoutComplete(_ info: PaywallDetails, productID: String) -> Self {
    Self(.stripeCheckoutComplete, info, productID)
  }
  /// The purchase on the checkout page failed.
  public static func stripeCheckoutFail(_ info: PaywallDetails, productID: String) -> Self {
    Self(.stripeCheckoutFail, info, productID)
  }
  /// A redemption began.
  public static func redemptionStart(_ kind: RedemptionFlow.Kind) -> Self {
    Self(.redemptionStart, kind)
  }
  /// A redemption succeeded.
  public static func redemptionComplete(_ kind: RedemptionFlow.Kind) -> Self {
    Self(.redemptionComplete, kind)
  }
  /// A redemption failed.
  public static func redemptionFail(_ kind: RedemptionFlow.Kind) -> Self {
    Self(.redemptionFail, kind)
  }

  private init(_ name: BuiltInEvent, _ info: PaywallDetails, _ productID: String) {
    self.init(
      name, about: info,
      [
        "is_triggered_from_event": .bool(info.placement != nil), "store": "STRIPE",
        "product_identifier": .string(productID),
      ])
  }

  private init(_ name: BuiltInEvent, _ kind: RedemptionFlow.Kind) {
    var parameters: [String: Value] = ["type": .string(kind.wireName)]
    if case .code(let code) = kind { parameters["code"] = .string(code) }
    self.init(name, parameters, detail: kind.wireName)
  }
}
