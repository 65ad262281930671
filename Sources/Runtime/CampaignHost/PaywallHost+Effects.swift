import CampaignCore
import CampaignMatcher
import ExpressionEngine
import PaywallLogic

extension PaywallHost {
  /// Performs an effect that needs no reply.
  ///
  /// - Returns: `false` for the others, which ``answer(_:of:)`` performs.
  func carryOut(_ effect: PaywallEffect, of request: HostRequest?) -> Bool {
    // Nobody has registered an event of the SDK: it has no handler and no feature.
    if effect.isHandlers, request?.source == .implicit { return true }
    if case .track(let event) = effect {
      track(event)
      return true
    }
    outlet.note(.effect(effect))
    switch effect {
    case .command: break
    case .onPresent, .onWillDismiss, .onDismiss, .onSkip, .onError, .runFeature:
      guard let handler = request?.handler else { break }
      outlet.callbacks.post { handler.perform(effect) }
    case .delegate(.userAttributesDidChange):
      // The app gets all attributes, as in the SDK.
      remember { () throws(StoreError) in
        let attributes = try matcher.contextSnapshot()["user"]?.objectValue ?? [:]
        outlet.perform(.delegate(.userAttributesDidChange(attributes)))
      }
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
    case .pauseCheckout(let milliseconds):
      let clock = matcher.clock
      clock.schedule(after: .milliseconds(milliseconds)) { [inbox] in
        inbox.put(.happened(.recovery(.pauseEnded(at: clock.now()))))
      }
    case .announceRedemption(let result, let milliseconds):
      matcher.clock.schedule(after: .milliseconds(milliseconds)) { [outlet] in
        outlet.perform(.delegate(.didRedeemLink(result)))
      }
    default: return resume(effect, of: request)
    }
    return true
  }

