/// A function of the SDKs under `device` and `computed` that reads the history of an event
/// (docs/spec/campaigns.md §5).
package struct HistoryFunctionInfo: Sendable {
  /// The subject of the function.
  package enum Subject: Sendable {
    /// The time since the event last happened, in a unit.
    case time(AttributeSchema.Attribute.Unit)
    /// The number of events in a window of a length in minutes; infinite for all events.
    case count(windowMinutes: Double)
  }

  /// The name.
  package let name: String
  package let subject: Subject
  /// The meaning of the result, in a sentence without its end.
  package let summary: String

  /// Whether the result is a time, and not a count.
  package var isTime: Bool { if case .time = subject { true } else { false } }

  /// The least and the greatest length of the unit of a time in minutes.
  package var unitMinutes: ClosedRange<Double>? {
    switch unit {
    case .months: (28 * 1_440)...(31 * 1_440)
    case .years: (365 * 1_440)...(366 * 1_440)
    default: unit?.seconds.map { ($0 / 60)...($0 / 60) }
    }
  }

  /// The length of the window of a count in minutes.
  var windowMinutes: Double? { if case .count(let minutes) = subject { minutes } else { nil } }

  private init(_ name: String, _ subject: Subject, _ summary: String) {
    self.name = name
    self.subject = subject
    self.summary = summary
  }

  /// All functions: times from the shortest unit, then counts from the shortest window.
  package static let all = [
    HistoryFunctionInfo(
      "minutesSince", .time(.minutes),
      "whole minutes since the event last happened; null if it never did"),
    HistoryFunctionInfo("hoursSince", .time(.hours), "whole hours since then"),
    HistoryFunctionInfo(
      "daysSince", .time(.days), "whole days since then, by the user's clock"),
    HistoryFunctionInfo("monthsSince", .time(.months), "whole months since then"),
    HistoryFunctionInfo("yearsSince", .time(.years), "whole years since then"),
    HistoryFunctionInfo(
      "placementsInHour", .count(windowMinutes: 60),
      "how often the event happened in the last 60 minutes"),
    HistoryFunctionInfo(
      "placementsInDay", .count(windowMinutes: 1_440), "how often in the last 24 hours"),
    HistoryFunctionInfo(
      "placementsInWeek", .count(windowMinutes: 10_080), "how often in the last 7 days"),
    HistoryFunctionInfo(
      Self.month, .count(windowMinutes: 43_200), "how often in the last 30 days"),
    HistoryFunctionInfo(
      "placementsSinceInstall", .count(windowMinutes: .infinity), "how often since the install"),
  ]

  /// The function whose window is a month, the length of which is a rule of the platform.
  static let month = "placementsInMonth"

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// Returns the function of a name.
  package static func named(_ name: String) -> HistoryFunctionInfo? { byName[name] }
}

/// The rules by which a platform reads its history; those of iOS by default.
package struct HistoryRules: Sendable, Hashable {
  /// Whether the time since an event that never happened is zero, and not null.
  package var neverIsZero: Bool
  /// Whether times are whole units that have passed, and not fields of a clock.
  package var countsWholeUnits: Bool
  /// The least and the greatest length of a month, in minutes.
  package var monthMinutes: ClosedRange<Double>

  /// Creates rules.
  package init(
    neverIsZero: Bool = false, countsWholeUnits: Bool = true,
    monthMinutes: ClosedRange<Double> = 43_200...43_200
  ) {
    self.neverIsZero = neverIsZero
    self.countsWholeUnits = countsWholeUnits
    self.monthMinutes = monthMinutes
  }
}
