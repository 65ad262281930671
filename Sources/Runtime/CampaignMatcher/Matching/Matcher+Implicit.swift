public import CampaignCore
public import ExpressionEngine

extension Matcher {
  /// Tracks a standard placement and presents a paywall if one follows from it (§2.10), in one
  /// transaction and at once.
  ///
  /// A deep link always goes through: it clears the screen and has a result, also when no campaign
  /// uses it.
  ///
  /// - Parameters:
  ///   - event: The standard placement.
  ///   - parameters: Its parameters; they are sanitized as those of the app (§6.7).
  ///   - request: Further circumstances; its placement and parameters are replaced.
  /// - Returns: The outcome, or `nil` when the event cannot or must not trigger anything. For a
  ///   follow-up of a paywall, the paywall on screen counts as dismissed when another one follows;
  ///   its own token still reports how it ends.
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  public func handleNow(
    _ event: BuiltInEvent, parameters: [String: Value] = [:], request: MatchRequest? = nil
  ) throws(StoreError) -> MatchOutcome? {
    let made = Self.request(event, parameters, request)
    let followed = try handle(event, made) { handled, _, _, _ in handled.followed }
    return followed.map { registration(of: made, $0) }
  }

  /// Tracks a standard placement at once, and presents a paywall if one follows from it when the
  /// matcher is ready and those before it have been served (§2.10).
  ///
  /// - Parameters:
  ///   - event: The standard placement.
  ///   - parameters: Its parameters; they are sanitized as those of the app (§6.7).
  ///   - request: Further circumstances; its placement and parameters are replaced.
  /// - Returns: The outcome, or `nil` when the event cannot or must not trigger anything.
  /// - Throws: `StoreError` when the store cannot be written.
  public func handle(
    _ event: BuiltInEvent, parameters: [String: Value] = [:], request: MatchRequest? = nil
  ) async throws(StoreError) -> MatchOutcome? {
    let made = Self.request(event, parameters, request)
    guard made.waiting != .never else {
      let followed = try handle(event, made) { handled, _, _, _ in handled.followed }
      return followed.map { registration(of: made, $0) }
    }
    return try await submit(made, event)
  }

  /// The request that an event of the SDK makes.
  package static func request(
    _ event: BuiltInEvent, _ parameters: [String: Value], _ original: MatchRequest? = nil
  ) -> MatchRequest {
    var name = event.rawValue
    if event == .customPlacement, case .string(let custom)? = parameters["name"] { name = custom }
    var request = original ?? MatchRequest(name)
    request.kind = .presentation
    request.placement = name
    request.parameters = parameters
    request.isStandardEvent = true
    return request
  }

  /// The request that a link makes. What its query says replaces its parts, but not the copies of them.
  package func request(deepLink url: String) -> MatchRequest {
    let link = DeepLink(url)
    var request = Self.request(.deepLinkOpen, link.parameters(platform: options.platform))
    request.copied = link.fixedParameters
    return request
  }

  /// The outcome of a standard placement.
  struct Handled {
    /// The results of the request that follows from it, if one does.
    var followed: Done?
    /// The results of its audiences when nothing follows.
    var seen: Done?
  }

  /// - Parameter finish: Makes the result of what came of the event, in the same transaction.
  private func handle<Result: Sendable>(
    _ event: BuiltInEvent, _ original: MatchRequest,
    finish: (
      Handled, _ request: MatchRequest, inout MatcherState, UnitOfWork
    ) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try withTransaction { state, work throws(StoreError) -> Result in
      try work.track(.tracked(name: original.placement, parameters: original.parameters))
      // The event itself is tracked here, so the placement is not saved a second time.
      var request = original
      request.recordedAt = work.now
      var handled = Handled()
      if event.canTrigger || event == .customPlacement {
        handled = try trigger(request, event, &state, work)
      }
      return try finish(handled, request, &state, work)
    }
  }

  /// Does what follows from an event that can trigger (§2.10).
  func trigger(
    _ request: MatchRequest, _ event: BuiltInEvent, _ state: inout MatcherState,
    _ work: UnitOfWork
  ) throws(StoreError) -> Handled {
    if event == .deepLinkOpen {
      work.onCommit { $0.onScreen = nil }
      var request = request
      request.replacesPaywall = true
      return Handled(followed: try perform(request, &state, work))
    }
    guard state.compiled?.contains(request.placement) ?? false else { return Handled() }
    if let onScreen = state.onScreen, blocks(onScreen.placement, request.placement) {
      return Handled()
    }
    guard event.isFollowUp else {
      guard state.onScreen == nil else { return Handled() }
      return Handled(followed: try perform(request, &state, work))
    }
    let peek = try look(request, &state, work)
    guard let last = peek.last else { return Handled(seen: peek.done) }
    var done = try follow(request, after: last, &state, work)
    // Where the peek has confirmed the variant already, the server has not heard of it yet.
    done.confirmation = done.confirmation ?? peek.done.confirmation
    return Handled(followed: done)
  }

