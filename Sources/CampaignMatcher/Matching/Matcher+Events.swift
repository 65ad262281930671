public import ExpressionEngine

extension Matcher {
  /// Calls a function for each event, in order, on the thread that caused it. `nil` ends it.
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
      let closedAt = try work.transaction.installation().closedAt
      let isNew =
        closedAt.map {
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
      installation.hasResignedActive = true
      installation.closedAt = work.now
      try work.transaction.save(installation)
      try work.track(.tracked(name: BuiltInEvent.appClose.rawValue, parameters: [:]))
    }
  }

  // MARK: Implicit triggers

  /// Tracks a standard placement and presents a paywall if one follows from it (§2.10).
  ///
  /// - Parameters:
  ///   - event: the standard placement.
  ///   - parameters: its parameters, as filters see them.
  ///   - request: further circumstances; its placement and parameters are replaced.
  /// - Returns: what followed, or `nil` when the event cannot or must not trigger anything. For a
  ///   follow-up of a paywall, the paywall on screen counts as dismissed when another one follows.
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func handle(
    _ event: BuiltInEvent, parameters: [String: Value] = [:], request: MatchRequest? = nil
  ) throws(StoreError) -> Registration? {
    let isCustom = event == .customPlacement
    var name = event.rawValue
    if isCustom, case .string(let custom)? = parameters["name"] { name = custom }
    try track([.tracked(name: name, parameters: parameters)])
    guard event.canTrigger || isCustom else { return nil }
    let (isTrigger, onScreen) = state.withLock { state in
      (state.compiled?.triggers[name] != nil, state.onScreen)
    }
    guard isTrigger else { return nil }
    var request = request ?? MatchRequest(name)
    request.placement = name
    request.parameters = parameters
    request.isStandardEvent = !isCustom
    if event == .deepLinkOpen {
      state.withLock { $0.onScreen = nil }
      return try presentImplicitly(request)
    }
    if let onScreen, blocks(onScreen.placement, name) { return nil }
    guard event.isFollowUp else {
      guard onScreen == nil else { return nil }
      return try presentImplicitly(request)
    }
    let kind: RequestKind =
      event == .paywallDecline ? .paywallDeclineCheck : .handleImplicitTrigger
    let peek = try self.request(request, kind: kind, allowsStandardEvents: true)
    guard case .paywall = peek.result else { return nil }
    request.inheritedGating = onScreen?.gating
    state.withLock { $0.onScreen = nil }
    return try presentImplicitly(request)
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
    guard let event = BuiltInEvent(rawValue: request.placement) else {
      return try register(request)
    }
    return try handle(event, parameters: request.parameters, request: request)
  }

  /// The event itself was tracked already, so the placement is not saved a second time.
  private func presentImplicitly(_ request: MatchRequest) throws(StoreError) -> Registration {
    var request = request
    request.isTracked = true
    return try self.request(request, kind: .presentation, allowsStandardEvents: true)
  }

  private func blocks(_ presenting: String, _ placement: String) -> Bool {
    switch options.implicitLoopGuard {
    case .afterAnyFollowUp:
      switch BuiltInEvent(rawValue: presenting) {
      case .transactionAbandon, .transactionFail, .paywallDecline, .customPlacement: true
      default: false
      }
    case .afterSamePlacement: presenting == placement
    }
  }
}
