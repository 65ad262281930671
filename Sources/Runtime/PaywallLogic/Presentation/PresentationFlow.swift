import CampaignCore

/// The course of one registration, from the matcher's decision to the last callback
/// (docs/spec/campaigns.md §8.4, §8.5).
///
/// A paywall that another one replaces stays in the same flow: the next paywall inherits its gating,
/// and the feature of the registration runs at most once.
///
/// A swipe is a close by hand: the host reports `closed(.manualClose)`. The paywall is gone already, so
/// that the host reports `disappeared` as soon as it gets ``PaywallEffect/dismiss(_:)``. While surveys are
/// attached it holds swipes back.
public struct PresentationFlow: StateMachine {
  /// The origin of the request.
  public enum Request: String, Sendable, Hashable, CaseIterable {
    /// A registration: the SDK presents, the handler listens, a feature may follow.
    case register
    /// The app: it presents itself, and its delegate listens.
    case getPaywall
  }

  /// The choices of an app.
  public struct Options: Sendable, Equatable {
    /// Whether a purchase or a restore closes the paywall.
    public var dismissesAutomatically = true
    /// Whether a paywall that stays open after a purchase still ends with it when it is closed. In the
    /// reference it ends as declined, so that a gated feature does not run.
    public var remembersPurchase = false
    /// The policy for a network that fails.
    public var networkPolicy = NetworkPolicy.reference

    /// Creates the defaults.
    public init() {}
  }

  /// Where the flow is.
  public indirect enum Phase: Sendable, Equatable {
    /// The matcher has not decided.
    case deciding
    /// The paywall is being loaded.
    case loading(PaywallDetails)
    /// The paywall has loaded, and a view for it is looked for.
    case loaded(PaywallDetails)
    /// The paywall is on its way to the screen.
    case presenting(PaywallDetails)
    /// The paywall is on screen.
    case presented(PaywallDetails)
    /// A survey is shown, or about to be, before the paywall goes.
    case surveying(PaywallDetails, PaywallOutcome, CloseReason)
    /// The matcher looks for an exit offer before the paywall goes.
    case lookingForExitOffer(PaywallDetails)
    /// The exit offer was found and is going to take the paywall's place.
    case awaitingReplacement(PaywallDetails)
    /// The paywall is going, to make room for another one that is not decided yet.
    case makingRoom(PaywallDetails)
    /// The paywall has gone, and the matcher decides about the one that takes its place.
    case vacated(PaywallDetails)
    /// The paywall is going; `next` takes its place.
    case dismissing(PaywallDetails, PaywallOutcome, CloseReason, next: PaywallDetails?)
    /// Nothing happens any more.
    case ended
  }

  /// The origin of the request.
  public let request: Request
  /// The choices of the app.
  public let options: Options
  /// Where the flow is.
  public private(set) var phase = Phase.deciding
  /// The purchase or restore after which the paywall stayed open.
  package private(set) var settled: PaywallOutcome?
  /// The outcome of the paywall's survey, for `paywall_close`.
  package private(set) var survey: SurveyPicker.Presentation?
  /// The gating of the paywall before, which the one that takes its place inherits.
  package private(set) var inheritedGating: FeatureGating?
  /// What the page of the paywall shows, as far as the host reports it.
  package private(set) var content = ContentState.ready

  /// Creates the flow of a request that has not been decided.
  public init(_ request: Request = .register, options: Options = Options()) {
    self.request = request
    self.options = options
  }

  /// The paywall on screen or on its way to it or from it.
  public var paywall: PaywallDetails? {
    switch phase {
    case .deciding, .vacated, .ended: nil
    case .loading(let info), .loaded(let info), .presenting(let info), .presented(let info),
      .surveying(let info, _, _), .lookingForExitOffer(let info), .awaitingReplacement(let info),
      .makingRoom(let info), .dismissing(let info, _, _, _):
      info
    }
  }

  /// Whether the app presents the paywall. One that takes the place of another is the SDK's.
  private var isByApp: Bool { request == .getPaywall && inheritedGating == nil }

