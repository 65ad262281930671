public import CampaignCore

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

/// The verbose events, which a config can turn off with `disable_verbose_events`
/// (docs/spec/campaigns.md §8.20).
public struct VerboseEvents: Sendable, Equatable {
  /// The toggle of the config.
  public static let toggle = "disable_verbose_events"

  /// The events about requests and about the loading of paywalls that succeeds. Failures are not
  /// verbose.
  public static let names: Set<BuiltInEvent> = [
    .paywallPresentationRequest, .paywallResponseLoadStart, .paywallResponseLoadComplete,
    .shimmerViewStart, .shimmerViewComplete, .paywallProductsLoadStart,
    .paywallProductsLoadComplete, .paywallWebviewLoadStart, .paywallWebviewLoadComplete,
  ]

  /// Whether the config turns them off; `nil` before a config is known, at the first launch.
  public var areDisabled: Bool?
  /// Whether the app runs in the sandbox of the store, where all events are sent.
  public var isSandbox: Bool

  /// Creates the switch.
  ///
  /// - Parameters:
  ///   - areDisabled: The toggle of the config, or before it came that of the last launch; `nil` if
  ///     neither is known.
  ///   - isSandbox: Whether the app runs in the sandbox of the store.
  public init(areDisabled: Bool? = nil, isSandbox: Bool = false) {
    self.areDisabled = areDisabled
    self.isSandbox = isSandbox
  }

  /// Creates the switch of a config.
  public init(_ config: CampaignConfig, isSandbox: Bool = false) {
    self.init(areDisabled: config.isEnabled(Self.toggle), isSandbox: isSandbox)
  }

  /// Whether an event is sent.
  public func sends(_ event: BuiltInEvent) -> Bool {
    areDisabled != true || isSandbox || !Self.names.contains(event)
  }
}
