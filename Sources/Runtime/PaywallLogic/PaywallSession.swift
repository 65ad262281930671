public import CampaignCore
public import ExpressionEngine

/// All state machines of one app, joined: the effects of one on another happen at once, and the
/// rest is the host's.
///
/// A session keeps nothing on disk and decides no placement; it takes the matcher's decisions as events.
public struct PaywallSession: Sendable {
  /// The choices of an app, and the settings of the config.
  public struct Options: Sendable {
    /// The options of presentations.
    public var presentation = PresentationFlow.Options()
    /// The options of purchases. The purchase controller counts for entitlements, too.
    public var purchases = PurchaseFlow.Options()
    /// The options of redemptions.
    public var redemption = RedemptionFlow.Options()
    /// Products that take the place of others.
    public var overrides = ProductOverrides()
    /// How long a custom callback may take, in milliseconds; `nil` for no limit.
    public var callbackTimeout: Int64?
    /// The settings of system and app that decide on permissions.
    public var permissions = PermissionEnvironment()
    /// The pauses and limits of the recovery of checkouts.
    public var recovery = CheckoutRecovery.Options()
    /// The id of the app's own transaction, for which the server signs tokens of introductory offers;
    /// `nil` on systems that do not have one.
    public var appTransactionID: String?

    /// Creates the defaults.
    public init() {}
  }

  /// An event of the app. Most are those of one machine.
  public indirect enum Event: Sendable, Equatable {
    /// A placement was matched.
    case registered(
      PresentationFlow.Request, PresentationFlow.Decision, hasHandler: Bool,
      overrides: [String: String]? = nil)
    /// Something happened to the presentation.
    case presentation(PresentationFlow.Event)
    /// Something happened to a purchase.
    case purchase(PurchaseFlow.Event)
    /// The purchase button of the product with this name was tapped.
    case buy(productName: String, dismisses: Bool)
    /// The restore button was tapped.
    case restore
    /// The restore finished. The entitlements after it are its result.
    case restoreReturned(PaywallRestoreResult)
    /// Something happened to entitlements.
    case entitlements(EntitlementBook.Event)
    /// Something happened to actions.
    case actions(ActionChain.Event)
    /// Something happened to web purchases.
    case redemption(RedemptionFlow.Event)
    /// The server responded to a redemption. The book says what is active on the device.
    case redemptionReturned(RedemptionFlow.Response, at: WallTime, id: Int? = nil)
    /// Something happened to links.
    case links(DeepLinkRouter.Event)
    /// Something happened in test mode.
    case testMode(TestMode.Event)
    /// The app was launched.
    case launched(at: WallTime)
    /// The app came to the foreground.
    case foregrounded(at: WallTime)
    /// Something happened to a checkout whose result is unknown.
    case recovery(CheckoutRecovery.Event)
    /// Tokens of introductory offers came, or did not.
    case offerTokens(IntroOfferTokens.Event)
    /// The second version of StoreKit lists these transactions.
    case transactionsListed([ObservedTransactions.Listed])
    /// The first version of StoreKit reported a step of a payment of the app.
    case paymentObserved(ObservedTransactions.Step, productID: String)
  }

