extension AttributeSchema {
  /// The functions of the SDKs under `device` and `computed`, which take the name of an event, with
  /// the meaning of their results.
  package static let eventFunctions: [(name: String, summary: String)] = [
    ("minutesSince", "whole minutes since the event last happened; null if it never did"),
    ("hoursSince", "whole hours since then"),
    ("daysSince", "whole days since then, by the user's clock"),
    ("monthsSince", "whole months since then"),
    ("yearsSince", "whole years since then"),
    ("placementsInHour", "how often the event happened in the last 60 minutes"),
    ("placementsInDay", "how often in the last 24 hours"),
    ("placementsInWeek", "how often in the last 7 days"),
    ("placementsInMonth", "how often in the last 30 days"),
    ("placementsSinceInstall", "how often since the install"),
  ]
}