  /// Resumes the call that waits for the result of the effect.
  ///
  /// - Returns: Whether a call waited for it.
  private func resume(_ effect: PaywallEffect, of request: HostRequest?) -> Bool {
    switch effect {
    case .returnPaywall(let info): give(.success(info), to: request)
    case .throwSkip(let reason): give(.failure(.skipped(reason)), to: request)
    case .throwError(let error): give(.failure(.failed(error)), to: request)
    case .didFinish(let info, let result, let shouldDismiss):
      guard let onFinish = request?.onFinish else { break }
      outlet.callbacks.post { onFinish(info, result, shouldDismiss) }
    case .returnPurchase(let result, let product):
      let index = waitingForPurchase.firstIndex { product == nil || $0.product == product }
      if let index {
        waitingForPurchase.remove(at: index).continuation.resume(returning: result)
      }
    case .returnRestore(let result):
      for continuation in waitingForRestore { continuation.resume(returning: result) }
      waitingForRestore = []
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

  /// Resumes the calls that wait for an event without a result.
  func refuse(_ event: PaywallSession.Event) {
    guard case .purchase(.purchase(let product, from: .app, _)) = event,
      let index = waitingForPurchase.lastIndex(where: { $0.product == product.id })
    else { return }
    waitingForPurchase.remove(at: index).continuation.resume(
      returning: .failed(PurchaseError.underWay))
  }

  /// Announces an event and writes it into the matcher's history, from which another paywall may follow.
  private func track(_ event: AnalyticsEvent) {
    switch event.name {
    case .subscriptionStatusDidChange, .deviceAttributes:
      // The matcher, which keeps the status, has announced them.
      return
    default: outlet.announce(event)
    }
    if event.name == .paywallOpen, session.recovery.pending != nil {
      inbox.put(.happened(.recovery(.paywallOpened(at: matcher.clock.now()))))
    }
    remember { () throws(StoreError) in
      switch event.name {
      case .paywallOpen:
        try running?.presentation.didPresent(parameters: try parameters(of: event))
      case .paywallClose:
        try running?.presentation.didClose(parameters: try parameters(of: event))
      case _ where event.canTrigger:
        var request = try request(of: event)
        request.recordedAt = try matcher.record(request)
        triggers.append((event.name, request))
      default: try matcher.events.track(event.trackedName, parameters: parameters(of: event))
      }
    }
  }

  private func parameters(of event: AnalyticsEvent) throws(StoreError) -> [String: Value] {
    event.parameters(in: try eventContext())
  }

  /// Looks whether paywalls follow from the events that were tracked.
  func lookForFollowUps() {
    while !triggers.isEmpty {
      let (event, request) = triggers.removeFirst()
      remember { () throws(StoreError) in
        if let found = try matcher.look(event, request) { followUps.append(found) }
      }
    }
  }

  /// Presents the paywalls that follow from events. They are part of what a call leads to, so that it
  /// returns after them.
  func presentFollowUps() async {
    while !followUps.isEmpty { await replace(by: followUps.removeFirst()) }
  }

  /// The request of an event, all of whose parameters filters see with `$` before their names (§6.6).
  private func request(of event: AnalyticsEvent) throws(StoreError) -> MatchRequest {
    var parameters = event.filterParameters
    if event.name == .customPlacement { parameters["name"] = .string(event.trackedName) }
    var request = Matcher.request(event.name, parameters)
    request.presentation = .whenLoaded
    request.copied = try self.parameters(of: event)
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

  /// Looks whether a paywall follows from declining this one. The event itself is tracked later.
  func lookForExitOffer(of info: PaywallDetails) async {
    var isFound = false
    let event = AnalyticsEvent.paywallDecline(info)
    remember { () throws(StoreError) in
      let outcome = try matcher.previewNow(try request(of: event))
      if case .paywall = outcome.result { isFound = true }
    }
    await handle(.presentation(.exitOffer(isFound: isFound)))
    // The offer that was found may not follow after all, such as one offer after another.
    if case .awaitingReplacement = session.presentation.phase {
      await handle(.presentation(.closed(.manualClose)))
    }
  }

  /// A paywall follows from an event. It takes the place of the one on screen, which goes before the matcher
  /// decides.
  func replace(by request: MatchRequest) async {
    guard session.presentation.isOnScreen else { return await follow(request) }
    following = request
    await handle(.presentation(.makeRoom))
    if case .makingRoom = session.presentation.phase { return }
    following = nil
  }

  /// Decides about a paywall that follows from an event, now that nothing is on screen.
  func follow(_ request: MatchRequest) async {
    var outcome: MatchOutcome?
    remember { () throws(StoreError) in outcome = try matcher.follow(request) }
    guard case .vacated = session.presentation.phase else {
      if let outcome, case .paywall = outcome.result { await decided(.implicit, .success(outcome)) }
      return
    }
    guard let outcome else {
      return await handle(.presentation(.failed(.loadFailed("the store failed"))))
    }
    _ = await conclude(running?.request ?? .implicit, outcome, continues: true)
  }

  /// The turn of a link has come: the paywall on screen goes, and another one may come.
  func take(_ turn: LineTurn) async {
    if session.presentation.isOnScreen { await handle(.presentation(.closed(.systemLogic))) }
    do throws(StoreError) {
      await decided(.implicit, .success(try matcher.take(turn)))
    } catch {
      await decided(.implicit, .failure(error))
    }
  }

  /// Does something with the store. A failure is logged; the presentation goes on.
  func remember(_ body: () throws(StoreError) -> Void) {
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
    case .load(let info):
      do throws(MatchError) {
        return .presentation(.loaded(try await presenter.load(info)))
      } catch {
        loadFault = error
        return .presentation(.failed(error))
      }
    case .present(let info):
      do throws(MatchError) {
        try await presenter.present(info)
        return .presentation(.presented)
      } catch {
        remember { () throws(StoreError) in try running?.presentation.didFail(error) }
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
    case .purchaseInStore(let product):
      let product = session.withOfferToken(product, at: matcher.clock.now())
      return await purchase(product, through: store)
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
    _ product: PaywallProduct, through controller: any BillingController
  ) async -> PaywallSession.Event {
    let result = await controller.purchase(product: product)
    let transaction = result == .purchased ? await controller.transaction(of: product) : nil
    return .purchase(.purchaseFinished(result, transaction, product: product.id))
  }

  /// Picks the survey that is due and asks it.
  private func offerSurvey(
    _ info: PaywallDetails, _ result: PaywallOutcome, _ reason: CloseReason
  ) async -> PaywallSession.Event {
    var random = MatcherGenerator(source: matcher.random)
    let outcome = SurveyPicker.pick(
      from: info.surveys, after: result, reason, storedKey: session.surveyKey, using: &random)
    session.surveyKey = outcome.storedKey ?? session.surveyKey
    saveState()
    if case .show(let survey, let options) = outcome {
      if let answer = await presenter.ask(survey, options: options) {
        track(.surveyResponse(info, answer))
      } else {
        track(.surveyClose)
      }
      // A paywall may follow from the answer, and takes the place of the one that is about to go.
      lookForFollowUps()
      await presentFollowUps()
    }
    return .presentation(.surveyFinished(outcome.presentation))
  }

  /// A link opens the app. It is tracked at once, and has to wait for its turn.
  private func openLink(_ url: String) async {
    var match = matcher.request(deepLink: url)
    match.presentation = .whenLoaded
    let inbox = inbox
    matcher.submit(
      match, .deepLinkOpen, onTurn: { inbox.put(.turn($0)) },
      completion: { inbox.put(.decided(.implicit, $0)) })
    await drain()
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
