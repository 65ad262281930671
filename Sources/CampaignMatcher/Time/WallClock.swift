#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Tells the matcher what time it is. The matcher reads it once per registration.
public protocol WallClock: Sendable {
  /// The current instant.
  func now() -> Instant
}

/// The clock of the operating system.
public struct SystemClock: WallClock {
  /// Creates the clock.
  public init() {}

  /// The current instant, cut to milliseconds.
  public func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }
}

/// A clock that stands still until it is moved, for tests, simulations and `--now`.
public final class ManualClock: WallClock {
  private let current: Guarded<Instant>

  /// Creates a clock that shows `now`.
  public init(_ now: Instant) {
    current = Guarded(now)
  }

  /// The instant that the clock shows.
  public func now() -> Instant { current.withLock { $0 } }

  /// Moves the clock to an instant, in either direction.
  public func set(_ instant: Instant) {
    current.withLock { $0 = instant }
  }

  /// Moves the clock forward (or back, when negative) by milliseconds.
  public func advance(byMilliseconds milliseconds: Int64) {
    current.withLock { $0 = $0.advanced(byMilliseconds: milliseconds) }
  }
}
