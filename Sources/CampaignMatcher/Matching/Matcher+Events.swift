public import CampaignCore
public import ExpressionEngine

extension Matcher {
  /// Calls a function for each event, in order and one at a time. `nil` ends it.
  ///
  /// It is called after the transaction of the event, outside of every lock, so that it may call the
  /// matcher and the tokens of presentations; what it causes is delivered after it returns. It runs on
  /// the thread of a request: that of the event, or, while events of another thread are being
  /// delivered, that one, so that the order is kept. Events that are on their way when the function is
  /// replaced may still reach the old one.
  public func onEvent(_ handler: (@Sendable (TrackedEvent) -> Void)?) {
    outbox.setHandler(handler)
  }

  /// A stream of the events from now on. Each stream gets every event.
  ///
  /// - Parameter bufferingPolicy: what happens when events come faster than they are taken.
  public func events(
    bufferingPolicy: AsyncStream<TrackedEvent>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<TrackedEvent> {
    outbox.stream(bufferingPolicy: bufferingPolicy)
  }

  /// Tracks an event that presents nothing, such as `transaction_complete`: it enters the history and
  /// is delivered.
  ///
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func track(_ name: String, parameters: [String: Value] = [:]) throws(StoreError) {
    try track([.tracked(name: name, parameters: parameters)])
  }

  // MARK: Application life

  /// Notes that the app was installed: `first_seen` and `app_install` are tracked once.
  ///
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func noteInstallation() throws(StoreError) {
    try withTransaction { _, work throws(StoreError) in
      var installation = try work.transaction.installation()
      guard installation.installedAt == nil else { return }
      installation.installedAt = work.now
      try work.transaction.save(installation)
      try work.track(.tracked(name: BuiltInEvent.firstSeen.rawValue, parameters: [:]))
      try work.track(
        .tracked(
          name: BuiltInEvent.appInstall.rawValue,
          parameters: ["application_installed_at": .string(work.now.description)]))
    }
  }

  /// Replaces when the app was installed, without tracking anything.
  ///
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func setInstallationDate(_ instant: Instant?) throws(StoreError) {
    try withTransaction { _, work throws(StoreError) in
      var installation = try work.transaction.installation()
      installation.installedAt = instant
      try work.transaction.save(installation)
    }
  }

  /// Notes that the app became active: `app_open`, and `session_start` when a new session begins
  /// (§8.8).
  ///
  /// - Returns: whether a new session began.
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  @discardableResult
  public func noteActivation() throws(StoreError) -> Bool {
    try withTransaction { state, work throws(StoreError) in
      let timeout = state.compiled?.config.appSessionTimeoutMilliseconds ?? 3_600_000
      let isNew =
        state.closedAt.map {
          Double(work.now.milliseconds.subtractingSaturated($0.milliseconds)) > timeout
        } ?? true
      try work.track(.tracked(name: BuiltInEvent.appOpen.rawValue, parameters: [:]))
      guard isNew else { return false }
      let sessionID = random.uuid()
      work.onCommit { $0.sessionID = sessionID }
      try work.track(.tracked(name: BuiltInEvent.sessionStart.rawValue, parameters: [:]))
      return true
    }
  }

  /// Notes that the app was left.
  ///
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func noteDeactivation() throws(StoreError) {
    try withTransaction { _, work throws(StoreError) in
      var installation = try work.transaction.installation()
      if !installation.hasResignedActive {
        installation.hasResignedActive = true
        try work.transaction.save(installation)
      }
      let closedAt = work.now
      work.onCommit { $0.closedAt = closedAt }
      try work.track(.tracked(name: BuiltInEvent.appClose.rawValue, parameters: [:]))
    }
  }

  // MARK: Implicit triggers

  /// Tracks a standard placement and presents a paywall if one follows from it (§2.10), in one
  /// transaction.
  ///
  /// A deep link always goes through: it clears the screen and has a result, also when no campaign
  /// uses it.
  ///
  /// - Parameters:
  ///   - event: the standard placement.
  ///   - parameters: its parameters, as filters see them.
  ///   - request: further circumstances; its placement and parameters are replaced.
  /// - Returns: what followed, or `nil` when the event cannot or must not trigger anything. For a
  ///   follow-up of a paywall, the paywall on screen counts as dismissed when another one follows;
  ///   its own token still tells what became of it.
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func handle(
    _ event: BuiltInEvent, parameters: [String: Value] = [:], request: MatchRequest? = nil
  ) throws(StoreError) -> Registration? {
    let (request, followed) = try handle(event, parameters, request) { handled, _, _, _ in
      handled.followed
    }
    return followed.map { registration(of: request, $0) }
  }

  /// What came of a standard placement.
  private struct Handled {
    /// What follows from it.
    var followed: Done?
    /// What its audiences say when nothing follows.
    var seen: Done?
  }

  /// - Parameter finish: makes the result of what came of the event, in the same transaction.
  private func handle<Result: Sendable>(
    _ event: BuiltInEvent, _ parameters: [String: Value], _ original: MatchRequest?,
    finish: (
      Handled, _ request: MatchRequest, inout MatcherState, UnitOfWork
    ) throws(StoreError) -> Result
  ) throws(StoreError) -> (request: MatchRequest, result: Result) {
    let isCustom = event == .customPlacement
    var name = event.rawValue
    if isCustom, case .string(let custom)? = parameters["name"] { name = custom }
    var request = original ?? MatchRequest(name)
    request.placement = name
    request.parameters = parameters
    request.isStandardEvent = !isCustom
    let finished = request
    let result = try withTransaction { state, work throws(StoreError) -> Result in
      try work.track(.tracked(name: name, parameters: parameters))
      // The event itself is tracked here, so the placement is not saved a second time.
      var request = finished
      request.recordedAt = work.now
      var handled = Handled()
      if event.canTrigger || isCustom { handled = try trigger(request, event, &state, work) }
      return try finish(handled, request, &state, work)
    }
    return (finished, result)
  }

  /// Does what follows from an event that can trigger (§2.10).
  private func trigger(
    _ original: MatchRequest, _ event: BuiltInEvent, _ state: inout MatcherState,
    _ work: UnitOfWork
  ) throws(StoreError) -> Handled {
    var request = original
    request.kind = .presentation
    if event == .deepLinkOpen {
      work.onCommit { $0.onScreen = nil }
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
    request.kind = .handleImplicitTrigger
    let peek = try perform(request, &state, work)
    // Without a paywall before there is nothing to follow.
    guard case .paywall = peek.result, let last = state.lastPresented else {
      return Handled(seen: peek)
    }
    request.kind = .presentation
    request.inheritedGating = last.gating
    request.replacesPaywall = true
    work.onCommit { $0.onScreen = nil }
    var done = try perform(request, &state, work)
    // Where the peek has confirmed the variant already, the server has not heard of it yet.
    done.confirmation = done.confirmation ?? peek.confirmation
    return Handled(followed: done)
  }

  /// Opens a deep link: `deepLink_open` with the parts and the typed query items of the link.
  ///
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func handle(deepLink url: String) throws(StoreError) -> Registration? {
    try handle(
      .deepLinkOpen, parameters: DeepLink(url).parameters(platform: options.platform))
  }

  /// Registers a placement of any kind: a built-in one as an implicit trigger, any other one as
  /// usual. For tools that know a placement by its name only.
  ///
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func fire(_ request: MatchRequest) throws(StoreError) -> Registration? {
    guard let event = BuiltInEvent(named: request.placement) else {
      return try register(request)
    }
    return try handle(event, parameters: request.parameters, request: request)
  }

  /// Like ``fire(_:)``, and where nothing follows from a built-in event, tells what its audiences said.
  ///
  /// - Returns: the registration, and whether it is what followed.
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func fireAndLook(
    _ request: MatchRequest
  ) throws(StoreError) -> (registration: Registration, hasFollowed: Bool) {
    guard let event = BuiltInEvent(named: request.placement) else {
      return (try register(request), true)
    }
    let (made, look) = try handle(event, request.parameters, request) {
      handled, request, state, work throws(StoreError) -> Look in
      if let followed = handled.followed { return Look(done: followed, hasFollowed: true) }
      if let seen = handled.seen { return Look(done: seen, hasFollowed: false) }
      // Audiences are asked although nothing can follow from the event.
      let situation = try situation(&state, work.transaction, at: work.now)
      let decision = try decide(request.asPreview, state.compiled, situation)
      let done = Done(
        instant: work.now, result: decision.result, gating: .nonGated, limitKey: nil,
        resets: state.resets, reports: decision.audiences)
      return Look(done: done, hasFollowed: false)
    }
    return (registration(of: made, look.done), look.hasFollowed)
  }

  /// What a look at a standard placement shows.
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
