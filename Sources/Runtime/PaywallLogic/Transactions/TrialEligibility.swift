public import CampaignCore

/// Whether the App Store grants a free trial, by the receipts (docs/spec/campaigns.md §8.14).
///
/// A customer who never took a trial is eligible for the store. But a purchase within a subscription
/// group in which a subscription is in force is an upgrade, a downgrade or a crossgrade, and these never
/// begin with a trial.
public struct TrialEligibility: Sendable, Equatable {
  /// The groups in which a subscription is in force.
  public var activeGroups: Set<String>

  /// Creates the eligibility of a customer.
  ///
  /// - Parameter activeGroups: The groups in which a subscription is in force.
  public init(activeGroups: Set<String> = []) {
    self.activeGroups = activeGroups
  }

  /// Finds the active groups in two places, so that none is missed: in transactions, which know the
  /// group of a product that is no longer sold, and in the products that the store describes, which is
  /// all that the first version of StoreKit has.
  ///
  /// - Parameters:
  ///   - customer: The customer info of the device.
  ///   - owned: The products that the customer bought.
  ///   - groups: The subscription groups of the products that loaded.
  public init(
    customer: CustomerRecord, owned: some Sequence<OwnedProduct>, groups: [String: String]
  ) {
    let transactions = customer.subscriptions.filter(\.isActive).compactMap(\.subscriptionGroupID)
    let products = owned.activeProductIDs.compactMap { groups[$0] }
    activeGroups = Set(transactions).union(products)
  }

  /// Whether the purchase of a product begins with a trial.
  ///
  /// - Parameters:
  ///   - group: The subscription group of the product; `nil` for a product that is not a subscription.
  ///   - isEligibleInStore: Whether the store offers the customer the trial. The store must be asked
  ///     each time, because its answer changes with a purchase and with the user.
  public func offersTrial(inGroup group: String?, isEligibleInStore: Bool) -> Bool {
    guard isEligibleInStore else { return false }
    return group.map { !activeGroups.contains($0) } ?? true
  }

  /// Whether the first version of StoreKit, which does not say it, offers the customer a trial: never
  /// within a group in which the customer bought something before.
  ///
  /// - Parameters:
  ///   - productID: The product.
  ///   - group: Its subscription group.
  ///   - hasTrial: Whether the product has a trial at all.
  ///   - owned: The products that the customer bought.
  ///   - purchasedGroups: The groups of these products; `nil` until they have loaded.
  public static func isEligible(
    productID: String, group: String?, hasTrial: Bool, owned: some Sequence<OwnedProduct>,
    purchasedGroups: Set<String>?
  ) -> Bool {
    guard hasTrial else { return false }
    guard let group, let purchasedGroups else { return !owned.contains { $0.id == productID } }
    return !purchasedGroups.contains(group)
  }
}
