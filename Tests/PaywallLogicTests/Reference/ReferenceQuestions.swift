import CampaignCore
import ExpressionCoding
import ExpressionEngine
import PaywallLogic
import Testing

/// The questions of `corpus/paywall/reference`: each takes what a row gives and returns an answer,
/// in which the row's paths are looked up.
enum ReferenceQuestions {
  typealias Question = @Sendable (Given) throws -> Value

  static let all: [String: Question] = [
    "precedence": precedence, "merge": merge, "active records": activeRecords,
    "receipts": receipts, "owned products": ownedProducts, "subscribed": subscribed,
    "trial by receipts": trialByReceipts, "active groups": activeGroups,
    "trial of StoreKit 1": trialOfStoreKit1, "offer": offer, "device read": deviceRead,
    "response": response, "checkout": checkout, "tokens": tokens, "observed": observed,
    "config product": configProduct, "product entitlements": productEntitlements,
    "store product": storeProduct, "period price": periodPrice, "period": period,
    "cycles": cycles, "commitment price": commitmentPrice, "verbose": verbose,
    "reserved name": reservedName, "parameters": parameters, "external data": externalData,
    "variant": variant, "static paywall": staticPaywall, "changed paywalls": changedPaywalls,
    "email": email, "link": link, "survey": survey, "test mode": testMode,
  ]
}

extension ReferenceQuestions {
  static func text(_ text: String?) -> Value? { text.map(Value.string) }
  static func flag(_ flag: Bool?) -> Value? { flag.map(Value.bool) }
  static func time(_ time: WallTime?) -> Value? { time.map { .int($0.milliseconds) } }
  static func number(_ number: Int?) -> Value? { number.map { .int(Int64($0)) } }

  /// Reads an entitlement as the server sends one, but without its kind.
  static func entitlement(_ value: Value) throws -> UserEntitlement {
    var members = value.objectValue ?? [:]
    members["type"] = "SERVICE_LEVEL"
    return try ServerResponses.entitlement(json: Value(object: members).jsonText())
  }

  static func describe(_ entitlement: UserEntitlement) -> Value {
    Value(members: [
      "identifier": .string(entitlement.identifier), "isActive": .bool(entitlement.isActive),
      "productIds": Value(entitlement.productIDs),
      "latestProductId": text(entitlement.latestProductID),
      "store": text(entitlement.store?.rawValue),
      "startsAt": time(entitlement.startsAt),
      "renewedAt": time(entitlement.renewedAt),
      "expiresAt": time(entitlement.expiresAt),
      "isLifetime": flag(entitlement.isLifetime),
      "willRenew": flag(entitlement.willRenew),
      "state": text(entitlement.state?.rawValue),
      "offerType": text(entitlement.offerType?.rawValue),
    ])
  }

  static func describe(_ subscription: CustomerRecord.Subscription) -> Value {
    Value(members: [
      "transactionId": .string(subscription.transactionID),
      "productId": .string(subscription.productID),
      "purchaseDate": time(subscription.purchasedAt), "willRenew": .bool(subscription.willRenew),
      "isRevoked": .bool(subscription.isRevoked),
      "isInGracePeriod": .bool(subscription.isInGracePeriod),
      "isInBillingRetryPeriod": .bool(subscription.isInBillingRetryPeriod),
      "isActive": .bool(subscription.isActive),
      "expirationDate": time(subscription.expiresAt),
      "offerType": text(subscription.offerType?.rawValue),
      "subscriptionGroupId": text(subscription.subscriptionGroupID),
    ])
  }

  static func describe(_ purchase: CustomerRecord.NonSubscription) -> Value {
    Value(members: [
      "transactionId": .string(purchase.transactionID), "productId": .string(purchase.productID),
      "purchaseDate": time(purchase.purchasedAt), "isConsumable": .bool(purchase.isConsumable),
      "isRevoked": .bool(purchase.isRevoked),
    ])
  }

  static func describe(_ customer: CustomerRecord) -> Value {
    var byProduct: [String: Value] = [:]
    for entitlement in customer.entitlements {
      for product in entitlement.productIDs {
        byProduct[product] = Value([entitlement.identifier])
      }
    }
    return Value(object: [
      "subscriptions": .list(customer.subscriptions.map(describe)),
      "nonSubscriptions": .list(customer.nonSubscriptions.map(describe)),
      "entitlements": .list(customer.entitlements.map(describe)),
      "entitlementsByProductId": Value(object: byProduct),
      "activeSubscriptionProductIds": Value(customer.activeSubscriptionProductIDs.sorted()),
      "isPlaceholder": .bool(customer.isPlaceholder),
    ])
  }

  static func precedence(_ given: Given) throws -> Value {
    let record = try entitlement(given["record"])
    return ["wins": .bool(record.wins(over: try entitlement(given["other"])))]
  }

  static func merge(_ given: Given) throws -> Value {
    .list(try given.list("records").map(entitlement).merged().map(describe))
  }

