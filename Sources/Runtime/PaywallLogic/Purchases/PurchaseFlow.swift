import CampaignCore

/// The course of purchases and restores (docs/spec/campaigns.md §8.4). A paywall makes one purchase at a
/// time; the app's own purchases and restores go on beside it.
///
/// The flow calls the purchase controller, the store or the tester, and turns their result into events,
/// alerts and the end of the paywall.
public struct PurchaseFlow: StateMachine {
  /// The origin of a purchase or a restore.
  public indirect enum Source: Sendable, Equatable {
    /// A button of the paywall; `dismisses` says whether the purchase may close it.
    case paywall(PaywallDetails, dismisses: Bool)
    /// The app.
    case app

    /// The paywall, or ``PaywallDetails/none``.
    public var info: PaywallDetails {
      if case .paywall(let info, _) = self { info } else { .none }
    }

    /// The word of the wire.
    public var wireName: String {
      if case .paywall = self { "SUPERWALL" } else { "APP" }
    }
  }

  /// A version of the App Store's interface.
  public enum StoreKitVersion: String, Sendable, Hashable, CaseIterable {
    /// The first.
    case storeKit1 = "STOREKIT1"
    /// The second.
    case storeKit2 = "STOREKIT2"
  }

  /// The choices of an app, and what the flow has to know.
  public struct Options: Sendable, Equatable {
    /// Whether the app has a purchase controller.
    public var hasPurchaseController = false
    /// Whether a failed purchase shows an alert.
    public var showsFailureAlert = true
    /// Whether `transaction_fail` presents a paywall, which takes the place of the alert.
    public var hasTransactionFailTrigger = false
    /// Whether the app makes the purchases and the SDK observes them.
    public var observesPurchases = false
    /// The interface in use.
    public var storeKitVersion = StoreKitVersion.storeKit2
    /// Whether purchases are simulated.
    public var isTestMode = false
    /// Whether a restore that finds too little points to the web.
    public var offersWebRestore = false
    /// Whether a restore with ``offersWebRestore`` of a paywall whose products give nothing succeeds only
    /// with an active entitlement. In the reference it succeeds always.
    public var webRestoreNeedsEntitlement = false
    /// Whether events report the store of custom products, `CUSTOM`. The reference reports the App Store.
    public var reportsCustomStore = false

    /// Creates the defaults.
    public init() {}
  }

  /// A purchase under way.
  public struct Purchase: Sendable, Equatable {
    /// The product.
    @_Boxed public var product: PaywallProduct
    /// Its origin.
    public var source: Source
    /// Whether a trial was offered.
    public var isTrialAvailable: Bool
  }

  /// The choices of the app.
  public var options: Options
  /// The purchases under way, in the order in which they began: one of the paywall, and of the app one of
  /// each product.
  public private(set) var purchases: [Purchase] = []
  /// The origins of the restores under way, in the order in which they began.
  public private(set) var restores: [Source] = []

  /// Creates a flow without anything under way.
  public init(options: Options = Options()) {
    self.options = options
  }

  /// Takes an event; see ``StateMachine``.
  public mutating func handle(_ event: Event) -> [PaywallEffect] {
    switch event {
    case .purchase(let product, let source, let isTrialAvailable):
      return start(
        Purchase(product: product, source: source, isTrialAvailable: isTrialAvailable))
    case .productUnavailable(let source):
      return source == .app ? [.returnPurchase(.failed(PurchaseError.productUnavailable))] : []
    case .purchaseFinished(let result, let transaction, let product):
      guard let index = index(of: product) else { return [] }
      return finish(purchases.remove(at: index), result, transaction)
    case .purchaseRestored(let transaction, let product):
      guard let index = index(of: product) else { return [] }
      return restored(purchases.remove(at: index), transaction)
    case .sheetTimedOut:
      guard let purchase = purchases.first else { return [] }
      return [.track(.transactionTimeout(details(purchase, tellsProduct: false)))]
    case .restore(let source): return startRestore(source)
    case .restoreFinished(let result, let found):
      return restores.isEmpty ? [] : finishRestore(restores.removeFirst(), result, found)
    case .observed(let observation): return observed(observation)
    }
  }

  /// The purchase of a product; without one, the oldest.
  private func index(of product: String?) -> Int? {
    guard let product else { return purchases.indices.first }
    return purchases.firstIndex { $0.product.id == product }
  }

  /// Whether a purchase cannot be told from one that is under way, or the paywall is at it.
  private func isTaken(_ purchase: Purchase) -> Bool {
    purchases.contains { other in
      switch (purchase.source, other.source) {
      case (.paywall, .paywall): true
      case (.app, .app): purchase.product.id == other.product.id
      case (.paywall, .app), (.app, .paywall): false
      }
    }
  }

