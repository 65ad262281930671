extension AnalyticsEvent {
  /// The names of the events, as they are tracked.
  public enum Name: String, Sendable, Hashable, CaseIterable {
    /// `first_seen`
    case firstSeen = "first_seen"
    /// `app_open`
    case appOpen = "app_open"
    /// `app_close`
    case appClose = "app_close"
    /// `app_launch`
    case appLaunch = "app_launch"
    /// `app_install`
    case appInstall = "app_install"
    /// `session_start`
    case sessionStart = "session_start"
    /// `touches_began`
    case touchesBegan = "touches_began"
    /// `reset`
    case reset
    /// `identity_alias`
    case identityAlias = "identity_alias"
    /// `confirm_all_assignments`
    case confirmAllAssignments = "confirm_all_assignments"
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
    /// `survey_close`
    case surveyClose = "survey_close"
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
    /// `enrichment_start`
    case enrichmentStart = "enrichment_start"
    /// `enrichment_complete`
    case enrichmentComplete = "enrichment_complete"
    /// `enrichment_fail`
    case enrichmentFail = "enrichment_fail"
    /// `adServicesTokenRequest_start`
    case adServicesTokenRequestStart = "adServicesTokenRequest_start"
    /// `adServicesTokenRequest_complete`
    case adServicesTokenRequestComplete = "adServicesTokenRequest_complete"
    /// `adServicesTokenRequest_fail`
    case adServicesTokenRequestFail = "adServicesTokenRequest_fail"
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
    /// `testModeModal_open`
    case testModeModalOpen = "testModeModal_open"
    /// `testModeModal_close`
    case testModeModalClose = "testModeModal_close"
    /// `paywallResourceLoad_fail`
    case paywallResourceLoadFail = "paywallResourceLoad_fail"

    /// Whether the event can present a paywall without being registered (docs/spec/campaigns.md §8.8). A
    /// custom placement is tracked under its own name and can, too.
    public var canTrigger: Bool {
      switch self {
      case .appInstall, .appLaunch, .deepLinkOpen, .sessionStart, .paywallDecline,
        .transactionFail, .transactionAbandon, .surveyResponse, .touchesBegan, .customPlacement:
        true
      default: false
      }
    }
  }

  /// The name of the event.
  public var name: Name {
    switch self {
    case .firstSeen: .firstSeen
    case .appOpen: .appOpen
    case .appClose: .appClose
    case .appLaunch: .appLaunch
    case .appInstall: .appInstall
    case .sessionStart: .sessionStart
    case .touchesBegan: .touchesBegan
    case .reset: .reset
    case .identityAlias: .identityAlias
    case .confirmAllAssignments: .confirmAllAssignments
    case .deepLinkOpen: .deepLinkOpen
    case .triggerFire: .triggerFire
    case .paywallPresentationRequest: .paywallPresentationRequest
    case .paywallOpen: .paywallOpen
    case .paywallClose: .paywallClose
    case .paywallDecline: .paywallDecline
    case .paywallPageView: .paywallPageView
    case .transactionStart: .transactionStart
    case .transactionTimeout: .transactionTimeout
    case .transactionAbandon: .transactionAbandon
    case .transactionFail: .transactionFail
    case .transactionComplete: .transactionComplete
    case .transactionRestore: .transactionRestore
    case .subscriptionStart: .subscriptionStart
    case .freeTrialStart: .freeTrialStart
    case .nonRecurringProductPurchase: .nonRecurringProductPurchase
    case .restoreStart: .restoreStart
    case .restoreComplete: .restoreComplete
    case .restoreFail: .restoreFail
    case .surveyResponse: .surveyResponse
    case .surveyClose: .surveyClose
    case .customPlacement: .customPlacement
    case .userAttributes: .userAttributes
    case .integrationAttributes: .integrationAttributes
    case .attributionMatch: .attributionMatch
    case .deviceAttributes: .deviceAttributes
    case .subscriptionStatusDidChange: .subscriptionStatusDidChange
    case .customerInfoDidChange: .customerInfoDidChange
    case .configRefresh: .configRefresh
    case .configFail: .configFail
    case .configAttributes: .configAttributes
    case .paywallResponseLoadStart: .paywallResponseLoadStart
    case .paywallResponseLoadNotFound: .paywallResponseLoadNotFound
    case .paywallResponseLoadFail: .paywallResponseLoadFail
    case .paywallResponseLoadComplete: .paywallResponseLoadComplete
    case .paywallWebviewLoadStart: .paywallWebviewLoadStart
    case .paywallWebviewLoadFail: .paywallWebviewLoadFail
    case .paywallWebviewLoadComplete: .paywallWebviewLoadComplete
    case .paywallWebviewLoadTimeout: .paywallWebviewLoadTimeout
    case .paywallWebviewLoadFallback: .paywallWebviewLoadFallback
    case .paywallWebviewLoadProcessTerminated: .paywallWebviewLoadProcessTerminated
    case .paywallProductsLoadStart: .paywallProductsLoadStart
    case .paywallProductsLoadFail: .paywallProductsLoadFail
    case .paywallProductsLoadComplete: .paywallProductsLoadComplete
    case .paywallProductsLoadRetry: .paywallProductsLoadRetry
    case .paywallProductsLoadMissingProducts: .paywallProductsLoadMissingProducts
    case .paywallPreloadStart: .paywallPreloadStart
    case .paywallPreloadComplete: .paywallPreloadComplete
    case .shimmerViewStart: .shimmerViewStart
    case .shimmerViewComplete: .shimmerViewComplete
    case .redemptionStart: .redemptionStart
    case .redemptionComplete: .redemptionComplete
    case .redemptionFail: .redemptionFail
    case .enrichmentStart: .enrichmentStart
    case .enrichmentComplete: .enrichmentComplete
    case .enrichmentFail: .enrichmentFail
    case .adServicesTokenRequestStart: .adServicesTokenRequestStart
    case .adServicesTokenRequestComplete: .adServicesTokenRequestComplete
    case .adServicesTokenRequestFail: .adServicesTokenRequestFail
    case .networkDecodingFail: .networkDecodingFail
    case .reviewRequested: .reviewRequested
    case .reviewGranted: .reviewGranted
    case .reviewDenied: .reviewDenied
    case .permissionRequested: .permissionRequested
    case .permissionGranted: .permissionGranted
    case .permissionDenied: .permissionDenied
    case .stripeCheckoutStart: .stripeCheckoutStart
    case .stripeCheckoutSubmit: .stripeCheckoutSubmit
    case .stripeCheckoutComplete: .stripeCheckoutComplete
    case .stripeCheckoutFail: .stripeCheckoutFail
    case .testModeModalOpen: .testModeModalOpen
    case .testModeModalClose: .testModeModalClose
    case .paywallResourceLoadFail: .paywallResourceLoadFail
    }
  }
}
