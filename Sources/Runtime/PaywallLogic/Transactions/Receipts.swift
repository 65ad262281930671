public import CampaignCore

/// The receipts of the device, and the entitlements that follow from them
/// (docs/spec/campaigns.md §8.13).
///
/// The config says which entitlements a product gives. A transaction of any of these products gives
/// them all.
public struct Receipts: Sendable, Equatable {
  /// The verified transactions, the newest first, as the store lists them.
  public var transactions: [ReceiptTransaction]
  /// The state of the subscriptions as a whole, by the id of their newest transaction.
  public var standings: [String: SubscriptionStanding]

  /// Creates receipts.
  ///
  /// - Parameters:
  ///   - transactions: The verified transactions, the newest first.
  ///   - standings: The state of the subscriptions, by the id of their newest transaction.
  public init(
    transactions: [ReceiptTransaction] = [], standings: [String: SubscriptionStanding] = [:]
  ) {
    self.transactions = transactions
    self.standings = standings
  }

  /// Returns the entitlements of each product of the config, by identifier. Those that were never
  /// bought are inactive.
  ///
  /// - Parameters:
  ///   - products: The entitlements that the config gives each product.
  ///   - now: The present time.
  /// - Complexity: O(entitlements × transactions).
  public func entitlements(
    of products: [String: Set<UserEntitlement>], at now: WallTime
  ) -> [String: [UserEntitlement]] {
    let sources = Self.products(givingEachOf: products)
    var known: [String: UserEntitlement] = [:]
    return products.mapValues { entitlements in
      let unique = Dictionary(
        entitlements.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
      return Array(unique.values).sortedByIdentifier().map { bare in
        if let done = known[bare.identifier] { return done }
        let enriched = enrich(bare, products: sources[bare.identifier] ?? [], at: now)
        known[bare.identifier] = enriched
        return enriched
      }
    }
  }

  /// Returns the customer info of the device: all transactions, the oldest first, and each entitlement
  /// of the config once.
  ///
  /// - Parameters:
  ///   - products: The entitlements that the config gives each product.
  ///   - now: The present time.
  public func customerInfo(
    of products: [String: Set<UserEntitlement>], at now: WallTime
  ) -> CustomerRecord {
    var info = CustomerRecord(
      entitlements: entitlements(of: products, at: now).values.flatMap { $0 }.merged())
    for transaction in transactions.reversed() {
      if transaction.kind.isSubscription {
        info.subscriptions.append(subscription(transaction, at: now))
      } else {
        info.nonSubscriptions.append(CustomerRecord.NonSubscription(transaction))
      }
    }
    return info
  }

  /// Returns the products that were bought. A product whose entitlements have all ended is not in
  /// force, even if one of its transactions looks valid.
  ///
  /// - Parameters:
  ///   - products: The entitlements that the config gives each product.
  ///   - now: The present time.
  public func ownedProducts(
    of products: [String: Set<UserEntitlement>], at now: WallTime
  ) -> Set<OwnedProduct> {
    let entitlements = entitlements(of: products, at: now)
    return Set(
      transactions.map { transaction in
        let given = entitlements[transaction.productID] ?? []
        let hasEnded = !given.isEmpty && !given.contains(where: \.isActive)
        return OwnedProduct(
          id: transaction.productID, isActive: transaction.isActive(at: now) && !hasEnded,
          purchasedAt: transaction.purchasedAt)
      })
  }
}

extension Receipts {
  /// Returns the products that give each entitlement, in order.
  private static func products(
    givingEachOf products: [String: Set<UserEntitlement>]
  ) -> [String: [String]] {
    var result: [String: [String]] = [:]
    for product in products.keys.sorted() {
      for identifier in Set((products[product] ?? []).map(\.identifier)) {
        result[identifier, default: []].append(product)
      }
    }
    return result
  }

