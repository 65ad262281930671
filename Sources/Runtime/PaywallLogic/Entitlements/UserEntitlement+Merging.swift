public import CampaignCore

extension UserEntitlement {
  /// Whether this one wins over another record of the same entitlement (docs/spec/campaigns.md §8.2).
  ///
  /// The first difference decides: active; a product gave it, or the service did; lifetime; not
  /// revoked; expires later, or at all; renewal known, then true; state known, then not in its grace
  /// period. Without a difference the earlier record stays.
  public func wins(over other: UserEntitlement) -> Bool {
    let ranks: [(own: Int, other: Int)] = [
      (rank(isActive), rank(other.isActive)),
      (rank(hasSource), rank(other.hasSource)),
      (rank(isLifetime == true), rank(other.isLifetime == true)),
      (rank(!isRevoked), rank(!other.isRevoked)),
    ]
    for (own, other) in ranks where own != other { return own > other }
    switch (expiresAt, other.expiresAt) {
    case (let own?, let others?) where own != others: return others < own
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

extension Sequence<UserEntitlement> {
  /// One record for each entitlement: the winner, with the products of all of them in order, each once.
  /// Sorted by identifier.
  public func merged() -> [UserEntitlement] {
    var winners: [String: UserEntitlement] = [:]
    for entitlement in self {
      guard let earlier = winners[entitlement.identifier] else {
        winners[entitlement.identifier] = entitlement
        continue
      }
      var winner = entitlement.wins(over: earlier) ? entitlement : earlier
      let added = entitlement.productIDs.filter { !earlier.productIDs.contains($0) }
      winner.productIDs = earlier.productIDs + added
      winners[entitlement.identifier] = winner
    }
    return Array(winners.values).sortedByIdentifier()
  }
}

extension [UserEntitlement] {
  // Each call of `sorted` by itself would be 4 kB of code.
  func sortedByIdentifier() -> [UserEntitlement] { sorted { $0.identifier < $1.identifier } }
}
