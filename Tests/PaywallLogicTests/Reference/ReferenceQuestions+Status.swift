import CampaignCore
import ExpressionEngine
import PaywallLogic

/// The questions to the parts whose answers still differ from the reference's.
extension ReferenceQuestions {
  static func offer(_ given: Given) throws -> Value {
    guard let store = PaymentStore(rawValue: try given.text("store")),
      let eligibility = OfferEligibility(rawValue: try given.text("eligibility"))
    else { throw Given.Missing(name: "store or eligibility") }
    var product = PaywallProduct(
      id: "product", store: store, price: Price(units: 999), period: BillingPeriod(1, .month))
    if let days = try given.optionalNumber("trialDays"), days > 0 {
      product.trial = PaywallProduct.Trial(period: BillingPeriod(Int(days), .day))
    }
    product.entitlements = try given.texts("entitlements")
    var customer = CustomerRecord(entitlements: try given.list("customer").map(entitlement))
    customer.isPlaceholder = try given.isSet("isPlaceholder")
    let isOffered = eligibility.offersTrial(
      of: product, isEligibleInStore: true, customer: customer)
    return ["isOffered": .bool(isOffered)]
  }

  static func deviceRead(_ given: Given) throws -> Value {
    var book = EntitlementBook()
    if let status = try given.optionalList("status") {
      let entitlements = Set(try status.map(entitlement))
      _ = book.handle(.restored(entitlements.isEmpty ? .inactive : .active(entitlements)))
    }
    if let web = try given.optionalList("web") {
      _ = book.handle(.webLoaded(CustomerRecord(entitlements: try web.map(entitlement))))
    }
    let device = try given.optionalList("device")?.map(entitlement) ?? []
    var info = CustomerRecord(entitlements: device)
    info.subscriptions = try owned(given.list("owned")).map { product in
      var result = CustomerRecord.Subscription(
        transactionID: product.id, productID: product.id, purchasedAt: product.purchasedAt)
      result.isActive = product.isActive
      return result
    }
    _ = book.handle(.deviceLoaded(info, at: try given.time("now")))
    return ["status": .string(book.status.wireName)]
  }
}
