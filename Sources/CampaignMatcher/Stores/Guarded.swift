import Synchronization

/// State that is only reachable while its lock is held.
///
/// `Mutex` alone would do, but its closure receives the state as `inout sending`, which must not be
/// captured by the nested closures of a store transaction.
///
/// `@unchecked Sendable` is sound because `state` is private and ``withLock(_:)`` is its only user.
final class Guarded<State>: @unchecked Sendable {
  private let mutex = Mutex<Void>(())
  private var state: State

  init(_ state: sending State) {
    self.state = state
  }

  func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try mutex.withLock { _ throws(Failure) in
      // The result was made under the lock; whoever made it answers for what it still refers to.
      nonisolated(unsafe) let result = try body(&state)
      return result
    }
  }
}
