public import ExpressionEngine
public import ExpressionSyntax

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Counts and times evaluations, for metrics and logs.
///
/// `Filter.matches(_:)` returns `false` for a failure, too. Evaluate through a monitor
/// where that matters:
///
///     let monitor = EvaluationMonitor { record in
///       if case .failure(let error) = record.result { logger.warning("\(error.message)") }
///     }
///     if monitor.matches(filter, context) { … }
///     monitor.totals.failures  // [.noSuchKey: 2]
///
/// Evaluations that do not go through a monitor cost nothing more. A monitored one costs two
/// readings of a clock and a lock.
public final class EvaluationMonitor: Sendable {
  /// One evaluation.
  public struct Record: Sendable {
    /// The filter.
    public let filter: Filter
    /// The value, or the reason why there is none.
    public let result: Result<Value, EvaluationError>
    /// The time of the evaluation, in nanoseconds of a monotonic clock.
    public let nanoseconds: UInt64

    /// Whether the filter is true.
    public var isMatch: Bool {
      if case .success(.bool(true)) = result { true } else { false }
    }
  }

  /// Sums over the evaluations so far.
  public struct Totals: Sendable, Hashable {
    /// The number of evaluations.
    public internal(set) var evaluations: UInt64 = 0
    /// The number of evaluations whose filter was true.
    public internal(set) var matches: UInt64 = 0
    /// The numbers of failures, by the id of the error.
    public internal(set) var failures: [DiagnosticID: UInt64] = [:]
    /// The time of all evaluations, in nanoseconds.
    public internal(set) var nanoseconds: UInt64 = 0
    /// The time of the slowest evaluation, in nanoseconds.
    public internal(set) var slowest: UInt64 = 0

    /// Creates totals of nothing.
    public init() {}
  }

  private let observer: (@Sendable (Record) -> Void)?
  private let state = Locked(Totals())

  /// Creates a monitor.
  ///
  /// - Parameter observer: Called after each evaluation, on its thread.
  public init(_ observer: (@Sendable (Record) -> Void)? = nil) {
    self.observer = observer
  }

  /// The sums over the evaluations so far.
  public var totals: Totals { state.withLock { $0 } }

  /// Returns the totals and starts again from zero, as a periodic report does.
  public func takeTotals() -> Totals {
    state.withLock { totals in
      defer { totals = Totals() }
      return totals
    }
  }

  /// Evaluates a filter; see `Filter.evaluate(_:)`.
  public func evaluate(
    _ filter: Filter, _ context: Context
  ) throws(EvaluationError) -> Value {
    let start = Self.uptime
    let result: Result<Value, EvaluationError>
    do throws(EvaluationError) {
      result = .success(try filter.evaluate(context))
    } catch {
      result = .failure(error)
    }
    let end = Self.uptime
    let record = Record(filter: filter, result: result, nanoseconds: end >= start ? end - start : 0)
    add(record)
    observer?(record)
    return try result.get()
  }

  /// Returns whether a filter is true; see `Filter.matches(_:)`.
  public func matches(_ filter: Filter, _ context: Context) -> Bool {
    do throws(EvaluationError) {
      return try evaluate(filter, context) == .bool(true)
    } catch {
      return false
    }
  }

  /// The nanoseconds of a clock that is never set.
  private static var uptime: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  private func add(_ record: Record) {
    state.withLock { totals in
      totals.evaluations += 1
      totals.nanoseconds += record.nanoseconds
      totals.slowest = max(totals.slowest, record.nanoseconds)
      switch record.result {
      case .success(.bool(true)): totals.matches += 1
      case .success: break
      case .failure(let error): totals.failures[error.id, default: 0] += 1
      }
    }
  }
}
