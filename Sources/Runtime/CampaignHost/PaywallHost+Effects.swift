import CampaignCore
import CampaignMatcher
import ExpressionEngine
import PaywallLogic

extension PaywallHost {
  /// Carries out an effect that nobody need be asked about.
  ///
  /// - Returns: Whether it was one; the others go to ``answer(_:of:)``.
  func carryOut(_ effect: PaywallEffect, of request: HostRequest?) -> Bool {
    // Nobody has registered an event of the SDK: it has no handler and no feature.
    if effect.isHandlers, request?.source == .implicit { return true }
    if case .track(let event) = effect {
      track(event)
      return true
    }
    outlet.note(.effect(effect))
    switch effect {
    case .finishPaywall, .closePaywall, .startPurchase, .startRestore, .finishPurchase,
      .finishRestore, .redeemCode, .redeemExistingCodes, .applyWebCustomerInfo, .pinEntitlements:
      // The session has done it.
      break
    case .onPresent, .onWillDismiss, .onDismiss, .onSkip, .onError, .runFeature:
      request?.handler.perform(effect)
    case .delegate: outlet.perform(effect)
    case .saveStatus(let status):
      remember { () throws(StoreError) in
        try matcher.device.setSubscriptionStatus(status)
      }
    case .mergeUserAttributes(let attributes):
      remember { () throws(StoreError) in
        try matcher.user.setAttributes(attributes.mapValues { $0 ?? .null })
      }
    case .yieldCustomerInfo(let info): outlet.announce(info)
    case .startTimer(let id, let milliseconds):
      matcher.clock.schedule(after: .milliseconds(milliseconds)) { [inbox] in
        inbox.put(.happened(.actions(.timedOut(requestID: id))))
      }
    default: return resume(effect, of: request)
    }
    return true
  }

  /// Resumes whoever waits for what the effect returns.
  ///
  /// - Returns: Whether the effect returns something to somebody.
  private func resume(_ effect: PaywallEffect, of request: HostRequest?) -> Bool {
    switch effect {
    case .returnPaywall(let info): give(.success(info), to: request)
    case .throwSkip(let reason): give(.failure(.skipped(reason)), to: request)
    case .throwError(let error): give(.failure(.failed(error)), to: request)
    case .didFinish(let info, let result, let shouldDismiss):
      request?.onFinish?(info, result, shouldDismiss)
    case .returnPurchase(let result):
      if !waitingForPurchase.isEmpty { waitingForPurchase.removeFirst().resume(returning: result) }
    case .returnRestore(let result):
      if !waitingForRestore.isEmpty { waitingForRestore.removeFirst().resume(returning: result) }
    case .returnCustomerInfo(let info):
      for continuation in waitingForCustomerInfo { continuation.resume(returning: info) }
      waitingForCustomerInfo = []
    default: return false
    }
    return true
  }

  func give(_ answer: PaywallAnswer, to request: HostRequest?) {
    guard let request else { return }
    waitingForPaywall.removeValue(forKey: request.number)?.resume(returning: answer)
  }

  /// Tells whoever waits that nothing comes of an event.
  func refuse(_ event: PaywallSession.Event) {
    switch event {
    case .purchase(.purchase(_, from: .app, _)):
      if !waitingForPurchase.isEmpty {
        waitingForPurchase.removeLast().resume(
          returning: .failed(.message("another purchase is under way")))
      }
    case .purchase(.restore(from: .app)):
      if !waitingForRestore.isEmpty {
        waitingForRestore.removeLast().resume(
          returning: .failed("another purchase is under way"))
      }
    default: break
    }
  }

  /// Announces an event and writes it into the matcher's history, from which another paywall may follow.
  private func track(_ event: AnalyticsEvent) {
    switch event {
    case .subscriptionStatusDidChange, .deviceAttributes:
      // The matcher, which keeps the status, has announced them.
      return
    default: outlet.announce(event)
    }
    remember { () throws(StoreError) in
      switch event {
      case .paywallOpen:
        try running?.presentation.didPresent(parameters: try parameters(of: event))
      case .paywallClose:
        try running?.presentation.didClose(parameters: try parameters(of: event))
        if let next = running?.next {
          running?.presentation = next
          running?.next = nil
        }
      case .paywallDecline:
        // The look for an exit offer has tracked it.
        break
      case _ where event.canTrigger: try follow(event)
      default: try matcher.events.track(event.trackedName, parameters: parameters(of: event))
      }
    }
  }

  private func parameters(of event: AnalyticsEvent) throws(StoreError) -> [String: Value] {
    event.parameters(in: try eventContext())
  }

  /// Tracks an event from which a paywall may follow, and leaves what does in the inbox.
  private func follow(_ event: AnalyticsEvent) throws(StoreError) {
    var parameters = event.filterParameters
    if event.name == .customPlacement { parameters["name"] = .string(event.trackedName) }
    guard
      let outcome = try matcher.handleNow(
        event.name, parameters: parameters, request: try request(of: event)),
      case .paywall = outcome.result
    else { return }
    inbox.put(.decided(HostRequest(followingEvent: true), .success(outcome)))
  }