  /// Whether a paywall is on screen.
  public var isOnScreen: Bool {
    switch phase {
    case .deciding, .loading, .loaded, .presenting, .vacated, .ended: false
    case .presented, .surveying, .lookingForExitOffer, .awaitingReplacement, .makingRoom,
      .dismissing:
      true
    }
  }

  /// Takes an event; see ``StateMachine``.
  public mutating func handle(_ event: Event) -> [PaywallEffect] {
    switch (phase, event) {
    case (.deciding, .decided(let decision)), (.loaded, .decided(let decision)): decide(decision)
    case (.vacated(let info), .decided(let decision)): succeed(info, decision)
    case (.loading, .loaded(let paywall)): loaded(paywall)
    case (.loading, .failed(let error)): failLoading(error)
    case (.deciding, .networkFailed(let isSubscribed, let error)):
      networkFailed(isSubscribed: isSubscribed, error: error, info: nil)
    case (.presenting(let info), .networkFailed(let isSubscribed, let error)),
      (.loading(let info), .networkFailed(let isSubscribed, let error)):
      networkFailed(isSubscribed: isSubscribed, error: error, info: info)
    case (.deciding, .failed(let error)), (.loaded, .failed(let error)),
      (.presenting, .failed(let error)), (.vacated, .failed(let error)):
      fail(error)
    case (.presenting, .contentChanged(let state)), (.presented, .contentChanged(let state)):
      show(state)
    case (.presenting(let info), .presented): present(info)
    case (.presented(let info), .purchased(let product)):
      settle(info, .purchased(product))
    case (.presented(let info), .restored): settle(info, .restored)
    case (.presented(let info), .closed(let reason)): close(info, settled ?? .declined, reason)
    case (.surveying(let info, let result, let reason), .surveyFinished(let outcome)):
      surveyed(info, result, reason, outcome)
    case (.lookingForExitOffer(let info), .exitOffer(let isFound)):
      exitOffer(isFound, from: info)
    case (.surveying(let info, _, _), .makeRoom): makeRoom(info, survey: .show)
    case (.presented(let info), .makeRoom), (.awaitingReplacement(let info), .makeRoom):
      makeRoom(info, survey: nil)
    case (.makingRoom(let info), .disappeared):
      disappeared(info, .declined, .forNextPaywall, next: nil)
    case (.surveying(let info, _, _), .replaced(let next)):
      // The paywall follows from the answer, so that the survey was shown.
      replace(info, with: next, survey: .show)
    case (.presented(let info), .replaced(let next)),
      (.lookingForExitOffer(let info), .replaced(let next)),
      (.awaitingReplacement(let info), .replaced(let next)):
      replace(info, with: next)
    case (.awaitingReplacement(let info), .failed), (.awaitingReplacement(let info), .closed):
      // The offer never came: the paywall that was declined goes after all.
      leave(info, .declined, .manualClose)
    case (.dismissing(let info, let result, let reason, let next), .disappeared):
      disappeared(info, result, reason, next: next)
    case (.presented(let info), .disappeared):
      // Gone without a word, such as with the view that it stood on.
      vanish(info, settled ?? .declined, .systemLogic)
    case (.surveying(let info, let result, let reason), .disappeared):
      vanish(info, result, reason)
    default: []
    }
  }

  private mutating func decide(_ decision: Decision) -> [PaywallEffect] {
    switch decision {
    case .paywall(let info): return show(info)
    case .unloaded(let info):
      phase = .loading(info)
      let isTriggered = info.placement != nil
      return [.track(.paywallResponseLoadStart(isTriggered: isTriggered)), .load(info)]
    case .skip(let reason):
      phase = .ended
      if request == .register { return [.onSkip(reason), .runFeature] }
      return inheritedGating == nil ? [.throwSkip(reason)] : []
    // Neither handler nor caller learns of a placement with a reserved name, as in the SDK.
    case .failed(.reservedPlacement):
      phase = .ended
      return []
    case .failed(let error): return fail(error)
    }
  }

  /// The matcher has decided about the paywall that takes the place of another one.
  private mutating func succeed(
    _ info: PaywallDetails, _ decision: Decision
  ) -> [PaywallEffect] {
    inheritedGating = info.featureGating
    return decide(decision)
  }

