import CampaignCore

/// The course of purchases and restores (docs/spec/campaigns.md §8.4), one at a time.
///
/// The flow calls the purchase controller, the store or the tester, and turns their result into events,
/// alerts and the end of the paywall.
public struct PurchaseFlow: StateMachine {
  /// The origin of a purchase or a restore.
  public enum Source: Sendable, Hashable {
    /// A button of the paywall; `dismisses` says whether the purchase may close it.
    case paywall(PaywallInfo, dismisses: Bool)
    /// The app.
    case app

    /// The paywall, or ``PaywallInfo/none``.
    public var info: PaywallInfo {
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
  public struct Options: Sendable, Hashable {
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

    /// Creates the defaults.
    public init() {}
  }

  /// A purchase under way.
  public struct Purchase: Sendable, Hashable {
    /// The product.
    public var product: StoreProduct
    /// Its origin.
    public var source: Source
    /// Whether a trial was offered.
    public var isTrialAvailable: Bool
  }

  /// Where the flow is.
  public enum Phase: Sendable, Hashable {
    /// Nothing is under way.
    case idle
    /// A purchase is under way.
    case purchasing(Purchase)
    /// A restore is under way.
    case restoring(Source)
  }

  /// The choices of the app.
  public var options: Options
  /// Where the flow is.
  public private(set) var phase = Phase.idle

  /// Creates a flow without anything under way.
  public init(options: Options = Options()) {
    self.options = options
  }

  /// Takes an event; see ``StateMachine``.
  public mutating func handle(_ event: Event) -> [PaywallEffect] {
    switch (phase, event) {
    case (.idle, .purchase(let product, let source, let isTrialAvailable)):
      start(Purchase(product: product, source: source, isTrialAvailable: isTrialAvailable))
    case (.idle, .productUnavailable(let source)):
      source == .app ? [.returnPurchase(.failed(.productUnavailable))] : []
    case (.purchasing, .purchase(let product, .app, _)) where options.hasPurchaseController:
      // The controller hands the purchase back to the SDK, as the documents show it.
      buyInStore(product)
    case (.purchasing(let purchase), .purchaseFinished(let result, let transaction)):
      finish(purchase, result, transaction)
    case (.purchasing(let purchase), .purchaseRestored(let transaction)):
      restored(purchase, transaction)
    case (.purchasing(let purchase), .sheetTimedOut):
      [.track(.transactionTimeout(details(purchase)))]
    case (.idle, .restore(let source)): startRestore(source)
    case (.restoring, .restore(.app)) where options.hasPurchaseController: [.restoreFromStore]
    case (.restoring(let source), .restoreFinished(let result, let found)):
      finishRestore(source, result, found)
    case (_, .observed(let observation)): observed(observation)
    default: []
    }
  }

  private mutating func start(_ purchase: Purchase) -> [PaywallEffect] {
    let product = purchase.product
    switch purchase.source {
    case .app:
      if options.observesPurchases { return [.returnPurchase(.failed(.observing))] }
      // With a controller the SDK is only its hands: the controller reports to whoever asked it.
      if options.hasPurchaseController { return buyInStore(product) }
    case .paywall: break
    }
    phase = .purchasing(purchase)
    var effects: [PaywallEffect] = [.track(.transactionStart(details(purchase)))]
    if case .paywall = purchase.source { effects.append(.spinner(true)) }
    if options.isTestMode { return effects + [.simulatePurchase(product)] }
    switch (purchase.source, product.store) {
    case (.paywall, _) where options.hasPurchaseController:
      return effects + [.purchaseByController(product)]
    case (_, .custom):
      return effects + finish(purchase, .failed(.customProductWithoutController), nil)
    default: return effects + [.purchaseInStore(product)]
    }
  }

  private func buyInStore(_ product: StoreProduct) -> [PaywallEffect] {
    // There is nothing in the App Store that could be bought.
    if product.store == .custom {
      return [.returnPurchase(.failed(.productUnavailable))]
    }
    return [.purchaseInStore(product)]
  }

  private func details(
    _ purchase: Purchase, transaction: StoreTransaction? = nil, isObserved: Bool = false
  ) -> TransactionDetails {
    TransactionDetails(
      product: purchase.product, info: purchase.source.info, transaction: transaction,
      source: purchase.source.wireName, storeKitVersion: options.storeKitVersion,
      isObserved: isObserved)
  }

  private mutating func finish(
    _ purchase: Purchase, _ result: PurchaseResult, _ transaction: StoreTransaction?
  ) -> [PaywallEffect] {
    phase = .idle
    let effects =
      switch result {
      case .purchased: succeed(purchase, transaction)
      case .cancelled, .failed(.userCancelled): cancel(purchase)
      case .pending: suspend(purchase)
      case .failed(let error): fail(purchase, error)
      }
    return purchase.source == .app ? effects + [.returnPurchase(result)] : effects
  }

  private func succeed(
    _ purchase: Purchase, _ transaction: StoreTransaction?
  ) -> [PaywallEffect] {
    let product = purchase.product
    let needsReceipts = product.store != .custom && !options.isTestMode
    var effects: [PaywallEffect] = needsReceipts ? [.reloadReceipts, .redeemExistingCodes] : []
    effects += completion(
      details(purchase, transaction: transaction), isTrialAvailable: purchase.isTrialAvailable)
    guard case .paywall(_, let dismisses) = purchase.source else { return effects }
    return effects
      + (dismisses
        ? [.finishPaywall(.purchased(product.id))] : [.spinner(false), .runPostPurchaseActions])
  }

  /// The two events of a completed purchase, and the notifications of a trial.
  private func completion(
    _ details: TransactionDetails, isTrialAvailable: Bool
  ) -> [PaywallEffect] {
    let type = TransactionType(
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
    [.track(.transactionFail(details(purchase), message: Self.pendingMessage))]
      + hideSpinner(purchase.source) + [.alert(.purchasePending)]
  }

  private func fail(_ purchase: Purchase, _ error: PurchaseError) -> [PaywallEffect] {
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
    _ purchase: Purchase, _ transaction: StoreTransaction?
  ) -> [PaywallEffect] {
    phase = .idle
    let effects = restore(
      purchase.source, .viaPurchase(transaction), product: purchase.product)
    return purchase.source == .app ? effects + [.returnPurchase(.purchased)] : effects
  }

  private mutating func startRestore(_ source: Source) -> [PaywallEffect] {
    if source == .app, options.hasPurchaseController { return [.restoreFromStore] }
    phase = .restoring(source)
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
    _ source: Source, _ result: RestorationResult, _ found: RestoredEntitlements
  ) -> [PaywallEffect] {
    phase = .idle
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
    _ source: Source, _ type: RestoreType, product: StoreProduct?
  ) -> [PaywallEffect] {
    var effects: [PaywallEffect] = [
      .track(
        .transactionRestore(
          source.info, type, product: product, source: source.wireName,
          storeKitVersion: options.storeKitVersion))
    ]
    if !options.isTestMode { effects.append(.redeemExistingCodes) }
    if case .paywall = source { effects.append(.finishPaywall(.restored)) }
    return effects
  }

  private func failureMessage(_ result: RestorationResult) -> String {
    switch result {
    case .restored: "restored, but no entitlement is active"
    case .failed(let message): message ?? "nothing was restored"
    }
  }

  /// Purchases that the app made itself. They become events and history, and never present a paywall.
  private func observed(_ observation: Observation) -> [PaywallEffect] {
    guard options.observesPurchases else { return [] }
    func details(
      _ product: StoreProduct, _ transaction: StoreTransaction? = nil
    ) -> TransactionDetails {
      let purchase = Purchase(product: product, source: .app, isTrialAvailable: false)
      return self.details(purchase, transaction: transaction, isObserved: true)
    }
    switch (observation, options.storeKitVersion) {
    case (.completed(let product, let transaction), _):
      return [.reloadReceipts, .redeemExistingCodes]
        + completion(details(product, transaction), isTrialAvailable: false)
    case (.started(let product), .storeKit1):
      return [.track(.transactionStart(details(product)))]
    case (.abandoned(let product), .storeKit1):
      return [.track(.transactionAbandon(details(product)))]
    case (.started, .storeKit2), (.abandoned, .storeKit2): return []
    }
  }
}
