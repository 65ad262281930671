import CampaignCore
import ExpressionEngine
import PaywallLogic

/// One event of each name, with everything that it can carry.
enum EventSamples {
  static let info: PaywallDetails = {
    var info = Samples.paywall("pw", .gated)
    info.products = [.init(name: "primary", id: "monthly"), .init(name: "best", id: "annual")]
    info.experiment = Samples.experiment("7", "7a")
    info.surveys = [Samples.survey]
    info.placementID = "e1"
    info.placementTime = "2026-03-01T12:00:00.000Z"
    info.scriptVersion = "4.0"
    info.isScrollEnabled = true
    info.appTransactionID = "a1"
    info.presentationID = "p1"
    let times = PaywallDetails.LoadTimes(
      start: "2026-03-01T12:00:00.000Z", complete: "2026-03-01T12:00:01.000Z",
      fail: "2026-03-01T12:00:02.000Z", duration: 1)
    info.response = times
    info.webView = times
    info.productsLoad = times
    info.shimmer = times
    return info
  }()

  static let details: TransactionDetails = {
    var transaction = PaywallTransaction(id: "t1", productID: "monthly")
    transaction.details = ["state": "purchased"]
    return TransactionDetails(
      product: Samples.monthly, info: info, transaction: transaction, source: "SUPERWALL",
      storeKitVersion: .storeKit2)
  }()

  static let context: EventContext = {
    var context = EventContext(sessionID: "s1")
    context.demandScore = 80
    context.demandTier = "high"
    return context
  }()

  static let all: [AnalyticsEvent] = lifecycle + paywalls + transactions + loading

  private static let lifecycle: [AnalyticsEvent] = [
    .firstSeen, .appOpen, .appClose, .appLaunch,
    .appInstall(installedAt: "2026-03-01T12:00:00.000Z", usesPurchaseController: true),
    .sessionStart, .touchesBegan, .reset, .identityAlias, .confirmAllAssignments,
    .deepLinkOpen([
      "url": "myapp://promo", "path": "", "pathExtension": "", "lastPathComponent": "",
      "host": "promo", "query": "", "fragment": "",
    ]),
    .userAttributes(["goal": "run"], installedAt: "2026-03-01T12:00:00.000Z"),
    .integrationAttributes(["amplitudeUserId": "u"]),
    .attributionMatch(
      .init(
        provider: .mmp, isMatched: true, source: "tiktok", confidence: .high, score: 0.9,
        reason: "none")),
    .deviceAttributes(["platform": "iOS"]),
    .subscriptionStatusDidChange(.active([.init(active: "pro")])),
    .customerInfoDidChange(from: .placeholder, to: .init()),
    .reviewRequested(count: 2, type: "in_app"), .reviewGranted, .reviewDenied,
    .testModeModalOpen,
    .testModeModalClose(
      .init(trialOverride: .useDefault, entitlements: ["pro"], offerTypes: ["pro": .trial])),
  ]

  private static let paywalls: [AnalyticsEvent] = [
    .triggerFire(
      .init(
        placement: "workout", result: .paywall(Samples.experiment("7", "7a", paywall: "pw")))),
    .paywallPresentationRequest(
      .init(
        placement: "workout", kind: .presentation, status: .presentation,
        expressionParameters: "{}")),
    .paywallOpen(info), .paywallClose(info, .manualClose, survey: .show), .paywallDecline(info),
    .paywallPageView(
      info,
      .init(
        pageNodeID: "n1", flowPosition: 1, pageName: "Plans", navigationNodeID: "b1",
        navigationType: "forward", previousPageNodeID: "n0", previousFlowPosition: 0,
        timeOnPreviousPage: 900)),
    .surveyResponse(
      info, .init(survey: Samples.survey, option: .other, text: "Too expensive")),
    .surveyClose, .customPlacement(info, name: "didTapPro", parameters: ["plan": "pro"]),
    .permissionRequested(.camera, "pw"), .permissionGranted(.camera, "pw"),
    .permissionDenied(.camera, "pw"),
  ]

  private static let transactions: [AnalyticsEvent] = [
    .transactionStart(details), .transactionTimeout(details), .transactionAbandon(details),
    .transactionFail(details, message: "no money"),
    .transactionComplete(details, .subscriptionStart),
    .transactionRestore(
      info, .viaPurchase(details.transaction), product: Samples.monthly, source: "SUPERWALL",
      storeKitVersion: .storeKit2),
    .subscriptionStart(details), .freeTrialStart(details), .nonRecurringProductPurchase(details),
    .restoreStart(info), .restoreComplete(info), .restoreFail(info, message: "offline"),
    .stripeCheckoutStart(info, productID: "web"), .stripeCheckoutSubmit(info, productID: "web"),
    .stripeCheckoutComplete(info, productID: "web"), .stripeCheckoutFail(info, productID: "web"),
    .redemptionStart(.code("abc")), .redemptionComplete(.code("abc")),
    .redemptionFail(.existingCodes),
  ]

  private static let loading: [AnalyticsEvent] = [
    .configRefresh(buildID: "b1", retryCount: 1, isCached: true, duration: 0.5),
    .configFail(message: "offline"),
    .configAttributes(["logging": "info"], usesPurchaseController: true, hasDelegate: false),
    .paywallResponseLoadStart(isTriggered: true), .paywallResponseLoadNotFound(isTriggered: true),
    .paywallResponseLoadFail(isTriggered: false),
    .paywallResponseLoadComplete(info, isTriggered: true), .paywallWebviewLoadStart(info),
    .paywallWebviewLoadFail(info, message: "offline", urls: ["https://a", "https://b"]),
    .paywallWebviewLoadComplete(info), .paywallWebviewLoadTimeout(info),
    .paywallWebviewLoadFallback(info), .paywallWebviewLoadProcessTerminated(info),
    .paywallProductsLoadStart(info, isTriggered: true),
    .paywallProductsLoadFail(info, isTriggered: true, message: "offline"),
    .paywallProductsLoadComplete(info, isTriggered: true),
    .paywallProductsLoadRetry(info, isTriggered: true, attempt: 2),
    .paywallProductsLoadMissingProducts(info, isTriggered: true, products: ["a", "b"]),
    .paywallPreloadStart(count: 3), .paywallPreloadComplete(count: 3),
    .shimmerViewStart(paywallID: "1"), .shimmerViewComplete(paywallID: "1", visibleDuration: 0.5),
    .paywallResourceLoadFail(message: "offline"), .enrichmentStart,
    .enrichmentComplete(user: ["plan": "free"], device: ["ipCountry": "NL"]), .enrichmentFail,
    .adServicesTokenRequestStart, .adServicesTokenRequestComplete(token: "x"),
    .adServicesTokenRequestFail(message: "offline"),
    .networkDecodingFail(url: "https://a", response: "{"),
  ]
}
