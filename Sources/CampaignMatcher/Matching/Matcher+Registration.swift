public import ExpressionEngine

extension Matcher {
  /// Registers a placement: records it, matches it, and makes the effects of the outcome durable, in
  /// one transaction (docs/spec/campaigns.md §2.1).
  ///
  /// - Returns: the result; with a paywall, the ``Presentation`` token to report to.
  /// - Throws: ``StoreError``; nothing has happened then.
  public func register(_ request: MatchRequest) throws(StoreError) -> Registration {
    try self.request(request, kind: .presentation)
  }

  /// Registers a placement with parameters; see ``register(_:)-(MatchRequest)``.
  ///
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func register(
    _ placement: String, parameters: [String: Value] = [:]
  ) throws(StoreError) -> Registration {
    try register(MatchRequest(placement, parameters: parameters))
  }

  /// Like ``register(_:)-(MatchRequest)``, for an app that shows the paywall itself.
  ///
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func getPaywall(_ request: MatchRequest) throws(StoreError) -> Registration {
    try self.request(request, kind: .getPaywall)
  }

  /// Finds out what a placement would lead to. Without ``MatchingOptions/peekEffects`` nothing is
  /// recorded, counted, confirmed or tracked.
  ///
  /// - Throws: ``StoreError`` when the store cannot be read.
  public func preview(_ request: MatchRequest) throws(StoreError) -> Registration {
    guard options.peekEffects.isEmpty else {
      return try self.request(request, kind: .getPresentationResult)
    }
    var request = request
    request.isStandardEvent = BuiltInEvent.isStandard(request.placement)
    return try look(request)
  }

  private func look(_ request: MatchRequest) throws(StoreError) -> Registration {
    return try state.withLock { state throws(StoreError) in
      try store.read { transaction throws(StoreError) in
        let now = clock.now()
        let outcome = try match(request, &state, transaction, at: now)
        return Registration(
          placement: request.placement, instant: now, result: outcome.result, presentation: nil,
          confirmation: nil, audiences: outcome.reports)
      }
    }
  }

  /// Finds out what a placement with parameters would lead to; see ``preview(_:)-(MatchRequest)``.
  ///
  /// - Throws: ``StoreError`` when the store cannot be read.
  public func preview(
    _ placement: String, parameters: [String: Value] = [:]
  ) throws(StoreError) -> Registration {
    try preview(MatchRequest(placement, parameters: parameters))
  }

  /// Runs a request of any kind with the effects of that kind (§2.5).
  func request(_ request: MatchRequest, kind: RequestKind) throws(StoreError) -> Registration {
    guard BuiltInEvent(rawValue: request.placement) == nil else {
      return refusal(of: request, .reservedPlacement)
    }
    let done = try withTransaction { state, work throws(StoreError) in
      try perform(request, kind: kind, &state, work)
    }
    return registration(of: request, done)
  }

  /// The answer to a request that did nothing at all.
  func refusal(of request: MatchRequest, _ error: MatchError) -> Registration {
    Registration(
      placement: request.placement, instant: clock.now(), result: .error(error),
      presentation: nil, confirmation: nil, audiences: [])
  }

  /// What is told of a request that was performed.
  ///
  /// The token is made here, outside of the lock, because letting it go takes the lock.
  func registration(of request: MatchRequest, _ done: Done) -> Registration {
    var presentation: Presentation?
    if let number = done.presentationNumber, let experiment = done.result.experiment {
      presentation = Presentation(
        number: number, placement: request.placement, experiment: experiment,
        featureGating: done.gating, limitKey: done.limitKey, resets: done.resets, matcher: self)
    }
    return Registration(
      placement: request.placement, instant: done.instant, result: done.result,
      presentation: presentation, confirmation: done.confirmation, audiences: done.reports)
  }

  /// What a request did.
  struct Done: Sendable {
    var instant: Instant
    var result: TriggerResult
    var gating: Paywall.FeatureGating
    var limitKey: String?
    var resets: UInt64
    /// The number of the token, when the app is to show a paywall.
    var presentationNumber: UInt64?
    var confirmation: ServerAssignment?
    var reports: [AudienceReport]
  }

