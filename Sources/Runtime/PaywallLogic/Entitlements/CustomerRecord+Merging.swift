public import CampaignCore
import ExpressionCoding
import ExpressionEngine

extension CustomerRecord {
  /// The products of the subscriptions in force.
  public var activeSubscriptionProductIDs: Set<String> {
    Set(subscriptions.filter(\.isActive).map(\.productID))
  }

  /// The products that are bought and in force: subscriptions that run, and other purchases that were not
  /// taken back.
  var activeProductIDs: Set<String> {
    activeSubscriptionProductIDs.union(
      nonSubscriptions.filter { !$0.isRevoked }.map(\.productID))
  }

  /// This record of the device with one of the web: transactions once, those of the device first,
  /// by date; entitlements merged. The result is never a placeholder.
  public func merging(web: CustomerRecord) -> CustomerRecord {
    var result = self
    result.subscriptions = united(
      subscriptions, web.subscriptions, id: \.transactionID, date: \.purchasedAt)
    result.nonSubscriptions = united(
      nonSubscriptions, web.nonSubscriptions, id: \.transactionID, date: \.purchasedAt)
    result.entitlements = (entitlements + web.entitlements).merged()
    result.isPlaceholder = false
    return result
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

  /// The active and the inactive entitlements and the transactions, in the words of the corpus.
  package var summary: String {
    let names = entitlements.map { ($0.isActive ? "+" : "-") + $0.identifier }
    let transactions = subscriptions.map(\.transactionID) + nonSubscriptions.map(\.transactionID)
    let all = names + transactions
    if isPlaceholder, all.isEmpty { return "placeholder" }
    return (isPlaceholder ? "placeholder " : "") + "[\(all.joined(separator: " "))]"
  }
}

/// Two lists as one, each id once and ordered by date. What has one date keeps its order.
private func united<Element>(
  _ first: [Element], _ second: [Element], id: (Element) -> String, date: (Element) -> WallTime
) -> [Element] {
  var known: Set<String> = []
  let unique = (first + second).filter { known.insert(id($0)).inserted }
  return indices(orderedBy: unique.map(date)).map { unique[$0] }
}

private func indices(orderedBy dates: [WallTime]) -> [Int] {
  dates.indices.sorted { left, right in
    dates[left] == dates[right] ? left < right : dates[left] < dates[right]
  }
}
