public import CampaignCore

/// The recovery of a Stripe checkout whose outcome the app does not know yet
/// (docs/spec/campaigns.md §8.17).
///
/// The page of the checkout can disappear before it reports the purchase, because the user leaves the
/// app or the app ends. The machine remembers the checkout and asks the server for its result: when the
/// page reports the end, when a paywall opens, at launch and in the foreground.
public struct CheckoutRecovery: Sendable, Equatable {
  /// A checkout without a known result.
  public struct Pending: Sendable, Equatable, Codable {
    /// The id of the checkout, from the page.
    public var contextID: String
    /// The product.
    public var productID: String
    /// How many more times the app looks for the result at launch or in the foreground.
    public var attempts: Int
    /// When the checkout began, or when the app last looked for its result.
    public var updatedAt: WallTime

    /// Creates a checkout.
    public init(contextID: String, productID: String, attempts: Int = 5, updatedAt: WallTime) {
      self.contextID = contextID
      self.productID = productID
      self.attempts = attempts
      self.updatedAt = updatedAt
    }
  }

  /// The pauses and limits of the recovery.
  public struct Options: Sendable, Equatable {
    /// The pause between two requests while the checkout is pending, in milliseconds.
    public var pollInterval: Int64 = 1_500
    /// How long a series of requests lasts, and when a checkout is given up, in milliseconds.
    public var timeout: Int64 = 60_000
    /// How many times the app looks for the result at launch or in the foreground.
    public var attempts = 5
    /// Whether an alert confirms the purchase before the app learns of it.
    public var confirmsPurchase = true
    /// The pause between `willRedeemLink` and `didRedeemLink`, in milliseconds. The code is redeemed by
    /// then, and an app that shows a loading view in between should not see it flash.
    public var callbackPause: Int64 = 200

    /// Creates the defaults.
    public init() {}
  }

  /// Why the server is asked.
  public enum Trigger: Sendable, Equatable {
    /// The page reported the end of the checkout.
    case checkoutCompleted
    /// A paywall opened.
    case paywallOpened
    /// The app was launched.
    case launched
    /// The app entered the foreground.
    case foregrounded(overPaywall: Bool)
  }

