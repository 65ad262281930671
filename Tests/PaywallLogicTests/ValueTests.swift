import CampaignCore
import ExpressionEngine
import PaywallLogic
import Testing

@Suite("Values of the paywall logic")
struct ValueTests {
  private let now = WallTime(rfc3339: "2026-03-01T10:00:00Z") ?? WallTime(milliseconds: 0)

  @Test(
    "the data of a callback's result are those that JSON has",
    arguments: [
      (.list([.null, .bool(true), .int(1), .string("a"), .double(1.5)]), true),
      (.double(.infinity), false),
      (.bytes([1]), false),
      (.list([.bytes([1])]), false),
      (.map([.string("a"): .int(1)]), true),
      (.map([.string("a"): .bytes([1])]), false),
      (.map([.int(1): .int(1)]), false),
    ] as [(Value, Bool)])
  func encodableData(_ value: Value, _ isEncodable: Bool) {
    #expect(PaywallCallbackResult.success(data: ["a": value]).isEncodable == isEncodable)
  }

  @Test("which events of Adapty close the paywall")
  func closingEvents() {
    let product = AdaptyProduct(vendorProductID: "p", currencyCode: "EUR")
    let profile = AdaptyProfile(accessLevels: [
      .init(id: "gold", isActive: true, expiresAt: now), .init(id: "silver", isActive: false),
    ])
    let events: [(AdaptyEvent, String, Bool)] = [
      (.didFinishPurchase(product, .success(profile)), "gold", true),
      (.didFinishPurchase(product, .cancelled), "gold", false),
      (.didFinishRestore(profile), "gold", true),
      (.didFinishRestore(profile), "silver", false),
      (.didFinishRestore(profile), "bronze", false),
      (.didPerformAction(.close), "gold", true),
      (.didPerformAction(.custom("close")), "gold", false),
      (.didAppear, "gold", false),
    ]
    for (event, level, closes) in events {
      #expect(event.closesPaywall(for: level) == closes, "\(event), \(level)")
    }
    #expect(product.storeProduct.currencyCode == "EUR")
    #expect(profile.entitlements.first { $0.identifier == "gold" }?.expiresAt == now)
  }

  @Test("levels of the log are ordered by importance")
  func logLevels() {
    #expect(PaywallLogLevel.allCases.reversed().sorted() == [.debug, .info, .warn, .error, .none])
    #expect(PaywallLogLevel.debug < .info && !(PaywallLogLevel.debug < .debug))
  }

  @Test(
    "the standing of a subscription decides its periods, whatever the transaction says",
    arguments: [
      (nil, false, true), (.inGracePeriod, true, false), (.inBillingRetryPeriod, false, true),
      (.subscribed, false, false),
    ] as [(SubscriptionState?, Bool, Bool)])
  func standings(_ state: SubscriptionState?, _ isInGracePeriod: Bool, _ isRetried: Bool) {
    var transaction = ReceiptTransaction(
      id: "t", productID: "p", kind: .autoRenewable, purchasedAt: now)
    #expect(!transaction.isRevoked)
    transaction.isInBillingRetryPeriod = true
    let standing = state.map { SubscriptionStanding(willRenew: true, state: $0) }
    let receipts = Receipts(
      transactions: [transaction], standings: standing.map { ["t": $0] } ?? [:])
    let found = receipts.customerInfo(of: [:], at: now).subscriptions.first
    #expect(found?.isInGracePeriod == isInGracePeriod)
    #expect(found?.isInBillingRetryPeriod == isRetried)
    #expect(found?.isRevoked == false)
  }

  @Test("an entitlement of two products is of the store if one of them was bought")
  func ownedProducts() {
    var given = UserEntitlement(identifier: "gold")
    given.type = "OTHER"
    let owned: Set<OwnedProduct> = [OwnedProduct(id: "b", isActive: false, purchasedAt: now)]
    let record = CustomerRecord(owned: owned, of: ["a": [given], "b": [given]])
    #expect(record.entitlements.map(\.type) == ["OTHER"])
    #expect(record.entitlements.map(\.store) == [.appStore])
    let none = CustomerRecord(owned: [], of: ["a": [given]])
    #expect(none.entitlements.map(\.store) == [nil])
  }
}
