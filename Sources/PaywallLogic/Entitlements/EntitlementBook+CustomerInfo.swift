import ExpressionCoding
public import ExpressionEngine

extension EntitlementBook {
  /// A subscription that the customer has or had.
  public struct SubscriptionTransaction: Sendable, Hashable {
    /// An offer that a subscription began with.
    public enum OfferType: String, Sendable, Hashable, CaseIterable {
      /// An introductory offer.
      case trial
      /// A code.
      case code
      /// A promotional offer.
      case promotional
      /// A win-back offer.
      case winback
    }

    /// The id of the transaction.
    public var transactionID: String
    /// The product.
    public var productID: String
    /// When it was bought.
    public var purchaseDate: Value.Timestamp
    /// Whether it is in force.
    public var isActive = false
    /// Whether it will renew.
    public var willRenew = false
    /// Whether it was taken back.
    public var isRevoked = false
    /// Whether the payment failed and access goes on for a while.
    public var isInGracePeriod = false
    /// Whether the payment is tried again.
    public var isInBillingRetryPeriod = false
    /// When it ends.
    public var expirationDate: Value.Timestamp?
    /// The offer that it began with.
    public var offerType: OfferType?
    /// The group of the subscription.
    public var subscriptionGroupID: String?
    /// The store.
    public var store = StoreProduct.Store.appStore

    /// Creates a subscription.
    public init(transactionID: String, productID: String, purchaseDate: Value.Timestamp) {
      self.transactionID = transactionID
      self.productID = productID
      self.purchaseDate = purchaseDate
    }
  }

  /// A purchase that does not renew.
  public struct NonSubscriptionTransaction: Sendable, Hashable {
    /// The id of the transaction.
    public var transactionID: String
    /// The product.
    public var productID: String
    /// When it was bought.
    public var purchaseDate: Value.Timestamp
    /// Whether the product is used up.
    public var isConsumable = false
    /// Whether it was taken back.
    public var isRevoked = false
    /// The store.
    public var store = StoreProduct.Store.appStore

    /// Creates a purchase.
    public init(transactionID: String, productID: String, purchaseDate: Value.Timestamp) {
      self.transactionID = transactionID
      self.productID = productID
      self.purchaseDate = purchaseDate
    }
  }

  /// Everything that is known of a customer's purchases (docs/spec/campaigns.md §8.3).
  public struct CustomerInfo: Sendable, Hashable {
    /// The subscriptions, by date.
    public var subscriptions: [SubscriptionTransaction] = []
    /// The other purchases, by date.
    public var nonSubscriptions: [NonSubscriptionTransaction] = []
    /// The entitlements, by identifier.
    public var entitlements: [Entitlement] = []
    /// The user.
    public var userID = ""
    /// Whether the real data have not been loaded yet.
    public var isPlaceholder = false

    /// Creates an empty record.
    public init(entitlements: [Entitlement] = []) {
      self.entitlements = entitlements
    }

    /// The record before anything was loaded.
    public static let placeholder: CustomerInfo = {
      var info = CustomerInfo()
      info.isPlaceholder = true
      return info
    }()

    /// The products of the subscriptions in force.
    public var activeSubscriptionProductIDs: Set<String> {
      Set(subscriptions.filter(\.isActive).map(\.productID))
    }

    /// This record of the device with one of the web: transactions once, those of the device first,
    /// by date; entitlements merged.
    public func merging(web: CustomerInfo) -> CustomerInfo {
      var result = self
      result.subscriptions = united(
        subscriptions, web.subscriptions, id: \.transactionID, date: \.purchaseDate)
      result.nonSubscriptions = united(
        nonSubscriptions, web.nonSubscriptions, id: \.transactionID, date: \.purchaseDate)
      result.entitlements = (entitlements + web.entitlements).merged()
      result.isPlaceholder = isPlaceholder && web.isPlaceholder
      return result
    }
  }
}

/// Two lists as one, each id once and ordered by date. What has one date keeps its order.
private func united<Element>(
  _ first: [Element], _ second: [Element], id: (Element) -> String,
  date: (Element) -> Value.Timestamp
) -> [Element] {
  var known: Set<String> = []
  let unique = (first + second).filter { known.insert(id($0)).inserted }
  let ordered = unique.enumerated().sorted { left, right in
    let (leftDate, rightDate) = (date(left.element), date(right.element))
    if leftDate.isBefore(rightDate) { return true }
    return rightDate.isBefore(leftDate) ? false : left.offset < right.offset
  }
  return ordered.map(\.element)
}

extension EntitlementBook.CustomerInfo: CustomStringConvertible {
  /// The active and the inactive entitlements and the number of transactions.
  public var description: String {
    let names = entitlements.map { ($0.isActive ? "+" : "-") + $0.identifier }
    let transactions = subscriptions.map(\.transactionID) + nonSubscriptions.map(\.transactionID)
    let all = names + transactions
    if isPlaceholder, all.isEmpty { return "placeholder" }
    return (isPlaceholder ? "placeholder " : "") + "[\(all.joined(separator: " "))]"
  }

  /// The text of `customerInfo_didChange`: the entitlements and the placeholder flag as JSON.
  var eventText: String {
    let list = entitlements.map { entitlement -> Value in
      .map([
        .string("identifier"): .string(entitlement.identifier),
        .string("isActive"): .bool(entitlement.isActive),
      ])
    }
    return Value(object: ["entitlements": .list(list), "isPlaceholder": .bool(isPlaceholder)])
      .jsonText()
  }
}
