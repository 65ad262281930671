public import CampaignCore
import ExpressionEngine

/// Tells those who wait that something has changed which decisions may depend on.
final class ChangeSignal: Sendable {
  private struct State {
    var waiters: [UInt64: AsyncStream<Void>.Continuation] = [:]
    var last: UInt64 = 0
  }

  private let state = Locked(State())

  /// Returns a stream with an element at once, and one after any number of changes.
  func stream() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield()
    let id = state.withLock { state in
      state.last += 1
      state.waiters[state.last] = continuation
      return state.last
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.waiters[id] = nil }
    }
    return stream
  }

  func notify() {
    let waiters = state.withLock { $0.waiters.isEmpty ? [] : Array($0.waiters.values) }
    for waiter in waiters { waiter.yield() }
  }

  func finish() {
    let waiters = state.withLock { Array($0.waiters.values) }
    for waiter in waiters { waiter.finish() }
  }
}

extension Matcher {
  /// Returns a stream of the result that a placement would have: the present one at once, and each
  /// other one after a change of config, attributes, status, assignments or history.
  ///
  /// Nothing is recorded, counted or confirmed. The stream does not watch the clock: a result that
  /// only the passing of time changes comes with the next change of another kind.
  ///
  /// ```swift
  /// for await result in matcher.results(of: MatchRequest("open_forecast")) {
  ///   print("a paywall would show:", result.experiment != nil)
  /// }
  /// ```
  public func results(of request: MatchRequest) -> AsyncStream<PlacementResult> {
    let changes = changes.stream()
    return AsyncStream { continuation in
      let task = Task { [weak self] in
        var last: PlacementResult?
        for await _ in changes {
          guard let self else { break }
          // A store that fails now may work after the next change.
          guard let result = try? self.result(of: request.asPreview), result != last else {
            continue
          }
          last = result
          continuation.yield(result)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func result(of request: MatchRequest) throws(StoreError) -> PlacementResult {
    try look { campaigns, situation throws(StoreError) in
      try decide(request, campaigns, situation).result
    }
  }
}
