import CampaignCore
import CampaignHost
import CampaignMatcher
import ExpressionEngine
import Foundation
import PaywallLogic
import TestSupport
import Testing

/// A screen that writes down what it does.
final class Screen: Presenter {
  private let state = Locked((lines: [String](), fault: MatchError?.none))
  /// What a read of the device finds.
  let purchases = Locked<CustomerRecord?>(nil)

  var lines: [String] { state.withLock { $0.lines } }

  func fail(_ error: MatchError?) { state.withLock { $0.fault = error } }

  func present(_ paywall: PaywallDetails) async throws(MatchError) {
    if let fault = state.withLock({ $0.fault }) { throw fault }
    state.withLock { $0.lines.append("present \(paywall.identifier)") }
  }

  func dismiss(_ paywall: PaywallDetails) async {
    state.withLock { $0.lines.append("dismiss \(paywall.identifier)") }
  }

  func perform(_ effect: PaywallEffect) async -> PaywallSession.Event? {
    state.withLock { $0.lines.append("\(effect)") }
    guard case .reloadReceipts = effect else { return nil }
    return purchases.withLock { $0 }.map { .entitlements(.deviceLoaded($0)) }
  }
}

/// A shop that gives the answer that was set.
final class Shop: BillingController {
  private let answer: PaywallPurchaseResult
  private let onPurchase: @Sendable (PaywallProduct) async -> Void

  init(
    _ answer: PaywallPurchaseResult,
    onPurchase: @escaping @Sendable (PaywallProduct) async -> Void = { _ in }
  ) {
    self.answer = answer
    self.onPurchase = onPurchase
  }

  func purchase(product: PaywallProduct) async -> PaywallPurchaseResult {
    await onPurchase(product)
    return answer
  }

  func restorePurchases() async -> PaywallRestoreResult { .failed(nil) }
}

/// What happened, in order.
final class Diary: Sendable {
  private let lines = Locked([String]())

  func write(_ line: String) { lines.withLock { $0.append(line) } }

  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}

@Suite("The host of paywalls")
struct PaywallHostTests {
  /// The config of the scripts.
  private static let config: String = {
    (try? TestFiles.text("corpus/paywall/stories/config.json")) ?? ""
  }()

  private static let monthly: PaywallProduct = {
    var product = PaywallProduct(
      id: "monthly", price: Price(units: 999), period: BillingPeriod(1, .month))
    product.entitlements = ["pro"]
    return product
  }()

  private func host(
    screen: Screen, shop: Shop = Shop(.purchased), controller: Shop? = nil,
    store: any MatcherStore = InMemoryStore(),
    delegate: (any PaywallDelegate)? = nil, loads: Bool = true
  ) async throws -> PaywallHost {
    var configuration = PaywallHost.Configuration()
    configuration.products = [Self.monthly]
    configuration.purchaseController = controller
    configuration.delegate = delegate
    let host = PaywallHost(
      matcher: try Matcher(.init(store: store)), presenter: screen, store: shop,
      configuration: configuration)
    if loads { try await host.load(try ConfigDocument(json: Self.config)) }
    return host
  }

  private func handler(_ diary: Diary) -> PresentationHandler {
    var handler = PresentationHandler { diary.write("feature") }
    handler.onPresent { diary.write("onPresent \($0.identifier)") }
    handler.onWillDismiss { diary.write("onWillDismiss \($0.identifier) \($1)") }
    handler.onDismiss { diary.write("onDismiss \($0.identifier) \($1)") }
    handler.onSkip { diary.write("onSkip \($0)") }
    handler.onError { diary.write("onError \($0.code)") }
    return handler
  }

