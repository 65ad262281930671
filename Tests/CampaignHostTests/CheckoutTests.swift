import CampaignCore
import CampaignHost
import CampaignMatcher
import ExpressionEngine
import Foundation
import PaywallLogic
import TestSupport
import Testing

/// A server that answers requests for the result of a checkout, and the screen.
private final class Server: Presenter {
  private let state: Locked<(answers: [RedeemResponse], lines: [String])>
  private let clock: ManualClock

  init(_ answers: [RedeemResponse], clock: ManualClock) {
    state = Locked((answers, []))
    self.clock = clock
  }

  var lines: [String] { state.withLock { $0.lines } }

  func present(_ paywall: PaywallDetails) async throws(MatchError) {}
  func dismiss(_ paywall: PaywallDetails) async {}

  func perform(_ effect: PaywallEffect) async -> PaywallSession.Event? {
    state.withLock { $0.lines.append("\(effect)") }
    switch effect {
    case .pollCheckout:
      let answer = state.withLock { $0.answers.isEmpty ? nil : $0.answers.removeFirst() }
      guard let answer else { return .recovery(.requestFailed(at: clock.now())) }
      return .recovery(.responded(answer, at: clock.now()))
    case .alert(.checkoutCompleted): return .recovery(.confirmed)
    case .fetchOfferTokens(let request):
      let expiry = clock.now().advanced(byMilliseconds: 60_000)
      return .offerTokens(
        .fetched(
          Dictionary(
            request.productIDs.map { ($0, .init(text: "token of \($0)", expiresAt: expiry)) },
            uniquingKeysWith: { _, last in last })))
    default: return nil
    }
  }
}

@Suite("Checkouts, offers and events of an app")
struct CheckoutTests {
  private let clock = ManualClock(WallTime(milliseconds: 1_772_366_400_000))

  private func host(
    _ server: Server, store: InMemoryStore, shop: Shop = Shop(.purchased),
    change: (inout PaywallHost.Configuration) -> Void = { _ in }
  ) throws -> PaywallHost {
    var configuration = PaywallHost.Configuration()
    change(&configuration)
    return PaywallHost(
      matcher: try Matcher(.init(store: store, clock: clock)), presenter: server, store: shop,
      configuration: configuration)
  }

  @Test("a checkout that was under way when the app ended is redeemed at the next launch")
  func recovery() async throws {
    let store = InMemoryStore()
    let first = try host(Server([], clock: clock), store: store)
    await first.send(
      .recovery(.submitted(contextID: "c1", productID: "monthly", at: clock.now())))

    clock.advance(byMilliseconds: 5_000)
    var web = UserEntitlement(active: "pro")
    web.store = .stripe
    let found = RedeemResponse(
      results: [.success(code: "abc", .init())], customerInfo: .init(entitlements: [web]),
      status: .complete)
    let server = Server([RedeemResponse(status: .pending), found], clock: clock)
    let second = try host(server, store: store)
    await second.didLaunch()
    #expect(server.lines.contains("poll checkout c1"))
    #expect(await second.session.entitlements.active.isEmpty)
    clock.advance(byMilliseconds: 1_500)
    await second.drain()
    #expect(await second.session.entitlements.active.map(\.identifier) == ["pro"])
    #expect(await second.session.state.codes == ["abc"])
    #expect(await second.session.recovery.pending == nil)

    let third = Server([], clock: clock)
    await (try host(third, store: store)).didLaunch()
    #expect(third.lines == ["fetch web entitlements"])
  }

  @Test("a call returns after the paywall that follows from it has appeared")
  func returnsAfterwards() async throws {
    let config = try ConfigDocument(json: TestFiles.text("corpus/paywall/stories/config.json"))
    for _ in 0..<50 {
      let server = Server([], clock: clock)
      var configuration = PaywallHost.Configuration()
      configuration.products = [
        PaywallProduct(id: "annual", price: Price(units: 5_999), period: BillingPeriod(1, .year))
      ]
      let matcher = try Matcher()
      let host = PaywallHost(
        matcher: matcher, presenter: server, store: Shop(.purchased), configuration: configuration)
      try matcher.app.didInstall()
      try await host.load(config)
      await host.didLoadPurchases(CustomerRecord())
      #expect(await host.session.presentation.isOnScreen)
      await host.close()
      #expect(await !host.session.presentation.isOnScreen)
    }
  }

  @Test("the store gets the token of an offer, until it expires")
  func tokens() async throws {
    let sold = Locked<[String?]>([])
    let shop = Shop(
      .cancelled,
      onPurchase: { product in
        sold.withLock { $0.append(product.introOfferToken) }
      })
    var product = PaywallProduct(
      id: "monthly", price: Price(units: 999), period: BillingPeriod(1, .month))
    product.trial = .init(period: BillingPeriod(1, .week))
    let monthly = product
    var info = PaywallDetails(identifier: "pw")
    info.offerEligibility = .alwaysEligible
    info.products = [.init(name: "primary", id: "monthly")]
    let host = try host(Server([], clock: clock), store: InMemoryStore(), shop: shop) {
      $0.session.appTransactionID = "t1"
      $0.products = [monthly]
    }
    await host.send(.registered(.register, .unloaded(info), hasHandler: false))
    await host.send(.presentation(.loaded(LoadedPaywall(info, products: [monthly]))))
    await host.buy(productName: "monthly", dismisses: false)
    clock.advance(byMilliseconds: 60_000)
    await host.buy(productName: "monthly", dismisses: false)
    #expect(sold.withLock { $0 } == ["token of monthly", nil])
  }

  @Test("verbose events are not sent after a config has said so, also before the next config")
  func verbose() async throws {
    let store = InMemoryStore()
    let text = try TestFiles.text("corpus/paywall/stories/config.json")
    let toggle = #""toggles": [{"key": "disable_verbose_events", "enabled": true},"#
    let config = text.replacingOccurrences(of: #""toggles": ["#, with: toggle)
    let event = AnalyticsEvent.paywallOpen(PaywallDetails(identifier: "pw"))
    let start = AnalyticsEvent.paywallResponseLoadStart(isTriggered: true)
    let first = try host(Server([], clock: clock), store: store)
    #expect(await first.sends(start))
    try await first.load(ConfigDocument(json: config))
    #expect(await !first.sends(start))
    #expect(await first.sends(event))
    let second = try host(Server([], clock: clock), store: store)
    #expect(await !second.sends(start))
    let sandbox = try host(Server([], clock: clock), store: store) { $0.isSandbox = true }
    #expect(await sandbox.sends(start))
    let quiet = try host(Server([], clock: clock), store: store) { $0.tracking = .none }
    #expect(await !quiet.sends(event))
  }
}
