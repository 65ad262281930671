public import CampaignCore
import CampaignMatcher
public import ExpressionEngine
public import PaywallLogic

// Actions of the app and the user.
extension PaywallHost {
  // MARK: The life of the app

  /// The app was launched: the web entitlements are fetched, and the result of a checkout that was
  /// under way when the app ended.
  public func didLaunch() async { await send(.launched(at: matcher.clock.now())) }

  /// The app came to the foreground: what is too old is fetched again.
  public func willEnterForeground() async {
    await send(.foregrounded(at: matcher.clock.now()))
  }

  // MARK: On the paywall

  /// The user tapped a purchase button.
  ///
  /// - Parameters:
  ///   - productName: The product by its name in the editor, or by its identifier.
  ///   - dismisses: Whether the purchase may close the paywall.
  public func buy(productName: String, dismisses: Bool = true) async {
    await send(.buy(productName: productName, dismisses: dismisses))
  }

  /// The user tapped the restore button.
  public func restore() async { await send(.restore) }

  /// The paywall closes: the user or the app wants it, or its content did not load.
  public func close(_ reason: CloseReason = .manualClose) async {
    await send(.presentation(.closed(reason)))
  }

  /// The user tapped an element with actions.
  ///
  /// - Parameters:
  ///   - id: Tells the taps apart; one whose actions are still running is ignored.
  ///   - actions: The actions.
  public func tap(id: String, _ actions: [PaywallAction]) async {
    await send(.actions(.tapped(id: id, actions)))
  }

  /// The page of the paywall shows something else. A survey follows only a paywall that was seen.
  public func contentChanged(_ state: ContentState) async {
    await send(.presentation(.contentChanged(state)))
  }

  // MARK: Products

  /// Adds products that loaded. Those of the same identifier are replaced.
  public func add(products: [PaywallProduct]) { session.add(products) }

  // MARK: Paywalls that the app presents

  /// Returns the paywall of a placement for the app to present. When it has appeared and when it has
  /// gone, the app says so: `send(.presentation(.presented))`, `send(.presentation(.disappeared))`.
  ///
  /// - Parameters:
  ///   - placement: The placement.
  ///   - parameters: Its parameters.
  ///   - overrides: Products that take the place of those of the paywall.
  ///   - onFinish: Hears the result, and whether the app is to dismiss the paywall.
  /// - Throws: The reason why there is none. A task that is cancelled while the request waits gets
  ///   `PaywallRefusal.failed(_:)` with `MatchError.cancelled`.
  public func getPaywall(
    _ placement: String, parameters: [String: Value] = [:], overrides: [String: String]? = nil,
    onFinish: @escaping @Sendable (PaywallDetails, PaywallOutcome, _ shouldDismiss: Bool) -> Void
  ) async throws(PaywallRefusal) -> PaywallDetails {
    var made = HostRequest(number: nextNumber(), overrides: overrides)
    made.kind = .getPaywall
    made.source = .getPaywall
    made.onFinish = onFinish
    let request = made
    let match = MatchRequest(placement, parameters: parameters, kind: .getPaywall)
    let place = matcher.nextNumber()
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waitingForPaywall[request.number] = continuation
        Task { await post(match, request, place: place) }
      }
    } onCancel: {
      matcher.cancel(place)
    }
    return try answer.get()
  }

  /// Returns the result that a placement would have. Nothing happens.
  ///
  /// - Returns: The error `MatchError.paywallAlreadyPresented` for a paywall that another one keeps
  ///   away.
  /// - Throws: `StoreError` when the store cannot be read.
  public func presentationResult(
    _ placement: String, parameters: [String: Value] = [:]
  ) async throws(StoreError) -> PlacementResult {
    var request = MatchRequest(placement, parameters: parameters)
    request.isFeatureGatable = false
    let result = try await matcher.preview(request).result
    guard case .paywall = result, session.presentation.isOnScreen else { return result }
    return .error(.paywallAlreadyPresented)
  }

  // MARK: Purchases of the app

  /// Buys a product for the app, in the App Store. With a purchase controller the host is only its
  /// hands: the result goes to the caller, and nothing is tracked.
  public func purchase(_ product: PaywallProduct) async -> PaywallPurchaseResult {
    await askForOffer(of: product)
    let event = PaywallSession.Event.purchase(
      .purchase(product, from: .app, isTrialAvailable: session.beginsWithTrial(product)))
    guard configuration.purchaseController != nil else {
      return await withCheckedContinuation { continuation in
        waitingForPurchase.append((product.id, continuation))
        Task { await send(event) }
      }
    }
    for effect in session.timeline(of: event) {
      outlet.note(.effect(effect))
      switch effect {
      case .purchaseInStore(let product): return await store.purchase(product: product)
      case .returnPurchase(let result, _): return result
      default: break
      }
    }
    return .failed(PurchaseError.productUnavailable)
  }

  /// Restores purchases for the app; see ``purchase(_:)``. A second restore ends with the first.
  public func restorePurchases() async -> PaywallRestoreResult {
    let event = PaywallSession.Event.purchase(.restore(from: .app))
    guard configuration.purchaseController != nil else {
      return await withCheckedContinuation { continuation in
        waitingForRestore.append(continuation)
        Task { await send(event) }
      }
    }
    for effect in session.timeline(of: event) { outlet.note(.effect(effect)) }
    return await store.restorePurchases()
  }

  // MARK: Entitlements

  /// Sets what the user has bought. With a purchase controller the app does; without one the status
  /// follows from the purchases, and this replaces it until they are read again.
  public func setSubscriptionStatus(_ status: UserSubscriptionStatus) async {
    await send(.entitlements(.statusSet(status)))
  }

  /// The purchases on the device were read.
  public func didLoadPurchases(_ info: CustomerRecord) async {
    await send(.entitlements(.deviceLoaded(info, at: matcher.clock.now())))
  }

  /// Returns what is known of the customer, once it is.
  public func customerInfo() async -> CustomerRecord {
    await withCheckedContinuation { continuation in
      waitingForCustomerInfo.append(continuation)
      Task { await send(.entitlements(.customerInfoRequested)) }
    }
  }

  // MARK: Links

  /// Opens a link.
  ///
  /// - Returns: Whether the SDK takes care of it; if not, the app goes on with its own routing.
  @discardableResult
  public func handle(deepLink url: String) async -> Bool {
    let isRecognized = session.links.recognizes(url)
    await send(.links(.opened(url)))
    return isRecognized
  }
}

extension PaywallHost {
  // MARK: Adapty

  /// Takes an event of a paywall of Adapty: it enters the history, and its profile becomes the status.
  /// Filters read its fields as `params.<name>` in a placement that is registered with
  /// `event.parameters`.
  public func handle(_ event: AdaptyEvent) async {
    let info = session.presentation.paywall ?? PaywallDetails(identifier: "adapty")
    if let profile = event.profile {
      await setSubscriptionStatus(profile.status)
    }
    for tracked in event.analyticsEvents(on: info) { trackForeign(tracked) }
  }
}