  private mutating func start(_ purchase: Purchase) -> [PaywallEffect] {
    let product = purchase.product
    switch purchase.source {
    case .app:
      if options.observesPurchases {
        return [.returnPurchase(.failed(PurchaseError.observing), product: product.id)]
      }
      // With a controller the SDK is only its hands: the controller reports to whoever asked it.
      if options.hasPurchaseController { return buyInStore(product) }
    case .paywall: break
    }
    guard !isTaken(purchase) else { return [] }
    purchases.append(purchase)
    var effects: [PaywallEffect] = [.track(.transactionStart(details(purchase)))]
    if case .paywall = purchase.source { effects.append(.spinner(true)) }
    if options.isTestMode { return effects + [.simulatePurchase(product)] }
    switch (purchase.source, product.store) {
    case (.paywall, _) where options.hasPurchaseController:
      return effects + [.purchaseByController(product)]
    case (_, .custom):
      purchases.removeLast()
      return effects
        + finish(purchase, .failed(PurchaseError.customProductWithoutController), nil)
    default: return effects + [.purchaseInStore(product)]
    }
  }

  private func buyInStore(_ product: PaywallProduct) -> [PaywallEffect] {
    // There is nothing in the App Store that could be bought.
    if product.store == .custom {
      return [
        .returnPurchase(.failed(PurchaseError.productUnavailable), product: product.id)
      ]
    }
    return [.purchaseInStore(product)]
  }

  private func details(
    _ purchase: Purchase, transaction: PaywallTransaction? = nil, isObserved: Bool = false,
    tellsProduct: Bool = true
  ) -> TransactionDetails {
    var details = TransactionDetails(
      product: purchase.product, info: purchase.source.info, transaction: transaction,
      source: purchase.source.wireName, storeKitVersion: options.storeKitVersion,
      isObserved: isObserved)
    if options.reportsCustomStore { details.store = purchase.product.store }
    details.tellsProduct = tellsProduct
    return details
  }

  private mutating func finish(
    _ purchase: Purchase, _ result: PaywallPurchaseResult, _ transaction: PaywallTransaction?
  ) -> [PaywallEffect] {
    let effects =
      switch result {
      case .purchased: succeed(purchase, transaction)
      case .cancelled, .failed(PurchaseError.userCancelled): cancel(purchase)
      case .pending: suspend(purchase)
      case .failed(let error): fail(purchase, error)
      }
    return purchase.source == .app
      ? effects + [.returnPurchase(result, product: purchase.product.id)] : effects
  }

  private func succeed(
    _ purchase: Purchase, _ transaction: PaywallTransaction?
  ) -> [PaywallEffect] {
    let product = purchase.product
    let needsReceipts = product.store != .custom && !options.isTestMode
    var effects: [PaywallEffect] =
      needsReceipts ? [.reloadReceipts, .command(.redeemExistingCodes)] : []
    effects += completion(
      details(purchase, transaction: transaction), isTrialAvailable: purchase.isTrialAvailable)
    guard case .paywall(_, let dismisses) = purchase.source else { return effects }
    return effects
      + (dismisses
        ? [.command(.finishPaywall(.purchased(product.id)))]
        : [.spinner(false), .runPostPurchaseActions])
  }

  /// The two events of a completed purchase, and the notifications of a trial.
  private func completion(
    _ details: TransactionDetails, isTrialAvailable: Bool
  ) -> [PaywallEffect] {
    let type = PurchaseKind(
      product: details.product, transaction: details.transaction,
      isTrialAvailable: isTrialAvailable)
    let complete = PaywallEffect.track(.transactionComplete(details, type))
    switch type {
    case .nonRecurringProductPurchase:
      return [complete, .track(.nonRecurringProductPurchase(details))]
    case .subscriptionStart: return [complete, .track(.subscriptionStart(details))]
    case .freeTrialStart:
      let delays = details.info.trialNotificationDelays
      let notifications: [PaywallEffect] =
        delays.isEmpty ? [] : [.scheduleTrialNotifications(delays)]
      return [complete, .track(.freeTrialStart(details))] + notifications
    }
  }

  private func cancel(_ purchase: Purchase) -> [PaywallEffect] {
    [.track(.transactionAbandon(details(purchase)))] + hideSpinner(purchase.source)
  }

  private func suspend(_ purchase: Purchase) -> [PaywallEffect] {
    let details = details(purchase, tellsProduct: false)
    return [.track(.transactionFail(details, message: Self.pendingMessage))]
      + hideSpinner(purchase.source) + [.alert(.purchasePending)]
  }

  private func fail(_ purchase: Purchase, _ error: any Error) -> [PaywallEffect] {
    let alert: [PaywallEffect] =
      options.showsFailureAlert && !options.hasTransactionFailTrigger
      ? [.alert(.purchaseFailed("\(error)"))] : []
    return [.track(.transactionFail(details(purchase), message: "\(error)"))]
      + hideSpinner(purchase.source) + alert
  }

