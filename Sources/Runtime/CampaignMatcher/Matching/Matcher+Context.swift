public import CampaignCore
public import ExpressionEngine

extension Matcher {
  /// Returns everything that a decision depends on at an instant.
  func situation(
    _ state: inout MatcherState, _ transaction: any MatcherTransaction, at now: WallTime
  ) throws(StoreError) -> MatchSituation {
    var situation = MatchSituation(
      now: now, zone: zone, attributes: try attributes(&state, transaction), history: transaction,
      occurrences: transaction,
      assignments: state.unconfirmed.isEmpty
        ? transaction : PendingAssignments(stored: transaction, pending: state.unconfirmed))
    situation.sessionID = state.sessionID
    situation.isPaywallOnScreen = state.onScreen != nil
    situation.heldOccurrences = state.reserved
    return situation
  }

  /// The attributes of the user and the device, which are kept until something they were made from
  /// changes.
  private func attributes(
    _ state: inout MatcherState, _ transaction: any MatcherTransaction
  ) throws(StoreError) -> BaseAttributes {
    let revision = try transaction.revision()
    if let base = state.base, base.revision == revision, base.generation == state.generation {
      return base.attributes
    }
    guard let identity = try transaction.identity() else {
      throw StoreError(operation: "read identity", reason: "the store has none")
    }
    let attributes = BaseAttributes(
      user: try transaction.userAttributes(), device: state.ownDevice, enrichment: state.enrichment,
      identity: identity, installation: try transaction.installation(), roots: state.roots,
      options: options)
    state.base = MatcherState.Base(
      revision: revision, generation: state.generation, attributes: attributes)
    return attributes
  }

  /// Calls a function with the config in force and what a decision depends on now. It reads only.
  func look<Result: Sendable>(
    _ body: (CompiledCampaigns?, MatchSituation) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try state.withLock { state throws(StoreError) in
      let compiled = state.compiled
      return try store.read { transaction throws(StoreError) in
        try body(compiled, try situation(&state, transaction, at: clock.now()))
      }
    }
  }

  /// Calls a function with the config in force, or an empty one, and what a decision depends on now.
  private func lookWithConfig<Result: Sendable>(
    _ body: (CompiledCampaigns, MatchSituation) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try look { campaigns, situation throws(StoreError) in
      try body(campaigns ?? compile(CampaignConfig(buildID: ""), []), situation)
    }
  }

  /// Sets the variables that filters see beside `user`, `device` and `params`, such as `callbacks`.
  package func setRoots(_ roots: [String: Value]) {
    let sanitized = sanitizer.contextValues(roots)
    state.withLock { state in
      guard state.roots != sanitized else { return }
      state.roots = sanitized
      state.generation += 1
    }
    changes.notify()
  }

  /// Evaluates an expression as a filter of a placement would be evaluated now, without any effect.
  ///
  /// - Parameters:
  ///   - expression: The text of a filter.
  ///   - request: The placement and its parameters.
  /// - Throws: `StoreError` when the store cannot be read.
  public func evaluate(
    _ expression: String, for request: MatchRequest
  ) throws(StoreError) -> FilterAnswer {
    try lookWithConfig { campaigns, situation throws(StoreError) in
      try campaigns.evaluate(expression, for: request, in: situation)
    }
  }

  /// The context that a filter would see now, without a placement.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  public func contextSnapshot() throws(StoreError) -> [String: Value] {
    try lookWithConfig { campaigns, situation throws(StoreError) in
      try campaigns.contextSnapshot(in: situation)
    }
  }

  /// Returns the results of all audiences, each by itself, if the placement were registered now.
  /// The first that matches is the one that a registration finds. Nothing is recorded.
  ///
  /// - Parameters:
  ///   - request: The placement and its circumstances.
  ///   - historyAnswers: Values that history functions return instead, by call
  ///     (`daysSince(app_open)`), else by function (`daysSince`).
  /// - Returns: The answers in the order of the audiences; `nil` when no campaign has the placement.
  /// - Throws: `StoreError` when the store cannot be read.
  public func audienceAnswers(
    for request: MatchRequest, historyAnswers: [String: Value] = [:]
  ) throws(StoreError) -> [AudienceAnswer]? {
    try look { campaigns, situation throws(StoreError) in
      var situation = situation
      situation.historySubstitutes = historyAnswers
      return try campaigns?.answers(to: request, in: situation)
    }
  }
}

/// The stored assignments and those that are not yet confirmed (§4.2).
private struct PendingAssignments: AssignmentLookup {
  let stored: any AssignmentLookup
  let pending: [ExactName: VariantAssignment]

  func assignment(of experimentID: String) throws(StoreError) -> VariantAssignment? {
    try stored.assignment(of: experimentID) ?? pending[ExactName(experimentID)]
  }
}