  private mutating func show(_ info: PaywallDetails) -> [PaywallEffect] {
    var info = info
    info.featureGating = inheritedGating ?? info.featureGating
    content = .ready
    phase = .presenting(info)
    if isByApp { return [.returnPaywall(info)] }
    return [.delegate(.willPresentPaywall(info)), .present(info)]
  }

  private mutating func show(_ state: ContentState) -> [PaywallEffect] {
    content = state
    return []
  }

  private mutating func fail(_ error: MatchError) -> [PaywallEffect] {
    var hasReturned = inheritedGating != nil
    if case .presenting = phase { hasReturned = true }
    phase = .ended
    switch request {
    case .register: return [.onError(error)]
    case .getPaywall: return hasReturned ? [] : [.throwError(error)]
    }
  }

  private mutating func networkFailed(
    isSubscribed: Bool, error: MatchError, info: PaywallDetails?
  ) -> [PaywallEffect] {
    let decision = options.networkPolicy.decision(
      isSubscribed: isSubscribed, gating: info?.featureGating)
    switch decision {
    case .reportError: return fail(error)
    case .retry: return [.retryLoading(info)]
    case .runFeature:
      guard request == .register else { return fail(error) }
      phase = .ended
      return [.runFeature]
    }
  }

  private mutating func present(_ info: PaywallDetails) -> [PaywallEffect] {
    phase = .presented(info)
    let appeared = PaywallEffect.delegate(.didPresentPaywall(info))
    let opened = PaywallEffect.track(.paywallOpen(info))
    switch request {
    case .register: return [appeared, .onPresent(info), opened]
    case .getPaywall: return [appeared, opened]
    }
  }

  /// Something was bought or restored while the paywall is on screen.
  private mutating func settle(
    _ info: PaywallDetails, _ result: PaywallOutcome
  ) -> [PaywallEffect] {
    guard options.dismissesAutomatically else {
      if options.remembersPurchase { settled = result }
      return result == .restored ? [.spinner(false)] : [.spinner(false), .runPostPurchaseActions]
    }
    return close(info, result, .systemLogic)
  }

  private mutating func close(
    _ info: PaywallDetails, _ result: PaywallOutcome, _ reason: CloseReason
  ) -> [PaywallEffect] {
    let allowsSurvey = content.allowsSurvey
    content = .ready
    guard allowsSurvey, info.surveys.contains(where: { $0.fits(result, reason) }) else {
      return afterSurvey(info, result, reason)
    }
    phase = .surveying(info, result, reason)
    return [.offerSurvey(info, result, reason)]
  }

  private mutating func surveyed(
    _ info: PaywallDetails, _ result: PaywallOutcome, _ reason: CloseReason,
    _ outcome: SurveyPicker.Presentation?
  ) -> [PaywallEffect] {
    survey = outcome
    return afterSurvey(info, result, reason)
  }

  private mutating func afterSurvey(
    _ info: PaywallDetails, _ result: PaywallOutcome, _ reason: CloseReason
  ) -> [PaywallEffect] {
    guard result == .declined, reason == .manualClose else { return leave(info, result, reason) }
    phase = .lookingForExitOffer(info)
    return [.lookForExitOffer(info)]
  }
}

extension PresentationFlow {
  private mutating func loaded(_ paywall: LoadedPaywall) -> [PaywallEffect] {
    let info = paywall.info
    phase = .loaded(info)
    let isTriggered = info.placement != nil
    var events: [AnalyticsEvent] = [
      .paywallResponseLoadComplete(info, isTriggered: isTriggered),
      .paywallProductsLoadStart(info, isTriggered: isTriggered),
    ]
    if !paywall.missingProducts.isEmpty {
      events.append(
        .paywallProductsLoadMissingProducts(
          info, isTriggered: isTriggered, products: paywall.missingProducts))
    }
    if let message = paywall.productsFailure {
      events.append(
        .paywallProductsLoadFail(info, isTriggered: isTriggered, message: message))
    }
    events.append(.paywallProductsLoadComplete(info, isTriggered: isTriggered))
    return events.map(PaywallEffect.track)
  }

