import ExpressionEngine
import Foundation

/// Work on threads of its own.
///
/// What blocks, on a lock or on a process, must not do so on the threads that run tasks: there are
/// as few of them as processors, and every other test of the run waits for one.
public enum OwnThreads {
  /// Runs a body on several threads at once and returns the result of each, in order.
  ///
  /// Issues cannot be recorded in the body, because no test is current there; return what is to
  /// be checked.
  public static func run<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Result
  ) async throws -> [Result] {
    let outcomes = Shared<[Int: Swift.Result<Result, any Error>]>([:])
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      for index in 0..<count {
        let thread = Thread {
          let outcome = Swift.Result { try body(index) }
          let isLast = outcomes.value.withLock { outcomes in
            outcomes[index] = outcome
            return outcomes.count == count
          }
          if isLast { continuation.resume() }
        }
        thread.stackSize = 8 << 20
        thread.start()
      }
    }
    let done = outcomes.value.withLock { $0 }
    return try (0..<count).compactMap { try done[$0]?.get() }
  }

  /// Runs a body on a thread of its own.
  public static func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result? {
    try await run(1) { _ in try body() }.first
  }

  /// Whether a body on a thread of its own ends within a time. If not, the thread is left behind.
  public static func ends(
    within limit: Duration, _ body: @escaping @Sendable () -> Void
  ) async -> Bool {
    let hasEnded = Shared(false)
    let thread = Thread {
      body()
      hasEnded.value.withLock { $0 = true }
    }
    thread.start()
    let deadline = ContinuousClock.now + limit
    while !hasEnded.value.withLock({ $0 }), ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(5))
    }
    return hasEnded.value.withLock { $0 }
  }

  /// A value that threads share.
  private final class Shared<Value: Sendable>: Sendable {
    let value: Locked<Value>

    init(_ value: Value) { self.value = Locked(value) }
  }
}
