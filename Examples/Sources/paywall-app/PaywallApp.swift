import CampaignCore
import CampaignHost
import CampaignMatcher
import CampaignStore
import ExpressionEngine
import Foundation
import PaywallLogic

/// A workout app with paywalls, on a terminal: matcher, purchases, entitlements, callbacks, links
/// and events. Where a real app shows a view, this one prints a line.
@main
struct PaywallApp {
  static func main() async {
    guard CommandLine.arguments.count == 3 else {
      fail("usage: paywall-app CONFIG STORE", status: 2)
    }
    do {
      let config = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
      try await run(config: config, storePath: CommandLine.arguments[2])
    } catch let error as CocoaError {
      fail("error: \(CommandLine.arguments[1]): \(error.localizedDescription)", status: 1)
    } catch {
      fail("error: \(error)", status: 1)
    }
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
  }

  private static func run(config: String, storePath: String) async throws {
    let matcher = try Matcher(
      .init(store: try SQLiteStore(path: storePath), random: SeededRandomSource(seed: 1)))
    let shop = Shop()
    var parts = PaywallHost.Configuration()
    parts.products = Shop.products
    parts.delegate = Listener()
    let host = PaywallHost(matcher: matcher, presenter: Screen(), store: shop, configuration: parts)
    await shop.connect(host)
    title("The first launch, which a paywall follows")
    try matcher.app.didInstall()
    try matcher.user.identify("marta")
    try await host.load(try ConfigDocument(json: config))
    await host.didLoadPurchases(CustomerRecord())
    await host.close()

    title("A workout behind a paywall")
    try await host.register("workout", handler: handler("the workout begins"))
    await host.buy(productName: "primary")

    title("The same workout with a subscription")
    try await host.register("workout", handler: handler("the workout begins"))

    title("A newsletter whose address the app checks")
    try await host.register("newsletter", handler: handler("the newsletter opens"))
    for address in ["nobody", "marta@example.com"] {
      let check = PaywallAction.callback(
        name: "validate_email", .blocking, variables: ["email": .string(address)],
        onSuccess: [.setUserAttributes(["email": .string(address)]), .close],
        onFailure: [.custom("shake")])
      await host.tap(id: address, [check])
    }

    title("A link to a promotion")
    print("recognized:", await host.handle(deepLink: "myapp://promo?offer=summer"))
    await host.close()
    print("what `greeting` would show:", try await host.presentationResult("greeting"))
  }

  private static func title(_ text: String) { print("\n# \(text)") }

  private static func handler(_ feature: String) -> PresentationHandler {
    var handler = PresentationHandler { print("  feature: \(feature)") }
    handler.onDismiss { info, result in print("  closed \(info.identifier): \(result)") }
    handler.onSkip { reason in print("  no paywall: \(reason)") }
    handler.onError { error in print("  error: \(error)") }
    handler.onCustomCallback { callback in
      guard case .string(let address)? = callback.variables?["email"], address.contains("@") else {
        return .failure(data: ["error": "Invalid email"])
      }
      return .success(data: ["validated": true])
    }
    return handler
  }
}

/// The screen: it says what it would show.
struct Screen: Presenter {
  func present(_ paywall: PaywallDetails) async throws(MatchError) {
    let products = paywall.products.map(\.id).joined(separator: ", ")
    print("  [\(paywall.name): \(products)]")
  }

  func dismiss(_ paywall: PaywallDetails) async { print("  [\(paywall.name) goes]") }

  func perform(_ effect: PaywallEffect) async -> PaywallSession.Event? {
    print("  (\(effect))")
    return nil
  }
}

/// The store: it sells everything, and tells the host what the user owns then.
actor Shop: BillingController {
  static let products = [
    PaywallProduct(id: "monthly", price: Price(units: 999), period: BillingPeriod(1, .month)),
    PaywallProduct(id: "monthly_promo", price: Price(units: 499), period: BillingPeriod(1, .month)),
    PaywallProduct(id: "annual", price: Price(units: 5_999), period: BillingPeriod(1, .year)),
  ]

  private weak var host: PaywallHost?

  func connect(_ host: PaywallHost) { self.host = host }

  func purchase(product: PaywallProduct) async -> PaywallPurchaseResult {
    var pro = UserEntitlement(active: "pro")
    pro.latestProductID = product.id
    await host?.didLoadPurchases(CustomerRecord(entitlements: [pro]))
    return .purchased
  }

  func restorePurchases() async -> PaywallRestoreResult { .failed(nil) }

  func transaction(of product: PaywallProduct) async -> PaywallTransaction? {
    PaywallTransaction(id: "t1", productID: product.id)
  }
}

/// The analytics of the app.
struct Listener: PaywallDelegate {
  func handleEvent(_ event: AnalyticsEvent) { print("  event: \(event)") }

  func subscriptionStatusDidChange(
    from oldValue: UserSubscriptionStatus, to newValue: UserSubscriptionStatus
  ) {
    print("  status: \(newValue)")
  }

  func handleCustomPaywallAction(withName name: String) { print("  the page \(name)s") }
}
