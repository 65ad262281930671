public import CampaignCore
import Dispatch
public import ExpressionEngine

extension Matcher {
  /// Registers a placement at once, with the config, status and assignments that there are: records it,
  /// matches it, and makes the effects of the outcome durable, in one transaction
  /// (docs/spec/campaigns.md §2.1).
  ///
  /// - Returns: The result; with a paywall, the ``Presentation`` token to report to.
  /// - Throws: `StoreError`; nothing has happened then.
  public func registerNow(_ request: MatchRequest) throws(StoreError) -> MatchOutcome {
    try self.request(request)
  }

  /// Registers a placement when its turn has come and the matcher is ready for it: once a config is
  /// loaded, then once the subscription status is known, then once the identity is ready
  /// (docs/spec/campaigns.md §2.1).
  ///
  /// Requests are served one after the other in the order in which they came, each when the paywall of
  /// the one before it has appeared or failed. The placement enters the history when its turn comes,
  /// and its time begins then. `MatchRequest.waiting` or `MatchingOptions.readinessLimits` say how
  /// long each of the three may take; by default every wait has a limit, and
  /// `MatchRequest.waiting = .atMost(.unlimited)` removes them:
  ///
  /// | waits for | ends with | too late |
  /// |---|---|---|
  /// | config | `load(_:)`, ``configUnavailable()`` | `MatchError.noConfig` (code 104) |
  /// | status | `device.setSubscriptionStatus(_:)`, or `device.set(_:)` with a status | `MatchError.subscriptionStatusTimeout` (code 105) |
  /// | identity | `assignments.apply(_:)`, `user.reset()`, `assignments.giveUpWaiting()` | goes on with the assignments that there are |
  ///
  /// - Returns: The registration; the error `MatchError.cancelled` when the task is cancelled before
  ///   the request is served.
  /// - Throws: `StoreError` when the store cannot be written; nothing but the placement is recorded
  ///   then.
  public func register(_ request: MatchRequest) async throws(StoreError) -> MatchOutcome {
    guard request.waiting != .never else { return try self.request(request) }
    // Something always comes of a registration.
    return try await submit(request) ?? refusal(of: request, .cancelled)
  }

  /// Registers a placement with parameters at once; see ``registerNow(_:)``.
  ///
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  public func registerNow(
    _ placement: String, parameters: [String: Value] = [:]
  ) throws(StoreError) -> MatchOutcome {
    try registerNow(MatchRequest(placement, parameters: parameters))
  }

  /// Registers a placement with parameters when its turn has come and the matcher is ready for it.
  ///
  /// - Throws: `StoreError` when the store cannot be written.
  public func register(
    _ placement: String, parameters: [String: Value] = [:]
  ) async throws(StoreError) -> MatchOutcome {
    try await register(MatchRequest(placement, parameters: parameters))
  }

