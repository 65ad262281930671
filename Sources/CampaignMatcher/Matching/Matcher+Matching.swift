import AudienceFilters
import ExpressionEngine

extension Matcher {
  /// What matching a request found, before any effect.
  struct Outcome {
    var result: TriggerResult
    /// The assignment behind a holdout or a paywall.
    var assignment: Assignment?
    /// The unit to count.
    var limitKey: String?
    var reports: [AudienceReport] = []
    var context: Context?
  }

  /// Matches a request without any effect (docs/spec/campaigns.md §2.1, steps 6 to 10).
  func match(
    _ request: MatchRequest, _ state: inout MatcherState, _ transaction: any StoreTransaction,
    at now: Instant
  ) throws(StoreError) -> Outcome {
    guard let compiled = state.compiled else { return Outcome(result: .error(.noConfig)) }
    guard let trigger = compiled.triggers[ExactName(request.placement)] else {
      return Outcome(result: .placementNotFound)
    }
    var walk = try walk(for: request, in: trigger, &state, transaction, at: now)
    let match = try walk.firstMatch(in: trigger.audiences)
    var outcome = Outcome(
      result: .noAudienceMatch(walk.unmatched), reports: walk.reports, context: walk.context)
    guard let match else { return outcome }
    guard
      let assignment = try assignment(
        of: match.audience.experimentID, state: state, transaction: transaction)
    else {
      outcome.result = .error(.noAssignment)
      return outcome
    }
    var variant = assignment.variant
    if options.resolvesVariantFromConfig,
      var current = match.audience.variants.first(where: { $0.id.isExactly(variant.id) })
    {
      current.percentage = 0
      variant = current
    }
    let experiment = Experiment(
      id: match.audience.experimentID, campaignID: match.audience.campaignID, variant: variant)
    outcome.assignment = assignment
    outcome.limitKey = match.limitKey
    outcome.result = variant.kind == .holdout ? .holdout(experiment) : .paywall(experiment)
    return outcome
  }

  /// The stored assignment of an experiment, or the one that waits to be confirmed.
  func assignment(
    of experimentID: String, state: MatcherState, transaction: any StoreTransaction
  ) throws(StoreError) -> Assignment? {
    if let stored = try transaction.assignment(of: experimentID) { return stored }
    return state.unconfirmed[ExactName(experimentID)]
  }

  /// Confirms an assignment that was reached (§4.2): it becomes durable where it is not yet, and the
  /// server should hear about it once.
  func confirm(_ outcome: Outcome, _ work: MatcherWork) throws(StoreError) -> ServerAssignment? {
    guard let assignment = outcome.assignment, !assignment.isSent else { return nil }
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
