import CampaignCore
import ExpressionEngine
import PaywallLogic

/// Events of every kind, small enough that all states can be tried.
enum Samples {
  static let survey = Survey(id: "s1", assignmentKey: "k1")

  static func experiment(_ id: String, _ variantID: String, paywall: String? = nil)
    -> CampaignExperiment
  {
    CampaignExperiment(
      id: id, campaignID: "",
      variant: Variant(
        id: variantID, kind: .treatment, percentage: 0, paywallIdentifier: paywall))
  }

  static func paywall(_ identifier: String, _ gating: FeatureGating) -> PaywallDetails {
    var info = PaywallDetails(identifier: identifier)
    info.featureGating = gating
    info.placement = "workout"
    return info
  }

  static let gated = paywall("closed", .gated)
  static let open = paywall("open", .nonGated)
  static let surveyed: PaywallDetails = {
    var info = paywall("asks", .nonGated)
    info.surveys = [survey]
    return info
  }()

  static let monthly: PaywallProduct = {
    var product = PaywallProduct(
      id: "monthly", price: Price(units: 999), period: BillingPeriod(1, .month))
    product.entitlements = ["pro"]
    return product
  }()

  static let presentationEvents: [PresentationFlow.Event] = [
    .decided(.paywall(gated)), .decided(.paywall(surveyed)), .decided(.skip(.noAudienceMatch)),
    .decided(.failed(.noConfig)), .decided(.failed(.reservedPlacement)), .decided(.unloaded(gated)),
    .loaded(LoadedPaywall(gated)), .contentChanged(.loadingURL), .makeRoom, .presented,
    .failed(.noPresenter),
    .networkFailed(isSubscribed: true, .loadFailed("offline")), .purchased("monthly"),
    .restored, .closed(.manualClose), .closed(.systemLogic), .closed(.webViewFailedToLoad),
    .surveyFinished(.show), .exitOffer(isFound: true), .exitOffer(isFound: false),
    .replaced(open), .disappeared,
  ]

  static let purchaseFlows: [PurchaseFlow] = {
    var controller = PurchaseFlow.Options()
    controller.hasPurchaseController = true
    var observer = PurchaseFlow.Options()
    observer.observesPurchases = true
    observer.storeKitVersion = .storeKit1
    return [PurchaseFlow(), PurchaseFlow(options: controller), PurchaseFlow(options: observer)]
  }()

  static let purchaseEvents: [PurchaseFlow.Event] = {
    let custom = PaywallProduct(id: "external", store: .custom)
    let transaction = PaywallTransaction(id: "t1", productID: "monthly")
    return [
      .purchase(monthly, from: .paywall(gated, dismisses: true), isTrialAvailable: false),
      .purchase(monthly, from: .app, isTrialAvailable: true),
      .purchase(custom, from: .paywall(gated, dismisses: true), isTrialAvailable: false),
      .productUnavailable(from: .app), .purchaseFinished(.purchased, transaction),
      .purchaseFinished(.cancelled, nil), .purchaseFinished(.pending, nil),
      .purchaseFinished(.failed(PurchaseError.message("no money")), nil),
      .purchaseRestored(transaction),
      .sheetTimedOut, .restore(from: .paywall(gated, dismisses: true)), .restore(from: .app),
      .restoreFinished(.restored, .init(isAnyActive: true)),
      .restoreFinished(.restored, .init(isAnyActive: false)),
      .restoreFinished(.failed(PurchaseError.message("offline")), .init(isAnyActive: false)),
      .observed(.started(monthly)), .observed(.abandoned(monthly)),
      .observed(.completed(monthly, transaction)), .observed(.timedOut(monthly)),
      .observed(.failed(monthly, message: "no money")), .observed(.pending(monthly)),
    ]
  }()

  static let entitlementEvents: [EntitlementBook.Event] = {
    var lapsed = UserEntitlement(active: "pro")
    lapsed.isActive = false
    lapsed.latestProductID = "monthly"
    var web = UserEntitlement(active: "web")
    web.store = .stripe
    return [
      .restored(.active([.init(active: "pro")])), .statusSet(.active([])),
      .statusSet(.active([.init(active: "pro")])), .statusSet(.unknown),
      .deviceLoaded(.init(entitlements: [.init(active: "pro")])),
      .deviceLoaded(.init(entitlements: [lapsed])), .webLoaded(.init(entitlements: [web])),
      .configured(["monthly": [.init(identifier: "pro")]]), .customerInfoRequested,
      .pinned([.init(active: "gold")]), .pinned(nil),
    ]
  }()

  static let actionEvents: [ActionChain.Event] = [
    .presented(gated, hasHandler: true), .presented(gated, hasHandler: false),
    .tapped(
      id: "wait",
      [
        .callback(
          name: "validate", .blocking, onSuccess: [.custom("welcome")],
          onFailure: [.custom("sorry")]), .close,
      ]),
    .tapped(
      id: "go", [.callback(name: "log", .nonBlocking, onSuccess: [.custom("logged")]), .restore]),
    .tapped(id: "ask", [.requestPermission(.camera, onGranted: [.custom("cheese")])]),
    .callbackFinished(requestID: "wait.1", .success(data: ["validated": true])),
    .callbackFinished(requestID: "wait.1", .failure()),
    .callbackFinished(requestID: "go.1", .success()), .timedOut(requestID: "wait.1"),
    .permissionAnswered(requestID: "ask.1", isGranted: true), .dismissed,
  ]

  static func instant(_ seconds: Int64) -> WallTime { WallTime(seconds: seconds) }

  static let redemptionEvents: [RedemptionFlow.Event] = {
    var web = UserEntitlement(active: "pro")
    web.store = .stripe
    let response = RedemptionFlow.Response(
      results: [.success(code: "abc", .init())], customerInfo: .init(entitlements: [web]))
    return [
      .paywallPresented(gated, entitlements: ["pro"]), .paywallDismissed, .link(code: "abc"),
      .link(code: "def"), .existingCodes, .responded(response, device: [], at: instant(1_000)),
      .recovered(response, code: "abc", device: [], at: instant(1_500)),
      .networkFailed("offline"), .launched, .foregrounded(at: instant(2_000)),
      .fetched(.init(), at: instant(3_000)), .checkout(.start, productID: "web_monthly"),
    ]
  }()
}
