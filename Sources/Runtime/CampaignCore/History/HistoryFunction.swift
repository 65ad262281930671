package import ExpressionEngine

/// The questions that a filter can ask about the event history (docs/spec/campaigns.md §5).
///
/// This is the one table from which the host functions, the legacy keys and the retention policy
/// read.
public enum HistoryFunction: String, Sendable, Hashable, CaseIterable {
  /// Whole minutes since an event.
  case minutesSince
  /// Whole hours since an event.
  case hoursSince
  /// Calendar days since an event.
  case daysSince
  /// Calendar months since an event.
  case monthsSince
  /// Calendar years since an event.
  case yearsSince
  /// How often an event happened in the last 60 minutes.
  case placementsInHour
  /// How often an event happened in the last 1,440 minutes.
  case placementsInDay
  /// How often an event happened in the last 10,080 minutes.
  case placementsInWeek
  /// How often an event happened in the last month.
  case placementsInMonth
  /// How often an event happened at all.
  case placementsSinceInstall

  /// The subject of a question.
  enum Question: Sendable, Hashable {
    /// The time since the last occurrence.
    case since(CalendarUnit)
    /// The number of occurrences in the last minutes.
    case count(minutes: Int64)
    /// The number of occurrences in the last month.
    case countInMonth
    /// The number of all occurrences.
    case countAll
  }

  var question: Question {
    switch self {
    case .minutesSince: .since(.minutes)
    case .hoursSince: .since(.hours)
    case .daysSince: .since(.days)
    case .monthsSince: .since(.months)
    case .yearsSince: .since(.years)
    case .placementsInHour: .count(minutes: 60)
    case .placementsInDay: .count(minutes: 1_440)
    case .placementsInWeek: .count(minutes: 10_080)
    case .placementsInMonth: .countInMonth
    case .placementsSinceInstall: .countAll
    }
  }

  /// The answer about an event that has never happened.
  package var answerWhenNever: Value {
    switch question {
    case .since: .null
    case .count, .countInMonth, .countAll: .int(0)
    }
  }

  /// The function that a computed property of the config asks for.
  public init(_ kind: ComputedProperty.Kind) {
    self =
      switch kind {
      case .minutesSince: .minutesSince
      case .hoursSince: .hoursSince
      case .daysSince: .daysSince
      case .monthsSince: .monthsSince
      case .yearsSince: .yearsSince
      case .placementsInHour: .placementsInHour
      case .placementsInDay: .placementsInDay
      case .placementsInWeek: .placementsInWeek
      case .placementsInMonth: .placementsInMonth
      case .placementsSinceInstall: .placementsSinceInstall
      }
  }
}

/// The circumstances under which the history is asked: one clock reading, one zone, one set of
/// options.
package struct HistoryReader {
  let now: WallTime
  let zone: ZoneRules
  let options: MatchingOptions

  package init(now: WallTime, zone: ZoneRules, options: MatchingOptions) {
    self.now = now
    self.zone = zone
    self.options = options
  }

  /// The answer to a filter's call. The event that is being registered counts.
  /// - Returns: `null` for the time since an event that never happened (zero on Android).
  func answer(
    _ function: HistoryFunction, event: String, in history: any EventHistory
  ) throws(StoreError) -> Value {
    switch function.question {
    case .since(let unit):
      // Occurrences in the future, because the clock was set back, are not seen (§5.2).
      let end = now.advanced(byMilliseconds: 1)
      guard let last = try history.lastOccurrence(of: event, before: end) else {
        return answerWithoutHistory(function)
      }
      return .int(options.calendar.difference(unit, from: last, to: now, in: zone))
    case .count(let minutes):
      return .int(Int64(try history.count(of: event, since: now.subtracting(minutes: minutes))))
    case .countInMonth:
      return .int(Int64(try history.count(of: event, since: startOfMonthWindow)))
    case .countAll:
      return .int(Int64(try history.count(of: event, since: nil)))
    }
  }

  /// The answer when no event has ever happened.
  func answerWithoutHistory(_ function: HistoryFunction) -> Value {
    if case .since = function.question { return options.neverOccurred == .zero ? .int(0) : .null }
    return .int(0)
  }

  /// The value of a legacy key such as `daysSince_app_install`, if there is one.
  ///
  /// Unlike a call, it leaves out the occurrence that is being registered (§5.1), and on iOS only
  /// times since an event exist in this spelling.
  ///
  /// - Parameter recordedAt: When that occurrence was recorded, if it was before now.
  func legacyEntry(
    for property: ComputedProperty, placement: String?, recordedAt: WallTime? = nil,
    in history: any EventHistory
  ) throws(StoreError) -> (key: String, value: Value)? {
    let function = HistoryFunction(property.kind)
    guard case .since(let unit) = function.question else {
      guard options.platform == .android else { return nil }
      return (
        function.rawValue + property.eventName,
        try answer(function, event: property.eventName, in: history)
      )
    }
    let isOwn = placement?.isExactly(property.eventName) ?? false
    let end = isOwn ? recordedAt ?? now : nil
    guard let last = try history.lastOccurrence(of: property.eventName, before: end) else {
      return nil
    }
    return (
      function.rawValue + "_" + property.eventName,
      .int(options.calendar.difference(unit, from: last, to: now, in: zone))
    )
  }

  private var startOfMonthWindow: WallTime? {
    switch options.monthWindow {
    case .thirtyDays: return now.subtracting(minutes: 43_200)
    case .calendarMonth:
      var local = zone.local(now)
      local.date = local.date.adding(months: -1)
      return zone.instant(of: local)
    }
  }
}
