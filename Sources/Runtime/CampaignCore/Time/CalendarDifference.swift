/// A calendar unit in which the time since an event is asked for.
public enum CalendarUnit: String, Sendable, Hashable, CaseIterable {
  /// Elapsed minutes.
  case minutes
  /// Elapsed hours.
  case hours
  /// Calendar days with the time of day, aware of daylight saving.
  case days
  /// Calendar months, pinned to the end of shorter months.
  case months
  /// Calendar years, 29 February pinned to the 28th.
  case years
}

/// How the time between two instants is counted (docs/spec/campaigns.md §5.2).
public enum CalendarArithmetic: Sendable, Hashable {
  /// Whole elapsed units of the local calendar, truncated towards zero (iOS).
  case wholeUnits
  /// The Android arithmetic with its faults: hours modulo 24, minutes modulo 60, days of 24 hours,
  /// months and years as differences of the calendar fields.
  case androidFields

  /// The number of `unit`s from `start` to `end` on the wall clocks of `zone`; negative when `end`
  /// comes first.
  public func difference(
    _ unit: CalendarUnit, from start: WallTime, to end: WallTime, in zone: ZoneRules
  ) -> Int64 {
    switch self {
    case .wholeUnits: wholeUnits(unit, from: start, to: end, in: zone)
    case .androidFields: androidFields(unit, from: start, to: end, in: zone)
    }
  }

  private func wholeUnits(
    _ unit: CalendarUnit, from start: WallTime, to end: WallTime, in zone: ZoneRules
  ) -> Int64 {
    let elapsed = end.milliseconds.subtractingSaturated(start.milliseconds)
    switch unit {
    case .minutes: return elapsed / 60_000
    case .hours: return elapsed / 3_600_000
    case .days, .months, .years: break
    }
    let origin = zone.local(start)
    let target = zone.local(end).date
    var count =
      switch unit {
      case .months: (target.year - origin.date.year) * 12 + target.month - origin.date.month
      case .years: target.year - origin.date.year
      default: target.daysSince1970 - origin.date.daysSince1970
      }
    // The difference of the fields is at most one too far from zero: step back when the moment that
    // many units after the start has not been reached yet.
    func moment(_ units: Int64) -> WallTime {
      var moved = origin
      switch unit {
      case .months: moved.date = origin.date.adding(months: units)
      case .years: moved.date = origin.date.adding(months: units * 12)
      default: moved.date = CivilDate(daysSince1970: origin.date.daysSince1970 + units)
      }
      return zone.instant(of: moved)
    }
    if end >= start {
      while count > 0, moment(count) > end { count -= 1 }
      return max(count, 0)
    }
    while count < 0, moment(count) < end { count += 1 }
    return min(count, 0)
  }

  private func androidFields(
    _ unit: CalendarUnit, from start: WallTime, to end: WallTime, in zone: ZoneRules
  ) -> Int64 {
    let elapsed = end.milliseconds.subtractingSaturated(start.milliseconds)
    switch unit {
    case .minutes: return elapsed / 60_000 % 60
    case .hours: return elapsed / 3_600_000 % 24
    case .days: return elapsed / 86_400_000
    case .months, .years: break
    }
    let first = zone.local(start).date
    let last = zone.local(end).date
    let years = last.year - first.year
    return unit == .years ? years : years * 12 + last.month - first.month
  }
}

extension Int64 {
  /// The difference, clamped to the range of the type.
  package func subtractingSaturated(_ other: Int64) -> Int64 {
    let (result, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : result
  }
}
