import CampaignCore

extension Matcher {
  /// Chooses a variant for a user without an assignment (§4.1).
  private func choose(_ audience: Audience, identity: UserIdentity) -> Variant? {
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
    for compiled: CompiledCampaigns, work: UnitOfWork
  ) throws(StoreError) {
    guard let identity = try work.transaction.identity() else { return }
    let stored = try work.transaction.assignments()
    let byExperiment = Dictionary(
      stored.map { (ExactName($0.experimentID), $0) }, uniquingKeysWith: { first, _ in first })
    var unconfirmed: [ExactName: VariantAssignment] = [:]
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
      let assignment = VariantAssignment(experimentID: id, variant: variant, isSent: false)
      switch options.assignmentPersistence {
      case .immediate: try work.transaction.save(assignment)
      case .onConfirmation: unconfirmed[ExactName(id)] = assignment
      }
    }
    work.onCommit { $0.unconfirmed = unconfirmed }
  }

  /// Chooses anew, by the hash of an identified user, what the server does not know yet, so that the
  /// user has the same variants on every device.
  func rebucket(_ state: MatcherState, _ work: UnitOfWork) throws(StoreError) {
    guard options.variantChoice == .deterministic(.userOrAlias), let compiled = state.compiled
    else { return }
    for assignment in try work.transaction.assignments() where !assignment.isSent {
      try work.transaction.removeAssignment(of: assignment.experimentID)
    }
    try chooseAssignments(for: compiled, work: work)
  }

  /// Confirms an assignment that was reached (§4.2): it becomes durable where it is not yet, and the
  /// server should hear about it once.
  func confirm(
    _ assignment: VariantAssignment, _ work: UnitOfWork
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
}
