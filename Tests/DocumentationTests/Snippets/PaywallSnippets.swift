import CampaignHost
import Foundation
import Testing

// The Swift of the documentation of PaywallLogic, compiled and run.

@Suite("Swift in the article about paywalls")
@MainActor struct PaywallSnippets {
  @Test("sessions")
  func sessions() {
    let monthly = PaywallProduct(id: "monthly", price: Price(units: 999))
    let paywall = PaywallDetails(identifier: "pw")

    var session = PaywallSession(products: [monthly])
    var handler = PresentationHandler { print("the workout begins") }
    handler.onDismiss { info, result in print(info.identifier, result) }

    let decision = PresentationFlow.Decision.paywall(paywall)
    for effect in session.handle(.registered(.register, decision, hasHandler: false)) {
      handler.perform(effect)
    }
    #expect(session.presentation.paywall == paywall)
  }

  @Test("hosts")
  func hosts() async throws {
    let config = try String(
      contentsOf: repository.appending(path: "corpus/paywall/stories/config.json"),
      encoding: .utf8)

    struct Screen: Presenter {
      func present(_ paywall: PaywallDetails) async throws(MatchError) {
        print("show", paywall.name)
      }
      func dismiss(_ paywall: PaywallDetails) async { print("hide", paywall.name) }
    }

    struct Shop: BillingController {
      func purchase(product: PaywallProduct) async -> PaywallPurchaseResult { .purchased }
      func restorePurchases() async -> PaywallRestoreResult { .failed(nil) }
    }

    let host = PaywallHost(matcher: try Matcher(), presenter: Screen(), store: Shop())
    try await host.load(try ConfigDocument(json: config))
    await host.setSubscriptionStatus(.inactive)
    try await host.register("workout", handler: PresentationHandler { print("the workout begins") })
    await host.close()
    #expect(await host.session.presentation.phase == .ended)
  }
}
