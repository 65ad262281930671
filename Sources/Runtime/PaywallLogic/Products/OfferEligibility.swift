public import CampaignCore

extension OfferEligibility {
  /// Whether a trial of the product is shown. It is asked anew whenever a paywall opens.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - isEligibleInStore: Whether the store offers a trial of an App Store product.
  ///   - customer: The customer's transactions and entitlements; they decide for products of other
  ///     stores.
  ///   - override: The setting of the tester.
  public func offersTrial(
    of product: PaywallProduct, isEligibleInStore: Bool,
    customer: CustomerRecord, override: TestMode.TrialOverride = .useDefault
  ) -> Bool {
    switch override {
    case .forceAvailable: return true
    case .forceUnavailable: return false
    case .useDefault: break
    }
    guard product.trial != nil, self != .alwaysIneligible else { return false }
    guard product.store == .appStore else {
      return Self.neverHeld(product.entitlements, by: customer)
    }
    return self == .automatic ? isEligibleInStore : !customer.hasTrial(inGroupOf: product)
  }

  /// Whether a purchase of the product begins with a trial. The setting of the paywall does not matter.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - isEligibleInStore: Whether the store offers a trial of an App Store product.
  ///   - customer: The customer's transactions and entitlements; they decide for products of other stores.
  public static func beginsWithTrial(
    _ product: PaywallProduct, isEligibleInStore: Bool, customer: CustomerRecord
  ) -> Bool {
    OfferEligibility.automatic.offersTrial(
      of: product, isEligibleInStore: isEligibleInStore, customer: customer)
  }

  /// Whether the customer never held any of a product's entitlements. A product without entitlements
  /// gives no answer, and neither does a customer who is not loaded; both count as held.
  private static func neverHeld(
    _ entitlements: [String], by customer: CustomerRecord
  ) -> Bool {
    guard !entitlements.isEmpty, !customer.isPlaceholder else { return false }
    let held = customer.entitlements.filter { $0.wasEverHeld }.map(\.identifier)
    return Set(held).isDisjoint(with: entitlements)
  }
}

extension CustomerRecord {
  /// Whether a trial of a subscription in the product's group is running. The App Store grants no second one.
  fileprivate func hasTrial(inGroupOf product: PaywallProduct) -> Bool {
    guard let group = product.subscriptionGroupID else { return false }
    return subscriptions.contains { subscription in
      subscription.store == .appStore && subscription.isActive
        && subscription.subscriptionGroupID == group && subscription.offerType == .trial
    }
  }
}
