public import ExpressionEngine

extension EntitlementBook {
  /// A right that a product gives (docs/spec/campaigns.md §1.4, §6.2).
  public struct Entitlement: Sendable, Hashable {
    /// The identifier.
    public var identifier: String
    /// Whether it is in force.
    public var isActive = false
    /// The products that give it.
    public var productIDs: Set<String> = []
    /// The product that gave it last; `nil` if none ever did.
    public var latestProductID: String?
    /// Where it comes from.
    public var store: StoreProduct.Store?
    /// When it ends.
    public var expiresAt: Value.Timestamp?
    /// Whether it never ends.
    public var isLifetime: Bool?
    /// Whether it was taken back.
    public var isRevoked: Bool?
    /// Whether it will renew.
    public var willRenew: Bool?
    /// The state of the subscription behind it.
    public var state: SubscriptionState?

    /// Creates an inactive entitlement, as the config knows it.
    public init(identifier: String, productIDs: Set<String> = []) {
      self.identifier = identifier
      self.productIDs = productIDs
    }

    /// Creates an entitlement that is in force, of the App Store, as an app makes one of which it knows
    /// the identifier only.
    public init(active identifier: String) {
      self.identifier = identifier
      isActive = true
      store = .appStore
    }

    /// Whether the user ever had it: a product gave it, the service granted it, or it is in force.
    public var wasEverHeld: Bool { latestProductID != nil || store == .superwall || isActive }
  }

  /// The state of a subscription.
  public enum SubscriptionState: String, Sendable, Hashable, CaseIterable {
    /// The payment failed and access goes on for a while.
    case inGracePeriod
    /// It is in force.
    case subscribed
    /// It ended.
    case expired
    /// The payment is tried again.
    case inBillingRetryPeriod
    /// It was taken back.
    case revoked
  }
}

extension EntitlementBook.Entitlement {
  /// Whether this one wins over another record of the same entitlement (docs/spec/campaigns.md §8.2).
  ///
  /// The first difference decides: active; a product gave it, or the service did; lifetime; not
  /// revoked; expires later, or at all; renewal known, then true; state known, then not in its grace
  /// period. Without a difference the earlier record stays.
  public func wins(over other: Self) -> Bool {
    let ranks: [(own: Int, other: Int)] = [
      (rank(isActive), rank(other.isActive)),
      (rank(hasSource), rank(other.hasSource)),
      (rank(isLifetime == true), rank(other.isLifetime == true)),
      (rank(isRevoked != true), rank(other.isRevoked != true)),
    ]
    for (own, other) in ranks where own != other { return own > other }
    switch (expiresAt, other.expiresAt) {
    case (let own?, let others?) where own.isBefore(others) || others.isBefore(own):
      return others.isBefore(own)
    case (nil, _?): return false
    case (_?, nil): return true
    default: break
    }
    let last: [(own: Int, other: Int)] = [
      (rank(willRenew != nil), rank(other.willRenew != nil)),
      (rank(willRenew == true), rank(other.willRenew == true)),
      (rank(state != nil), rank(other.state != nil)),
      (rank(state != .inGracePeriod), rank(other.state != .inGracePeriod)),
    ]
    for (own, other) in last where own != other { return own > other }
    return false
  }

  private var hasSource: Bool { latestProductID != nil || store == .superwall }

  private func rank(_ isBetter: Bool) -> Int { isBetter ? 1 : 0 }
}

extension Sequence<EntitlementBook.Entitlement> {
  /// One record for each entitlement: the winner, with the products of all of them. Sorted by
  /// identifier.
  public func merged() -> [EntitlementBook.Entitlement] {
    var winners: [String: EntitlementBook.Entitlement] = [:]
    for entitlement in self {
      guard let earlier = winners[entitlement.identifier] else {
        winners[entitlement.identifier] = entitlement
        continue
      }
      var winner = entitlement.wins(over: earlier) ? entitlement : earlier
      winner.productIDs = earlier.productIDs.union(entitlement.productIDs)
      winners[entitlement.identifier] = winner
    }
    return winners.values.sorted { $0.identifier < $1.identifier }
  }
}

extension Value.Timestamp {
  /// Whether this instant is earlier than another; their offsets do not matter.
  func isBefore(_ other: Self) -> Bool {
    (seconds, nanoseconds) < (other.seconds, other.nanoseconds)
  }
}
