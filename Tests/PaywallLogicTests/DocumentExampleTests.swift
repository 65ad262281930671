import CampaignCore
import ExpressionEngine
import PaywallLogic
import Testing

/// The examples of the documents that are logic, close to how they read there.
@Suite("The examples of the documents")
struct DocumentExampleTests {
  /// The doings of the app, in order.
  final class Diary: Sendable {
    private let lines = Locked<[String]>([])
    func write(_ line: String) { lines.withLock { $0.append(line) } }
    var text: [String] { lines.withLock { $0 } }
  }

  private func paywall(_ gating: FeatureGating = .nonGated) -> PaywallDetails {
    Samples.paywall("campaign_paywall", gating)
  }

  /// Runs a registration to its end and hands all effects to the handler.
  private func play(
    _ events: [PresentationFlow.Event], _ handler: PresentationHandler
  ) {
    var flow = PresentationFlow()
    for event in events {
      for effect in flow.handle(event) { handler.perform(effect) }
    }
  }

  @Test("custom callbacks: validate_email")
  func validateEmail() async {
    @Sendable func isValidEmail(_ text: String) -> Bool { text.contains("@") }
    var handler = PresentationHandler()
    handler.onCustomCallback { callback in
      switch callback.name {
      case "validate_email":
        if case .string(let email)? = callback.variables?["email"], isValidEmail(email) {
          return .success(data: ["validated": true])
        } else {
          return .failure(data: ["error": "Invalid email"])
        }
      default:
        return .failure()
      }
    }

    func ask(_ name: String, _ variables: [String: Value]?) async -> PaywallCallbackResult {
      await handler.answer(PaywallCallback(requestID: "1", name: name, variables: variables))
    }
    #expect(
      await ask("validate_email", ["email": "a@b.c"]) == .success(data: ["validated": true]))
    #expect(
      await ask("validate_email", ["email": "nobody"])
        == .failure(data: ["error": "Invalid email"]))
    #expect(
      await ask("validate_email", ["email": 5]) == .failure(data: ["error": "Invalid email"]))
    #expect(await ask("validate_email", nil) == .failure(data: ["error": "Invalid email"]))
    #expect(await ask("other", nil) == .failure())
    #expect(
      await PresentationHandler().answer(PaywallCallback(requestID: "1", name: "x")) == .failure())
  }

  @Test("the order of the handler's callbacks")
  func handlerOrder() {
    let diary = Diary()
    var handler = PresentationHandler { diary.write("feature") }
    handler.onDismiss { info, result in diary.write("dismissed \(info.identifier): \(result)") }
    handler.onWillDismiss { _, result in diary.write("will dismiss: \(result)") }
    handler.onPresent { info in diary.write("presented \(info.identifier)") }
    handler.onError { error in diary.write("error \(error.code)") }
    handler.onSkip { reason in diary.write("skip \(reason)") }

    play(
      [
        .decided(.paywall(paywall(.gated))), .presented, .purchased("premium"), .disappeared,
      ], handler)
    #expect(
      diary.text == [
        "presented campaign_paywall", "will dismiss: purchased premium",
        "dismissed campaign_paywall: purchased premium", "feature",
      ])
  }

  @Test("skip reasons, each with its switch")
  func skipReasons() {
    let diary = Diary()
    var handler = PresentationHandler { diary.write("Feature launched") }
    handler.onSkip { reason in
      switch reason {
      case .holdout(let experiment): diary.write("in a holdout group of \(experiment.id)")
      case .noAudienceMatch: diary.write("matches no audience")
      case .placementNotFound: diary.write("not part of a campaign")
      }
    }
    play([.decided(.skip(.holdout(Samples.experiment("7", "7b"))))], handler)
    play([.decided(.skip(.noAudienceMatch))], handler)
    play([.decided(.skip(.placementNotFound))], handler)
    #expect(
      diary.text == [
        "in a holdout group of 7", "Feature launched", "matches no audience", "Feature launched",
        "not part of a campaign", "Feature launched",
      ])
  }

  @Test("viewing purchased products")
  func purchasedProducts() {
    let diary = Diary()
    var handler = PresentationHandler()
    handler.onDismiss { _, result in
      // A result has three cases; the `.cancelled` of one document does not exist.
      switch result {
      case .declined: diary.write("No purchase occurred.")
      case .purchased(let product): diary.write("Purchased \(product)")
      case .restored: diary.write("Restored purchases.")
      }
    }
    let begin: [PresentationFlow.Event] = [.decided(.paywall(paywall())), .presented]
    play(begin + [.purchased("premium_monthly"), .disappeared], handler)
    play(begin + [.restored, .disappeared], handler)
    play(begin + [.closed(.manualClose), .exitOffer(isFound: false), .disappeared], handler)
    #expect(
      diary.text == [
        "Purchased premium_monthly", "Restored purchases.", "No purchase occurred.",
      ])
  }

  /// Routes links of the service as the document does.
  struct Router: PaywallDelegate {
    let diary: Diary

    func handleSuperwallDeepLink(
      _ url: String, pathComponents: [String], queryParameters: [String: String]
    ) {
      guard let head = pathComponents.first else { return }
      switch head {
      case "campaign":
        if pathComponents.count > 1 { diary.write("campaign \(pathComponents[1])") }
      default: break
      }
    }

    func handleCustomPaywallAction(withName name: String) {
      if name == "help_center" { diary.write("help center") }
    }
  }

  @Test("deep links: the app routes what the SDK does not handle")
  func deepLinks() {
    let diary = Diary()
    let delegate = Router(diary: diary)
    var router = DeepLinkRouter()
    func open(_ url: String) -> Bool {
      let handled = router.recognizes(url)
      for effect in router.handle(.opened(url)) { delegate.perform(effect) }
      if !handled { diary.write("internally \(url)") }
      return handled
    }
    _ = router.handle(.configured(hasDeepLinkTrigger: false))
    #expect(open("https://myapp.superwall.app/app-link/campaign/7?x=1"))
    #expect(open("https://myapp.superwall.app/app-link/campaign"))
    #expect(open("https://myapp.superwall.app/app-link/other/7"))
    #expect(!open("myapp://settings"))
    #expect(diary.text == ["campaign 7", "internally myapp://settings"])
  }

  @Test("custom paywall actions")
  func customActions() {
    let diary = Diary()
    var chain = ActionChain()
    _ = chain.handle(.presented(paywall(), hasHandler: false))
    for name in ["help_center", "other"] {
      for effect in chain.handle(.tapped(id: name, [.custom(name)])) {
        Router(diary: diary).perform(effect)
      }
    }
    #expect(diary.text == ["help center"])
  }

  /// A purchase controller that hands App Store products back and bills the rest itself.
  private func controller(_ product: PaywallProduct) -> PaywallPurchaseResult {
    switch (product.store, product.id) {
    case (.appStore, _): .purchased
    case (.custom, "paid"): .purchased
    case (.custom, "waits"): .pending
    case (.custom, "left"): .cancelled
    default: .failed(PurchaseError.message("not handled: \(product.id)"))
    }
  }

  @Test(
    "purchase controllers for custom products",
    arguments: [
      ("paid", "transaction_complete"), ("waits", "transaction_fail"),
      ("left", "transaction_abandon"), ("unknown", "transaction_fail"),
    ])
  func customProducts(_ id: String, _ event: String) throws {
    var options = PaywallSession.Options()
    options.purchases.hasPurchaseController = true
    var info = paywall(.gated)
    info.products = [.init(name: "primary", id: id)]
    var session = PaywallSession(
      options: options, products: [PaywallProduct(id: id, store: .custom)])
    _ = session.handle(.registered(.register, .paywall(info), hasHandler: false))
    _ = session.handle(.presentation(.presented))
    let asked = session.handle(.buy(productName: "primary", dismisses: true))
    guard case .purchaseByController(let product)? = asked.last else {
      Issue.record("the controller was not asked")
      return
    }
    let told = session.handle(.purchase(.purchaseFinished(controller(product), nil)))
    let names = told.compactMap { effect -> String? in
      if case .track(let event) = effect { event.trackedName } else { nil }
    }
    #expect(names.first == event)
    // A purchase of the app's own billing reads no receipts.
    #expect(!told.contains(.reloadReceipts))
  }

  @Test("subscription status: entitlements of the purchased products")
  func subscriptionStatus() {
    var book = EntitlementBook(hasPurchaseController: true)
    _ = book.handle(
      .configured([
        "pro_monthly_external": [.init(identifier: "pro")],
        "gold_annual": [.init(identifier: "gold"), .init(identifier: "pro")],
      ]))
    func sync(_ products: Set<String>) -> UserSubscriptionStatus {
      let entitlements = Set(
        book.byProductIDs(products).map { UserEntitlement(active: $0.identifier) })
      _ = book.handle(.statusSet(entitlements.isEmpty ? .inactive : .active(entitlements)))
      return book.status
    }
    #expect(sync(["pro_monthly_external"]).isActive)
    #expect(sync(["gold_annual", "unknown"]).entitlements.map(\.identifier) == ["gold", "pro"])
    // An identifier that does not match finds nothing, and the user stays inactive.
    #expect(sync(["pro_monthly"]) == .inactive)
  }

  @Test("product overrides")
  func overrides() {
    let overrides = ProductOverrides(global: [
      "primary": "com.example.premium_monthly_promo",
      "secondary": "com.example.premium_annual_promo",
      "tertiary": "com.example.premium_lifetime",
    ])
    let products = ["primary", "secondary", "Primary"].map {
      PaywallDetails.NamedProduct(name: $0, id: "original")
    }
    #expect(
      overrides.apply(to: products).map(\.id) == [
        "com.example.premium_monthly_promo", "com.example.premium_annual_promo", "original",
      ])
  }

  @Test("cohorts in other tools")
  func cohorts() {
    let experiment = Samples.experiment("1234", "5678")
    let attributes = ["sw_experiment_1234": true, "sw_variant_5678": true]
    func event(_ result: PlacementResult) -> AnalyticsEvent {
      .triggerFire(TriggerFire(placement: "workout", result: result))
    }
    #expect(event(.paywall(experiment)).cohortAttributes == attributes)
    #expect(event(.holdout(experiment)).cohortAttributes == attributes)
    #expect(
      event(.noAudienceMatch([.init(experimentID: "1234", source: .expression)]))
        .cohortAttributes.isEmpty)
    #expect(AnalyticsEvent.paywallOpen(paywall()).cohortAttributes.isEmpty)
  }

  @Test("permission events")
  func permissions() {
    func track(_ event: AnalyticsEvent) -> String? {
      let parameters = event.parameters()
      func text(_ name: String) -> String {
        if case .string(let text)? = parameters[name] { text } else { "" }
      }
      return switch event.name {
      case .permissionRequested:
        "prompting \(text("permission_name")) from \(text("paywall_identifier"))"
      case .permissionGranted: "granted \(text("permission_name"))"
      case .permissionDenied: "denied \(text("permission_name"))"
      default: nil
      }
    }
    var chain = ActionChain()
    _ = chain.handle(.presented(paywall(), hasHandler: false))
    let effects =
      chain.handle(.tapped(id: "t", [.requestPermission(.camera)]))
      + chain.handle(.permissionAnswered(requestID: "t.1", isGranted: false))
    let lines = effects.compactMap { effect in
      if case .track(let event) = effect { track(event) } else { nil }
    }
    #expect(lines == ["prompting camera from campaign_paywall", "denied camera"])
  }

  @Test("redeemed links, each with its switch")
  func redemption() {
    struct Toasts: PaywallDelegate {
      let diary: Diary
      func willRedeemLink() { diary.write("Activating...") }
      func didRedeemLink(result: PaywallRedemptionResult) {
        switch result {
        case .expiredCode(_, let isResent, let email):
          diary.write("Expired Link \(isResent) \(email ?? "")")
        case .error(_, let message): diary.write(message)
        case .expiredSubscription: diary.write("Expired Subscription")
        case .invalidCode: diary.write("Invalid Link")
        case .success(_, let info): diary.write(info.email ?? "Welcome!")
        }
      }
    }
    var info = RedemptionInfo()
    info.email = "a@b.c"
    let results: [PaywallRedemptionResult] = [
      .success(code: "x", info), .success(code: "x", .init()), .invalidCode(code: "x"),
      .error(code: "x", message: "refused"),
      .expiredCode(code: "x", isResent: true, obfuscatedEmail: "a***"),
      .expiredSubscription(code: "x", info),
    ]
    let diary = Diary()
    for result in results {
      var flow = RedemptionFlow()
      let effects =
        flow.handle(.link(code: "x"))
        + flow.handle(
          .responded(
            .init(results: [result], customerInfo: .init()), device: [], at: Samples.instant(0)))
      for effect in effects { Toasts(diary: diary).perform(effect) }
    }
    #expect(
      diary.text.filter { $0 != "Activating..." } == [
        "a@b.c", "Welcome!", "Invalid Link", "refused", "Expired Link true a***",
        "Expired Subscription",
      ])
    #expect(diary.text.count == 12)
  }

  @Test("the redirect after a web checkout")
  func redirect() throws {
    let redirect = try #require(
      CheckoutRedirect(
        url: "https://yourapp.com/success?app_user_id=user_123&email=user@example.com"
          + "&stripe_subscription_id=sub_1234567890&campaign_id=summer_sale"))
    #expect(redirect.appUserID == "user_123")
    #expect(redirect.email == "user@example.com")
    #expect(redirect.stripeSubscriptionID == "sub_1234567890")
    #expect(redirect.placementParameters == ["campaign_id": "summer_sale"])
    #expect(CheckoutRedirect(url: "https://yourapp.com/success?email=a@b.c") == nil)
  }
}
