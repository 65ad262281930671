package import CampaignCore
import ExpressionEngine

extension Matcher {
  // MARK: Joining the line

  /// Puts a request in line and waits for its turn.
  func submit(_ request: MatchRequest, _ event: BuiltInEvent? = nil) async throws(StoreError)
    -> MatchOutcome?
  {
    let number = nextNumber()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        submit(request, event, number: number) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      cancel(number)
    }
    return try result.get()
  }

  /// Returns the number under which a request can join the line, or be cancelled before it does.
  package func nextNumber() -> UInt64 { state.withLock { $0.line.nextNumber() } }

  /// Ends a request that waits in line, or is about to join it, with the error
  /// `MatchError.cancelled`. A request that was served is left alone.
  package func cancel(_ number: UInt64) {
    guard let waiting = state.withLock({ $0.line.remove(number) }) else { return }
    waiting.completion(.success(refusal(of: waiting.request, .cancelled)))
    serveLine()
  }

  /// Puts a request in line and calls `completion` when it has been served, maybe at once.
  ///
  /// - Parameters:
  ///   - event: The event of the SDK that the placement is; it is recorded at once.
  ///   - number: The number from ``nextNumber()``; by default a new one.
  ///   - onTurn: Called when the turn of an event of the SDK has come, which is not decided then; the caller
  ///     decides it by ``take(_:)``. Either this or `completion` is called.
  package func submit(
    _ request: MatchRequest, _ event: BuiltInEvent? = nil, number: UInt64? = nil,
    onTurn: (@Sendable (LineTurn) -> Void)? = nil,
    completion: @escaping @Sendable (Result<MatchOutcome?, StoreError>) -> Void
  ) {
    var waiting = WaitingRequest(
      number: number ?? nextNumber(), request: request, event: event, onTurn: onTurn,
      completion: completion)
    if let result = endBeforeLine(&waiting) {
      state.withLock { _ = $0.line.remove(waiting.number) }
      return completion(result)
    }
    let joined = waiting
    guard state.withLock({ $0.line.add(joined) }) else {
      return completion(.success(refusal(of: request, .cancelled)))
    }
    serveLine()
  }

  /// Records an event of the SDK, and returns the result of a request that need not join the line.
  private func endBeforeLine(
    _ waiting: inout WaitingRequest
  ) -> Result<MatchOutcome?, StoreError>? {
    guard !waiting.request.isRefused(options) else {
      return .success(refusal(of: waiting.request, .reservedPlacement))
    }
    guard let event = waiting.event else { return nil }
    do throws(StoreError) {
      waiting.request.recordedAt = try record(waiting.request)
    } catch {
      return .failure(error)
    }
    return event.canTrigger || event == .customPlacement ? nil : .success(nil)
  }

  /// Records an event of the SDK, which happens now, whenever its result is known.
  ///
  /// - Throws: `StoreError` when the store cannot be written.
  package func record(_ request: MatchRequest) throws(StoreError) -> WallTime {
    try withTransaction { _, work throws(StoreError) in
      try work.track(.tracked(name: request.placement, parameters: request.parameters))
      return work.now
    }
  }

  /// Puts events of the SDK in line that are recorded already. What follows from them goes to
  /// ``Events/onImplicitRegistration(_:)``.
  func submitRecorded(_ events: [(event: BuiltInEvent, request: MatchRequest)]) {
    state.withLock { state in
      for (event, original) in events {
        var request = original
        request.presentation = state.implicitPresentation
        let number = state.line.nextNumber()
        state.line.add(
          WaitingRequest(number: number, request: request, event: event) { [weak self] result in
            guard case .success(let registration?) = result else { return }
            guard let handler = self?.state.withLock({ $0.implicitHandler }) else {
              registration.presentation?.didFail()
              return
            }
            handler(registration)
          })
      }
    }
    serveLine()
  }

  // MARK: Serving the line

  /// Serves the requests whose turn it is, as long as something can be done. Call it outside of the
  /// lock, whenever something may have become ready.
  func serveLine() {
    while true {
      let number = state.withLock { state -> UInt64? in
        // Whoever serves the line sees what has changed in the meantime.
        guard !state.line.isBeingServed, let number = state.nextToServe() else { return nil }
        state.line.isBeingServed = true
        return number
      }
      guard let number else { return }
      serve(number)
      state.withLock { $0.line.isBeingServed = false }
    }
  }

  /// The progress of a request in line.
  private enum Progress: Sendable {
    /// It had left the line.
    case gone
    /// It waits from now on for what its stage names.
    case waits(WaitingRequest)
    /// Its turn has come, and the caller that requested the turn decides it.
    case turn(LineTurn, WaitingRequest)
    /// It has been served.
    case served(WaitingRequest, Done?)

    /// The presentation that the line waits for from now on, with its request.
    var presentation: (number: UInt64, request: MatchRequest)? {
      switch self {
      case .gone, .waits: nil
      case .turn(let turn, _): (turn.number, turn.request)
      case .served(let waiting, let done):
        waiting.request.kind == .presentation
          ? done?.presentationNumber.map { ($0, waiting.request) } : nil
      }
    }
  }

  private func serve(_ number: UInt64) {
    finish(number) { state, work throws(StoreError) in
      guard let waiting = state.line[number] else { return .gone }
      if !waiting.hasBegun { return try begin(waiting, &state, work) }
      guard state.canLead(waiting) else { return .served(waiting, nil) }
      guard let stage = state.missing(for: waiting.request, from: waiting.stage) else {
        return try decide(waiting, &state, work)
      }
      if stage == .config {
        return .served(waiting, try fail(waiting, .noConfig, .noPresentation, state, work))
      }
      return .waits(waiting.waiting(for: stage))
    }
  }

  /// The turn of a request has come: its placement is recorded, and its time begins (§2.1 step 3).
  private func begin(
    _ original: WaitingRequest, _ state: inout MatcherState, _ work: UnitOfWork
  ) throws(StoreError) -> Progress {
    var waiting = original
    let request = waiting.request
    let isRefused =
      request.kind == .presentation && waiting.event == nil && options.allowsOnePaywallOnly
      && state.onScreen != nil
    guard state.canLead(waiting) else { return .served(waiting, nil) }
    guard !isRefused, let stage = state.missing(for: request) else {
      return try decide(waiting, &state, work)
    }
    if RequestEffects(kind: request.kind, options: options).savesPlacement,
      request.recordedAt == nil
    {
      try work.track(.tracked(name: request.placement, parameters: request.parameters))
      waiting.request.recordedAt = work.now
    }
    return .waits(waiting.waiting(for: stage))
  }

  /// The time that a request may wait for each thing.
  private func limits(of request: MatchRequest) -> MatchingOptions.ReadinessLimits {
    if case .atMost(let limits) = request.waiting { limits } else { options.readinessLimits }
  }

  /// Decides a request whose turn it is, or leaves it to the caller that requested the turn.
  private func decide(
    _ waiting: WaitingRequest, _ state: inout MatcherState, _ work: UnitOfWork
  ) throws(StoreError) -> Progress {
    guard let event = waiting.event, waiting.onTurn != nil else {
      return .served(waiting, try perform(waiting, &state, work))
    }
    state.presentations &+= 1
    let turn = LineTurn(number: state.presentations, request: waiting.request, event: event)
    return .turn(turn, waiting)
  }

  /// Decides a request whose turn has come.
  ///
  /// - Returns: The outcome, or `nil` when the event cannot or must not trigger anything.
  /// - Throws: `StoreError` when the store cannot be written; the line goes on all the same.
  package func take(_ turn: LineTurn) throws(StoreError) -> MatchOutcome? {
    defer { endPresentationStep(turn.number) }
    let done = try withTransaction { state, work throws(StoreError) in
      let done = try trigger(turn.request, turn.event, &state, work).followed
      if let token = done?.presentationNumber {
        work.onCommit { $0.line.presenting = token }
      }
      return done
    }
    if let token = done?.presentationNumber { watchPresentation(token, of: turn.request) }
    return done.map { registration(of: turn.request, $0) }
  }

  private func perform(
    _ waiting: WaitingRequest, _ state: inout MatcherState, _ work: UnitOfWork
  ) throws(StoreError) -> Done? {
    guard let event = waiting.event else { return try perform(waiting.request, &state, work) }
    return try trigger(waiting.request, event, &state, work).followed
  }

  /// The time of a request has run out, unless it has left the line or waits for something else.
  private func timeOut(_ number: UInt64, _ stage: Readiness) {
    finish(number) { state, work throws(StoreError) in
      guard let waiting = state.line[number], waiting.hasBegun, waiting.stage == stage,
        state.missing(for: waiting.request, from: stage) == stage
      else { return .gone }
      guard let error = stage.error else { return try decide(waiting, &state, work) }
      return .served(waiting, try fail(waiting, error, .timeout, state, work))
    }
    serveLine()
  }

  /// Does something about a request in one transaction, and afterwards what follows from it.
  private func finish(
    _ number: UInt64,
    _ body: (inout MatcherState, UnitOfWork) throws(StoreError) -> Progress
  ) {
    do throws(StoreError) {
      let progress = try withTransaction { state, work throws(StoreError) in
        let progress = try body(&state, work)
        work.onCommit { Self.move(number, progress, in: &$0.line) }
        return progress
      }
      follow(progress, of: number)
    } catch {
      state.withLock { $0.line.remove(number) }?.completion(.failure(error))
    }
  }

  /// Changes the line as the progress of a request says.
  private static func move(_ number: UInt64, _ progress: Progress, in line: inout WaitingLine) {
    switch progress {
    case .gone: return
    case .waits(let waiting): line[number] = waiting
    case .turn, .served: _ = line.remove(number)
    }
    if let presentation = progress.presentation { line.presenting = presentation.number }
  }

  /// Starts what a request waits for, or tells its caller that its turn has come or is over.
  private func follow(_ progress: Progress, of number: UInt64) {
    if let (presentation, request) = progress.presentation {
      watchPresentation(presentation, of: request)
    }
    switch progress {
    case .gone: break
    case .waits(let waiting):
      let stage = waiting.stage
      guard let limit = limits(of: waiting.request)[stage] else { return }
      clock.schedule(after: limit) { [weak self] in self?.timeOut(number, stage) }
    case .turn(let turn, let waiting): waiting.onTurn?(turn)
    case .served(let waiting, let done):
      waiting.completion(.success(done.map { registration(of: waiting.request, $0) }))
    }
  }

  /// Ends a request that waited in vain, and returns its results.
  private func fail(
    _ waiting: WaitingRequest, _ error: MatchError, _ status: PresentationRequest.Status,
    _ state: MatcherState, _ work: UnitOfWork
  ) throws(StoreError) -> Done {
    let effects = RequestEffects(kind: waiting.request.kind, options: options)
    if status == .timeout ? effects.tracksTimeout : effects.tracksSkip {
      try work.track(
        .presentationRequest(
          PresentationRequest(
            placement: waiting.request.placement, kind: waiting.request.kind, status: status,
            reason: error.statusReason)))
    }
    return Done(
      instant: work.now, result: .error(error), gating: .nonGated, resets: state.resets)
  }

  /// Ends the presentation step of a token when its time is over.
  private func watchPresentation(_ number: UInt64, of request: MatchRequest) {
    guard let limit = limits(of: request).presentation else { return }
    let placement = request.placement
    clock.schedule(after: limit) { [weak self] in
      guard let self, state.withLock({ $0.line.presenting == number }) else { return }
      warn(MatchWarning(.presentationOverdue, placement: placement))
      endPresentationStep(number)
    }
  }

  /// The presentation step of a token has ended, so that the next request has its turn.
  func endPresentationStep(_ number: UInt64) {
    state.withLock { state in
      if state.line.presenting == number { state.line.presenting = nil }
    }
    serveLine()
  }

  // MARK: Conditions that requests wait for

  /// Whether a request could be served at once, were it first in line.
  package func isReady(for request: MatchRequest) -> Bool {
    state.withLock { $0.missing(for: request) == nil }
  }

  /// Ends the waiting for a config: there will be none. Requests that wait for one, now or later, end
  /// with error 104 until a config is loaded.
  public func configUnavailable() {
    state.withLock { $0.isConfigUnavailable = true }
    serveLine()
  }

  /// The identity is ready, or nobody waits for it any more.
  func identityBecomesReady() {
    state.withLock { $0.isIdentityReady = true }
    serveLine()
  }
}
