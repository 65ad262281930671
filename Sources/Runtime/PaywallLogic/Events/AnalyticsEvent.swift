public import CampaignCore
public import ExpressionEngine

/// Something that happened and that an analytics tool or the server wants to know. Each event of the SDK
/// is a case with its own parameters (docs/spec/campaigns.md §8.7).
public enum AnalyticsEvent: Sendable, Hashable {
  // MARK: The app and the user

  /// The user was seen for the first time.
  case firstSeen
  /// The app came to the foreground.
  case appOpen
  /// The app left the foreground.
  case appClose
  /// The app was launched.
  case appLaunch
  /// The app was installed.
  case appInstall(installedAt: String, usesPurchaseController: Bool)
  /// A session began.
  case sessionStart
  /// The window was touched for the first time.
  case touchesBegan
  /// Everything of the user was forgotten.
  case reset
  /// The user was identified.
  case identityAlias
  /// All assignments were confirmed.
  case confirmAllAssignments
  /// A link opened the app; with the parts and the items of the link.
  case deepLinkOpen([String: Value])
  /// Attributes of the user were set.
  case userAttributes([String: Value], installedAt: String)
  /// The ids of other services were set.
  case integrationAttributes([String: String])
  /// The install was attributed.
  case attributionMatch(AttributionMatch)
  /// The attributes of the device were sent.
  case deviceAttributes([String: Value])
  /// The subscription status changed.
  case subscriptionStatusDidChange(SubscriptionStatus)
  /// The customer info changed.
  case customerInfoDidChange(
    from: CustomerInfo, to: CustomerInfo)
  /// A review was asked for.
  case reviewRequested(count: Int, type: String)
  /// A review was given; Android only.
  case reviewGranted
  /// A review was refused; Android only.
  case reviewDenied

  // MARK: Placements and paywalls

  /// A placement was matched.
  case triggerFire(TriggerFire)
  /// A paywall was asked for.
  case paywallPresentationRequest(PresentationRequest)
  /// A paywall opened.
  case paywallOpen(PaywallInfo)
  /// A paywall closed.
  case paywallClose(PaywallInfo, CloseReason, survey: SurveyPicker.Presentation?)
  /// The user closed a paywall.
  case paywallDecline(PaywallInfo)
  /// A page of the paywall was viewed.
  case paywallPageView(PaywallInfo, PageViewData)
  /// The user answered a survey.
  case surveyResponse(PaywallInfo, SurveyAnswer)
  /// The user closed a survey.
  case surveyClose
  /// A placement of the editor's own.
  case customPlacement(PaywallInfo, name: String, parameters: [String: Value])
  /// The paywall asks for a permission.
  case permissionRequested(Permission, String)
  /// The permission was granted.
  case permissionGranted(Permission, String)
  /// The permission was denied, or there is none.
  case permissionDenied(Permission, String)

  // MARK: Transactions

  /// The payment sheet appeared.
  case transactionStart(TransactionDetails)
  /// The payment sheet did not appear in time.
  case transactionTimeout(TransactionDetails)
  /// The user left the payment sheet.
  case transactionAbandon(TransactionDetails)
  /// The purchase failed, or waits.
  case transactionFail(TransactionDetails, message: String)
  /// The product was bought.
  case transactionComplete(TransactionDetails, TransactionType)
  /// A purchase was restored.
  case transactionRestore(
    PaywallInfo, RestoreType, product: StoreProduct?, source: String,
    storeKitVersion: PurchaseFlow.StoreKitVersion?)
  /// A subscription began without a trial.
  case subscriptionStart(TransactionDetails)
  /// A subscription began with a trial.
  case freeTrialStart(TransactionDetails)
  /// A product that does not renew was bought.
  case nonRecurringProductPurchase(TransactionDetails)
  /// A restore began.
  case restoreStart(PaywallInfo)
  /// A restore succeeded.
  case restoreComplete(PaywallInfo)
  /// A restore failed.
  case restoreFail(PaywallInfo, message: String)
  /// The checkout page opened.
  case stripeCheckoutStart(PaywallInfo, productID: String)
  /// The user submitted the checkout page.
  case stripeCheckoutSubmit(PaywallInfo, productID: String)
  /// The purchase on the checkout page was made.
  case stripeCheckoutComplete(PaywallInfo, productID: String)
  /// The purchase on the checkout page failed.
  case stripeCheckoutFail(PaywallInfo, productID: String)
  /// A redemption began.
  case redemptionStart(RedemptionFlow.Kind)
  /// A redemption succeeded.
  case redemptionComplete(RedemptionFlow.Kind)
  /// A redemption failed.
  case redemptionFail(RedemptionFlow.Kind)