  /// The end of a series of requests.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The purchase was found and redeemed.
    case redeemed
    /// The checkout failed.
    case failed
    /// The server knows no result.
    case nothingFound
    /// The server could not be reached.
    case requestFailed
  }

  /// A series of requests.
  public struct Poll: Sendable, Equatable {
    /// The checkout.
    public var contextID: String
    /// Why the server is asked.
    public var trigger: Trigger
    /// When the series began.
    public var startedAt: WallTime
  }

  /// The last series that ended.
  public struct Finished: Sendable, Equatable {
    /// The checkout.
    public var contextID: String
    /// The end.
    public var outcome: Outcome
  }

  /// An event of the recovery.
  public indirect enum Event: Sendable, Equatable {
    /// The app was launched.
    case launched(at: WallTime)
    /// The app entered the foreground.
    case foregrounded(hasPaywall: Bool, at: WallTime)
    /// A paywall opened.
    case paywallOpened(at: WallTime)
    /// The user submitted the payment on the page.
    case submitted(contextID: String, productID: String, at: WallTime)
    /// The page reported the end of the checkout.
    case completed(contextID: String, productID: String, at: WallTime)
    /// The user left the page.
    case abandoned(productID: String)
    /// The server responded.
    case responded(RedeemResponse, at: WallTime)
    /// The server could not be reached.
    case requestFailed(at: WallTime)
    /// The pause of ``Effect/wait(milliseconds:)`` is over.
    case pauseEnded(at: WallTime)
    /// The user closed the alert of ``Effect/confirmPurchase``.
    case confirmed
  }

  /// Something that the recovery needs. Effects are in order.
  public enum Effect: Sendable, Equatable {
    /// Stores the checkout for the next launch; `nil` removes it.
    case save(Pending?)
    /// Asks the server for the result of a checkout.
    case poll(contextID: String)
    /// Reports ``Event/pauseEnded(at:)`` after a pause.
    case wait(milliseconds: Int64)
    /// Shows or hides the spinner on the paywall.
    case spinner(Bool)
    /// Applies the response as if a link had brought the code.
    case apply(RedeemResponse, code: String)
    /// Shows the alert that confirms the purchase.
    case confirmPurchase
    /// Calls `willRedeemLink`.
    case willRedeemLink
    /// Calls `didRedeemLink` after a pause.
    case didRedeemLink(PaywallRedemptionResult, afterMilliseconds: Int64)
    /// Tracks `transaction_abandon` for a product of Stripe.
    case trackAbandoned(productID: String)
    /// Looks whether the web entitlements are to be fetched.
    case refreshWebEntitlements
  }

  /// The pauses and limits.
  public let options: Options
  /// The checkout whose result is unknown.
  public private(set) var pending: Pending?
  /// The series of requests that is under way.
  public private(set) var poll: Poll?
  /// The last series that ended.
  public private(set) var last: Finished?
  /// Whether the page of the checkout is open and will report the end itself.
  public private(set) var awaitsPage = false
  /// The checkout for which an open paywall waits while another series is under way.
  private var awaitedByPaywall: String?
  /// The result that waits for the user to close the alert.
  private var unconfirmed: Unconfirmed?

  /// A result, and the checkout that it belongs to.
  private struct Unconfirmed: Sendable, Equatable {
    var contextID: String
    var result: PaywallRedemptionResult
  }

  /// Creates the recovery.
  ///
  /// - Parameters:
  ///   - options: The pauses and limits.
  ///   - pending: The checkout that the last launch stored.
  public init(options: Options = Options(), pending: Pending? = nil) {
    self.options = options
    self.pending = pending
  }

  /// Takes an event. An event that means nothing in the present state has no effects.
  ///
  /// - Returns: The effects, in order.
  public mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .launched(let now): return look(.launched, at: now)
    case .foregrounded(let hasPaywall, let now): return foreground(hasPaywall, at: now)
    case .paywallOpened(let now): return openPaywall(at: now)
    case .submitted(let contextID, let productID, let now):
      awaitsPage = true
      return [remember(contextID, productID, attempts: options.attempts, at: now)]
    case .completed(let contextID, let productID, let now):
      awaitsPage = false
      let known = pending.flatMap { $0.contextID == contextID ? $0.attempts : nil }
      let save = remember(contextID, productID, attempts: known ?? options.attempts, at: now)
      return poll == nil ? [save] + start(contextID, .checkoutCompleted, at: now) : [save]
    case .abandoned(let productID):
      awaitsPage = false
      return [.trackAbandoned(productID: productID)]
    case .responded(let response, let now): return respond(response, at: now)
    case .requestFailed(let now): return finish(.requestFailed, at: now)
    case .pauseEnded(let now): return askAgain(at: now)
    case .confirmed:
      guard let purchase = unconfirmed else { return [] }
      unconfirmed = nil
      return announce(purchase.result, of: purchase.contextID)
    }
  }
}

extension CheckoutRecovery {
  private mutating func remember(
    _ contextID: String, _ productID: String, attempts: Int, at now: WallTime
  ) -> Effect {
    let pending = Pending(
      contextID: contextID, productID: productID, attempts: attempts, updatedAt: now)
    self.pending = pending
    return .save(pending)
  }

  /// Forgets a checkout without attempts, or one that is too old.
  private mutating func forgetStale(at now: WallTime) -> [Effect] {
    guard let pending, pending.attempts <= 0 || hasTimedOut(pending, at: now) else { return [] }
    return forget(pending.contextID)
  }

  /// Forgets a checkout, unless another one has taken its place.
  private mutating func forget(_ contextID: String) -> [Effect] {
    guard pending?.contextID == contextID else { return [] }
    pending = nil
    return [.save(nil)]
  }

  private func hasTimedOut(_ pending: Pending, at now: WallTime) -> Bool {
    isOver(options.timeout, since: pending.updatedAt, at: now)
  }

  private func isOver(_ span: Int64, since start: WallTime, at now: WallTime) -> Bool {
    let (elapsed, overflow) = now.milliseconds.subtractingReportingOverflow(start.milliseconds)
    return overflow ? start < now : elapsed >= span
  }

  /// Begins to ask for the result of the checkout that is pending.
  private mutating func look(_ trigger: Trigger, at now: WallTime) -> [Effect] {
    guard let pending, poll == nil else { return [] }
    guard pending.attempts > 0 else { return forget(pending.contextID) }
    return start(pending.contextID, trigger, at: now)
  }

