public import CampaignCore

/// What a registration may have to wait for, in this order (spec/campaigns.md §2.1 step 5).
enum Readiness: Int, Sendable, Hashable, CaseIterable {
  /// A config.
  case config
  /// A subscription status other than unknown.
  case subscriptionStatus
  /// The server's assignments, after an identify that restores them.
  case identity
}

/// A registration that waits.
package struct WaitingRegistration: Sendable {
  /// Tells it from every other one of the matcher; later ones have greater numbers.
  let number: UInt64
  /// The request, whose placement is recorded already.
  var request: MatchRequest
  /// Why the result is asked for.
  let kind: RequestKind
  /// What it waits for, or waited for last.
  var stage: Readiness
  /// Whether there was nothing left to wait for when it was last looked at.
  var isReady = false
  /// Takes what came of it, once.
  let completion: Completion

  package typealias Completion = @Sendable (Result<Registration, StoreError>) -> Void
}

extension MatcherState {
  /// The first thing from `stage` on that is not there for a request.
  func missing(for request: MatchRequest, from stage: Readiness = .config) -> Readiness? {
    Readiness.allCases.dropFirst(stage.rawValue).first { stage in
      switch stage {
      case .config: compiled == nil
      case .subscriptionStatus: !knowsSubscription(for: request)
      case .identity: !isIdentityReady
      }
    }
  }

  /// Moves each waiting registration on to what it lacks now.
  ///
  /// - Returns: those that wait for something else than before, and those that are ready, in the order
  ///   in which they came.
  mutating func moveWaitingOn() -> (moved: [(number: UInt64, stage: Readiness)], ready: [UInt64]) {
    var moved: [(number: UInt64, stage: Readiness)] = []
    var ready: [UInt64] = []
    for number in waiting.keys.sorted() {
      guard let old = waiting[number] else { continue }
      guard let stage = moveOn(number) else {
        ready.append(number)
        continue
      }
      // The time of one that was ready may have run out unnoticed.
      if old.isReady || stage != old.stage { moved.append((number, stage)) }
    }
    return (moved, ready)
  }

  /// Moves a waiting registration on to what it lacks now. What it has waited for with success before is
  /// not asked for again.
  ///
  /// - Returns: what it waits for; `nil` when it is ready.
  @discardableResult
  mutating func moveOn(_ number: UInt64) -> Readiness? {
    guard var registration = waiting[number] else { return nil }
    let stage = missing(for: registration.request, from: registration.stage)
    registration.isReady = stage == nil
    registration.stage = stage ?? registration.stage
    waiting[number] = registration
    return stage
  }

  /// Takes a registration out of the line.
  mutating func removeWaiting(_ number: UInt64) -> WaitingRegistration? {
    waiting.removeValue(forKey: number)
  }
}

extension Matcher {
  /// Whether presentations may go ahead; `false` between an ``identify(_:restorePaywallAssignments:)``
  /// that restores assignments and the server's answer.
  public var isIdentityReady: Bool { state.withLock { $0.isIdentityReady } }

  /// Ends the waiting although the server gave no answer.
  public func giveUpWaitingForAssignments() { identityBecomesReady() }

  /// Registers a placement as soon as the matcher is ready for it: once a config is loaded, then once
  /// the subscription status is known, then once the identity is ready (spec/campaigns.md §2.1).
  ///
  /// The placement enters the history at once; audiences are matched when the waiting is over. Several
  /// registrations wait at the same time, and those that become ready together are matched in the order
  /// in which they came. ``MatchingOptions/readinessLimits`` says how long each of the three may take:
  ///
  /// | waits for | ends with | too late |
  /// |---|---|---|
  /// | config | ``load(_:)-(ConfigDocument)`` | ``MatchError/noConfig`` (code 104) |
  /// | status | ``setSubscriptionStatus(_:)``, or ``setDevice(_:)`` with a status | ``MatchError/subscriptionStatusTimeout`` (code 105) |
  /// | identity | ``applyServerAssignments(_:)``, ``reset()``, ``giveUpWaitingForAssignments()`` | goes on with the assignments that there are |
  ///
  /// - Returns: the registration; the error ``MatchError/cancelled`` when the task is cancelled
  ///   before the matcher is ready.
  /// - Throws: ``StoreError`` when the store cannot be written; nothing but the placement is
  ///   recorded then.
  public func registerWhenReady(_ request: MatchRequest) async throws(StoreError) -> Registration {
    try await requestWhenReady(request, kind: .presentation)
  }

  /// Like ``registerWhenReady(_:)``, for an app that shows the paywall itself.
  ///
  /// - Throws: ``StoreError`` when the store cannot be written.
  public func getPaywallWhenReady(
    _ request: MatchRequest
  ) async throws(StoreError) -> Registration {
    try await requestWhenReady(request, kind: .getPaywall)
  }

  /// Finds out what a placement would lead to, as ``preview(_:)-(MatchRequest)`` does, as soon as the
  /// matcher is ready.
  ///
  /// - Throws: ``StoreError`` when the store cannot be read or written.
  public func previewWhenReady(_ request: MatchRequest) async throws(StoreError) -> Registration {
    try await requestWhenReady(request, kind: .getPresentationResult)
  }