  /// Adds to an entitlement of the config what the transactions of its products say.
  private func enrich(
    _ bare: UserEntitlement, products: [String], at now: WallTime
  ) -> UserEntitlement {
    var result = UserEntitlement(identifier: bare.identifier, productIDs: products)
    result.type = bare.type
    let giving = Set(products)
    let own = transactions.filter { giving.contains($0.productID) }
    guard let oldest = own.last else {
      result.store = bare.store
      return result
    }
    result.store = .appStore
    result.startsAt = oldest.originallyPurchasedAt
    result.renewedAt = own.filter(\.isRenewal).map(\.purchasedAt).max()
    result.isActive = own.contains { $0.isUnexpired(at: now) }
    result.isLifetime = false
    result.willRenew = false
    if let lifetime = own.first(where: { $0.kind == .nonConsumable && !$0.isRevoked }) {
      result.isLifetime = true
      result.isActive = true
      result.latestProductID = lifetime.productID
    } else {
      add(own.filter(\.kind.isSubscription), to: &result)
    }
    return result
  }

  /// Adds what the subscriptions say to an entitlement that is not for life.
  private func add(_ subscriptions: [ReceiptTransaction], to entitlement: inout UserEntitlement) {
    entitlement.expiresAt = subscriptions.filter { !$0.isRevoked }.compactMap(\.expiresAt).max()
    guard let newest = subscriptions.max(by: { $0.purchasedAt < $1.purchasedAt }) else { return }
    entitlement.latestProductID = newest.productID
    entitlement.offerType = newest.offerType
    entitlement.willRenew = newest.willRenew
    guard let standing = standings[newest.id] else { return }
    entitlement.willRenew = standing.willRenew
    entitlement.state = standing.state
    if standing.hasEnded { entitlement.isActive = false }
  }

  private func subscription(
    _ transaction: ReceiptTransaction, at now: WallTime
  ) -> CustomerRecord.Subscription {
    var result = CustomerRecord.Subscription(
      transactionID: transaction.id, productID: transaction.productID,
      purchasedAt: transaction.purchasedAt)
    result.willRenew = transaction.willRenew
    result.isRevoked = transaction.isRevoked
    result.isInGracePeriod = transaction.isInGracePeriod
    result.isInBillingRetryPeriod = transaction.isInBillingRetryPeriod
    result.isActive = transaction.isActive(at: now)
    result.expiresAt = transaction.expiresAt
    result.offerType = transaction.offerType
    result.subscriptionGroupID = transaction.subscriptionGroupID
    if let standing = standings[transaction.id] {
      result.willRenew = standing.willRenew
      result.isInGracePeriod = standing.state == .inGracePeriod
      result.isInBillingRetryPeriod = standing.state == .inBillingRetryPeriod
    }
    return result
  }
}

extension CustomerRecord.NonSubscription {
  fileprivate init(_ transaction: ReceiptTransaction) {
    self.init(
      transactionID: transaction.id, productID: transaction.productID,
      purchasedAt: transaction.purchasedAt)
    isConsumable = transaction.kind == .consumable
    isRevoked = transaction.isRevoked
  }
}

extension CustomerRecord {
  /// The customer info of the first version of StoreKit, whose receipt lists products only: an
  /// entitlement is in force while one of its products is.
  ///
  /// - Parameters:
  ///   - owned: The products of the receipt; `nil` without a receipt.
  ///   - products: The entitlements that the config gives each product.
  public init(owned: Set<OwnedProduct>?, of products: [String: Set<UserEntitlement>]) {
    let active = owned?.activeProductIDs ?? []
    let bought = Set((owned ?? []).map(\.id))
    let all = products.keys.sorted().flatMap { product in
      (products[product] ?? []).map { bare in
        var result = UserEntitlement(identifier: bare.identifier, productIDs: [product])
        result.type = bare.type
        result.isActive = active.contains(product)
        // A record without a store is not one of the App Store, which a read of the device may end.
        result.store = bought.contains(product) ? .appStore : nil
        return result
      }
    }
    var merged = all.merged()
    for index in merged.indices where !bought.isDisjoint(with: merged[index].productIDs) {
      merged[index].store = .appStore
    }
    self.init(entitlements: merged)
  }
}
