import CampaignCore
import ExpressionEngine

/// Where a host calls handlers, features and the delegate.
///
/// Each callback begins when the one before it has returned, in the order of what happened. A call of the
/// host returns when its callbacks have returned, except with ``host``, where each runs at once.
public struct CallbackExecutor: Sendable {
  /// Runs a function somewhere else and returns when it has run; `nil` to run it at once.
  let run: (@Sendable (@escaping @Sendable () -> Void) async -> Void)?

  /// Creates an executor.
  ///
  /// - Parameter run: Runs a function, such as on an actor of the app, and returns when it has run.
  public init(_ run: @escaping @Sendable (@escaping @Sendable () -> Void) async -> Void) {
    self.run = run
  }

  private init() { run = nil }

  /// The main actor, as in the reference. A callback may touch views by `MainActor.assumeIsolated`.
  public static let mainActor = CallbackExecutor { body in await MainActor.run { body() } }
  /// The executor that the host works on, or the thread that changes the matcher.
  public static let host = CallbackExecutor()
}

/// The callbacks of a host, in order.
final class CallbackQueue: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var isRunning = false
  }

  private let executor: CallbackExecutor
  private let state = Locked(State())

  init(_ executor: CallbackExecutor) {
    self.executor = executor
  }

  /// Calls a function after those before it.
  func post(_ body: @escaping @Sendable () -> Void) {
    guard let run = executor.run else { return body() }
    let begins = state.withLock { state in
      state.waiting.append(body)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard begins else { return }
    Task {
      while let next = take() { await run(next) }
    }
  }

  /// Returns when everything that was posted has run.
  func flush() async {
    guard executor.run != nil, state.withLock({ $0.isRunning }) else { return }
    await withCheckedContinuation { continuation in post { continuation.resume() } }
  }

  private func take() -> (@Sendable () -> Void)? {
    state.withLock { state in
      if state.waiting.isEmpty {
        state.isRunning = false
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}