  private func requestWhenReady(
    _ request: MatchRequest, kind: RequestKind
  ) async throws(StoreError) -> Registration {
    let number = state.withLock { state in
      state.lastWaiting &+= 1
      return state.lastWaiting
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // The handler may have run before, and found nobody. If it has not, it waits for the lock.
        requestWhenReady(request, kind: kind, number: number, isCancelled: { Task.isCancelled }) {
          continuation.resume(returning: $0)
        }
      }
    } onCancel: {
      let waiting = state.withLock { $0.removeWaiting(number) }
      if let waiting { waiting.completion(.success(refusal(of: waiting.request, .cancelled))) }
    }
    return try result.get()
  }

  /// Makes a request as soon as the matcher is ready, and calls `completion` then, maybe at once.
  ///
  /// - Parameter isCancelled: asked before the registration begins to wait.
  package func requestWhenReady(
    _ original: MatchRequest, kind: RequestKind, number: UInt64,
    isCancelled: () -> Bool = { false },
    completion: @escaping WaitingRegistration.Completion
  ) {
    let effects = RequestEffects(kind: kind, options: options)
    var request = original
    request.kind = kind
    guard !request.isRefused(options) else {
      return completion(.success(refusal(of: original, .reservedPlacement)))
    }
    let made = request
    let begun: Begun
    do throws(StoreError) {
      begun = try withTransaction { state, work throws(StoreError) in
        let isRefused =
          kind == .presentation && options.allowsOnePaywallOnly && state.onScreen != nil
        guard !isRefused, let stage = state.missing(for: made) else {
          return .done(try perform(made, &state, work))
        }
        if isCancelled() { return .cancelled }
        var waiting = WaitingRegistration(
          number: number, request: made, kind: kind, stage: stage, completion: completion)
        if effects.savesPlacement {
          try work.track(.tracked(name: made.placement, parameters: made.parameters))
          waiting.request.recordedAt = work.now
        }
        work.onCommit { [waiting] in $0.waiting[number] = waiting }
        return .waiting(stage)
      }
    } catch {
      return completion(.failure(error))
    }
    switch begun {
    case .done(let done): completion(.success(registration(of: made, done)))
    case .cancelled: completion(.success(refusal(of: made, .cancelled)))
    case .waiting(let stage): startTimer(of: number, stage)
    }
  }

  /// How a registration begins.
  private enum Begun: Sendable {
    case done(Done)
    case cancelled
    case waiting(Readiness)
  }

  // MARK: The end of waiting

  /// The identity is ready, or nobody waits for it any more.
  func identityBecomesReady() {
    state.withLock { $0.isIdentityReady = true }
    serveWaiting()
  }

  /// Matches the registrations that wait for nothing any more. Call it outside of the lock, whenever
  /// something may have become ready.
  func serveWaiting() {
    let (moved, ready) = state.withLock { $0.moveWaitingOn() }
    for (number, stage) in moved { startTimer(of: number, stage) }
    for number in ready { endWaiting(of: number, at: nil) }
  }

  private func startTimer(of number: UInt64, _ stage: Readiness) {
    guard let limit = options.readinessLimits[stage] else { return }
    clock.schedule(after: limit) { [weak self] in self?.endWaiting(of: number, at: stage) }
  }

  /// Ends the waiting of a registration, unless it has gone or waits for something else by now.
  ///
  /// What was there when it became ready may be gone again: others are served before it, and who hears
  /// of them may identify another user. It goes on waiting then.
  ///
  /// - Parameter stage: what it waits for in vain; `nil` when it is ready.
  private func endWaiting(of number: UInt64, at stage: Readiness?) {
    do throws(StoreError) {
      let end = try withTransaction { state, work throws(StoreError) -> End in
        guard let waiting = state.waiting[number],
          stage.map({ $0 == waiting.stage && !waiting.isReady }) ?? waiting.isReady
        else { return .none }
        if stage == nil, let missing = state.missing(for: waiting.request, from: waiting.stage) {
          work.onCommit { $0.moveOn(number) }
          return .putBack(missing)
        }
        let done =
          if let error = stage?.error {
            try timeOut(waiting, error, state, work)
          } else {
            try perform(waiting.request, &state, work)
          }
        work.onCommit { _ = $0.removeWaiting(number) }
        return .done(waiting, done)
      }
      switch end {
      case .none: break
      case .putBack(let stage): startTimer(of: number, stage)
      case .done(let waiting, let done):
        waiting.completion(.success(registration(of: waiting.request, done)))
      }
    } catch {
      state.withLock { $0.removeWaiting(number) }?.completion(.failure(error))
    }
  }

  /// How the waiting of a registration ends.
  private enum End: Sendable {
    /// It had ended before, or goes on.
    case none
    /// It goes on, because something is missing again.
    case putBack(Readiness)
    case done(WaitingRegistration, Done)
  }

  /// What is left of a request that waited too long.
  private func timeOut(
    _ waiting: WaitingRegistration, _ error: MatchError, _ state: MatcherState, _ work: UnitOfWork
  ) throws(StoreError) -> Done {
    if RequestEffects(kind: waiting.kind, options: options).tracksTimeout {
      try work.track(
        .presentationRequest(
          PresentationRequest(
            placement: waiting.request.placement, kind: waiting.kind, status: .timeout,
            reason: error.statusReason)))
    }
    return Done(
      instant: work.now, result: .error(error), gating: .nonGated, limitKey: nil,
      resets: state.resets, reports: [])
  }
}

extension Readiness {
  /// The error of a request that has waited too long; `nil` when it goes on all the same.
  fileprivate var error: MatchError? {
    switch self {
    case .config: .noConfig
    case .subscriptionStatus: .subscriptionStatusTimeout
    case .identity: nil
    }
  }
}

extension MatchingOptions.ReadinessLimits {
  subscript(stage: Readiness) -> Duration? {
    switch stage {
    case .config: config
    case .subscriptionStatus: subscriptionStatus
    case .identity: identity
    }
  }
}
