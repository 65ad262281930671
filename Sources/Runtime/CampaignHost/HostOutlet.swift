import CampaignCore
package import CampaignMatcher
import ExpressionEngine
package import PaywallLogic

/// Passes the events of a host to its delegate and streams. The matcher sends events from any
/// thread.
package final class HostOutlet: Sendable {
  /// A line of the timeline.
  package enum Entry: Sendable {
    case decision(MatchOutcome)
    case effect(PaywallEffect)
    case event(AnalyticsEvent)
  }

  private struct State {
    var events: [UInt64: AsyncStream<AnalyticsEvent>.Continuation] = [:]
    var customerInfos: [UInt64: AsyncStream<CustomerRecord>.Continuation] = [:]
    var next: UInt64 = 0
    var observer: (@Sendable (Entry) -> Void)?
  }

  private let delegate: (any PaywallDelegate)?
  let callbacks: CallbackQueue
  private let state = Locked(State())

  init(delegate: (any PaywallDelegate)?, callbacks: CallbackExecutor) {
    self.delegate = delegate
    self.callbacks = CallbackQueue(callbacks)
  }

  /// Sets who sees all effects and events, in order.
  package func observe(_ observer: (@Sendable (Entry) -> Void)?) {
    state.withLock { $0.observer = observer }
  }

  func note(_ entry: Entry) { state.withLock { $0.observer }?(entry) }

  /// Announces an event.
  func announce(_ event: AnalyticsEvent) {
    note(.event(event))
    call { $0.handleEvent(event) }
    for stream in state.withLock({ Array($0.events.values) }) { stream.yield(event) }
  }

  func announce(_ info: CustomerRecord) {
    for stream in state.withLock({ Array($0.customerInfos.values) }) { stream.yield(info) }
  }

  /// Calls a method of the delegate.
  func perform(_ effect: PaywallEffect) { call { $0.perform(effect) } }

  func log(_ error: some CustomStringConvertible) {
    let message = error.description
    call { $0.handleLog(level: .error, scope: .coreData, message: message) }
  }

  private func call(_ body: @escaping @Sendable (any PaywallDelegate) -> Void) {
    guard let delegate else { return }
    callbacks.post { body(delegate) }
  }

  func events() -> AsyncStream<AnalyticsEvent> { stream(\.events) }

  func customerInfos() -> AsyncStream<CustomerRecord> { stream(\.customerInfos) }

  private func stream<Element>(
    _ streams: any WritableKeyPath<State, [UInt64: AsyncStream<Element>.Continuation]> & Sendable
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
    let id = state.withLock { state in
      state.next += 1
      state[keyPath: streams][state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0[keyPath: streams][id] = nil }
    }
    return stream
  }

  /// Ends all streams.
  func finish() {
    let state = state.withLock { $0 }
    for stream in state.events.values { stream.finish() }
    for stream in state.customerInfos.values { stream.finish() }
  }
}
