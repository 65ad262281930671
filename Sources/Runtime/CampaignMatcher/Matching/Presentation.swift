public import CampaignCore
public import ExpressionEngine

/// A paywall on its way to the screen. The app says what happens to it, each at most once and in
/// order: ``didPresent(parameters:)`` or ``didFail()``, then ``didDismiss(_:parameters:)``.
///
/// Until then the token holds one unit of the occurrence limit, so that requests in between cannot
/// exceed it; a token that fails gives the unit back. One that is released before the app has said
/// anything counts as failed, and the matcher tracks ``MatchEvent/warning(_:)``. After a reset it holds nothing: the
/// paywall may still appear, but it is no occurrence of the next user.
///
/// A receiver of events may use the token, also that of the event it receives.
public final class Presentation: Sendable {
  enum State: Sendable {
    case pending
    case presented
    case ended
  }

  /// Tells it from every other presentation of the matcher.
  let number: UInt64
  /// The placement.
  public let placement: String
  /// The experiment.
  public let experiment: CampaignExperiment
  /// Whether the feature needs a purchase.
  public let featureGating: FeatureGating
  /// The counter that a presentation adds to.
  let limitKey: String?
  /// Whether it holds a unit of the counter until then.
  let isReserved: Bool
  /// The number of resets before it was made.
  let resets: UInt64
  /// The effects of the decision that wait until the paywall is about to appear.
  let postponed: Postponed?
  private let matcher: Matcher
  private let state = Locked(State.pending)
  /// Whether they have happened; `nil` if none wait.
  private let hasBegun: Locked<Bool>?

  init(
    number: UInt64, placement: String, experiment: CampaignExperiment,
    done: Matcher.Done, kind: RequestKind, matcher: Matcher
  ) {
    self.number = number
    self.placement = placement
    self.experiment = experiment
    featureGating = done.gating
    limitKey = done.limitKey
    isReserved = done.isReserved
    resets = done.resets
    postponed = done.isPostponed ? Postponed(kind: kind, effects: done.postponed) : nil
    hasBegun = done.isPostponed ? Locked(false) : nil
    self.matcher = matcher
  }

  /// The effects of a decision that wait, and the kind of its request.
  struct Postponed: Sendable {
    var kind: RequestKind
    var effects: [MatchEffect]
  }

  /// The counter of which it holds a unit.
  var reservedKey: String? { isReserved ? limitKey : nil }

  deinit {
    switch state.withLock({ $0 }) {
    case .pending:
      matcher.release(reservedKey, heldSince: resets)
      matcher.endPresentationStep(number)
      matcher.warn(MatchWarning(.presentationReleased, placement: placement))
    case .presented: matcher.leaveScreen(number)
    case .ended: break
    }
  }

  /// Whether nobody has said yet what became of the paywall.
  package var isPending: Bool { state.withLock { $0 } == .pending }

  /// The paywall has loaded and is about to appear: `trigger_fire` and `paywallPresentationRequest` are
  /// tracked and the assignment is confirmed. Only requests with `PresentationMode.whenLoaded` leave this
  /// to the token; for others, and a second time, it does nothing.
  ///
  /// - Returns: The assignment that the server should hear about.
  /// - Throws: `StoreError` when it cannot be stored; the call may be repeated then.
  @discardableResult
  public func willPresent() throws(StoreError) -> ServerAssignment? {
    guard let hasBegun else { return nil }
    let confirmation = try hasBegun.withLock { hasBegun throws(StoreError) -> ServerAssignment? in
      guard !hasBegun else { return nil }
      let confirmation = try matcher.begin(self)
      hasBegun = true
      return confirmation
    }
    matcher.deliverEvents()
    return confirmation
  }

  /// The paywall could not be shown, for a reason that `paywallPresentationRequest` reports: nothing is
  /// counted.
  ///
  /// - Throws: `StoreError` when the event cannot be stored. The paywall counts as failed all the same.
  public func didFail(_ error: MatchError) throws(StoreError) {
    let isFirst = state.withLock { $0 == .pending }
    didFail()
    guard isFirst else { return }
    try matcher.trackFailure(of: self, error)
  }

  /// The paywall has fully appeared: the limit counts it. A second call does nothing.
  ///
  /// - Parameter parameters: Parameters of `paywall_open` beside those that tell the paywall.
  /// - Throws: `StoreError` when it cannot be stored; the call may be repeated then.
  public func didPresent(parameters: [String: Value] = [:]) throws(StoreError) {
    try state.withLock { state throws(StoreError) in
      guard state == .pending else { return }
      try matcher.present(self, parameters: parameters)
      state = .presented
    }
    matcher.deliverEvents()
    matcher.endPresentationStep(number)
  }

  /// The paywall could not be shown: nothing is counted.
  public func didFail() {
    state.withLock { state in
      guard state == .pending else { return }
      state = .ended
      matcher.release(reservedKey, heldSince: resets)
    }
    matcher.endPresentationStep(number)
  }

  /// The paywall has gone.
  ///
  /// - Parameters:
  ///   - dismissal: How it went.
  ///   - parameters: Parameters of `paywall_close` beside those that describe the paywall.
  /// - Returns: The consequence for the feature (§8.5). A second call returns `doNotRun`, because a
  ///   feature runs at most once per registration.
  /// - Throws: `StoreError` when it cannot be stored.
  public func didDismiss(
    _ dismissal: FeatureGating.Dismissal, parameters: [String: Value] = [:]
  ) throws(StoreError) -> FeatureGating.Feature {
    try didClose(parameters: parameters) ? featureGating.feature(after: dismissal) : .doNotRun
  }

  /// The paywall has gone; somebody else decides about the feature.
  ///
  /// - Returns: Whether it was on screen.
  @discardableResult
  package func didClose(parameters: [String: Value] = [:]) throws(StoreError) -> Bool {
    let hasClosed = try state.withLock { state throws(StoreError) -> Bool in
      guard state == .presented else { return false }
      try matcher.dismiss(self, parameters: parameters)
      state = .ended
      return true
    }
    matcher.deliverEvents()
    return hasClosed
  }
}
