import PaywallLogic
import Testing

// The Swift of the documentation of PaywallLogic, compiled and run.

@Suite("Swift in the article about paywalls")
struct PaywallSnippets {
  @Test("sessions")
  func sessions() {
    let monthly = StoreProduct(id: "monthly", price: Price(units: 999))
    let paywall = PaywallInfo(identifier: "pw")

    var session = PaywallSession(products: [monthly])
    var handler = PresentationHandler { print("the workout begins") }
    handler.onDismiss { info, result in print(info.identifier, result) }

    let decision = PresentationFlow.Decision.paywall(paywall)
    for effect in session.handle(.registered(.register, decision, hasHandler: false)) {
      handler.perform(effect)
    }
    #expect(session.presentation.paywall == paywall)
  }
}
