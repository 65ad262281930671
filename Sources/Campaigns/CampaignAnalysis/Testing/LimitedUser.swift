import CampaignCore
import ExpressionEngine

/// A new user who registers a placement several times, so that limits count. A paywall counts as shown.
struct LimitedUser {
  private let maker: DecisionMaker
  private let limits: [OccurrenceLimit?]
  private var occurrences = OccurrenceLog()
  private var now = WallTime(seconds: 1_767_225_600)

  init(_ maker: DecisionMaker) {
    self.maker = maker
    limits = maker.audiences.map { audience in
      audience.limit.map { limit in
        OccurrenceLimit(
          key: limit.key, maximum: limit.maximum,
          interval: limit.minutes.map { .minutes($0) } ?? .infinity)
      }
    }
  }

  /// Registers the placement, and returns the position of the audience; `nil` for none.
  ///
  /// - Parameter minutes: The minutes since the registration before.
  mutating func register(_ context: Context, after minutes: Int64) -> Int? {
    let (span, isTooLong) = minutes.multipliedReportingOverflow(by: 60_000)
    now = now.advanced(byMilliseconds: isTooLong ? .max : span)
    let index = maker.decision(context) { index in
      guard let limit = limits[index] else { return true }
      guard !limit.isClosedToAll(at: now) else { return false }
      let count = occurrences.occurrenceCount(
        key: limit.key, since: limit.windowStart(at: now), limit: .max)
      return Int64(count) < limit.maximum
    }
    if let index, let limit = limits[index] { occurrences.add(key: limit.key, at: now) }
    return index
  }
}
