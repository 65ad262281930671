public import CampaignCore
public import ExpressionEngine

// The events of the app, the user and the config, one member each.

extension AnalyticsEvent {
  // MARK: The app

  /// The app came to the foreground.
  public static var appOpen: Self { Self(.appOpen) }
  /// The app left the foreground.
  public static var appClose: Self { Self(.appClose) }
  /// The app was launched.
  public static var appLaunch: Self { Self(.appLaunch) }
  /// The app was installed.
  public static func appInstall(installedAt: String, usesPurchaseController: Bool) -> Self {
    Self(
      .appInstall,
      [
        "application_installed_at": .string(installedAt),
        "using_purchase_controller": .bool(usesPurchaseController),
      ])
  }
  /// A session began.
  public static var sessionStart: Self { Self(.sessionStart) }
  /// The window was touched for the first time.
  public static var touchesBegan: Self { Self(.touchesBegan) }
  /// A link opened the app.
  ///
  /// - Parameter parameters: The parts and the query items of the link.
  public static func deepLinkOpen(_ parameters: [String: Value]) -> Self {
    Self(.deepLinkOpen, parameters, isSeenByFilters: true)
  }
  /// The install was attributed.
  public static func attributionMatch(_ match: AttributionMatch) -> Self {
    Self(.attributionMatch, match.parameters, isSeenByFilters: true)
  }
  /// A review was requested.
  public static func reviewRequested(count: Int, type: String) -> Self {
    Self(.reviewRequested, ["count": .int(Int64(count)), "type": .string(type)])
  }
  /// A review was given; Android only.
  public static var reviewGranted: Self { Self(.reviewGranted) }
  /// A review was refused; Android only.
  public static var reviewDenied: Self { Self(.reviewDenied) }

  // MARK: The user

  /// The user was seen for the first time.
  public static var firstSeen: Self { Self(.firstSeen) }
  /// All data of the user was deleted.
  public static var reset: Self { Self(.reset) }
  /// The user was identified.
  public static var identityAlias: Self { Self(.identityAlias) }
  /// All assignments were confirmed.
  public static var confirmAllAssignments: Self { Self(.confirmAllAssignments) }
  /// Attributes of the user were set.
  public static func userAttributes(
    _ attributes: [String: Value], installedAt: String
  ) -> Self {
    var parameters = attributes
    parameters["application_installed_at"] = .string(installedAt)
    return Self(.userAttributes, parameters)
  }
  /// The ids of other services were set.
  public static func integrationAttributes(_ ids: [String: String]) -> Self {
    Self(.integrationAttributes, ids.mapValues { .string($0) })
  }
  /// The attributes of the device were sent.
  public static func deviceAttributes(_ attributes: [String: Value]) -> Self {
    Self(.deviceAttributes, attributes)
  }
  /// The subscription status changed.
  public static func subscriptionStatusDidChange(_ status: UserSubscriptionStatus) -> Self {
    Self(.subscriptionStatusDidChange, status.eventParameters, detail: status.wireName)
  }
  /// The customer info changed.
  public static func customerInfoDidChange(from old: CustomerRecord, to new: CustomerRecord) -> Self
  {
    Self(.customerInfoDidChange, ["from": .string(old.eventText), "to": .string(new.eventText)])
  }

  // MARK: The config

  /// A new config is in force.
  ///
  /// - Parameters:
  ///   - buildID: The build of the config.
  ///   - retryCount: The number of requests that failed before.
  ///   - isCached: Whether the config is the one of an earlier launch.
  ///   - duration: The time of the request in seconds.
  public static func configRefresh(
    buildID: String, retryCount: Int, isCached: Bool, duration: Double
  ) -> Self {
    Self(
      .configRefresh,
      [
        "config_build_id": .string(buildID), "retry_count": .int(Int64(retryCount)),
        "cache_status": .string(isCached ? "CACHED" : "NOT_CACHED"),
        "fetch_duration": .double(duration),
      ])
  }
  /// A config could not be fetched or read.
  public static func configFail(message: String) -> Self {
    Self(.configFail, ["error_message": .string(message)])
  }
  /// The options of the SDK.
  public static func configAttributes(
    _ options: [String: Value], usesPurchaseController: Bool, hasDelegate: Bool
  ) -> Self {
    var parameters = options
    parameters["using_purchase_controller"] = .bool(usesPurchaseController)
    parameters["has_delegate"] = .bool(hasDelegate)
    return Self(.configAttributes, parameters)
  }
  /// The attributes that the server knows are requested.
  public static var enrichmentStart: Self { Self(.enrichmentStart) }
  /// The attributes that the server knows arrived.
  public static func enrichmentComplete(
    user: [String: Value], device: [String: Value]
  ) -> Self {
    var parameters: [String: Value] = [:]
    for (name, value) in user { parameters["user_" + name] = value }
    for (name, value) in device { parameters["device_" + name] = value }
    return Self(.enrichmentComplete, parameters)
  }
  /// The attributes that the server knows could not be loaded.
  public static var enrichmentFail: Self { Self(.enrichmentFail) }
  /// A token of AdServices is requested.
  public static var adServicesTokenRequestStart: Self { Self(.adServicesTokenRequestStart) }
  /// The token of AdServices arrived.
  public static func adServicesTokenRequestComplete(token: String) -> Self {
    Self(.adServicesTokenRequestComplete, ["token": .string(token)])
  }
  /// The token of AdServices could not be loaded.
  public static func adServicesTokenRequestFail(message: String) -> Self {
    Self(.adServicesTokenRequestFail, ["error_message": .string(message)])
  }
  /// A response could not be read.
  public static func networkDecodingFail(url: String, response: String) -> Self {
    Self(.networkDecodingFail, ["request_url": .string(url), "response": .string(response)])
  }

  // MARK: Test mode

  /// The modal of test mode opened.
  public static var testModeModalOpen: Self { Self(.testModeModalOpen) }
  /// The modal of test mode closed with these settings.
  public static func testModeModalClose(_ settings: TestMode.Settings) -> Self {
    var parameters: [String: Value] = [
      "free_trial_override": .string(settings.trialOverride.rawValue)
    ]
    for id in settings.entitlements {
      parameters["entitlement_\(id)_state"] = "active"
      parameters["entitlement_\(id)_offer_type"] = settings.offerTypes[id].map {
        .string($0.rawValue)
      }
    }
    return Self(.testModeModalClose, parameters, detail: "\(settings)")
  }
}
