public import CampaignCore
public import ExpressionEngine

/// Tells the matcher what time it is, and when a span of time has passed. The matcher reads it once per
/// registration.
public protocol WallClock: Sendable {
  /// The current instant.
  func now() -> WallTime

  /// Calls a function once, when a span of time has passed. Setting the clock neither hastens nor delays
  /// it. There is an implementation that sleeps in a task.
  func schedule(after delay: Value.Duration, _ action: @escaping @Sendable () -> Void)
}

extension WallClock {
  /// Calls a function in a task of its own, when a span of time has passed.
  public func schedule(after delay: Value.Duration, _ action: @escaping @Sendable () -> Void) {
    Task {
      // Nanoseconds in 64 bits last for five hundred years.
      let milliseconds = UInt64(min(delay.millisecondsToWait, 1_000_000_000_000))
      try? await Task.sleep(nanoseconds: milliseconds * 1_000_000)
      action()
    }
  }
}

/// The clock of the operating system.
public struct SystemClock: WallClock {
  /// Creates the clock.
  public init() {}

  /// The current instant, cut to milliseconds.
  public func now() -> WallTime { .now }
}

/// A clock that stands still until it is moved, for tests, simulations and `--now`.
public final class ManualClock: WallClock {
  private struct State {
    var now: WallTime
    var actions: [(due: WallTime, action: @Sendable () -> Void)] = []
  }

  private let state: Locked<State>

  /// Creates a clock that shows `now`.
  public init(_ now: WallTime) {
    state = Locked(State(now: now))
  }

  /// The instant that the clock shows.
  public func now() -> WallTime { state.withLock { $0.now } }

  /// Moves the clock to an instant, in either direction.
  public func set(_ instant: WallTime) {
    state.withLock { $0.now = instant }
    runDueActions()
  }

  /// Moves the clock forward (or back, when negative) by milliseconds.
  public func advance(byMilliseconds milliseconds: Int64) {
    state.withLock { $0.now = $0.now.advanced(byMilliseconds: milliseconds) }
    runDueActions()
  }

  /// Calls a function when the clock is moved to an instant that is so much later, or beyond it: on the
  /// thread that moves it, the earliest first.
  public func schedule(after delay: Value.Duration, _ action: @escaping @Sendable () -> Void) {
    state.withLock { state in
      let due = state.now.advanced(byMilliseconds: delay.millisecondsToWait)
      let index = state.actions.firstIndex { $0.due > due } ?? state.actions.endIndex
      state.actions.insert((due, action), at: index)
    }
    runDueActions()
  }

  private func runDueActions() {
    while let action = state.withLock({ state -> (@Sendable () -> Void)? in
      guard let first = state.actions.first, first.due <= state.now else { return nil }
      return state.actions.removeFirst().action
    }) {
      action()
    }
  }
}
