#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// State that is only reachable while its lock is held.
///
/// It stands in place of `Synchronization.Mutex` for two reasons: the closure of that one receives
/// the state as `inout sending`, which the nested closures of a store transaction must not capture;
/// and on Linux the thread sanitizer cannot see its futex, so that every correct use is reported as a
/// race, whereas it knows POSIX mutexes.
///
/// `@unchecked Sendable` is sound because `state` is private and ``withLock(_:)`` is its only user.
package final class Locked<State>: @unchecked Sendable {
  /// On the heap, because a POSIX mutex must not move.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var state: State

  package init(_ state: sending State) {
    self.state = state
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  /// - Returns: what `body` answers; `Sendable`, so that no reference within the state leaves the lock.
  package func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
