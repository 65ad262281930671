#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// State that is only reachable while its lock is held.
///
/// It replaces `Synchronization.Mutex` for three reasons: that one needs iOS 18; its
/// closure receives the state as `inout sending`, which the nested closures of a store transaction
/// must not capture; and on Linux the thread sanitizer cannot see its futex, so that it reports
/// every correct use as a race, whereas it knows POSIX mutexes.
///
/// `@unchecked Sendable` is sound because `state` is private and ``withLock(_:)`` is its only user.
package final class Locked<State>: @unchecked Sendable {
  private let lock = SystemLock()
  // The lock keeps threads apart, and ``withLock(_:)`` must not be nested.
  @exclusivity(unchecked) private var state: State

  package init(_ state: sending State) { self.state = state }

  deinit { lock.destroy() }

  /// Calls `body` while no other thread has the state. `body` must not lock the same state again.
  ///
  /// - Returns: The result of `body`; `Sendable`, so that no reference within the state leaves the
  ///   lock.
  package func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }
}

/// The lock of the system, on the heap because it must not move.
private struct SystemLock {
  #if canImport(Darwin)
    private let address: UnsafeMutablePointer<os_unfair_lock_s>

    init() {
      address = .allocate(capacity: 1)
      address.initialize(to: os_unfair_lock_s())
    }

    @inline(__always) func lock() { os_unfair_lock_lock(address) }
    @inline(__always) func unlock() { os_unfair_lock_unlock(address) }
    func destroy() { address.deallocate() }
  #elseif hasFeature(Embedded)
    // WebAssembly, where there is one thread.
    func lock() {}
    func unlock() {}
    func destroy() {}
  #else
    private let address: UnsafeMutablePointer<pthread_mutex_t>

    init() {
      address = .allocate(capacity: 1)
      address.initialize(to: pthread_mutex_t())
      pthread_mutex_init(address, nil)
    }

    @inline(__always) func lock() { pthread_mutex_lock(address) }
    @inline(__always) func unlock() { pthread_mutex_unlock(address) }

    func destroy() {
      pthread_mutex_destroy(address)
      address.deallocate()
    }
  #endif
}
