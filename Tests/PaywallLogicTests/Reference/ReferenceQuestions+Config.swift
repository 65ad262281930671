import CampaignCore
import ExpressionCoding
import ExpressionEngine
import PaywallLogic

extension ReferenceQuestions {
  /// A config with what a row gives, and otherwise empty.
  private static func config(
    products: [Value] = [], paywalls: [Paywall] = [], locales: [String] = []
  ) throws -> CampaignConfig {
    let document: Value = Value(object: [
      "build_id": "b", "trigger_options": [], "paywall_responses": [], "log_level": 10,
      "localization": ["locales": []], "app_session_timeout_ms": 3_600_000, "toggles": [],
      "disable_preload": ["all": false, "triggers": []], "products_v3": .list(products),
    ])
    var config = try ConfigDecoder().decode(document).config
    config.paywalls = paywalls
    config.locales = Set(locales)
    return config
  }

  static func configProduct(_ given: Given) throws -> Value {
    let products = try config(products: [given["product"]]).products
    return .list(
      products.map { product in
        var members: [String: Value?] = [
          "name": text(product.referenceName), "id": .string(product.id),
          "storeProductId": .string(product.storeProduct.id),
          "entitlements": Value(product.entitlements.map(\.identifier).sorted()),
        ]
        switch product.storeProduct {
        case .appStore: members["store"] = "APP_STORE"
        case .stripe(_, let days):
          members["store"] = "STRIPE"
          members["trialDays"] = days.map(Value.int)
        case .paddle: members["store"] = "PADDLE"
        case .custom: members["store"] = "CUSTOM"
        }
        return Value(members: members)
      })
  }

  static func productEntitlements(_ given: Given) throws -> Value {
    let config = try config(products: given.list("products"))
    return Value(
      object: config.entitlementsByProductID.mapValues { Value($0.map(\.identifier).sorted()) })
  }

  static func variant(_ given: Given) throws -> Value {
    let weights = try given.list("weights").map { weight in
      guard case .int(let weight) = weight else { throw Given.Missing(name: "weights") }
      return weight
    }
    let variants = weights.enumerated().map { index, weight in
      Variant(id: "\(index)", kind: .treatment, percentage: weight)
    }
    func choose(_ number: UInt64) -> String? {
      VariantChooser(random: ScriptedRandomSource([number])).choose(from: variants)?.id
    }
    let drawn = UInt64(try given.number("drawn"))
    let index = choose(drawn)
    // The number of draws from here on with the same result.
    let sum = UInt64(weights.reduce(0, +))
    let upTo = (drawn..<max(sum, drawn + 1)).prefix { choose($0) == index }.count
    return Value(members: [
      "index": index.flatMap { Int64($0) }.map(Value.int), "bound": .int(Int64(sum)),
      "upTo": .int(Int64(upTo)),
    ])
  }

  static func staticPaywall(_ given: Given) throws -> Value {
    let config = try config(
      paywalls: given.texts("paywalls").map { Paywall(id: $0, identifier: $0) },
      locales: given.texts("locales"))
    let paywall = config.staticPaywall(
      try given.text("wanted"), locale: try given.text("locale"))
    return Value(members: ["paywall": text(paywall?.identifier)])
  }

  static func changedPaywalls(_ given: Given) throws -> Value {
    func paywalls(_ name: String) throws -> [Paywall] {
      try given.members(name).map { identifier, key in
        var paywall = Paywall(id: identifier, identifier: identifier)
        paywall.cacheKey = try key.string
        return paywall
      }
    }
    let (old, new) = (
      try config(paywalls: paywalls("old")), try config(paywalls: paywalls("new"))
    )
    return ["paywalls": Value(new.removedOrChangedPaywalls(since: old).sorted())]
  }
}

extension ReferenceQuestions {
  private static func period(_ value: Value) throws -> (count: Int, unit: BillingPeriod.Unit) {
    guard case .list(let parts) = value, case .int(let count) = parts.first,
      let unit = BillingPeriod.Unit(rawValue: try parts[1].string)
    else { throw Given.Missing(name: "a period") }
    return (Int(count), unit)
  }

  private static func billingPeriod(_ value: Value) throws -> BillingPeriod {
    let (count, unit) = try period(value)
    return BillingPeriod(count, unit)
  }

  static func period(_ given: Given) throws -> Value {
    let period = try billingPeriod(given["period"])
    return ["count": .int(Int64(period.count)), "unit": .string(period.unit.rawValue)]
  }

  static func periodPrice(_ given: Given) throws -> Value {
    let period = try billingPeriod(given["period"])
    guard let price = Price(try given.text("price")) else { throw Given.Missing(name: "price") }
    return Value(
      members: Dictionary(
        uniqueKeysWithValues: BillingPeriod.Unit.allCases.map { unit in
          (unit.rawValue, period.price(price, per: unit).map { .string("\($0)") })
        }))
  }

  static func cycles(_ given: Given) throws -> Value {
    let billing = try period(given["billing"])
    let commitment = try period(given["commitment"])
    let cycles = BillingPeriod.cycles(
      of: billing.count, billing.unit, in: commitment.count, commitment.unit)
    return ["cycles": .int(Int64(cycles))]
  }

  static func commitmentPrice(_ given: Given) throws -> Value {
    guard let price = Price(try given.text("price")) else { throw Given.Missing(name: "price") }
    let total = try billingPeriod(given["billing"]).price(
      price, in: billingPeriod(given["commitment"]))
    return Value(members: ["price": total.map { .string("\($0)") }])
  }

  static func storeProduct(_ given: Given) throws -> Value {
    guard let price = Price(try given.text("price")) else { throw Given.Missing(name: "price") }
    var product = PaywallProduct(id: try given.text("id"), store: .custom, price: price)
    product.period = try given.optional("period").map(billingPeriod)
    product.currencyCode = try given.optionalText("currency")
    if let days = try given.optionalNumber("trialDays") {
      product.trial = PaywallProduct.Trial(period: BillingPeriod(Int(days), .day))
    }
    return [
      "hasTrial": .bool(product.trial != nil),
      "attributes": Value(object: product.attributes.mapValues(Value.string)),
    ]
  }
}