  /// The message of `transaction_fail` for a purchase that waits, a fixed text of the wire.
  public static let pendingMessage = "Needs parental approval"

  private func hideSpinner(_ source: Source) -> [PaywallEffect] {
    if case .paywall = source { [.spinner(false)] } else { [] }
  }
}

extension PurchaseFlow {
  /// The user has bought the product before, and the store gave it back.
  private mutating func restored(
    _ purchase: Purchase, _ transaction: PaywallTransaction?
  ) -> [PaywallEffect] {
    let effects = restore(
      purchase.source, .viaPurchase(transaction), product: purchase.product)
    return purchase.source == .app
      ? effects + [.returnPurchase(.purchased, product: purchase.product.id)] : effects
  }

  private mutating func startRestore(_ source: Source) -> [PaywallEffect] {
    if source == .app, options.hasPurchaseController { return [.restoreFromStore] }
    // A second restore of the same origin is done with the first.
    guard !restores.contains(where: { $0.wireName == source.wireName }) else { return [] }
    restores.append(source)
    if options.isTestMode { return [.simulateRestore] }
    let spinner: [PaywallEffect] = source == .app ? [] : [.spinner(true)]
    return spinner + [
      .track(.restoreStart(source.info)),
      options.hasPurchaseController ? .restoreByController : .restoreFromStore,
    ]
  }

  /// A restore that leaves the user without an active entitlement has failed, whatever the controller
  /// says.
  private mutating func finishRestore(
    _ source: Source, _ result: PaywallRestoreResult, _ found: RestoredEntitlements
  ) -> [PaywallEffect] {
    let caller: [PaywallEffect] = source == .app ? [.returnRestore(result)] : []
    if options.isTestMode {
      guard result == .restored else {
        return source == .app ? caller : [.alert(.restoreFailed)]
      }
      return restore(source, .viaRestore, product: nil) + caller
    }
    let complete = PaywallEffect.track(.restoreComplete(source.info))
    if options.offersWebRestore, result == .restored, case .paywall = source {
      if found.coverPaywall { return [complete] + restore(source, .viaRestore, product: nil) }
      return hideSpinner(source) + [.alert(.restoreOnWeb(hasSubscriptions: found.isAnyActive))]
    }
    guard result == .restored, found.isAnyActive else {
      return [.track(.restoreFail(source.info, message: failureMessage(result)))]
        + hideSpinner(source) + [.alert(.restoreFailed)] + caller
    }
    return [complete] + restore(source, .viaRestore, product: nil) + caller
  }

  private func restore(
    _ source: Source, _ type: RestoreOrigin, product: PaywallProduct?
  ) -> [PaywallEffect] {
    var effects: [PaywallEffect] = [
      .track(
        .transactionRestore(
          source.info, type, product: product, source: source.wireName,
          storeKitVersion: options.storeKitVersion))
    ]
    if case .paywall = source { effects.append(.command(.finishPaywall(.restored))) }
    if !options.isTestMode { effects.append(.command(.redeemExistingCodes)) }
    return effects
  }

  private func failureMessage(_ result: PaywallRestoreResult) -> String {
    switch result {
    case .restored: "restored, but no entitlement is active"
    case .failed(let error): error.map { "\($0)" } ?? "nothing was restored"
    }
  }

  /// Purchases that the app made itself. They become events and history, and never present a paywall.
  private func observed(_ observation: Observation) -> [PaywallEffect] {
    guard options.observesPurchases else { return [] }
    func details(
      _ product: PaywallProduct, _ transaction: PaywallTransaction? = nil, tellsProduct: Bool = true
    ) -> TransactionDetails {
      let purchase = Purchase(product: product, source: .app, isTrialAvailable: false)
      return self.details(
        purchase, transaction: transaction, isObserved: true, tellsProduct: tellsProduct)
    }
    if case .completed(let product, let transaction, let isTrialAvailable) = observation {
      return [.reloadReceipts, .command(.redeemExistingCodes)]
        + completion(details(product, transaction), isTrialAvailable: isTrialAvailable)
    }
    guard options.storeKitVersion == .storeKit1 else { return [] }
    switch observation {
    case .completed: return []
    case .started(let product): return [.track(.transactionStart(details(product)))]
    case .abandoned(let product): return [.track(.transactionAbandon(details(product)))]
    case .timedOut(let product):
      return [.track(.transactionTimeout(details(product, tellsProduct: false)))]
    case .failed(let product, let message):
      return [.track(.transactionFail(details(product), message: message))]
    case .pending(let product):
      let details = details(product, tellsProduct: false)
      return [
        .track(.transactionFail(details, message: Self.pendingMessage)), .alert(.purchasePending),
      ]
    }
  }
}