  // MARK: Loading

  /// A new config is in force.
  case configRefresh(buildID: String, retryCount: Int, isCached: Bool, duration: Double)
  /// A config could not be fetched or read.
  case configFail(message: String)
  /// The options of the SDK.
  case configAttributes(
    [String: Value], usesPurchaseController: Bool, hasDelegate: Bool)
  /// A paywall's response is requested.
  case paywallResponseLoadStart(isTriggered: Bool)
  /// There is no such paywall.
  case paywallResponseLoadNotFound(isTriggered: Bool)
  /// The response could not be loaded.
  case paywallResponseLoadFail(isTriggered: Bool)
  /// The response is there.
  case paywallResponseLoadComplete(PaywallInfo, isTriggered: Bool)
  /// The page is requested.
  case paywallWebviewLoadStart(PaywallInfo)
  /// The page could not be loaded from any of these addresses.
  case paywallWebviewLoadFail(PaywallInfo, message: String, urls: [String])
  /// The page is there.
  case paywallWebviewLoadComplete(PaywallInfo)
  /// The page took too long; deprecated.
  case paywallWebviewLoadTimeout(PaywallInfo)
  /// The page is requested from another address.
  case paywallWebviewLoadFallback(PaywallInfo)
  /// The system ended the page's process.
  case paywallWebviewLoadProcessTerminated(PaywallInfo)
  /// The products are requested.
  case paywallProductsLoadStart(PaywallInfo, isTriggered: Bool)
  /// The products could not be loaded.
  case paywallProductsLoadFail(PaywallInfo, isTriggered: Bool, message: String)
  /// The products are there.
  case paywallProductsLoadComplete(PaywallInfo, isTriggered: Bool)
  /// The products are requested again.
  case paywallProductsLoadRetry(PaywallInfo, isTriggered: Bool, attempt: Int)
  /// Some products do not exist.
  case paywallProductsLoadMissingProducts(PaywallInfo, isTriggered: Bool, products: [String])
  /// Preloading began.
  case paywallPreloadStart(count: Int)
  /// Preloading is done.
  case paywallPreloadComplete(count: Int)
  /// The shimmer is shown.
  case shimmerViewStart(paywallID: String)
  /// The shimmer is hidden, after so many seconds.
  case shimmerViewComplete(paywallID: String, visibleDuration: Double)
  /// A resource of a paywall could not be loaded; Android only.
  case paywallResourceLoadFail(message: String)
  /// The attributes that the server knows are requested.
  case enrichmentStart
  /// It is there.
  case enrichmentComplete(user: [String: Value], device: [String: Value])
  /// It could not be loaded.
  case enrichmentFail
  /// A token of AdServices is requested.
  case adServicesTokenRequestStart
  /// It is there.
  case adServicesTokenRequestComplete(token: String)
  /// It could not be loaded.
  case adServicesTokenRequestFail(message: String)
  /// A response could not be read.
  case networkDecodingFail(url: String, response: String)

  // MARK: Test mode

  /// The modal of test mode opened.
  case testModeModalOpen
  /// It closed with these settings.
  case testModeModalClose(TestMode.Settings)
}