  /// The products that loaded, by identifier.
  public var products: [String: PaywallProduct]
  /// The products of which the App Store grants the introductory offer, as far as it was asked.
  public var productsWithOffer: Set<String> = []
  /// The key of the survey that was asked last: no survey is asked twice.
  public var surveyKey: String?
  /// Whether the last config turned verbose events off; `nil` before the first one.
  public var areVerboseEventsDisabled: Bool?
  /// The course of the last registration.
  @_Boxed public private(set) var presentation: PresentationFlow
  /// Purchases and restores.
  @_Boxed public internal(set) var purchases: PurchaseFlow
  /// Entitlements and status.
  @_Boxed public private(set) var entitlements: EntitlementBook
  /// Actions of the paywall.
  @_Boxed public private(set) var actions: ActionChain
  /// Purchases on the web.
  @_Boxed public internal(set) var redemption: RedemptionFlow
  /// Links.
  @_Boxed public private(set) var links = DeepLinkRouter()
  /// Test mode.
  @_Boxed public private(set) var testMode: TestMode
  /// The checkout whose result is unknown.
  @_Boxed public internal(set) var recovery: CheckoutRecovery
  /// The tokens of introductory offers of the paywall that loaded last.
  @_Boxed public internal(set) var offerTokens = IntroOfferTokens()
  /// The purchases that the app makes itself.
  @_Boxed public internal(set) var observed: ObservedTransactions
  @_Boxed private var options: Options
  private var hasHandler = false

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - options: The options of the session.
  ///   - products: The products that loaded.
  ///   - state: What is known from the last launch.
  public init(
    options: Options = Options(), products: [PaywallProduct] = [],
    state: SessionState = SessionState()
  ) {
    self.options = options
    self.products = Dictionary(products.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
    presentation = PresentationFlow(options: options.presentation)
    purchases = PurchaseFlow(options: options.purchases)
    entitlements = EntitlementBook(
      hasPurchaseController: options.purchases.hasPurchaseController, state: state)
    actions = ActionChain(
      callbackTimeout: options.callbackTimeout, permissions: options.permissions)
    redemption = RedemptionFlow(options: options.redemption, state: state)
    testMode = TestMode(settings: state.testSettings)
    recovery = CheckoutRecovery(options: options.recovery, pending: state.pendingCheckout)
    observed = state.observed
    surveyKey = state.surveyKey
    areVerboseEventsDisabled = state.areVerboseEventsDisabled
  }

  /// The part of the session that outlives a launch.
  public var state: SessionState {
    var state = SessionState()
    entitlements.save(to: &state)
    redemption.save(to: &state)
    state.testSettings = testMode.settings
    state.surveyKey = surveyKey
    state.areVerboseEventsDisabled = areVerboseEventsDisabled
    state.pendingCheckout = recovery.pending
    state.observed = observed
    return state
  }

  /// Adds products that loaded. Those of the same identifier are replaced.
  public mutating func add(_ products: [PaywallProduct]) {
    for product in products { self.products[product.id] = product }
  }

  /// Whether a purchase of the product begins with a trial.
  public func beginsWithTrial(_ product: PaywallProduct) -> Bool {
    OfferEligibility.beginsWithTrial(
      product, isEligibleInStore: productsWithOffer.contains(product.id),
      customer: entitlements.customerInfo)
  }

  /// Handles an event, and the commands of one machine to another.
  ///
  /// - Returns: The effects that the host performs, in order.
  public mutating func handle(_ event: Event) -> [PaywallEffect] {
    timeline(of: event).filter { effect in
      if case .command = effect { false } else { true }
    }
  }

  /// Handles an event.
  ///
  /// - Returns: All effects in order, also the commands that the session performs: each comes before
  ///   its consequences, so that the list reads as a timeline.
  package mutating func timeline(of event: Event) -> [PaywallEffect] {
    var waiting = start(event)[...]
    var timeline: [PaywallEffect] = []
    while let effect = waiting.popFirst() {
      timeline.append(effect)
      waiting = follow(effect)[...] + waiting
    }
    return timeline
  }

  /// Whether `transaction_fail` presents a paywall, which takes the place of the alert.
  public var hasTransactionFailTrigger: Bool {
    get { purchases.options.hasTransactionFailTrigger }
    set { purchases.options.hasTransactionFailTrigger = newValue }
  }

  /// The root `callbacks` for filters.
  public var filterRoots: [String: Value] { actions.filterRoots }

  private mutating func start(_ event: Event) -> [PaywallEffect] {
    switch event {
    case .registered(let request, let decision, let hasHandler, let overrides):
      register(request, decision, hasHandler: hasHandler, overrides: overrides)
    case .presentation(.loaded(let paywall)):
      load(paywall)
    case .presentation(let event): presentation.handle(event)
    case .purchase(.observed(.completed(let product, let transaction, _))):
      purchases.handle(
        .observed(
          .completed(product, transaction, isTrialAvailable: beginsWithTrial(product))))
    case .purchase(let event): handlePurchase(event)
    case .buy(let name, let dismisses): buy(name, dismisses: dismisses)
    case .restore: purchases.handle(.restore(from: source(dismisses: true)))
    case .restoreReturned(let result): purchases.handle(.restoreFinished(result, found))
    case .entitlements(let event): entitlements.handle(event)
    case .actions(let event): actions.handle(event)
    case .redemption(.fetched(let info, let now, let others)):
      redemption.handle(
        .fetched(info, at: now, others: others.union(entitlements.activeIDsWithoutWeb)))
    case .redemption(let event): redemption.handle(event)
    case .redemptionReturned(let response, let now, let id):
      redemption.handle(.responded(response, device: activeIDs, at: now, id: id))
    case .links(let event): links.handle(event)
    case .testMode(let event): handleTestMode(event)
    case .launched(let now):
      recover(.launched(at: now)) + redemption.handle(.launched)
    case .foregrounded(let now):
      recover(.foregrounded(hasPaywall: presentation.isOnScreen, at: now))
        + handleTokens(.foregrounded(at: now))
    case .recovery(let event): recover(event)
    case .offerTokens(let event): handleTokens(event)
    case .transactionsListed(let transactions): observe(transactions)
    case .paymentObserved(let step, let id): observe(step, of: id)
    }
  }

  /// Performs what an effect means for the session itself.
  private mutating func follow(_ effect: PaywallEffect) -> [PaywallEffect] {
    switch effect {
    case .command(let command): perform(command)
    case .track(let event): note(event)
    default: []
    }
  }

  private mutating func perform(_ command: SessionCommand) -> [PaywallEffect] {
    switch command {
    case .finishPaywall(.purchased(let product)): presentation.handle(.purchased(product))
    case .finishPaywall(.restored): presentation.handle(.restored)
    case .finishPaywall(.declined): presentation.handle(.closed(.systemLogic))
    case .closePaywall: presentation.handle(.closed(.manualClose))
    case .startPurchase(let name): buy(name, dismisses: true)
    case .finishPurchase(let result): purchases.handle(.purchaseFinished(result, nil))
    case .startRestore: purchases.handle(.restore(from: source(dismisses: true)))
    case .finishRestore(let result): purchases.handle(.restoreFinished(result, found))
    case .redeemCode(let code): redemption.handle(.link(code: code))
    case .redeemExistingCodes: redemption.handle(.existingCodes)
    case .applyWebCustomerInfo(let info): entitlements.handle(.webLoaded(info))
    case .pinEntitlements(let pinned): entitlements.handle(.pinned(pinned))
    }
  }
}

extension PaywallSession {
  /// Tells the machines of a paywall's actions and of redemptions that it opened or closed.
  private mutating func note(_ event: AnalyticsEvent) -> [PaywallEffect] {
    switch (event.name, event.paywall) {
    case (.paywallOpen, let info?):
      actions.handle(.presented(info, hasHandler: hasHandler))
        + redemption.handle(.paywallPresented(info, entitlements: sold(by: info)))
    case (.paywallClose, _): actions.handle(.dismissed) + redemption.handle(.paywallDismissed)
    default: []
    }
  }