  @Test("a purchase opens the gate, and filters know of it")
  func purchase() async throws {
    let (screen, diary) = (Screen(), Diary())
    let shop = Locked<PaywallHost?>(nil)
    let host = try await host(
      screen: screen,
      shop: Shop(.purchased) { _ in
        var pro = UserEntitlement(active: "pro")
        pro.latestProductID = "monthly"
        await shop.withLock { $0 }?.didLoadPurchases(CustomerRecord(entitlements: [pro]))
      })
    shop.withLock { $0 = host }
    await host.didLoadPurchases(CustomerRecord())
    let result = try await host.register("workout", handler: handler(diary))
    #expect(result.caseName == "paywall")
    #expect(diary.take() == ["onPresent pw_gated"])
    await host.buy(productName: "primary")
    #expect(
      diary.take() == [
        "onWillDismiss pw_gated purchased monthly", "onDismiss pw_gated purchased monthly",
        "feature",
      ])
    #expect(screen.lines.first == "present pw_gated")
    #expect(screen.lines.contains("dismiss pw_gated"))
    try await host.register("workout", handler: handler(diary))
    #expect(diary.take() == ["onSkip noAudienceMatch", "feature"])
    shop.withLock { $0 = nil }
  }

  @Test("the status that a purchase leads to is there when its event is tracked")
  func receipts() async throws {
    struct Listener: PaywallDelegate {
      let diary: Diary
      func handleEvent(_ event: AnalyticsEvent) { diary.write("\(event)") }
    }
    let (screen, diary) = (Screen(), Diary())
    let host = try await host(screen: screen, delegate: Listener(diary: diary))
    await host.didLoadPurchases(CustomerRecord())
    try await host.register("workout", handler: handler(diary))
    screen.purchases.withLock {
      $0 = CustomerRecord(entitlements: [UserEntitlement(active: "pro")])
    }
    _ = diary.take()
    await host.buy(productName: "primary")
    let lines = diary.take()
    let places = [
      "subscriptionStatus_didChange ACTIVE", "transaction_complete monthly SUBSCRIPTION_START",
      "paywall_close pw_gated systemLogic", "feature",
    ].map { lines.firstIndex(of: $0) ?? -1 }
    #expect(places == places.sorted() && !places.contains(-1), "\(lines)")
    #expect(lines.count { $0 == "feature" } == 1)
  }

  @Test("the delegate gets all attributes of the user, not only those that changed")
  func attributes() async throws {
    struct Listener: PaywallDelegate {
      let diary: Diary
      func userAttributesDidChange(newAttributes: [String: Value?]) {
        diary.write(newAttributes.keys.sorted().joined(separator: " "))
      }
    }
    let diary = Diary()
    let host = try await host(screen: Screen(), delegate: Listener(diary: diary))
    await host.setSubscriptionStatus(.inactive)
    try await host.register("workout")
    await host.tap(id: "t", [.setUserAttributes(["newsletter": .bool(true)])])
    #expect(diary.take() == ["aliasId isLoggedIn newsletter seed"])
  }

  @Test("what the machines track is in the matcher's history, once")
  func history() async throws {
    let host = try await host(screen: Screen(), shop: Shop(.cancelled))
    await host.setSubscriptionStatus(.inactive)
    try await host.register("workout")
    await host.buy(productName: "primary")
    await host.close()
    for (name, count) in [
      ("workout", 1), ("paywall_open", 1), ("paywall_close", 1), ("paywall_decline", 1),
      ("transaction_start", 1), ("transaction_abandon", 1), ("trigger_fire", 3),
      ("subscriptionStatus_didChange", 1), ("transaction_complete", 0),
    ] {
      let answer = try host.matcher.evaluate(
        "device.placementsSinceInstall(\"\(name)\")", for: MatchRequest("any"))
      #expect(answer == .value(.int(Int64(count))), "\(name)")
    }
  }

  @Test("a controller sets the status while it buys")
  func controller() async throws {
    let (screen, diary) = (Screen(), Diary())
    let buyer = Locked<PaywallHost?>(nil)
    let host = try await host(
      screen: screen,
      controller: Shop(.purchased) { product in
        let host = buyer.withLock { $0 }
        #expect(await host?.purchase(product) == .purchased)
        await host?.setSubscriptionStatus(.active([UserEntitlement(active: "pro")]))
      })
    buyer.withLock { $0 = host }
    await host.setSubscriptionStatus(.inactive)
    try await host.register("workout", handler: handler(diary))
    await host.buy(productName: "primary")
    #expect(diary.take().suffix(2) == ["onDismiss pw_gated purchased monthly", "feature"])
    #expect(await host.session.entitlements.status.isActive)
    buyer.withLock { $0 = nil }
  }

  @Test("whoever declines gets the exit offer, which inherits the gate")
  func exitOffer() async throws {
    let (screen, diary) = (Screen(), Diary())
    let host = try await host(screen: screen)
    await host.setSubscriptionStatus(.inactive)
    try await host.register("run", handler: handler(diary))
    await host.close()
    #expect(
      diary.take() == [
        "onPresent pw_gated", "onWillDismiss pw_gated declined", "onDismiss pw_gated declined",
        "onPresent pw_offer",
      ])
    #expect(await host.session.presentation.paywall?.featureGating == .gated)
    await host.close()
    #expect(diary.take() == ["onWillDismiss pw_offer declined", "onDismiss pw_offer declined"])
    #expect(await host.session.presentation.paywall == nil)
  }

  @Test("a paywall that does not appear is no occurrence and leaves the screen free")
  func presentationFails() async throws {
    let (screen, diary) = (Screen(), Diary())
    screen.fail(.noPresenter)
    let host = try await host(screen: screen)
    await host.setSubscriptionStatus(.inactive)
    try await host.register("workout", handler: handler(diary))
    #expect(diary.take() == ["onError 103"])
    screen.fail(nil)
    try await host.register("workout", handler: handler(diary))
    #expect(diary.take() == ["onPresent pw_gated"])
    try await host.register("workout", handler: handler(diary))
    #expect(diary.take() == ["onError 102"])
  }

  @Test("a registration before config and status waits for both")
  func waiting() async throws {
    let (screen, diary) = (Screen(), Diary())
    let host = try await host(screen: screen, loads: false)
    async let result = host.register("workout", handler: handler(diary))
    try await host.load(try ConfigDocument(json: Self.config))
    await host.setSubscriptionStatus(.inactive)
    #expect(try await result.caseName == "paywall")
    #expect(diary.take() == ["onPresent pw_gated"])
  }

  @Test(
    "a task that is cancelled leaves the line, whatever it asked for", .timeLimit(.minutes(10)),
    arguments: [false, true], [false, true])
  func cancellation(beforehand: Bool, asksForPaywall: Bool) async throws {
    let (screen, diary) = (Screen(), Diary())
    let host = try await host(screen: screen)
    let handler = handler(diary)
    let task = Task {
      while beforehand, !Task.isCancelled { await Task.yield() }
      guard asksForPaywall else {
        return try await host.register("workout", handler: handler) == .error(.cancelled)
      }
      do throws(PaywallRefusal) {
        _ = try await host.getPaywall("workout") { _, _, _ in diary.write("onFinish") }
        return false
      } catch {
        return error == .failed(.cancelled)
      }
    }
    func isRecorded() throws -> Bool {
      try host.matcher.evaluate(
        "device.placementsSinceInstall(\"workout\") == 1", for: MatchRequest("any"))
        == .value(.bool(true))
    }
    // It waits for the status from the moment on when its placement is recorded.
    while !beforehand, try !isRecorded() { await Task.yield() }
    task.cancel()
    #expect(try await task.value)
    #expect(try isRecorded() == !beforehand)
    #expect(diary.take() == (asksForPaywall ? [] : ["onError \(MatchError.cancelled.code)"]))
    // It holds up nobody.
    await host.setSubscriptionStatus(.inactive)
    try await host.register("workout", handler: handler)
    #expect(diary.take() == ["onPresent pw_gated"])
  }

  @Test("an app presents a paywall itself")
  func getPaywall() async throws {
    let (screen, diary) = (Screen(), Diary())
    let host = try await host(screen: screen)
    await host.setSubscriptionStatus(.inactive)
    let info = try await host.getPaywall("workout") { info, result, shouldDismiss in
      diary.write("\(info.identifier) \(result) \(shouldDismiss)")
    }
    #expect(info.source == .getPaywall)
    await host.send(.presentation(.presented))
    await host.close()
    await host.send(.presentation(.disappeared))
    #expect(diary.take() == ["pw_gated declined true"])
    #expect(screen.lines.isEmpty)
    await #expect(throws: PaywallRefusal.skipped(.placementNotFound)) {
      try await host.getPaywall("nowhere") { _, _, _ in }
    }
  }

  @Test("the result of a callback is a root of filters")
  func callbacks() async throws {
    var handler = PresentationHandler()
    handler.onCustomCallback { callback in
      .success(data: ["validated": .bool(callback.name == "validate_email")])
    }
    let screen = Screen()
    let host = try await host(screen: screen)
    await host.setSubscriptionStatus(.inactive)
    #expect(try await host.register("greeting").caseName == "noAudienceMatch")
    try await host.register("workout", handler: handler)
    await host.tap(id: "t", [.callback(name: "validate_email", .blocking), .close])
    #expect(await host.session.presentation.paywall == nil)
    #expect(try await host.register("greeting").caseName == "paywall")
  }

  @Test("a filter sees all parameters of a paywall's event with a dollar sign, and some without")
  func copies() async throws {
    let screen = Screen()
    let host = try await host(screen: screen, loads: false)
    let filter = #"""
      params[\"$plan\"] == params.plan && params[\"$paywall_identifier\"] == \"pw_gated\" \#
      && params.paywall_identifier == null && params[\"$is_standard_event\"]
      """#
    let config = Self.config.replacing(
      "callbacks.validate_email.data.validated == true", with: filter)
    #expect(config != Self.config)
    try await host.load(try ConfigDocument(json: config))
    await host.setSubscriptionStatus(.inactive)
    try await host.register("workout")
    await host.tap(id: "t", [.customPlacement("greeting", parameters: ["plan": "team"])])
    #expect(screen.lines.contains("present pw_offer"), "\(screen.lines)")
  }

  @Test("delegate and stream get the same events in the same order")
  func listening() async throws {
    struct Listener: PaywallDelegate {
      let diary: Diary
      func handleEvent(_ event: AnalyticsEvent) { diary.write("\(event)") }
    }
    let diary = Diary()
    let host = try await host(screen: Screen(), delegate: Listener(diary: diary))
    _ = diary.take()
    let stream = host.events()
    await host.setSubscriptionStatus(.inactive)
    try await host.register("workout")
    await host.close()
    let heard = diary.take()
    var streamed: [String] = []
    for await event in stream {
      streamed.append("\(event)")
      if streamed.count == heard.count { break }
    }
    #expect(streamed == heard)
    #expect(
      heard == [
        "subscriptionStatus_didChange INACTIVE", "device_attributes", "trigger_fire workout",
        "paywallPresentationRequest", "paywall_open pw_gated", "paywall_decline pw_gated",
        "trigger_fire paywall_decline",
        "paywall_close pw_gated manualClose",
      ])
  }

  @Test("a request of the app that cannot be served ends")
  func refusals() async throws {
    let host = try await host(screen: Screen(), shop: Shop(.pending))
    #expect(await host.purchase(Self.monthly) == .pending)
    #expect(await host.restorePurchases() == .failed(nil))
    await host.didLoadPurchases(CustomerRecord())
    #expect(await host.customerInfo().isPlaceholder == false)
    guard case .paywall(let experiment) = try await host.presentationResult("workout") else {
      Issue.record("workout shows no paywall")
      return
    }
    #expect(experiment.variant.paywallIdentifier == "pw_gated")
  }
}
