public import CampaignCore

#if canImport(Darwin)
  public import Foundation
#elseif canImport(FoundationEssentials)
  @_weakLinked public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

// Apps speak of dates; the matcher counts milliseconds, the precision of the wire.

extension WallTime {
  /// The time of a date, cut to milliseconds and clamped to the range.
  public init(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded(.down)
    self.init(
      milliseconds: Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
  }

  /// The time as a date.
  public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}

extension MatchOutcome {
  /// The date of the registration.
  public var date: Date { instant.date }
}

extension TrackedEvent {
  /// The date of the event.
  public var date: Date { instant.date }
}

extension ManualClock {
  /// Creates a clock that shows a date.
  public convenience init(_ date: Date) { self.init(WallTime(date)) }
}

extension Matcher.App {
  /// Replaces the date of the installation, without tracking anything.
  ///
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  public func setInstallationDate(_ date: Date?) throws(StoreError) {
    try setInstallationTime(date.map(WallTime.init(_:)))
  }
}
