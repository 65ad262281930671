public import CampaignCore
import ExpressionEngine

extension Matcher {
  /// The variants that the user got, and what the server knows of them.
  public struct Assignments: Sendable {
    let matcher: Matcher
  }

  /// The variants that the user got, and what the server knows of them.
  public var assignments: Assignments { Assignments(matcher: self) }
}

extension Matcher.Assignments {
  /// All assignments, by experiment id: those stored, and those that wait to be confirmed.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  public func all() throws(StoreError) -> [VariantAssignment] {
    try matcher.state.withLock { state throws(StoreError) in
      let waiting = state.unconfirmed
      return try matcher.store.read { transaction throws(StoreError) in
        let stored = try transaction.assignments()
        let known = Set(stored.map { ExactName($0.experimentID) })
        return (stored + waiting.values.filter { !known.contains(ExactName($0.experimentID)) })
          .sorted { $0.experimentID.utf8.lexicographicallyPrecedes($1.experimentID.utf8) }
      }
    }
  }

  /// Confirms the assignment of every audience that matches now without parameters (§2.9).
  ///
  /// - Returns: The whole set of assignments, and those that the server should hear about.
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  public func confirmAll() throws(StoreError) -> (
    assignments: [VariantAssignment], confirmations: [ServerAssignment]
  ) {
    let confirmations = try matcher.withTransaction { state, work throws(StoreError) in
      try work.track(.confirmAllAssignments)
      guard let compiled = state.compiled else { return [ServerAssignment]() }
      var confirmations: [ServerAssignment] = []
      for trigger in compiled.campaignTriggers() {
        let request = MatchRequest(trigger.trigger.placement, kind: .confirmAllAssignments)
        let done = try matcher.perform(request, &state, work)
        if let confirmation = done.confirmation, !confirmations.contains(confirmation) {
          confirmations.append(confirmation)
        }
      }
      return confirmations
    }
    return (try all(), confirmations)
  }

  /// Notes that the server knows the assignments of experiments.
  ///
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  public func markSent(experimentIDs: [String]) throws(StoreError) {
    try matcher.withTransaction { _, work throws(StoreError) in
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
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  public func apply(_ pairs: [ServerAssignment]) throws(StoreError) {
    try matcher.withTransaction { state, work throws(StoreError) in
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
          VariantAssignment(experimentID: pair.experimentID, variant: variant, isSent: true))
        work.onCommit { $0.unconfirmed[ExactName(pair.experimentID)] = nil }
      }
    }
    matcher.identityBecomesReady()
  }

  /// Ends the waiting for the server's assignments: requests go on with those that there are.
  public func giveUpWaiting() { matcher.identityBecomesReady() }
}