  private mutating func register(
    _ request: PresentationFlow.Request, _ decision: PresentationFlow.Decision, hasHandler: Bool,
    overrides: [String: String]?
  ) -> [PaywallEffect] {
    var decision = overriding(decision, overrides)
    // Only one paywall is on screen at a time; the app's own presentations are its own affair.
    if decision.paywall != nil, isTaken, request == .register {
      decision = .failed(.paywallAlreadyPresented)
    }
    var flow = PresentationFlow(request, options: options.presentation)
    let effects = flow.handle(.decided(decision))
    if decision.paywall != nil {
      presentation = flow
      self.hasHandler = hasHandler
    }
    return effects
  }

  /// A decision with the products that take the place of those of its paywall.
  private func overriding(
    _ decision: PresentationFlow.Decision, _ perCall: [String: String]?
  ) -> PresentationFlow.Decision {
    guard var info = decision.paywall else { return decision }
    info.products = options.overrides.apply(to: info.products, perCall: perCall)
    if case .unloaded = decision { return .unloaded(info) }
    return .paywall(info)
  }

  private mutating func load(_ paywall: LoadedPaywall) -> [PaywallEffect] {
    add(paywall.products)
    let offered = paywall.info.products.compactMap { products[$0.id] }
      .filter { $0.trial != nil && $0.store == .appStore }
    let tokens = handleTokens(
      .paywallLoaded(
        identifier: paywall.info.identifier, paywall.info.offerEligibility,
        productIDs: offered.map(\.id), appTransactionID: options.appTransactionID))
    return tokens + presentation.handle(.loaded(paywall))
  }

  /// Whether a paywall is on screen or on its way to it. What the app presents itself may never come.
  private var isTaken: Bool {
    presentation.isOnScreen || presentation.paywall != nil && presentation.request == .register
  }

  private mutating func buy(_ name: String, dismisses: Bool) -> [PaywallEffect] {
    let source = source(dismisses: dismisses)
    let id = source.info.products.first { $0.name == name }?.id ?? name
    guard let product = products[id] else {
      return purchases.handle(.productUnavailable(from: source))
    }
    return purchases.handle(
      .purchase(product, from: source, isTrialAvailable: beginsWithTrial(product)))
  }

  private mutating func handleTestMode(_ event: TestMode.Event) -> [PaywallEffect] {
    let effects = testMode.handle(event)
    purchases.options.isTestMode = testMode.isOn
    return effects
  }

  /// The paywall on screen, or the app without one.
  private func source(dismisses: Bool) -> PurchaseFlow.Source {
    presentation.paywall.map { .paywall($0, dismisses: dismisses) } ?? .app
  }

  var activeIDs: Set<String> { Set(entitlements.active.map(\.identifier)) }

  private var found: PurchaseFlow.RestoredEntitlements {
    let sold = presentation.paywall.map(sold(by:)) ?? []
    let isAnyActive = !activeIDs.isEmpty
    let isEnough = isAnyActive || !purchases.options.webRestoreNeedsEntitlement
    return PurchaseFlow.RestoredEntitlements(
      isAnyActive: isAnyActive, coverPaywall: isEnough && sold.isSubset(of: activeIDs))
  }

  private func sold(by info: PaywallDetails) -> Set<String> {
    let configured = entitlements.byProductIDs(Set(info.products.map(\.id))).map(\.identifier)
    let loaded = info.products.flatMap { products[$0.id]?.entitlements ?? [] }
    return Set(configured + loaded)
  }
}
