/// Says once for each transaction that a consumable is to be granted.
///
/// The SDK keeps no balance of consumables and may report a transaction more than once, such as after a
/// launch. The app stores ``transactionIDs`` beside its balance.
public struct ConsumableLedger: Sendable, Equatable {
  /// A consumable to grant.
  public struct Grant: Sendable, Equatable {
    /// The product.
    public var productID: String
    /// The transaction that pays for it.
    public var transactionID: String
  }

  /// The transactions for which something was granted.
  public private(set) var transactionIDs: Set<String>

  /// Creates a ledger.
  public init(transactionIDs: Set<String> = []) {
    self.transactionIDs = transactionIDs
  }

  /// Takes an event.
  ///
  /// - Returns: The product to grant for a `transaction_complete` of a consumable whose transaction
  ///   is new; `nil` for everything else, a transaction without an id among it.
  public mutating func grant(for event: AnalyticsEvent) -> Grant? {
    guard event.name == .transactionComplete, let details = event.transaction,
      details.product.isConsumable,
      let id = details.transaction?.id, transactionIDs.insert(id).inserted
    else { return nil }
    return Grant(productID: details.product.id, transactionID: id)
  }
}
