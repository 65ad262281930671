import CampaignCore
import ExpressionEngine

extension Matcher {
  func forgetUser(
    _ state: MatcherState, _ work: UnitOfWork
  ) throws(StoreError) -> UserIdentity {
    let transaction = work.transaction
    let identity = UserIdentity(random: random)
    try transaction.save(identity)
    try transaction.removeUserAttributes()
    try transaction.removeOccurrences()
    let kept: Set<String> =
      options.resetKeepsInstallEvents
      ? [BuiltInEvent.appInstall.rawValue, BuiltInEvent.appLaunch.rawValue] : []
    try transaction.removeEvents(keeping: kept)
    // Waiting requests will be matched for the next user, whose counts include them (§2.1 step 3).
    for waiting in state.line.requests {
      guard let instant = waiting.request.recordedAt, !kept.contains(waiting.request.placement)
      else { continue }
      try transaction.record(waiting.request.placement, at: instant)
    }
    try transaction.removeAssignments()
    if let compiled = state.compiled {
      try chooseAssignments(for: compiled, work: work)
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
}
