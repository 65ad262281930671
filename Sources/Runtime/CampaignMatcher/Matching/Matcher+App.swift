public import CampaignCore
import ExpressionEngine

extension Matcher {
  /// The life of the app: installation, launches and sessions.
  public struct App: Sendable {
    let matcher: Matcher
  }

  /// The life of the app: installation, launches and sessions.
  public var app: App { App(matcher: self) }
}

extension Matcher.App {
  /// The session of the app, `app_session_id` in all events.
  public var sessionID: String { matcher.state.withLock { $0.sessionID } }

  /// Notes that the app was installed: `first_seen` and `app_install` are tracked once, and a paywall
  /// may follow from the latter (``Matcher/Events/onImplicitRegistration(_:)``).
  ///
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  public func didInstall() throws(StoreError) {
    let implicit = try matcher.withTransaction { _, work throws(StoreError) -> MatchRequest? in
      var installation = try work.transaction.installation()
      guard installation.installedAt == nil else { return nil }
      installation.installedAt = work.now
      try work.transaction.save(installation)
      try trackFirstSeen(work)
      return try trackImplicit(
        .appInstall, work, ["application_installed_at": .string(work.now.description)])
    }
    if let implicit { matcher.submitRecorded([(.appInstall, implicit)]) }
  }

  /// Tracks `first_seen`, once per user.
  private func trackFirstSeen(_ work: UnitOfWork) throws(StoreError) {
    let name = BuiltInEvent.firstSeen.rawValue
    if try work.transaction.count(of: name, since: nil) == 0 { try work.track(.firstSeen) }
  }

  /// Tracks an event from which something may follow.
  private func trackImplicit(
    _ event: BuiltInEvent, _ work: UnitOfWork, _ parameters: [String: Value] = [:]
  ) throws(StoreError) -> MatchRequest {
    try work.track(.tracked(name: event.rawValue, parameters: parameters))
    // Parameters of these events are there with `$` before their names only (§6.6).
    var request = Matcher.request(event, [:])
    request.copied = parameters
    request.recordedAt = work.now
    return request
  }

  /// Replaces when the app was installed, without tracking anything.
  ///
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  package func setInstallationTime(_ instant: WallTime?) throws(StoreError) {
    try matcher.withTransaction { _, work throws(StoreError) in
      var installation = try work.transaction.installation()
      installation.installedAt = instant
      try work.transaction.save(installation)
    }
  }

  /// Notes that the app became active: `app_open`, then `session_start` when a new session begins, and
  /// `app_launch` once per launch (§8.8). A paywall may follow from the last two
  /// (``Matcher/Events/onImplicitRegistration(_:)``).
  ///
  /// - Returns: Whether a new session began: at every launch, and when the app was left for longer than
  ///   the config's timeout.
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  @discardableResult
  public func didBecomeActive() throws(StoreError) -> Bool {
    let (isNew, events) = try matcher.withTransaction { state, work throws(StoreError) in
      let timeout = state.compiled?.config.appSessionTimeoutMilliseconds ?? 3_600_000
      let isNew =
        state.closedAt.map {
          Double(work.now.milliseconds.subtractingSaturated($0.milliseconds)) > timeout
        } ?? true
      var events: [(event: BuiltInEvent, request: MatchRequest)] = []
      try work.track(.tracked(name: BuiltInEvent.appOpen.rawValue, parameters: [:]))
      if isNew {
        let sessionID = matcher.random.uuid()
        work.onCommit { $0.sessionID = sessionID }
        events.append((.sessionStart, try trackImplicit(.sessionStart, work)))
        if state.hasLaunched {
          try work.track(
            .tracked(name: BuiltInEvent.deviceAttributes.rawValue, parameters: state.ownDevice))
        }
        try matcher.trackUserAttributes(work)
      }
      if !state.hasLaunched {
        events.append((.appLaunch, try trackImplicit(.appLaunch, work)))
        work.onCommit { $0.hasLaunched = true }
      }
      try trackFirstSeen(work)
      return (isNew, events)
    }
    matcher.submitRecorded(events)
    return isNew
  }

  /// Notes that the app was left.
  ///
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  public func willResignActive() throws(StoreError) {
    try matcher.withTransaction { _, work throws(StoreError) in
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
}