  /// Finds out at once what a placement would lead to, with the config, status and assignments that
  /// there are. Without `MatchingOptions.peekEffects` nothing is recorded, counted, confirmed or
  /// tracked.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  public func previewNow(_ request: MatchRequest) throws(StoreError) -> MatchOutcome {
    try peek(request.asPreview)
  }

  /// Finds out what a placement would lead to when the matcher is ready. A preview waits for no other
  /// request.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  public func preview(_ request: MatchRequest) async throws(StoreError) -> MatchOutcome {
    guard request.waiting != .never, !isReady(for: request) else {
      return try peek(request.asPreview)
    }
    return try await register(request.asPreview)
  }

  private func peek(_ request: MatchRequest) throws(StoreError) -> MatchOutcome {
    guard options.peekEffects.isEmpty else { return try self.request(request) }
    return try look { campaigns, situation throws(StoreError) in
      let decision = try decide(request, campaigns, situation)
      return MatchOutcome(
        placement: request.placement, instant: situation.now, result: decision.result,
        presentation: nil, confirmation: nil, audiences: decision.audiences)
    }
  }

  /// Finds out at once what a placement with parameters would lead to; see ``previewNow(_:)``.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  public func previewNow(
    _ placement: String, parameters: [String: Value] = [:]
  ) throws(StoreError) -> MatchOutcome {
    try previewNow(MatchRequest(placement, parameters: parameters))
  }

  /// Finds out what a placement with parameters would lead to when the matcher is ready.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  public func preview(
    _ placement: String, parameters: [String: Value] = [:]
  ) async throws(StoreError) -> MatchOutcome {
    try await preview(MatchRequest(placement, parameters: parameters))
  }

  /// Runs a request with the effects of its kind (§2.5).
  func request(_ request: MatchRequest) throws(StoreError) -> MatchOutcome {
    guard !request.isRefused(options) else { return refusal(of: request, .reservedPlacement) }
    let done = try withTransaction { state, work throws(StoreError) in
      try perform(request, &state, work)
    }
    return registration(of: request, done)
  }

  /// The answer to a request that did nothing at all.
  func refusal(of request: MatchRequest, _ error: MatchError) -> MatchOutcome {
    MatchOutcome(
      placement: request.placement, instant: clock.now(), result: .error(error),
      presentation: nil, confirmation: nil, audiences: [])
  }

  /// Returns the outcome of a request that was performed.
  ///
  /// The token is made here, outside of the lock, because letting it go takes the lock.
  func registration(of request: MatchRequest, _ done: Done) -> MatchOutcome {
    var presentation: Presentation?
    if let number = done.presentationNumber, let experiment = done.result.experiment {
      presentation = Presentation(
        number: number, placement: request.placement, experiment: experiment, done: done,
        kind: request.kind, matcher: self)
    }
    return MatchOutcome(
      placement: request.placement, instant: done.instant, result: done.result,
      presentation: presentation, confirmation: done.confirmation, audiences: done.reports)
  }

  /// The results of a request.
  struct Done: Sendable {
    var instant: WallTime
    var result: PlacementResult
    var gating: FeatureGating
    var limitKey: String?
    /// Whether the token holds a unit of the limit.
    var isReserved = false
    var resets: UInt64
    /// Whether the token carries out what follows from the decision, and the effects that wait for it.
    var isPostponed = false
    var postponed: [MatchEffect] = []
    /// The number of the token, when the app is to show a paywall.
    var presentationNumber: UInt64?
    var confirmation: ServerAssignment?
    var reports: [AudienceReport] = []
  }

  /// Decides about a request, and reports the decision.
  func decide(
    _ request: MatchRequest, _ campaigns: CompiledCampaigns?, _ situation: MatchSituation
  ) throws(StoreError) -> CampaignDecision {
    guard let onDecision else { return try silentlyDecide(request, campaigns, situation) }
    var request = request
    if request.detail == .result { request.detail = .failures }
    let start = DispatchTime.now().uptimeNanoseconds
    let decision = try silentlyDecide(request, campaigns, situation)
    let end = DispatchTime.now().uptimeNanoseconds
    onDecision(
      DecisionRecord(
        placement: request.placement, kind: request.kind, result: decision.result,
        failures: decision.failures, nanoseconds: end >= start ? end - start : 0))
    return decision
  }

  private func silentlyDecide(
    _ request: MatchRequest, _ campaigns: CompiledCampaigns?, _ situation: MatchSituation
  ) throws(StoreError) -> CampaignDecision {
    guard let campaigns else {
      return CampaignDecision(
        withoutConfig: request, isPaywallOnScreen: situation.isPaywallOnScreen, options: options)
    }
    return try campaigns.decide(request, in: situation)
  }

  /// Decides about a request and makes the effects part of a unit of work.
  func perform(
    _ request: MatchRequest, _ state: inout MatcherState, _ work: UnitOfWork
  ) throws(StoreError) -> Done {
    let situation = try situation(&state, work.transaction, at: work.now)
    let decision = try decide(request, state.compiled, situation)
    var done = Done(
      instant: work.now, result: decision.result, gating: .nonGated, resets: state.resets,
      reports: decision.audiences)
    if request.presentation == .whenLoaded, case .paywall = decision.result {
      done.isPostponed = true
    }
    for effect in decision.effects {
      if done.isPostponed, effect.canWait {
        done.postponed.append(effect)
      } else {
        try carryOut(effect, of: request, &done, &state, work)
      }
    }
    return done
  }

  /// Carries out what waited until the paywall of a token is about to appear. The token holds its lock, so
  /// that it delivers the events itself.
  func begin(_ presentation: Presentation) throws(StoreError) -> ServerAssignment? {
    guard let postponed = presentation.postponed else { return nil }
    return try withTransaction(delivers: false) { state, work throws(StoreError) in
      var done = Done(
        instant: work.now, result: .paywall(presentation.experiment), gating: .nonGated,
        resets: state.resets)
      let request = MatchRequest(presentation.placement, kind: postponed.kind)
      for effect in postponed.effects {
        try carryOut(effect, of: request, &done, &state, work)
      }
      return done.confirmation
    }
  }

  /// Tracks that the paywall of a token could not be shown.
  func trackFailure(of presentation: Presentation, _ error: MatchError) throws(StoreError) {
    guard let postponed = presentation.postponed, let reason = error.statusReason else { return }
    try track([
      .presentationRequest(
        PresentationRequest(
          placement: presentation.placement, kind: postponed.kind, status: .noPresentation,
          reason: reason))
    ])
  }

  private func carryOut(
    _ effect: MatchEffect, of request: MatchRequest, _ done: inout Done,
    _ state: inout MatcherState, _ work: UnitOfWork
  ) throws(StoreError) {
    switch effect {
    case .record(let placement, let parameters):
      try work.track(.tracked(name: placement, parameters: parameters))
    case .fireTrigger(let fire): try work.track(.triggerFire(fire))
    case .trackRequest(let request): try work.track(.presentationRequest(request))
    case .confirm(let assignment): done.confirmation = try confirm(assignment, work)
    case .countOccurrence(let key): try work.transaction.addOccurrence(key: key, at: work.now)
    case .present(let experiment, let gating, let limitKey):
      done.gating = gating
      done.limitKey = limitKey
      if request.presentation == .immediate {
        try appear(request.placement, experiment, limitKey: limitKey, work)
        work.onCommit {
          $0.lastPresented = MatcherState.Presented(placement: request.placement, gating: gating)
        }
      } else {
        // A number that a failing transaction leaves unused does not matter.
        state.presentations &+= 1
        done.presentationNumber = state.presentations
        if let limitKey, request.kind != .getPaywall || options.reservesFetchedPaywalls {
          done.isReserved = true
          work.onCommit { $0.reserved[ExactName(limitKey), default: 0] += 1 }
        }
      }
    }
  }

  // MARK: Presentation

  /// Makes the appearance of a paywall durable (§3.2).
  func appear(
    _ placement: String, _ experiment: CampaignExperiment, limitKey: String?, _ work: UnitOfWork,
    parameters: [String: Value] = [:]
  ) throws(StoreError) {
    if let limitKey { try work.transaction.addOccurrence(key: limitKey, at: work.now) }
    try work.track(.paywallOpen(paywallParameters(placement, experiment, parameters)))
  }

  /// The parameters that tell which paywall an event is about (§6.6).
  func paywallParameters(
    _ placement: String, _ experiment: CampaignExperiment, _ parameters: [String: Value]
  ) -> [String: Value] {
    let known: [String: Value] = [
      "presented_by_event_name": .string(placement),
      "paywall_identifier": .string(experiment.variant.paywallIdentifier ?? ""),
      "experiment_id": .string(experiment.id), "variant_id": .string(experiment.variant.id),
    ]
    return known.merging(parameters) { _, new in new }
  }

  /// Notes that the paywall of a token appeared. The token holds its lock, so that it delivers the
  /// events itself.
  func present(
    _ presentation: Presentation, parameters: [String: Value]
  ) throws(StoreError) {
    try withTransaction(delivers: false) { state, work throws(StoreError) in
      // A presentation that a user began before a reset is no occurrence of the next one.
      let limitKey = state.resets == presentation.resets ? presentation.limitKey : nil
      try appear(
        presentation.placement, presentation.experiment, limitKey: limitKey, work,
        parameters: parameters)
      work.onCommit { state in
        state.giveBack(presentation.reservedKey, heldSince: presentation.resets)
        state.onScreen = MatcherState.OnScreen(
          number: presentation.number, placement: presentation.placement)
        state.lastPresented = MatcherState.Presented(
          placement: presentation.placement, gating: presentation.featureGating)
      }
    }
  }

  /// Notes that the paywall of a token went away; see ``present(_:)``.
  func dismiss(
    _ presentation: Presentation, parameters: [String: Value]
  ) throws(StoreError) {
    try withTransaction(delivers: false) { _, work throws(StoreError) in
      try work.track(
        .paywallClose(
          paywallParameters(presentation.placement, presentation.experiment, parameters)))
      work.onCommit { $0.clearScreen(of: presentation.number) }
    }
  }

  /// Gives back the unit of a presentation that did not happen.
  func release(_ limitKey: String?, heldSince resets: UInt64) {
    state.withLock { $0.giveBack(limitKey, heldSince: resets) }
  }

  /// Forgets a paywall whose token was let go while it was on screen.
  func leaveScreen(_ number: UInt64) {
    state.withLock { $0.clearScreen(of: number) }
  }
}

extension MatchEffect {
  /// Whether the effect may wait until the paywall of the decision has loaded.
  fileprivate var canWait: Bool {
    switch self {
    case .fireTrigger, .trackRequest, .confirm: true
    case .record, .countOccurrence, .present: false
    }
  }
}

extension MatcherState {
  /// Takes a paywall from the screen, unless another one has taken its place.
  mutating func clearScreen(of number: UInt64) {
    if onScreen?.number == number { onScreen = nil }
  }

  /// Gives back a unit, unless a reset has taken all of them since.
  mutating func giveBack(_ key: String?, heldSince resets: UInt64) {
    guard let key, resets == self.resets, let held = reserved[ExactName(key)] else { return }
    reserved[ExactName(key)] = held > 1 ? held - 1 : nil
  }
}
