import CampaignCore

/// Which events are sent to the server. What is not sent still enters the history and reaches the
/// delegate, so that filters work as before.
public enum EventTracking: String, Sendable, Hashable, CaseIterable {
  /// All of them.
  case all
  /// Those of the SDK, without those about the app's own actions: registered placements,
  /// `trigger_fire` and `user_attributes`. The documents call it
  /// `isExternalDataCollectionEnabled = false`.
  case superwallOnly
  /// None.
  case none

  /// Whether an event of the SDK is sent.
  public func sends(_ event: AnalyticsEvent) -> Bool {
    switch (self, event.name) {
    case (.all, _): true
    case (.superwallOnly, .triggerFire), (.superwallOnly, .userAttributes): false
    case (.superwallOnly, _): true
    case (.none, _): false
    }
  }

  /// Whether a placement that the app registers is sent.
  public var sendsRegistrations: Bool { self == .all }
}
