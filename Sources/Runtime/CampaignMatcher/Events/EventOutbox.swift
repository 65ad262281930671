import CampaignCore
import ExpressionEngine

/// Delivers events in the order in which they were committed, outside of every lock, so that a
/// receiver may call the matcher.
final class EventOutbox: Sendable {
  private struct State {
    var queue: [TrackedEvent] = []
    var isDelivering = false
    var handler: (@Sendable (TrackedEvent) -> Void)?
    var streams: [UInt64: AsyncStream<TrackedEvent>.Continuation] = [:]
    var nextStream: UInt64 = 0
  }

  private let state = Locked(State())

  func setHandler(_ handler: (@Sendable (TrackedEvent) -> Void)?) {
    state.withLock { $0.handler = handler }
  }

  func stream(bufferingPolicy: AsyncStream<TrackedEvent>.Continuation.BufferingPolicy)
    -> AsyncStream<TrackedEvent>
  {
    let (stream, continuation) = AsyncStream.makeStream(
      of: TrackedEvent.self, bufferingPolicy: bufferingPolicy)
    let id = state.withLock { state in
      state.nextStream += 1
      state.streams[state.nextStream] = continuation
      return state.nextStream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.streams[id] = nil }
    }
    return stream
  }

  /// Whether anybody listens; if not, events need not be made.
  var hasReceivers: Bool {
    state.withLock { $0.handler != nil || !$0.streams.isEmpty }
  }

  /// Puts events in line. Call it while the order is still guarded by a lock.
  func enqueue(_ events: [TrackedEvent]) {
    guard !events.isEmpty else { return }
    state.withLock { $0.queue += events }
  }

  /// Delivers the queued events unless another thread is doing so. Call it outside of all locks.
  func deliver() {
    while true {
      let work = state.withLock {
        state -> (
          events: [TrackedEvent], handler: (@Sendable (TrackedEvent) -> Void)?,
          streams: [AsyncStream<TrackedEvent>.Continuation]
        )? in
        guard !state.isDelivering, !state.queue.isEmpty else { return nil }
        state.isDelivering = true
        let events = state.queue
        state.queue = []
        return (events, state.handler, Array(state.streams.values))
      }
      guard let work else { return }
      for event in work.events {
        work.handler?(event)
        for stream in work.streams { stream.yield(event) }
      }
      state.withLock { $0.isDelivering = false }
    }
  }

  func finish() {
    let streams = state.withLock { Array($0.streams.values) }
    for stream in streams { stream.finish() }
  }
}
