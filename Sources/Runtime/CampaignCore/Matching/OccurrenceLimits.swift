/// How often an audience may match: at most `maximum` times in a rolling window (§3).
public struct OccurrenceLimit: Sendable, Hashable {
  /// The length of the window.
  public enum Interval: Sendable, Hashable {
    /// A rolling window of minutes that ends now.
    case minutes(Int64)
    /// Since ever.
    case infinity
  }

  /// The counter; audiences that share a key share the counter.
  public var key: String
  /// The largest allowed count; zero and less never match.
  public var maximum: Int64
  /// The window.
  public var interval: Interval

  /// Creates a limit.
  public init(key: String, maximum: Int64, interval: Interval) {
    self.key = key
    self.maximum = maximum
    self.interval = interval
  }
}

extension OccurrenceLimit {
  /// The inclusive beginning of the window that ends now; `nil` since ever.
  package func windowStart(at now: WallTime) -> WallTime? {
    guard case .minutes(let minutes) = interval else { return nil }
    return now.subtracting(minutes: minutes)
  }

  /// Whether nobody gets past the limit, even without any occurrence: a maximum of less than one, or a
  /// window whose beginning cannot be computed, which counts as full (§3.1).
  package func isClosedToAll(at now: WallTime) -> Bool {
    if maximum < 1 { return true }
    return interval != .infinity && windowStart(at: now) == nil
  }
}

/// The stored occurrences that limits count (§3).
public protocol OccurrenceCounts {
  /// The number of occurrences under a key that are not older than `start`.
  /// - Parameters:
  ///   - key: The key of the limit.
  ///   - start: The inclusive start of the window; `nil` counts everything.
  ///   - limit: Counting may stop here; at least 1.
  func occurrenceCount(key: String, since start: WallTime?, limit: Int) throws(StoreError) -> Int
  /// The newest occurrences under a key, newest first, at most `limit`.
  func newestOccurrences(key: String, limit: Int) throws(StoreError) -> [WallTime]
}

/// Occurrences in memory, by key.
public struct OccurrenceLog: OccurrenceCounts, Sendable {
  private var occurrences: [ExactName: InstantLog] = [:]

  /// Creates a log without occurrences.
  public init() {}

  /// Adds an occurrence.
  public mutating func add(key: String, at instant: WallTime) {
    occurrences[ExactName(key), default: InstantLog()].insert(instant)
  }

  /// The number of occurrences under a key that are not older than `start`, at most `limit`.
  public func occurrenceCount(key: String, since start: WallTime?, limit: Int) -> Int {
    min(occurrences[ExactName(key)]?.count(since: start) ?? 0, limit)
  }

  /// The newest occurrences under a key, newest first, at most `limit`.
  public func newestOccurrences(key: String, limit: Int) -> [WallTime] {
    occurrences[ExactName(key)]?.newest(limit) ?? []
  }
}

extension OccurrenceLimit {
  /// The count in the window that ends now, `held` units of presentations under way included.
  ///
  /// It stops at the maximum. A window whose start cannot be computed counts as full (§3.1).
  package func count(
    in occurrences: any OccurrenceCounts, held: Int, at now: WallTime
  ) throws(StoreError) -> Int {
    guard maximum > 0 else { return 0 }
    let maximum = Int(clamping: maximum)
    guard !isClosedToAll(at: now) else { return maximum }
    let stored = try occurrences.occurrenceCount(
      key: key, since: windowStart(at: now), limit: maximum)
    return min(stored + held, maximum)
  }

  /// When a unit becomes free if nothing else happens; `nil` when one is free or none ever will be.
  func reopening(in occurrences: any OccurrenceCounts) throws(StoreError) -> WallTime? {
    guard case .minutes(let minutes) = interval, maximum > 0 else { return nil }
    // A unit is free as soon as the oldest of the newest `maximum` occurrences has left the
    // inclusive window.
    let newest = try occurrences.newestOccurrences(key: key, limit: Int(clamping: maximum))
    let (span, overflow) = minutes.multipliedReportingOverflow(by: 60_000)
    guard newest.count == maximum, let oldest = newest.last, !overflow else { return nil }
    return oldest.advanced(byMilliseconds: span).advanced(byMilliseconds: 1)
  }
}