  /// The request of an event, all of whose parameters filters see with `$` before their names (§6.6).
  private func request(of event: AnalyticsEvent) throws(StoreError) -> MatchRequest {
    var request = MatchRequest(event.trackedName)
    request.copied = try parameters(of: event)
    request.copied?["is_superwall"] = nil
    return request
  }

  /// Announces and records an event of a paywall that another service shows.
  func trackForeign(_ event: AnalyticsEvent) {
    outlet.announce(event)
    remember { () throws(StoreError) in
      try matcher.events.track(event.trackedName, parameters: try parameters(of: event))
    }
  }

  /// Looks for a paywall that follows from declining this one.
  func lookForExitOffer(of info: PaywallInfo) async {
    var offer: MatchOutcome?
    let event = AnalyticsEvent.paywallDecline(info)
    remember { () throws(StoreError) in
      offer = try matcher.handleNow(
        .paywallDecline, parameters: event.filterParameters, request: try request(of: event))
    }
    if let offer { outlet.note(.decision(offer)) }
    guard let offer, case .paywall = offer.result else {
      return await handle(.presentation(.exitOffer(isFound: false)))
    }
    await handle(.presentation(.exitOffer(isFound: true)))
    await replace(offer)
  }

  /// Puts a paywall in the place of the one on screen.
  func replace(_ outcome: MatchOutcome) async {
    guard
      case .paywall(let next) = decision(about: outcome, HostRequest(followingEvent: false)),
      let presentation = outcome.presentation
    else { return }
    running?.next = presentation
    await handle(.presentation(.replaced(next)))
  }

  /// Does something with the store. A failure is logged; the presentation goes on.
  private func remember(_ body: () throws(StoreError) -> Void) {
    do throws(StoreError) {
      try body()
    } catch {
      outlet.log(error)
    }
  }

  /// Asks screen, store or handler to carry an effect out.
  ///
  /// - Returns: The event that follows; `nil` if none does.
  func answer(
    _ effect: PaywallEffect, of request: HostRequest?
  ) async -> PaywallSession.Event? {
    switch effect {
    case .present(let info):
      do throws(MatchError) {
        try await presenter.present(info)
        return .presentation(.presented)
      } catch {
        running?.presentation.didFail()
        return .presentation(.failed(error))
      }
    case .dismiss(let info):
      await presenter.dismiss(info)
      return .presentation(.disappeared)
    case .lookForExitOffer(let info):
      await lookForExitOffer(of: info)
      return nil
    case .offerSurvey(let info, let result, let reason):
      return await offerSurvey(info, result, reason)
    case .onCustomCallback(let callback):
      guard let handler = request?.handler else { return nil }
      return .actions(
        .callbackFinished(
          requestID: callback.requestID, await handler.answer(callback)))
    case .purchaseByController(let product):
      guard let controller = configuration.purchaseController else { return nil }
      return await purchase(product, through: controller)
    case .purchaseInStore(let product): return await purchase(product, through: store)
    case .restoreByController:
      guard let controller = configuration.purchaseController else { return nil }
      return .restoreReturned(await controller.restorePurchases())
    case .restoreFromStore: return .restoreReturned(await store.restorePurchases())
    case .openLink(let url):
      await openLink(url)
      return nil
    default: return await presenter.perform(effect)
    }
  }

  private func purchase(
    _ product: StoreProduct, through controller: any PurchaseController
  ) async -> PaywallSession.Event {
    let result = await controller.purchase(product: product)
    let transaction = result == .purchased ? await controller.transaction(of: product) : nil
    return .purchase(.purchaseFinished(result, transaction))
  }

  /// Picks the survey that is due and asks it.
  private func offerSurvey(
    _ info: PaywallInfo, _ result: PaywallResult, _ reason: CloseReason
  ) async -> PaywallSession.Event {
    var random = MatcherGenerator(source: matcher.random)
    let outcome = SurveyPicker.pick(
      from: info.surveys, after: result, reason, storedKey: surveyKey, using: &random)
    surveyKey = outcome.storedKey ?? surveyKey
    if case .show(let survey, let options) = outcome {
      if let answer = await presenter.ask(survey, options: options) {
        track(.surveyResponse(info, answer))
      } else {
        track(.surveyClose)
      }
      // A paywall may follow from the answer, and takes the place of the one that is about to go.
      await drain()
    }
    return .presentation(.surveyFinished(outcome.presentation))
  }

  /// A link opens the app: the paywall on screen goes, and another one may come.
  private func openLink(_ url: String) async {
    if session.presentation.isOnScreen { await handle(.presentation(.closed(.systemLogic))) }
    let match = matcher.request(deepLink: url)
    await post(match, HostRequest(followingEvent: false), event: .deepLinkOpen)
  }
}

extension PaywallEffect {
  /// Whether the effect is a call of the handler, or the feature.
  fileprivate var isHandlers: Bool {
    switch self {
    case .onPresent, .onWillDismiss, .onDismiss, .onSkip, .onError, .onCustomCallback, .runFeature:
      true
    default: false
    }
  }
}

/// The matcher's chance as a generator of the standard library.
private struct MatcherGenerator: RandomNumberGenerator {
  let source: any RandomSource

  mutating func next() -> UInt64 {
    // Two halves, because a bound of 2⁶⁴ cannot be written.
    source.uniform(below: 1 << 32) << 32 | source.uniform(below: 1 << 32)
  }
}
