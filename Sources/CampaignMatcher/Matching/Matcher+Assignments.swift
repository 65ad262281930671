public import CampaignCore

extension Matcher {
  /// Chooses a variant for a user without an assignment (§4.1).
  private func choose(_ audience: Audience, identity: Identity) -> Variant? {
    switch options.variantChoice {
    case .random: return VariantChooser(random: random).choose(from: audience.variants)
    case .deterministic(let unit):
      let unitID =
        switch unit {
        case .userOrAlias: identity.userID ?? identity.aliasID
        case .alias: identity.aliasID
        }
      return DeterministicBucketing.choose(
        from: audience.variants, unitID: unitID, experimentID: audience.experimentID)
    }
  }

  /// Chooses what is missing after a new config (§4.4): keeps assignments whose variant still exists,
  /// replaces the others, leaves those of vanished experiments alone.
  func chooseAssignments(
    for compiled: CompiledCampaigns, state: MatcherState, work: UnitOfWork
  ) throws(StoreError) {
    guard let identity = try work.transaction.identity() else { return }
    let stored = try work.transaction.assignments()
    let byExperiment = Dictionary(
      stored.map { (ExactName($0.experimentID), $0) }, uniquingKeysWith: { first, _ in first })
    var unconfirmed: [ExactName: Assignment] = [:]
    for audience in compiled.assignableAudiences(
      representativeOnly: options.assignsOnlyRepresentativeTriggers)
    {
      let audience = audience.audience
      let id = audience.experimentID
      if let old = byExperiment[ExactName(id)] {
        if audience.variants.contains(where: { $0.id.isExactly(old.variant.id) }) { continue }
        try work.transaction.removeAssignment(of: id)
      }
      guard let variant = choose(audience, identity: identity) else { continue }
      let assignment = Assignment(experimentID: id, variant: variant, isSent: false)
      switch options.assignmentPersistence {
      case .immediate: try work.transaction.save(assignment)
      case .onConfirmation: unconfirmed[ExactName(id)] = assignment
      }
    }
    work.onCommit { $0.unconfirmed = unconfirmed }
  }

  /// Chooses anew, by the hash of an identified user, what the server does not know yet, so that the
  /// user has the same variants on every device.
  func rebucket(
    _ identity: Identity, _ state: MatcherState, _ work: UnitOfWork
  ) throws(StoreError) {
    guard options.variantChoice == .deterministic(.userOrAlias), let compiled = state.compiled
    else { return }
    for assignment in try work.transaction.assignments() where !assignment.isSent {
      try work.transaction.removeAssignment(of: assignment.experimentID)
    }
    try chooseAssignments(for: compiled, state: state, work: work)
  }

  /// All assignments, by experiment id: those stored, and those that wait to be confirmed.
  ///
  /// - Throws: ``StoreError`` when the store cannot be read.
  public func assignments() throws(StoreError) -> [Assignment] {
    try state.withLock { state throws(StoreError) in
      let waiting = state.unconfirmed
      return try store.read { transaction throws(StoreError) in
        let stored = try transaction.assignments()
        let known = Set(stored.map { ExactName($0.experimentID) })
        return (stored + waiting.values.filter { !known.contains(ExactName($0.experimentID)) })
          .sorted { $0.experimentID.utf8.lexicographicallyPrecedes($1.experimentID.utf8) }
      }
    }
  }

  /// Confirms the assignment of every audience that matches now without parameters (§2.9).
  ///
  /// - Returns: the whole set of assignments, and those that the server should hear about.
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func confirmAllAssignments() throws(StoreError) -> (
    assignments: [Assignment], confirmations: [ServerAssignment]
  ) {
    let confirmations = try withTransaction { state, work throws(StoreError) in
      try work.track(.confirmAllAssignments)
      guard let compiled = state.compiled else { return [ServerAssignment]() }
      var confirmations: [ServerAssignment] = []
      for trigger in compiled.campaignTriggers() {
        let request = MatchRequest(trigger.trigger.placement, kind: .confirmAllAssignments)
        let done = try perform(request, &state, work)
        if let confirmation = done.confirmation, !confirmations.contains(confirmation) {
          confirmations.append(confirmation)
        }
      }
      return confirmations
    }
    return (try assignments(), confirmations)
  }

  /// Confirms an assignment that was reached (§4.2): it becomes durable where it is not yet, and the
  /// server should hear about it once.
  func confirm(
    _ assignment: Assignment, _ work: UnitOfWork
  ) throws(StoreError) -> ServerAssignment {
    let id = assignment.experimentID
    if options.assignmentPersistence == .onConfirmation {
      var confirmed = assignment
      confirmed.isSent = true
      try work.transaction.save(confirmed)
      work.onCommit { $0.unconfirmed[ExactName(id)] = nil }
    }
    return ServerAssignment(experimentID: id, variantID: assignment.variant.id)
  }

  /// Notes that the server knows the assignments of experiments.
  ///
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func markSent(experimentIDs: [String]) throws(StoreError) {
    try withTransaction { _, work throws(StoreError) in
      for id in experimentIDs {
        guard var assignment = try work.transaction.assignment(of: id), !assignment.isSent else {
          continue
        }
        assignment.isSent = true
        try work.transaction.save(assignment)
      }
    }
  }

  /// Takes over what the server says (§4.6). Unknown experiments and variants are ignored; the others
  /// replace what was chosen here and count as sent. The identity is ready afterwards.
  ///
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func applyServerAssignments(_ pairs: [ServerAssignment]) throws(StoreError) {
    try withTransaction { state, work throws(StoreError) in
      // Of two triggers with one placement only the one in force counts (§1.7).
      let triggers =
        state.compiled?.campaignTriggers().map(\.trigger) ?? []
      for pair in pairs {
        // The variant may stand in any audience of a trigger that has the experiment.
        let trigger = triggers.first { trigger in
          trigger.audiences.contains { $0.experimentID.isExactly(pair.experimentID) }
        }
        let variant = trigger?.audiences.flatMap(\.variants).first {
          $0.id.isExactly(pair.variantID)
        }
        guard let variant else { continue }
        try work.transaction.save(
          Assignment(experimentID: pair.experimentID, variant: variant, isSent: true))
        work.onCommit { $0.unconfirmed[ExactName(pair.experimentID)] = nil }
      }
    }
    identityBecomesReady()
  }
}
