public import CampaignCore

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

  /// A decision of the matcher.
  public enum Decision: Sendable, Hashable {
    /// A paywall is to be shown.
    case paywall(PaywallInfo)
    /// There is a reason to show none.
    case skip(SkipReason)
    /// The request failed.
    case failed(MatchError)
    /// The placement has the name of a built-in event.
    case reserved
  }

  /// The choices of an app.
  public struct Options: Sendable, Hashable {
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
  public enum Phase: Sendable, Hashable {
    /// The matcher has not decided.
    case deciding
    /// The paywall is on its way to the screen.
    case presenting(PaywallInfo)
    /// The paywall is on screen.
    case presented(PaywallInfo)
    /// A survey is shown, or about to be, before the paywall goes.
    case surveying(PaywallInfo, PaywallResult, CloseReason)
    /// The matcher looks for an exit offer before the paywall goes.
    case lookingForExitOffer(PaywallInfo)
    /// The exit offer was found and is going to take the paywall's place.
    case awaitingReplacement(PaywallInfo)
    /// The paywall is going; `next` takes its place.
    case dismissing(PaywallInfo, PaywallResult, CloseReason, next: PaywallInfo?)
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
  private(set) var settled: PaywallResult?
  /// The outcome of the paywall's survey, for `paywall_close`.
  private(set) var survey: SurveyPicker.Presentation?

  /// Creates the flow of a request that has not been decided.
  public init(_ request: Request = .register, options: Options = Options()) {
    self.request = request
    self.options = options
  }

  /// The paywall on screen or on its way to it or from it.
  public var paywall: PaywallInfo? {
    switch phase {
    case .deciding, .ended: nil
    case .presenting(let info), .presented(let info), .surveying(let info, _, _),
      .lookingForExitOffer(let info), .awaitingReplacement(let info),
      .dismissing(let info, _, _, _):
      info
    }
  }

  /// Whether a paywall is on screen.
  public var isOnScreen: Bool {
    switch phase {
    case .deciding, .presenting, .ended: false
    case .presented, .surveying, .lookingForExitOffer, .awaitingReplacement, .dismissing: true
    }
  }

  /// Takes an event; see ``StateMachine``.
  public mutating func handle(_ event: Event) -> [PaywallEffect] {
    switch (phase, event) {
    case (.deciding, .decided(let decision)): decide(decision)
    case (.deciding, .networkFailed(let isSubscribed, let error)):
      networkFailed(isSubscribed: isSubscribed, error: error, info: nil)
    case (.presenting(let info), .networkFailed(let isSubscribed, let error)):
      networkFailed(isSubscribed: isSubscribed, error: error, info: info)
    case (.deciding, .failed(let error)), (.presenting, .failed(let error)): fail(error)
    case (.presenting(let info), .presented): present(info)
    case (.presented(let info), .purchased(let product)):
      settle(info, .purchased(product))
    case (.presented(let info), .restored): settle(info, .restored)
    case (.presented(let info), .closed(let reason)): close(info, settled ?? .declined, reason)
    case (.surveying(let info, let result, let reason), .surveyFinished(let outcome)):
      surveyed(info, result, reason, outcome)
    case (.lookingForExitOffer(let info), .exitOffer(let isFound)):
      exitOffer(isFound, from: info)
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
    switch (decision, request) {
    case (.paywall(let info), .register):
      phase = .presenting(info)
      return [.delegate(.willPresentPaywall(info)), .present(info)]
    case (.paywall(let info), .getPaywall):
      phase = .presenting(info)
      return [.returnPaywall(info)]
    case (.skip(let reason), .register):
      phase = .ended
      return [.onSkip(reason), .runFeature]
    case (.skip(let reason), .getPaywall):
      phase = .ended
      return [.throwSkip(reason)]
    case (.failed(let error), _): return fail(error)
    case (.reserved, _):
      phase = .ended
      return []
    }
  }

  private mutating func fail(_ error: MatchError) -> [PaywallEffect] {
    let hasReturned = phase != .deciding
    phase = .ended
    switch request {
    case .register: return [.onError(error)]
    case .getPaywall: return hasReturned ? [] : [.throwError(error)]
    }
  }

  private mutating func networkFailed(
    isSubscribed: Bool, error: MatchError, info: PaywallInfo?
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

  private mutating func present(_ info: PaywallInfo) -> [PaywallEffect] {
    phase = .presented(info)
    let opened = PaywallEffect.track(.paywallOpen(info))
    switch request {
    case .register: return [.onPresent(info), .delegate(.didPresentPaywall(info)), opened]
    case .getPaywall: return [.delegate(.didPresentPaywall(info)), opened]
    }
  }

  /// Something was bought or restored while the paywall is on screen.
  private mutating func settle(
    _ info: PaywallInfo, _ result: PaywallResult
  ) -> [PaywallEffect] {
    guard options.dismissesAutomatically else {
      if options.remembersPurchase { settled = result }
      return result == .restored ? [.spinner(false)] : [.spinner(false), .runPostPurchaseActions]
    }
    return close(info, result, .systemLogic)
  }

  private mutating func close(
    _ info: PaywallInfo, _ result: PaywallResult, _ reason: CloseReason
  ) -> [PaywallEffect] {
    guard info.surveys.contains(where: { $0.fits(result, reason) }) else {
      return afterSurvey(info, result, reason)
    }
    phase = .surveying(info, result, reason)
    return [.offerSurvey(info, result, reason)]
  }

  private mutating func surveyed(
    _ info: PaywallInfo, _ result: PaywallResult, _ reason: CloseReason,
    _ outcome: SurveyPicker.Presentation?
  ) -> [PaywallEffect] {
    survey = outcome
    return afterSurvey(info, result, reason)
  }

  private mutating func afterSurvey(
    _ info: PaywallInfo, _ result: PaywallResult, _ reason: CloseReason
  ) -> [PaywallEffect] {
    guard result == .declined, reason == .manualClose else { return leave(info, result, reason) }
    phase = .lookingForExitOffer(info)
    return [.lookForExitOffer(info)]
  }
}

extension PresentationFlow {
  /// The placements whose paywalls are exit offers themselves, so that none follows them.
  private static let exitOffers: Set<String> = [
    "paywall_decline", "transaction_abandon", "transaction_fail",
  ]

  private mutating func exitOffer(_ isFound: Bool, from info: PaywallInfo) -> [PaywallEffect] {
    let declined = PaywallEffect.track(.paywallDecline(info))
    if isFound, !Self.exitOffers.contains(info.placement ?? "") {
      phase = .awaitingReplacement(info)
      return [declined]
    }
    return [declined] + leave(info, .declined, .manualClose)
  }

  private mutating func leave(
    _ info: PaywallInfo, _ result: PaywallResult, _ reason: CloseReason, next: PaywallInfo? = nil
  ) -> [PaywallEffect] {
    phase = .dismissing(info, result, reason, next: next)
    switch request {
    case .register:
      return willDismiss(info, result) + [.dismiss(info)]
    case .getPaywall:
      return [.didFinish(info, result, shouldDismiss: true)] + willDismiss(info, result)
    }
  }

  private func willDismiss(_ info: PaywallInfo, _ result: PaywallResult) -> [PaywallEffect] {
    let delegate = PaywallEffect.delegate(.willDismissPaywall(info))
    return request == .register ? [.onWillDismiss(info, result), delegate] : [delegate]
  }

  private mutating func vanish(
    _ info: PaywallInfo, _ result: PaywallResult, _ reason: CloseReason
  ) -> [PaywallEffect] {
    willDismiss(info, result) + disappeared(info, result, reason, next: nil)
  }

  /// The next paywall inherits the gating (docs/spec/campaigns.md §2.10).
  private mutating func replace(
    _ info: PaywallInfo, with next: PaywallInfo, survey: SurveyPicker.Presentation? = nil
  ) -> [PaywallEffect] {
    var next = next
    self.survey = survey ?? self.survey
    next.featureGating = info.featureGating
    return leave(info, .declined, .forNextPaywall, next: next)
  }

  private mutating func disappeared(
    _ info: PaywallInfo, _ result: PaywallResult, _ reason: CloseReason, next: PaywallInfo?
  ) -> [PaywallEffect] {
    var effects: [PaywallEffect] = [.track(.paywallClose(info, reason, survey: survey))]
    switch request {
    case .register:
      effects.append(.onDismiss(info, result))
      effects += Self.consequence(of: result, reason, gating: info.featureGating)
    case .getPaywall:
      if case .dismissing = phase {
      } else {
        effects.append(.didFinish(info, result, shouldDismiss: false))
      }
    }
    effects.append(.delegate(.didDismissPaywall(info)))
    survey = nil
    settled = nil
    guard let next else {
      phase = .ended
      return effects
    }
    phase = .presenting(next)
    return effects + [.delegate(.willPresentPaywall(next)), .present(next)]
  }

  /// The gating table: the effects that follow `onDismiss` (docs/spec/campaigns.md §8.5).
  public static func consequence(
    of result: PaywallResult, _ reason: CloseReason, gating: FeatureGating
  ) -> [PaywallEffect] {
    let dismissal: FeatureGating.Dismissal =
      switch (result, reason) {
      case (.purchased, _): .purchased
      case (.restored, _): .restored
      case (.declined, .forNextPaywall): .forNextPaywall
      case (.declined, .webViewFailedToLoad): .contentFailed
      case (.declined, _): .declined
      }
    return switch gating.feature(after: dismissal) {
    case .run: [.runFeature]
    case .doNotRun: []
    case .fail: [.onError(.webViewFailed)]
    }
  }
}