  /// Matches a request and makes its effects part of a unit of work.
  ///
  /// - Parameter replaces: whether the paywall on screen makes room, so that it is no obstacle.
  func perform(
    _ request: MatchRequest, kind: RequestKind, replaces: Bool = false,
    _ state: inout MatcherState, _ work: MatcherWork
  ) throws(StoreError) -> Done {
    let effects = RequestEffects(kind: kind, options: options)
    // The placement is saved first, so that counts include it (§2.1 step 3).
    if effects.savesPlacement, request.recordedAt == nil { try record(request, work) }
    let outcome: Outcome
    if effects.presents, options.allowsOnePaywallOnly, state.onScreen != nil, !replaces {
      outcome = Outcome(result: .error(.paywallAlreadyPresented))
    } else {
      outcome = try match(request, &state, work.transaction, at: work.now)
    }
    var done = Done(
      instant: work.now, result: outcome.result, gating: .nonGated, limitKey: outcome.limitKey,
      resets: state.resets, reports: outcome.reports)
    try trackResult(outcome, of: request, kind: kind, effects: effects, state, work)
    switch outcome.result {
    case .placementNotFound, .noAudienceMatch, .error: break
    case .holdout:
      if effects.confirmsHoldout { done.confirmation = try confirm(outcome, work) }
      if effects.countsHoldout, let key = outcome.limitKey {
        try work.transaction.addOccurrence(key: key, at: work.now)
      }
    case .paywall(let experiment):
      done.gating = request.inheritedGating ?? gating(of: experiment, state)
      if effects.confirmsPaywall { done.confirmation = try confirm(outcome, work) }
      guard effects.presents else { break }
      if request.presentation == .immediate {
        try appear(request.placement, experiment, limitKey: outcome.limitKey, work)
      } else {
        // A number that a failing transaction leaves unused does not matter.
        state.presentations &+= 1
        done.presentationNumber = state.presentations
        if let key = outcome.limitKey {
          work.onCommit { $0.reserved[ExactName(key), default: 0] += 1 }
        }
      }
    }
    return done
  }

  /// Saves the placement of a request as an event.
  func record(_ request: MatchRequest, _ work: MatcherWork) throws(StoreError) {
    try work.record(request.placement)
    work.announce(.tracked(name: request.placement, parameters: request.parameters))
  }

  private func trackResult(
    _ outcome: Outcome, of request: MatchRequest, kind: RequestKind, effects: RequestEffects,
    _ state: MatcherState, _ work: MatcherWork
  ) throws(StoreError) {
    if effects.firesTrigger(for: outcome.result) {
      try work.track(
        .triggerFire(TriggerFire(placement: request.placement, result: outcome.result)))
    }
    guard effects.tracksRequest else { return }
    let reason = outcome.result.statusReason
    let wantsContext = state.compiled?.config.isEnabled(ToggleName.expressionParameters) ?? false
    try work.track(
      .presentationRequest(
        PresentationRequest(
          placement: request.placement, kind: kind,
          status: reason == nil ? .presentation : .noPresentation, reason: reason,
          expressionParameters: wantsContext ? outcome.context.map(expressionParameters) : nil)))
  }

  func gating(of experiment: Experiment, _ state: MatcherState) -> Paywall.FeatureGating {
    guard let identifier = experiment.variant.paywallIdentifier else { return .nonGated }
    let paywall = state.compiled?.config.paywalls.first { $0.identifier.isExactly(identifier) }
    return paywall?.featureGating ?? .nonGated
  }

  // MARK: Presentation

  /// Makes the appearance of a paywall durable (§3.2).
  func appear(
    _ placement: String, _ experiment: Experiment, limitKey: String?, _ work: MatcherWork
  ) throws(StoreError) {
    if let limitKey { try work.transaction.addOccurrence(key: limitKey, at: work.now) }
    try work.track(.paywallOpen(paywallParameters(placement, experiment)))
  }

  /// The parameters that tell which paywall an event is about (§6.6).
  func paywallParameters(_ placement: String, _ experiment: Experiment) -> [String: Value] {
    [
      "presented_by_event_name": .string(placement),
      "paywall_identifier": .string(experiment.variant.paywallIdentifier ?? ""),
      "experiment_id": .string(experiment.id), "variant_id": .string(experiment.variant.id),
    ]
  }

  /// Notes that the paywall of a token appeared. The token holds its lock, so that it delivers the
  /// events itself.
  func present(_ presentation: Presentation) throws(StoreError) {
    try withTransaction(delivers: false) { state, work throws(StoreError) in
      // What a user began before a reset is no occurrence of the next one.
      let limitKey = state.resets == presentation.resets ? presentation.limitKey : nil
      try appear(presentation.placement, presentation.experiment, limitKey: limitKey, work)
      work.onCommit { state in
        state.giveBack(presentation.limitKey, heldSince: presentation.resets)
        state.onScreen = MatcherState.OnScreen(
          number: presentation.number, placement: presentation.placement,
          gating: presentation.featureGating)
      }
    }
  }

  /// Notes that the paywall of a token went away; see ``present(_:)``.
  func dismiss(_ presentation: Presentation) throws(StoreError) {
    try withTransaction(delivers: false) { _, work throws(StoreError) in
      try work.track(
        .paywallClose(paywallParameters(presentation.placement, presentation.experiment)))
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
