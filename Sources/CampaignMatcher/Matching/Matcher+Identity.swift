public import CampaignCore
public import ExpressionEngine

/// What followed from an `identify`.
public enum IdentifyOutcome: Sendable, Hashable {
  /// The id was empty or the same as before: nothing happened.
  case unchanged
  /// The user is now known by this id. Fetch the server's assignments and hand them to
  /// ``Matcher/applyServerAssignments(_:)``; with `mustWait`, presentations wait for that.
  case identified(userID: String, afterReset: Bool, mustWait: Bool)
}

extension Matcher {
  /// The identity of the current user.
  ///
  /// - Throws: ``StoreError`` when the store cannot be read.
  public func identity() throws(StoreError) -> Identity {
    let identity = try store.read { transaction throws(StoreError) in try transaction.identity() }
    guard let identity else {
      throw StoreError(operation: "read identity", reason: "the store has none")
    }
    return identity
  }

  /// Tells who the user is (docs/spec/campaigns.md §4.6). White space around the id is removed; an
  /// empty id and the current one are ignored; another id than the current one resets first.
  ///
  /// - Parameters:
  ///   - userID: the id.
  ///   - restorePaywallAssignments: whether presentations wait for the server's assignments.
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  @discardableResult
  public func identify(
    _ userID: String, restorePaywallAssignments: Bool = false
  ) throws(StoreError) -> IdentifyOutcome {
    let id = trimmed(userID)
    guard !id.isEmpty else { return .unchanged }
    return try withTransaction { state, work throws(StoreError) in
      guard var identity = try work.transaction.identity(), identity.userID != id else {
        return .unchanged
      }
      let needsReset = identity.userID != nil
      if needsReset {
        identity = try forgetUser(state, work)
      }
      identity.userID = id
      if let compiled = state.compiled {
        if compiled.config.isEnabled(ToggleName.userIDSeed) {
          identity.seed = options.userSeed.seed(of: id)
        }
      } else {
        // The config that comes decides about the seed.
        work.onCommit { $0.unseededUserID = id }
      }
      try work.transaction.save(identity)
      // What the app has set in place of the identity's own attributes gives way to the new identity.
      for name in Identity.replaceableAttributes {
        try work.transaction.setUserAttribute(name, to: nil)
      }
      try rebucket(identity, state, work)
      try trackUserAttributes(work)
      try work.track(.identityAlias)
      if restorePaywallAssignments { work.onCommit { $0.isIdentityReady = false } }
      return .identified(
        userID: id, afterReset: needsReset, mustWait: restorePaywallAssignments)
    }
  }

  /// Forgets the user: new alias and seed, no attributes, assignments chosen anew, no history but
  /// `app_install` and `app_launch`. What belongs to the app stays.
  ///
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func reset() throws(StoreError) {
    try withTransaction { state, work throws(StoreError) in
      _ = try forgetUser(state, work)
    }
    identityBecomesReady()
  }

  private func forgetUser(
    _ state: MatcherState, _ work: UnitOfWork
  ) throws(StoreError) -> Identity {
    let transaction = work.transaction
    let identity = Identity(random: random)
    try transaction.save(identity)
    try transaction.removeUserAttributes()
    try transaction.removeOccurrences()
    let kept: Set<String> =
      options.resetKeepsInstallEvents
      ? [BuiltInEvent.appInstall.rawValue, BuiltInEvent.appLaunch.rawValue] : []
    try transaction.removeEvents(keeping: kept)
    // What waits will be matched for the next user, whose counts include it (§2.1 step 3).
    for waiting in state.line.requests {
      guard let instant = waiting.request.recordedAt else { continue }
      try transaction.record(waiting.request.placement, at: instant)
    }
    try transaction.removeAssignments()
    if let compiled = state.compiled {
      try chooseAssignments(for: compiled, state: state, work: work)
    }
    work.onCommit { state in
      state.reserved = [:]
      state.resets += 1
      state.lastPresented = nil
      state.unseededUserID = nil
    }
    try work.track(.firstSeen)
    try trackUserAttributes(work)
    try work.track(.reset)
    return identity
  }

  /// Gives a user who was identified before the config the seed that the config asks for.
  func seedUser(
    _ compiled: CompiledCampaigns, _ state: MatcherState, _ work: UnitOfWork
  ) throws(StoreError) {
    guard let id = state.unseededUserID else { return }
    work.onCommit { $0.unseededUserID = nil }
    guard compiled.config.isEnabled(ToggleName.userIDSeed),
      var identity = try work.transaction.identity(), identity.userID == id
    else { return }
    identity.seed = options.userSeed.seed(of: id)
    try work.transaction.save(identity)
    try work.transaction.setUserAttribute("seed", to: nil)
    try trackUserAttributes(work)
  }

  /// Tracks the attributes of the user, as the reference does whenever it saves any of them.
  func trackUserAttributes(_ work: UnitOfWork) throws(StoreError) {
    try work.track(
      .userAttributes(
        installedAt: try work.transaction.installation().installedAt,
        attributes: try work.transaction.userAttributes()))
  }

  /// White space and newlines around a text do not belong to an id.
  private func trimmed(_ text: String) -> String {
    let body = text.drop(while: \.isWhitespace)
    guard let last = body.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(body[...last])
  }

  // MARK: Attributes

  /// The attributes that the app gave the user.
  ///
  /// - Throws: ``StoreError`` when the store cannot be read.
  public func userAttributes() throws(StoreError) -> [String: Value] {
    try store.read { transaction throws(StoreError) in try transaction.userAttributes() }
  }

  /// Merges attributes into those of the user; null removes one (§6.7).
  ///
  /// The attributes that the matcher owns (`aliasId`, `appUserId`, `seed`, `isLoggedIn`,
  /// `applicationInstalledAt`) may be given but are never seen by a filter.
  ///
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func setUserAttributes(_ attributes: [String: Value]) throws(StoreError) {
    let changes = sanitizer.userAttributeChanges(attributes)
    try withTransaction { _, work throws(StoreError) in
      for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
        try work.transaction.setUserAttribute(name, to: value)
      }
      try trackUserAttributes(work)
    }
  }
}
