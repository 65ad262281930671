public import CampaignCore
public import CampaignMatcher
public import ExpressionEngine
import FilterAnalysis

/// When a user's answer changes by itself: because days pass, events leave their windows, a limit
/// opens again, or an entitlement expires.
///
/// ```swift
/// let clock = ManualClock(.now)
/// let matcher = try Matcher(
///   .init(
///     store: SQLiteStore(copyOf: path), clock: clock, explain: FilterExplanation.init(of:in:)))
/// var request = MatchRequest("open_forecast")
/// request.detail = .full
/// let forecast = try ChangeForecast(
///   AnalysisModel(config), placement: request.placement, from: .now
/// ) { instant in
///   clock.set(instant)
///   return try matcher.previewNow(request)
/// }
/// scheduler.wake(at: forecast.certainUntil)
/// ```
///
/// Nothing is assumed to happen meanwhile. What the app sets changes when the app says so; ask again
/// then.
public struct ChangeForecast: Sendable, Hashable {
  /// Before this instant the answer is the same.
  public let certainUntil: WallTime
  /// The first instant with another answer; `nil` when there is none before ``certainUntil``.
  public let changesAt: WallTime?
  /// The entitlement's end that is the reason for ``certainUntil``: then it is renewed, or the app tells
  /// of another status. `nil` for every other reason.
  public let expiresAt: WallTime?

  /// Looks ahead.
  ///
  /// - Parameters:
  ///   - model: The config to forecast.
  ///   - placement: The placement.
  ///   - start: The instant from which to look.
  ///   - days: How many days to look ahead, at most 3,660.
  ///   - expirations: When entitlements of the user end, see ``expirations(in:)``; they count if a filter
  ///     of the placement reads what the user has bought.
  ///   - preview: Returns the result of the placement at an instant, with `ReportDetail.full`
  ///     detail, of a matcher that explains by `FilterExplanation.init(of:in:)`. It must leave no
  ///     trace.
  /// - Throws: Any error that `preview` throws.
  /// - Complexity: About 60 previews for each change of a value; 100 a day where filters read the time
  ///   of day.
  public init<Failure>(
    _ model: AnalysisModel, placement: String, from start: WallTime, days: Int = 366,
    expirations: [WallTime] = [], preview: (WallTime) throws(Failure) -> MatchOutcome
  ) throws(Failure) {
    let signature = TimeSignature(model, placement: placement)
    let first = try preview(start)
    let horizon = start.advanced(byMilliseconds: Int64(min(max(days, 1), 3_660)) * Self.day)
    let expiration =
      signature.readsPurchases ? expirations.filter { $0 > start && $0 < horizon }.min() : nil
    let end = expiration ?? horizon
    var current = signature.values(first)
    var instant = start
    // Values change more often than the answer.
    for _ in 0..<Self.maximumChanges {
      let next = try Self.firstChange(
        of: current, from: instant, to: end, grid: signature.readsTimeOfDay ? Self.quarter : nil
      ) { (instant) throws(Failure) in signature.values(try preview(instant)) }
      guard let next else {
        certainUntil = end
        changesAt = nil
        expiresAt = expiration
        return
      }
      let registration = try preview(next)
      if Self.answer(registration) != Self.answer(first) {
        certainUntil = next
        changesAt = next
        expiresAt = nil
        return
      }
      current = signature.values(registration)
      instant = next
    }
    certainUntil = instant
    changesAt = nil
    expiresAt = nil
  }

  /// Returns when the entitlements and subscriptions end that attributes of `device` tell of, in order.
  ///
  /// - Parameter device: The attributes, with `customerInfo` or the active entitlements as objects.
  public static func expirations(in device: [String: Value]) -> [WallTime] {
    var lists = [device["activeEntitlementObjects"], device["activeEntitlementsObject"]]
    if case .map(let customer)? = device["customerInfo"] {
      lists += [customer["entitlements"], customer["subscriptions"]]
    }
    var instants: Set<WallTime> = []
    for case .list(let objects)? in lists {
      for case .map(let object) in objects {
        for name in ["expiresAt", "expirationDate"] {
          guard let instant = object[.string(name)].flatMap({ WallTime(referenceDate: $0) }) else {
            continue
          }
          instants.insert(instant)
        }
      }
    }
    return instants.sorted()
  }

  private static let day: Int64 = 86_400_000
  private static let quarter: Int64 = 900_000
  private static let maximumChanges = 256

  /// The result for a user: its case, and the experiment and the variant if there is one.
  private static func answer(_ registration: MatchOutcome) -> [String] {
    guard let experiment = registration.result.experiment else {
      return [registration.result.caseName]
    }
    return [registration.result.caseName, experiment.id, experiment.variant.id]
  }

  /// The first instant at which values are not those that they are now.
  ///
  /// Times since events grow and counts shrink while nothing happens, so that values that are the same
  /// at two instants are the same between them. The time of day begins anew; it is looked at in
  /// quarters of an hour, within which no clock is set back.
  private static func firstChange<Failure>(
    of values: [String], from start: WallTime, to end: WallTime, grid: Int64?,
    at value: (WallTime) throws(Failure) -> [String]
  ) throws(Failure) -> WallTime? {
    var low = start
    var step: Int64 = grid ?? 60_000
    while low < end {
      var high = low.advanced(byMilliseconds: step)
      if let grid {
        // Up to the next mark of the grid.
        high = WallTime(milliseconds: low.milliseconds - low.milliseconds % grid)
          .advanced(byMilliseconds: grid)
      }
      if end < high { high = end }
      if try value(high) != values {
        return try firstChange(of: values, after: low, by: high, at: value)
      }
      low = high
      if grid == nil { step = step > end.milliseconds - start.milliseconds ? step : step * 2 }
    }
    return nil
  }

  /// Halves the time between an instant with the same values and one with others.
  private static func firstChange<Failure>(
    of values: [String], after low: WallTime, by high: WallTime,
    at value: (WallTime) throws(Failure) -> [String]
  ) throws(Failure) -> WallTime {
    var low = low.milliseconds
    var high = high.milliseconds
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if try value(WallTime(milliseconds: middle)) == values { low = middle } else { high = middle }
    }
    return WallTime(milliseconds: high)
  }
}

extension WallTime {
  /// Creates an instant from the form of dates inside objects: seconds since 2001-01-01T00:00:00Z.
  fileprivate init?(referenceDate value: Value) {
    guard let seconds = value.exactNumber,
      let milliseconds = Int64(exactly: (seconds * 1_000).rounded())
    else { return nil }
    self = WallTime(seconds: 978_307_200).advanced(byMilliseconds: milliseconds)
  }
}
