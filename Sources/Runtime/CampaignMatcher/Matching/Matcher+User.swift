public import CampaignCore
public import ExpressionEngine

/// The outcome of an `identify`.
public enum IdentifyOutcome: Sendable, Hashable {
  /// The id was empty or the same as before: nothing happened.
  case unchanged
  /// The user is now known by this id. Fetch the server's assignments and hand them to
  /// ``Matcher/Assignments/apply(_:)``; with `mustWait`, presentations wait for that.
  case identified(userID: String, afterReset: Bool, mustWait: Bool)
}

extension Matcher {
  /// The user: who they are, and the attributes that the app gave them.
  public struct User: Sendable {
    let matcher: Matcher
  }

  /// The user: who they are, and the attributes that the app gave them.
  public var user: User { User(matcher: self) }
}

extension Matcher.User {
  /// The identity of the current user.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  public func identity() throws(StoreError) -> UserIdentity {
    let identity = try matcher.store.read { transaction throws(StoreError) in
      try transaction.identity()
    }
    guard let identity else {
      throw StoreError(operation: "read identity", reason: "the store has none")
    }
    return identity
  }

  /// Tells who the user is (docs/spec/campaigns.md §4.6). White space around the id is removed; an
  /// empty id and the current one are ignored; another id than the current one resets first.
  ///
  /// - Parameters:
  ///   - userID: The id.
  ///   - restorePaywallAssignments: Whether presentations wait for the server's assignments.
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  @discardableResult
  public func identify(
    _ userID: String, restorePaywallAssignments: Bool = false
  ) throws(StoreError) -> IdentifyOutcome {
    let id = trimmed(userID)
    guard !id.isEmpty else { return .unchanged }
    return try matcher.withTransaction { state, work throws(StoreError) in
      guard var identity = try work.transaction.identity(), identity.userID != id else {
        return .unchanged
      }
      let needsReset = identity.userID != nil
      if needsReset {
        identity = try matcher.forgetUser(state, work)
      }
      identity.userID = id
      if let compiled = state.compiled {
        if compiled.config.isEnabled(ToggleName.userIDSeed) {
          identity.seed = matcher.options.userSeed.seed(of: id)
        }
      } else {
        // The config that comes decides about the seed.
        work.onCommit { $0.unseededUserID = id }
      }
      try work.transaction.save(identity)
      // Attributes that the app has set in place of the identity's own give way to the new
      // identity.
      for name in UserIdentity.replaceableAttributes {
        try work.transaction.setUserAttribute(name, to: nil)
      }
      try matcher.rebucket(state, work)
      try matcher.trackUserAttributes(work)
      try work.track(.identityAlias)
      if restorePaywallAssignments { work.onCommit { $0.isIdentityReady = false } }
      return .identified(
        userID: id, afterReset: needsReset, mustWait: restorePaywallAssignments)
    }
  }

  /// Forgets the user: new alias and seed, no attributes, assignments chosen anew, no history but
  /// `app_install` and `app_launch`. What belongs to the app stays.
  ///
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  public func reset() throws(StoreError) {
    try matcher.withTransaction { state, work throws(StoreError) in
      _ = try matcher.forgetUser(state, work)
    }
    matcher.identityBecomesReady()
  }

  /// The attributes that the app gave the user.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  public func attributes() throws(StoreError) -> [String: Value] {
    try matcher.store.read { transaction throws(StoreError) in try transaction.userAttributes() }
  }

  /// Merges attributes into those of the user; null removes one (§6.7).
  ///
  /// The attributes that the matcher owns (`aliasId`, `appUserId`, `seed`, `isLoggedIn`,
  /// `applicationInstalledAt`) may be given but are never seen by a filter.
  ///
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  public func setAttributes(_ attributes: [String: Value]) throws(StoreError) {
    let changes = matcher.sanitizer.userAttributeChanges(attributes)
    try matcher.withTransaction { _, work throws(StoreError) in
      for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
        try work.transaction.setUserAttribute(name, to: value)
      }
      try matcher.trackUserAttributes(work)
    }
  }

  /// Whether presentations can go ahead; `false` between an identify that restores assignments and the
  /// server's answer.
  public var isReady: Bool { matcher.state.withLock { $0.isIdentityReady } }

  /// White space and newlines around a text do not belong to an id.
  private func trimmed(_ text: String) -> String {
    let body = text.drop(while: \.isWhitespace)
    guard let last = body.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(body[...last])
  }
}
