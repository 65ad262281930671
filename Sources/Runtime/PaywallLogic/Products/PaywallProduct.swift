public import CampaignCore

/// A product as the store describes it.
public struct PaywallProduct: Sendable, Hashable {
  /// The introductory offer that a subscription begins with.
  public struct Trial: Sendable, Hashable {
    /// How long it lasts.
    public var period: BillingPeriod
    /// The price; zero for a free trial.
    public var price: Price

    /// Creates a trial; a free one without a price.
    public init(period: BillingPeriod, price: Price = .zero) {
      self.period = period
      self.price = price
    }
  }

  /// How a price is written. A host with a number formatter writes prices itself.
  public struct PriceFormat: Sendable, Hashable {
    /// The symbol of the currency, such as `$`.
    public var symbol: String
    /// Whether the symbol stands after the amount.
    public var isSymbolLast: Bool
    /// The separator of the fraction.
    public var decimalSeparator: String

    /// Creates a format.
    public init(symbol: String = "", isSymbolLast: Bool = false, decimalSeparator: String = ".") {
      self.symbol = symbol
      self.isSymbolLast = isSymbolLast
      self.decimalSeparator = decimalSeparator
    }

    /// The amount with its symbol.
    public func text(_ price: Price) -> String {
      var amount = price.description
      if let point = amount.firstIndex(of: ".") {
        amount.replaceSubrange(point...point, with: decimalSeparator)
      }
      return isSymbolLast ? "\(amount) \(symbol)" : symbol + amount
    }
  }

  /// The product identifier.
  public var id: String
  /// Where it is sold.
  public var store: PaymentStore
  /// The price of a period, or of the product if it has none.
  public var price: Price
  /// The period; `nil` for a product that does not renew.
  public var period: BillingPeriod?
  /// The introductory offer.
  public var trial: Trial?
  /// The group of an App Store subscription, of which a user gets one trial.
  public var subscriptionGroupID: String?
  /// The identifiers of the entitlements that the product gives.
  public var entitlements: [String] = []
  /// Whether the product is used up.
  public var isConsumable = false
  /// How prices are written.
  public var priceFormat = PriceFormat()
  /// The code of the currency, such as `GBP`.
  public var currencyCode: String?
  /// The locale of the price.
  public var locale = ""
  /// The language of the locale.
  public var languageCode: String?
  /// The day on which a trial that begins now ends, as the host writes dates.
  public var trialEndText = ""
  /// The billing plan, `UP_FRONT` or `MONTHLY`.
  public var billingPlan: String?
  /// Whether the store offers the billing plan.
  public var isBillingPlanAvailable = false
  /// The token with which the App Store grants an introductory offer that it would refuse.
  public var introOfferToken: String?

  /// Creates a product.
  public init(
    id: String, store: PaymentStore = .appStore, price: Price = .zero, period: BillingPeriod? = nil,
    trial: Trial? = nil
  ) {
    self.id = id
    self.store = store
    self.price = price
    self.period = period
    self.trial = trial
  }
}

extension PaywallProduct {
  /// The attributes of the product by their suffix in parameters, such as `weekly_price` in
  /// `product_weekly_price` (docs/spec/campaigns.md §6.6). All are texts; `identifier` is among them.
  public var attributes: [String: String] {
    var result = [
      "raw_price": "\(price)", "price": priceFormat.text(price),
      "period_alt": period?.description ?? "", "localized_period": period?.description ?? "",
      "period": period?.name ?? "", "periodly": period?.adverb ?? "",
      "raw_trial_period_price": "\(trial?.price ?? .zero)",
      "trial_period_price": priceFormat.text(trial?.price ?? .zero),
      "trial_period_text": trialText, "trial_period_end_date": trialEndText, "locale": locale,
      "language_code": languageCode ?? "n/a", "currency_code": currencyCode ?? "n/a",
      "currency_symbol": priceFormat.symbol.isEmpty ? "n/a" : priceFormat.symbol,
      "identifier": id, "billing_plan_type": billingPlan ?? "",
      "is_billing_plan_available": "\(isBillingPlanAvailable)",
    ]
    for (unit, adjective, plural) in [
      (BillingPeriod.Unit.day, "daily", "days"), (.week, "weekly", "weeks"),
      (.month, "monthly", "months"), (.year, "yearly", "years"),
    ] {
      result["\(adjective)_price"] = text(period?.price(price, per: unit))
      result["trial_period_\(adjective)_price"] = trialPrice(per: unit)
      result["period_\(plural)"] = String(period?.length(in: unit) ?? 0)
      result["trial_period_\(plural)"] = String(trial?.period.length(in: unit) ?? 0)
    }
    return result
  }

  /// The attributes as `transaction_abandon` has them, ready for `params.abandoned_product_…`.
  public var abandonedParameters: [String: String] {
    var result = ["abandoned_product_id": id]
    for (name, text) in attributes where name != "identifier" {
      result["abandoned_product_" + name] = text
    }
    return result
  }

  private func text(_ price: Price?) -> String { price.map(priceFormat.text) ?? "n/a" }

  private func trialPrice(per unit: BillingPeriod.Unit) -> String {
    guard let trial else { return priceFormat.text(.zero) }
    return text(trial.period.price(trial.price, per: unit))
  }

  private var trialText: String { trial.map { "\($0.period.length(in: .day))-day" } ?? "" }
}

/// The store's record of a completed purchase.
public struct PaywallTransaction: Sendable, Hashable {
  /// The id of the transaction in its store.
  public var id: String
  /// The product.
  public var productID: String
  /// Whether the purchase began with an offer; `nil` if the store does not say.
  public var hasOffer: Bool?
  /// Whatever else the store reports, by its name on the wire, such as `subscription_group_id`.
  public var details: [String: String] = [:]

  /// Creates a transaction.
  public init(id: String, productID: String, hasOffer: Bool? = nil) {
    self.id = id
    self.productID = productID
    self.hasOffer = hasOffer
  }

  /// The parameters of the transaction in events.
  public var parameters: [String: String] {
    details.merging(["store_transaction_id": id]) { _, new in new }
  }
}