  /// Looks whether a paywall follows from an event of a paywall.
  ///
  /// - Returns: The results of the look, and the paywall that is to be followed if one follows.
  private func look(
    _ original: MatchRequest, _ state: inout MatcherState, _ work: UnitOfWork
  ) throws(StoreError) -> (done: Done, last: MatcherState.Presented?) {
    var request = original
    request.kind = .handleImplicitTrigger
    let peek = try perform(request, &state, work)
    // Without a paywall before there is nothing to follow.
    guard case .paywall = peek.result else { return (peek, nil) }
    return (peek, state.lastPresented)
  }

  /// Decides about the paywall that takes the place of another one.
  private func follow(
    _ original: MatchRequest, after last: MatcherState.Presented, _ state: inout MatcherState,
    _ work: UnitOfWork
  ) throws(StoreError) -> Done {
    var request = original
    request.inheritedGating = last.gating
    request.replacesPaywall = true
    work.onCommit { $0.onScreen = nil }
    return try perform(request, &state, work)
  }

  /// Looks whether a paywall follows from an event of a paywall, which is recorded already. The caller
  /// takes the paywall on screen away, and then calls ``follow(_:)``.
  ///
  /// - Returns: The request to follow; `nil` when nothing follows.
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  package func look(
    _ event: BuiltInEvent, _ request: MatchRequest
  ) throws(StoreError) -> MatchRequest? {
    try withTransaction { state, work throws(StoreError) in
      guard event.isFollowUp, state.compiled?.contains(request.placement) ?? false else {
        return nil
      }
      if let onScreen = state.onScreen, blocks(onScreen.placement, request.placement) {
        return nil
      }
      return try look(request, &state, work).last == nil ? nil : request
    }
  }

  /// Decides about the paywall that follows from an event, after ``look(_:_:)`` found one and the
  /// paywall before it has gone.
  ///
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  package func follow(_ request: MatchRequest) throws(StoreError) -> MatchOutcome {
    let done = try withTransaction { state, work throws(StoreError) -> Done in
      guard let last = state.lastPresented else { return try perform(request, &state, work) }
      return try follow(request, after: last, &state, work)
    }
    return registration(of: request, done)
  }

  /// Opens a deep link at once: `deepLink_open` with the parts and the typed query items of the link.
  ///
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  public func handleNow(deepLink url: String) throws(StoreError) -> MatchOutcome? {
    let made = request(deepLink: url)
    return try handleNow(.deepLinkOpen, parameters: made.parameters, request: made)
  }

  /// Opens a deep link when the matcher is ready: `deepLink_open` with the parts and the typed query
  /// items of the link.
  ///
  /// - Throws: `StoreError` when the store cannot be written.
  public func handle(deepLink url: String) async throws(StoreError) -> MatchOutcome? {
    let made = request(deepLink: url)
    return try await handle(.deepLinkOpen, parameters: made.parameters, request: made)
  }

  /// Registers a placement of any kind: a built-in one as an implicit trigger, any other one as
  /// usual. For tools that know a placement by its name only.
  ///
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  package func fire(_ request: MatchRequest) throws(StoreError) -> MatchOutcome? {
    guard let event = BuiltInEvent(named: request.placement) else {
      return try registerNow(request)
    }
    return try handleNow(event, parameters: request.parameters, request: request)
  }

  /// Like ``fire(_:)``, and where nothing follows from a built-in event, returns the reports of its
  /// audiences.
  ///
  /// - Returns: The registration, and whether it is what followed.
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  package func fireReportingAudiences(
    _ request: MatchRequest
  ) throws(StoreError) -> (registration: MatchOutcome, hasFollowed: Bool) {
    guard let event = BuiltInEvent(named: request.placement) else {
      return (try registerNow(request), true)
    }
    let made = Self.request(event, request.parameters, request)
    let look = try handle(event, made) {
      handled, request, state, work throws(StoreError) -> Look in
      if let followed = handled.followed { return Look(done: followed, hasFollowed: true) }
      if let seen = handled.seen { return Look(done: seen, hasFollowed: false) }
      // Audiences are asked although nothing can follow from the event.
      let situation = try situation(&state, work.transaction, at: work.now)
      let decision = try decide(request.asPreview, state.compiled, situation)
      let done = Done(
        instant: work.now, result: decision.result, gating: .nonGated, resets: state.resets,
        reports: decision.audiences)
      return Look(done: done, hasFollowed: false)
    }
    return (registration(of: made, look.done), look.hasFollowed)
  }

  /// The result of a look at a standard placement.
  private struct Look: Sendable {
    var done: Done
    var hasFollowed: Bool
  }

  private func blocks(_ presenting: String, _ placement: String) -> Bool {
    switch options.implicitLoopGuard {
    case .afterAnyFollowUp:
      switch BuiltInEvent(rawValue: presenting) {
      case .transactionAbandon, .transactionFail, .paywallDecline, .customPlacement: true
      default: false
      }
    case .afterSamePlacement: presenting.isExactly(placement)
    }
  }
}