  static func activeRecords(_ given: Given) throws -> Value {
    Value(
      try given.list("records").map(entitlement).merged().filter(\.isActive).map(\.identifier))
  }
}

extension ReferenceQuestions {
  static func products(_ given: Given) throws -> [String: Set<UserEntitlement>] {
    try given.members("products").mapValues { names in
      guard case .list(let elements) = names else { throw Given.Missing(name: "products") }
      return Set(try elements.map { UserEntitlement(identifier: try $0.string) })
    }
  }

  static func owned(_ values: [Value]) throws -> Set<OwnedProduct> {
    Set(
      try values.map(Given.init).map { product in
        OwnedProduct(
          id: try product.text("id"), isActive: try product.flag("isActive"),
          purchasedAt: try product.time("purchasedAt"))
      })
  }

  private static func transaction(_ given: Given) throws -> ReceiptTransaction {
    guard let kind = ReceiptTransaction.Kind(rawValue: try given.text("kind")) else {
      throw Given.Missing(name: "kind")
    }
    var result = ReceiptTransaction(
      id: try given.text("id"), productID: try given.text("product"), kind: kind,
      purchasedAt: try given.time("purchasedAt"),
      originallyPurchasedAt: try given.optionalTime("originallyPurchasedAt"))
    result.expiresAt = try given.optionalTime("expiresAt")
    result.isRevoked = try given.isSet("isRevoked")
    result.willRenew = try given.isSet("willRenew")
    result.isInGracePeriod = try given.isSet("isInGracePeriod")
    result.isInBillingRetryPeriod = try given.isSet("isInBillingRetryPeriod")
    result.offerType = try given.optionalText("offerType").flatMap(OfferType.init)
    return result
  }

  static func receipts(_ given: Given) throws -> Value {
    let products = try products(given)
    let now = try given.time("now")
    var receipts = Receipts(transactions: try given.objects("transactions").map(transaction))
    for (id, value) in given.optional("standings")?.objectValue ?? [:] {
      let standing = Given(value)
      receipts.standings[id] = SubscriptionStanding(
        willRenew: try standing.flag("willRenew"),
        state: SubscriptionState(rawValue: try standing.text("state")))
    }
    let byProduct = receipts.entitlements(of: products, at: now).mapValues { entitlements in
      Value(
        object: Dictionary(uniqueKeysWithValues: entitlements.map { ($0.identifier, describe($0)) })
      )
    }
    let owned = receipts.ownedProducts(of: products, at: now).sorted { $0.id < $1.id }
    return [
      "products": Value(object: byProduct),
      "customer": describe(receipts.customerInfo(of: products, at: now)),
      "owned": .list(owned.map { ["id": .string($0.id), "isActive": .bool($0.isActive)] }),
    ]
  }

  static func ownedProducts(_ given: Given) throws -> Value {
    let owned = try given.optionalList("owned").map(owned)
    return describe(CustomerRecord(owned: owned, of: try products(given)))
  }

  static func subscribed(_ given: Given) throws -> Value {
    let owned = try owned(given.list("owned"))
    return [
      "isSubscribed": .bool(owned.isSubscribed(to: try given.text("product"))),
      "active": Value(owned.activeProductIDs.sorted()),
    ]
  }

  static func trialByReceipts(_ given: Given) throws -> Value {
    let eligibility = TrialEligibility(activeGroups: Set(try given.texts("activeGroups")))
    let isOffered = eligibility.offersTrial(
      inGroup: try given.optionalText("group"),
      isEligibleInStore: try given.flag("isEligibleInStore"))
    return ["isOffered": .bool(isOffered)]
  }

  static func activeGroups(_ given: Given) throws -> Value {
    var customer = CustomerRecord()
    customer.subscriptions = try given.objects("subscriptions").map { row in
      var result = CustomerRecord.Subscription(
        transactionID: "t", productID: try row.text("productId"),
        purchasedAt: WallTime(milliseconds: 0))
      result.subscriptionGroupID = try row.text("group")
      result.isActive = try row.flag("isActive")
      return result
    }
    let eligibility = TrialEligibility(
      customer: customer, owned: try owned(given.list("owned")),
      groups: try given.members("groups").mapValues { try $0.string })
    return ["groups": Value(eligibility.activeGroups.sorted())]
  }

  static func trialOfStoreKit1(_ given: Given) throws -> Value {
    let owned = try given.texts("owned").map { product in
      OwnedProduct(id: product, isActive: true, purchasedAt: WallTime(milliseconds: 0))
    }
    let isEligible = TrialEligibility.isEligible(
      productID: try given.text("product"), group: try given.optionalText("group"),
      hasTrial: try given.flag("hasTrial"), owned: owned,
      purchasedGroups: given.optional("purchasedGroups") == nil
        ? nil : Set(try given.texts("purchasedGroups")))
    return ["isEligible": .bool(isEligible)]
  }
}