  /// The paywall did not load. The decision that follows says so to handler and caller.
  private mutating func failLoading(_ error: MatchError) -> [PaywallEffect] {
    let isTriggered = paywall?.placement != nil
    let event: AnalyticsEvent =
      error == .paywallNotFound
      ? .paywallResponseLoadNotFound(isTriggered: isTriggered)
      : .paywallResponseLoadFail(isTriggered: isTriggered)
    phase = .deciding
    return [.track(event)]
  }

  /// The paywall goes, so that the matcher can decide about the one that takes its place.
  private mutating func makeRoom(
    _ info: PaywallDetails, survey: SurveyPicker.Presentation?
  ) -> [PaywallEffect] {
    self.survey = survey ?? self.survey
    let effects = leave(info, .declined, .forNextPaywall)
    phase = .makingRoom(info)
    return effects
  }

  /// The placements whose paywalls are exit offers themselves, so that none follows them.
  private static let exitOffers: Set<String> = [
    "paywall_decline", "transaction_abandon", "transaction_fail",
  ]

  private mutating func exitOffer(_ isFound: Bool, from info: PaywallDetails) -> [PaywallEffect] {
    let declined = PaywallEffect.track(.paywallDecline(info))
    if isFound, !Self.exitOffers.contains(info.placement ?? "") {
      phase = .awaitingReplacement(info)
      return [declined]
    }
    return [declined] + leave(info, .declined, .manualClose)
  }

  private mutating func leave(
    _ info: PaywallDetails, _ result: PaywallOutcome, _ reason: CloseReason,
    next: PaywallDetails? = nil
  ) -> [PaywallEffect] {
    phase = .dismissing(info, result, reason, next: next)
    if isByApp {
      return [.didFinish(info, result, shouldDismiss: true)] + willDismiss(info, result)
    }
    return willDismiss(info, result) + [.dismiss(info)]
  }

  private func willDismiss(_ info: PaywallDetails, _ result: PaywallOutcome) -> [PaywallEffect] {
    let delegate = PaywallEffect.delegate(.willDismissPaywall(info))
    return request == .register ? [delegate, .onWillDismiss(info, result)] : [delegate]
  }

  private mutating func vanish(
    _ info: PaywallDetails, _ result: PaywallOutcome, _ reason: CloseReason
  ) -> [PaywallEffect] {
    willDismiss(info, result) + disappeared(info, result, reason, next: nil)
  }

  /// The next paywall inherits the gating (docs/spec/campaigns.md §2.10).
  private mutating func replace(
    _ info: PaywallDetails, with next: PaywallDetails, survey: SurveyPicker.Presentation? = nil
  ) -> [PaywallEffect] {
    var next = next
    self.survey = survey ?? self.survey
    next.featureGating = info.featureGating
    return leave(info, .declined, .forNextPaywall, next: next)
  }

  private mutating func disappeared(
    _ info: PaywallDetails, _ result: PaywallOutcome, _ reason: CloseReason, next: PaywallDetails?
  ) -> [PaywallEffect] {
    var effects: [PaywallEffect] = [.track(.paywallClose(info, reason, survey: survey))]
    let isAnnounced: Bool
    switch phase {
    case .dismissing, .makingRoom: isAnnounced = true
    default: isAnnounced = false
    }
    switch request {
    case .register:
      effects += [.delegate(.didDismissPaywall(info)), .onDismiss(info, result)]
      effects += Self.consequence(of: result, reason, gating: info.featureGating)
    case .getPaywall:
      if !isAnnounced, isByApp { effects.append(.didFinish(info, result, shouldDismiss: false)) }
      effects.append(.delegate(.didDismissPaywall(info)))
    }
    survey = nil
    settled = nil
    guard let next else {
      if case .makingRoom = phase { phase = .vacated(info) } else { phase = .ended }
      return effects
    }
    phase = .presenting(next)
    return effects + [.delegate(.willPresentPaywall(next)), .present(next)]
  }
}
