/// The events that the SDK itself tracks (docs/spec/campaigns.md §8.7). Their names are reserved: a
/// registration under one of them is refused.
public enum BuiltInEvent: String, Sendable, Hashable, CaseIterable {
  /// `first_seen`
  case firstSeen = "first_seen"
  /// `app_open`
  case appOpen = "app_open"
  /// `app_close`
  case appClose = "app_close"
  /// `reset`
  case reset
  /// `identity_alias`
  case identityAlias = "identity_alias"
  /// `survey_close`
  case surveyClose = "survey_close"
  /// `confirm_all_assignments`
  case confirmAllAssignments = "confirm_all_assignments"
  /// `testModeModal_open`
  case testModeModalOpen = "testModeModal_open"
  /// `enrichment_start`
  case enrichmentStart = "enrichment_start"
  /// `enrichment_fail`
  case enrichmentFail = "enrichment_fail"
  /// `adServicesTokenRequest_start`
  case adServicesTokenRequestStart = "adServicesTokenRequest_start"
  /// `app_launch`
  case appLaunch = "app_launch"
  /// `session_start`
  case sessionStart = "session_start"
  /// `touches_began`
  case touchesBegan = "touches_began"
  /// `app_install`
  case appInstall = "app_install"
  /// `deepLink_open`
  case deepLinkOpen = "deepLink_open"
  /// `trigger_fire`
  case triggerFire = "trigger_fire"
  /// `paywallPresentationRequest`
  case paywallPresentationRequest
  /// `paywall_open`
  case paywallOpen = "paywall_open"
  /// `paywall_close`
  case paywallClose = "paywall_close"
  /// `paywall_decline`
  case paywallDecline = "paywall_decline"
  /// `paywall_page_view`
  case paywallPageView = "paywall_page_view"
  /// `transaction_start`
  case transactionStart = "transaction_start"
  /// `transaction_timeout`
  case transactionTimeout = "transaction_timeout"
  /// `transaction_abandon`
  case transactionAbandon = "transaction_abandon"
  /// `transaction_fail`
  case transactionFail = "transaction_fail"
  /// `transaction_complete`
  case transactionComplete = "transaction_complete"
  /// `transaction_restore`
  case transactionRestore = "transaction_restore"
  /// `subscription_start`
  case subscriptionStart = "subscription_start"
  /// `freeTrial_start`
  case freeTrialStart = "freeTrial_start"
  /// `nonRecurringProduct_purchase`
  case nonRecurringProductPurchase = "nonRecurringProduct_purchase"
  /// `restore_start`
  case restoreStart = "restore_start"
  /// `restore_complete`
  case restoreComplete = "restore_complete"
  /// `restore_fail`
  case restoreFail = "restore_fail"
  /// `survey_response`
  case surveyResponse = "survey_response"
  /// `custom_placement`
  case customPlacement = "custom_placement"
  /// `user_attributes`
  case userAttributes = "user_attributes"
  /// `integration_attributes`
  case integrationAttributes = "integration_attributes"
  /// `attribution_match`
  case attributionMatch = "attribution_match"
  /// `device_attributes`
  case deviceAttributes = "device_attributes"
  /// `subscriptionStatus_didChange`
  case subscriptionStatusDidChange = "subscriptionStatus_didChange"
  /// `customerInfo_didChange`
  case customerInfoDidChange = "customerInfo_didChange"
  /// `config_refresh`
  case configRefresh = "config_refresh"
  /// `config_fail`
  case configFail = "config_fail"
  /// `config_attributes`
  case configAttributes = "config_attributes"
  /// `paywallResponseLoad_start`
  case paywallResponseLoadStart = "paywallResponseLoad_start"
  /// `paywallResponseLoad_notFound`
  case paywallResponseLoadNotFound = "paywallResponseLoad_notFound"
  /// `paywallResponseLoad_fail`
  case paywallResponseLoadFail = "paywallResponseLoad_fail"
  /// `paywallResponseLoad_complete`
  case paywallResponseLoadComplete = "paywallResponseLoad_complete"
  /// `paywallWebviewLoad_start`
  case paywallWebviewLoadStart = "paywallWebviewLoad_start"
  /// `paywallWebviewLoad_fail`
  case paywallWebviewLoadFail = "paywallWebviewLoad_fail"
  /// `paywallWebviewLoad_complete`
  case paywallWebviewLoadComplete = "paywallWebviewLoad_complete"
  /// `paywallWebviewLoad_timeout`
  case paywallWebviewLoadTimeout = "paywallWebviewLoad_timeout"
  /// `paywallWebviewLoad_fallback`
  case paywallWebviewLoadFallback = "paywallWebviewLoad_fallback"
  /// `paywallWebviewLoad_processTerminated`
  case paywallWebviewLoadProcessTerminated = "paywallWebviewLoad_processTerminated"
  /// `paywallProductsLoad_start`
  case paywallProductsLoadStart = "paywallProductsLoad_start"
  /// `paywallProductsLoad_fail`
  case paywallProductsLoadFail = "paywallProductsLoad_fail"
  /// `paywallProductsLoad_complete`
  case paywallProductsLoadComplete = "paywallProductsLoad_complete"
  /// `paywallProductsLoad_retry`
  case paywallProductsLoadRetry = "paywallProductsLoad_retry"
  /// `paywallProductsLoad_missingProducts`
  case paywallProductsLoadMissingProducts = "paywallProductsLoad_missingProducts"
  /// `paywallPreload_start`
  case paywallPreloadStart = "paywallPreload_start"
  /// `paywallPreload_complete`
  case paywallPreloadComplete = "paywallPreload_complete"
  /// `shimmerView_start`
  case shimmerViewStart = "shimmerView_start"
  /// `shimmerView_complete`
  case shimmerViewComplete = "shimmerView_complete"
  /// `redemption_start`
  case redemptionStart = "redemption_start"
  /// `redemption_complete`
  case redemptionComplete = "redemption_complete"
  /// `redemption_fail`
  case redemptionFail = "redemption_fail"
  /// `enrichment_complete`
  case enrichmentComplete = "enrichment_complete"
  /// `adServicesTokenRequest_fail`
  case adServicesTokenRequestFail = "adServicesTokenRequest_fail"
  /// `adServicesTokenRequest_complete`
  case adServicesTokenRequestComplete = "adServicesTokenRequest_complete"
  /// `networkDecoding_fail`
  case networkDecodingFail = "networkDecoding_fail"
  /// `review_requested`
  case reviewRequested = "review_requested"
  /// `review_granted`
  case reviewGranted = "review_granted"
  /// `review_denied`
  case reviewDenied = "review_denied"
  /// `permission_requested`
  case permissionRequested = "permission_requested"
  /// `permission_granted`
  case permissionGranted = "permission_granted"
  /// `permission_denied`
  case permissionDenied = "permission_denied"
  /// `stripeCheckout_start`
  case stripeCheckoutStart = "stripeCheckout_start"
  /// `stripeCheckout_submit`
  case stripeCheckoutSubmit = "stripeCheckout_submit"
  /// `stripeCheckout_complete`
  case stripeCheckoutComplete = "stripeCheckout_complete"
  /// `stripeCheckout_fail`
  case stripeCheckoutFail = "stripeCheckout_fail"
  /// `testModeModal_close`
  case testModeModalClose = "testModeModal_close"
  /// `paywallResourceLoad_fail`
  case paywallResourceLoadFail = "paywallResourceLoad_fail"

  /// The events by name: `init(rawValue:)` would compare with one name after the other.
  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The event with a name; `nil` when it is not one of the SDK.
  package init?(named name: String) {
    guard let event = Self.byName[name] else { return nil }
    self = event
  }

  /// Whether an app cannot register a placement of this name (§6.8).
  public func isReserved(on platform: MatchingOptions.Platform) -> Bool {
    switch self {
    case .reviewGranted, .reviewDenied, .paywallResourceLoadFail: platform == .android
    default: true
    }
  }

  /// Whether the event can present a paywall without being registered (§2.10). What follows a
  /// custom tap action is tracked under its own name and can trigger, too.
  public var canTrigger: Bool {
    switch self {
    case .appInstall, .sessionStart, .appLaunch, .deepLinkOpen, .transactionFail, .paywallDecline,
      .transactionAbandon, .surveyResponse, .touchesBegan:
      true
    default: false
    }
  }

  /// Whether the event follows a paywall and may replace it with another one (§2.10).
  public var isFollowUp: Bool {
    switch self {
    case .transactionAbandon, .transactionFail, .paywallDecline, .customPlacement, .surveyResponse:
      true
    default: false
    }
  }
}
