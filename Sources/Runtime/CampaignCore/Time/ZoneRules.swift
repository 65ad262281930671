#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A time zone: how far its wall clocks run ahead of UTC at each instant.
///
/// The matcher needs nothing else of a zone, so tests and servers can bring their own.
public struct ZoneRules: Sendable {
  /// One change of the offset of a zone.
  public struct Change: Sendable, Hashable {
    /// The first instant at which the new offset is in force.
    public var instant: WallTime
    /// Seconds ahead of UTC from then on.
    public var offsetSeconds: Int64

    /// Creates a change of offset.
    public init(instant: WallTime, offsetSeconds: Int64) {
      self.instant = instant
      self.offsetSeconds = offsetSeconds
    }
  }

  private let offset: @Sendable (WallTime) -> Int64

  /// Creates a zone from a function.
  /// - Parameter offset: Returns the seconds ahead of UTC at an instant, with daylight saving; values
  ///   beyond a day either side are clamped.
  public init(offset: @escaping @Sendable (WallTime) -> Int64) {
    self.offset = offset
  }

  /// Creates a zone from a list of changes.
  /// - Parameters:
  ///   - initialOffsetSeconds: The offset before the first change.
  ///   - changes: The changes, in any order.
  public init(initialOffsetSeconds: Int64, changes: [Change]) {
    let sorted = changes.sorted { $0.instant < $1.instant }
    offset = { instant in
      sorted.last { $0.instant <= instant }?.offsetSeconds ?? initialOffsetSeconds
    }
  }

  /// Seconds ahead of UTC at an instant.
  public func offsetSeconds(at instant: WallTime) -> Int64 {
    min(max(offset(instant), -86_400), 86_400)
  }

  /// Coordinated universal time.
  public static let utc = ZoneRules { _ in 0 }

  /// A zone that never changes its offset.
  public static func fixed(offsetSeconds: Int64) -> ZoneRules {
    ZoneRules { _ in offsetSeconds }
  }

  /// The zone that has the offset of a valid RFC 3339 time, such as `+02:00`, and never another.
  package static func fixed(rfc3339 time: String) -> ZoneRules {
    let end = Array(time.utf8.suffix(6))
    guard end.count == 6, let sign = [0x2B: 1, 0x2D: -1][end[0]] as Int64? else { return .utc }
    let digits = [end[1], end[2], end[4], end[5]].map { Int64($0) &- 48 }
    let minutes = (digits[0] * 10 + digits[1]) * 60 + digits[2] * 10 + digits[3]
    return .fixed(offsetSeconds: sign * minutes * 60)
  }

  /// The zone of this process, as the C library knows it.
  public static let system = ZoneRules { instant in
    var time = time_t(truncatingIfNeeded: instant.seconds)
    var parts = tm()
    return localtime_r(&time, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
  }

  /// Returns the local time of this zone at an instant.
  public func local(_ instant: WallTime) -> LocalDateTime {
    LocalDateTime(instant: instant, offsetSeconds: offsetSeconds(at: instant))
  }

  /// The instant at which the wall clocks of this zone show a reading.
  ///
  /// A reading that occurs twice (clocks set back) is taken at its first time; one that never
  /// occurs (clocks set forward) moves forward by the size of the gap.
  public func instant(of local: LocalDateTime) -> WallTime {
    let wall = WallTime(milliseconds: local.wallMilliseconds)
    let day: Int64 = 86_400_000
    let before = offsetSeconds(at: wall.advanced(byMilliseconds: -day))
    let after = offsetSeconds(at: wall.advanced(byMilliseconds: day))
    let first = wall.advanced(byMilliseconds: -before * 1_000)
    if before == after || offsetSeconds(at: first) == before { return first }
    let second = wall.advanced(byMilliseconds: -after * 1_000)
    return offsetSeconds(at: second) == after ? second : first
  }
}
