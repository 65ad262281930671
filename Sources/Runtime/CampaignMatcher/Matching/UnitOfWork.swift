import CampaignCore
import ExpressionEngine

/// One unit of work of the matcher: a transaction of the store, the clock reading it happens at, and
/// what follows in memory and outside once it is durable.
final class UnitOfWork {
  let transaction: any MatcherTransaction
  let now: WallTime
  private let sessionID: String
  private let unmatchedKeys: MatchingOptions.UnmatchedKeys
  private let wantsEvents: Bool
  private(set) var recorded = 0
  private(set) var events: [TrackedEvent] = []
  private var commitActions: [(inout MatcherState) -> Void] = []

  init(
    transaction: any MatcherTransaction, now: WallTime, sessionID: String,
    unmatchedKeys: MatchingOptions.UnmatchedKeys, wantsEvents: Bool
  ) {
    self.transaction = transaction
    self.now = now
    self.sessionID = sessionID
    self.unmatchedKeys = unmatchedKeys
    self.wantsEvents = wantsEvents
  }

  /// Writes an event into the history.
  func record(_ name: String) throws(StoreError) {
    try transaction.record(name, at: now)
    recorded += 1
  }

  /// Writes an event into the history and puts it in line for the receivers.
  func track(_ event: MatchEvent) throws(StoreError) {
    try record(event.name)
    announce(event)
  }

  /// Puts an event in line for the receivers.
  func announce(_ event: MatchEvent) {
    guard wantsEvents else { return }
    events.append(
      TrackedEvent(event, at: now, sessionID: sessionID, unmatchedKeys: unmatchedKeys))
  }

  /// Changes the matcher's memory once the transaction is durable.
  func onCommit(_ action: @escaping (inout MatcherState) -> Void) {
    commitActions.append(action)
  }

  func finish(_ state: inout MatcherState) {
    for action in commitActions { action(&state) }
    commitActions = []
    state.recordsSinceCompaction += recorded
  }
}

extension TrackedEvent {
  /// Adds the parameters that all events have.
  init(
    _ event: MatchEvent, at instant: WallTime, sessionID: String,
    unmatchedKeys: MatchingOptions.UnmatchedKeys
  ) {
    let isWarning = if case .warning = event { true } else { false }
    var parameters = event.parameters(unmatchedKeys: unmatchedKeys)
    parameters["is_superwall"] = .bool(!isWarning)
    parameters["app_session_id"] = .string(sessionID)
    self.init(event: event, instant: instant, name: event.name, parameters: parameters)
  }
}

extension Matcher {
  /// Delivers a warning, outside of every transaction and of the history.
  func warn(_ warning: MatchWarning) {
    guard outbox.hasReceivers else { return }
    state.withLock { state in
      let event = TrackedEvent(
        .warning(warning), at: clock.now(), sessionID: state.sessionID,
        unmatchedKeys: options.unmatchedKeys)
      outbox.enqueue([event])
    }
    outbox.deliver()
  }

  /// Runs one unit of work: transaction, then memory, then events.
  ///
  /// - Parameter delivers: Whether the events are delivered at once. Who holds a lock of its own says
  ///   `false`, and calls ``deliverEvents()`` after letting go of it.
  func withTransaction<Result: Sendable>(
    delivers: Bool = true,
    _ body: (inout MatcherState, UnitOfWork) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let result = try state.withLock { state throws(StoreError) -> Result in
      var work: UnitOfWork?
      let wantsEvents = outbox.hasReceivers
      let result = try store.write { transaction throws(StoreError) -> Result in
        let unit = UnitOfWork(
          transaction: transaction, now: clock.now(), sessionID: state.sessionID,
          unmatchedKeys: options.unmatchedKeys, wantsEvents: wantsEvents)
        work = unit
        let result = try body(&state, unit)
        // Folding away old events belongs to the same transaction, so that it needs no other.
        if state.recordsSinceCompaction + unit.recorded >= retention.interval {
          try transaction.compact(before: retention.horizon(at: unit.now))
          unit.onCommit { $0.recordsSinceCompaction = -unit.recorded }
        }
        return result
      }
      if let work {
        work.finish(&state)
        outbox.enqueue(work.events)
      }
      return result
    }
    if delivers { outbox.deliver() }
    changes.notify()
    return result
  }

  /// Tracks events on their own.
  func track(_ events: [MatchEvent]) throws(StoreError) {
    try withTransaction { _, work throws(StoreError) in
      for event in events { try work.track(event) }
    }
  }

  /// Delivers events that were put in line by somebody else.
  func deliverEvents() { outbox.deliver() }
}