  private mutating func foreground(_ hasPaywall: Bool, at now: WallTime) -> [Effect] {
    // The page is still open over the paywall and reports the end itself.
    if hasPaywall, awaitsPage { return [.refreshWebEntitlements] }
    var effects = hasPaywall ? forgetStale(at: now) : []
    guard pending != nil, poll == nil else { return effects + [.refreshWebEntitlements] }
    if hasPaywall { effects.append(.spinner(true)) }
    effects += look(.foregrounded(overPaywall: hasPaywall), at: now)
    // Without a request there is no end that would bring this about.
    if poll == nil, !effects.contains(.refreshWebEntitlements) {
      effects.append(.refreshWebEntitlements)
    }
    return effects
  }

  private mutating func openPaywall(at now: WallTime) -> [Effect] {
    let stale = forgetStale(at: now)
    guard let pending else { return stale }
    guard poll == nil else {
      awaitedByPaywall = pending.contextID
      return [.spinner(true)]
    }
    return [.spinner(true)] + look(.paywallOpened, at: now)
  }

  private mutating func start(
    _ contextID: String, _ trigger: Trigger, at now: WallTime
  ) -> [Effect] {
    poll = Poll(contextID: contextID, trigger: trigger, startedAt: now)
    return askAgain(at: now)
  }

  private mutating func askAgain(at now: WallTime) -> [Effect] {
    guard let poll else { return [] }
    if let pending, pending.contextID == poll.contextID, hasTimedOut(pending, at: now) {
      return forget(poll.contextID) + finish(.nothingFound, at: now)
    }
    return [.poll(contextID: poll.contextID)]
  }

  private mutating func respond(_ response: RedeemResponse, at now: WallTime) -> [Effect] {
    guard let poll else { return [] }
    if let result = response.results.first {
      let effects = [Effect.apply(response, code: result.code)]
      guard options.confirmsPurchase else {
        return effects + announce(result, of: poll.contextID) + finish(.redeemed, at: now)
      }
      unconfirmed = Unconfirmed(contextID: poll.contextID, result: result)
      return effects + [.confirmPurchase] + finish(.redeemed, at: now)
    }
    switch response.status {
    case .failed: return forget(poll.contextID) + finish(.failed, at: now)
    case .complete: return forget(poll.contextID) + finish(.nothingFound, at: now)
    case .pending:
      guard !isOver(options.timeout, since: poll.startedAt, at: now) else {
        return finish(.nothingFound, at: now)
      }
      return [.wait(milliseconds: options.pollInterval)]
    case nil: return finish(.nothingFound, at: now)
    }
  }

  /// Tells the app that the code is redeemed, after which the checkout is settled.
  private mutating func announce(_ result: PaywallRedemptionResult, of contextID: String)
    -> [Effect]
  {
    let callbacks: [Effect] = [
      .willRedeemLink, .didRedeemLink(result, afterMilliseconds: options.callbackPause),
    ]
    return callbacks + forget(contextID)
  }

  private mutating func finish(_ outcome: Outcome, at now: WallTime) -> [Effect] {
    guard let poll else { return [] }
    self.poll = nil
    last = Finished(contextID: poll.contextID, outcome: outcome)
    let isFoundForPaywall = outcome == .redeemed && awaitedByPaywall == poll.contextID
    var hidesSpinner = awaitedByPaywall != nil && !isFoundForPaywall
    awaitedByPaywall = nil
    var effects: [Effect] = []
    switch poll.trigger {
    case .checkoutCompleted, .paywallOpened: hidesSpinner = hidesSpinner || outcome != .redeemed
    case .launched: effects += useAttempt(poll.contextID, at: now)
    case .foregrounded(let overPaywall):
      effects += useAttempt(poll.contextID, at: now)
      hidesSpinner = hidesSpinner || overPaywall
    }
    if hidesSpinner { effects.append(.spinner(false)) }
    if case .foregrounded = poll.trigger { effects.append(.refreshWebEntitlements) }
    return effects
  }

  /// Counts a look at launch or in the foreground, whatever its outcome.
  private mutating func useAttempt(_ contextID: String, at now: WallTime) -> [Effect] {
    guard var pending, pending.contextID == contextID else { return [] }
    pending.attempts -= 1
    guard pending.attempts > 0 else { return forget(contextID) }
    pending.updatedAt = now
    self.pending = pending
    return [.save(pending)]
  }
}
