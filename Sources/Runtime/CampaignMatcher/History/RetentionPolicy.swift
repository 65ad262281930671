import CampaignCore

/// How long single events are kept.
///
/// Whatever a config asks, the answer depends on three things per event name: the events of the
/// longest counting window (a month), the number of all events, and the last one. So events older
/// than ``days`` are folded into a number and a last instant, and no answer changes. The default
/// leaves room for a clock that is set back by up to a month after folding.
public struct RetentionPolicy: Sendable, Hashable {
  /// The age in days beyond which single events are folded; at least 32.
  public let days: Int64

  /// The number of recorded events after which the history is folded.
  public let interval: Int

  /// Creates a policy.
  /// - Parameters:
  ///   - days: The age in days beyond which single events are folded. Values below 32 are raised to
  ///     32, because counting windows reach that far back.
  ///   - interval: The number of recorded events after which the history is folded; at least 1.
  public init(days: Int64 = 62, interval: Int = 4_096) {
    self.days = max(days, 32)
    self.interval = max(interval, 1)
  }

  /// The instant before which events are folded.
  func horizon(at now: WallTime) -> WallTime {
    let (minutes, overflow) = days.multipliedReportingOverflow(by: 1_440)
    return (overflow ? nil : now.subtracting(minutes: minutes)) ?? WallTime(milliseconds: .min)
  }
}
