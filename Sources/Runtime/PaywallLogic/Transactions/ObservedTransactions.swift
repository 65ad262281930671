public import CampaignCore

/// The purchases that the app makes itself, each reported once (docs/spec/campaigns.md §8.19).
///
/// The second version of StoreKit only lists transactions, so that the new ones must be found. The first
/// version reports each step, some of them again after a launch.
public struct ObservedTransactions: Sendable, Equatable, Codable {
  /// A transaction in the list of the second version of StoreKit.
  public struct Listed: Sendable, Equatable {
    /// The id of the transaction.
    public var id: String
    /// The product.
    public var productID: String
    /// When it was bought.
    public var purchasedAt: WallTime
    /// Whether the signature of the store is right.
    public var isVerified: Bool
    /// Whether a subscription renewed by itself.
    public var isRenewal: Bool
    /// Whether it began with an offer.
    public var hasOffer: Bool

    /// Creates a transaction.
    public init(
      id: String, productID: String, purchasedAt: WallTime, isVerified: Bool = true,
      isRenewal: Bool = false, hasOffer: Bool = false
    ) {
      self.id = id
      self.productID = productID
      self.purchasedAt = purchasedAt
      self.isVerified = isVerified
      self.isRenewal = isRenewal
      self.hasOffer = hasOffer
    }
  }

  /// A step of a payment in the first version of StoreKit.
  public enum Step: Sendable, Equatable {
    /// The payment sheet appeared.
    case purchasing
    /// The product was bought.
    case purchased(transactionID: String?)
    /// The payment failed.
    case failed(message: String)
    /// The user left the payment sheet.
    case cancelled
    /// The sheet took too long.
    case timedOut
    /// The payment waits for an approval.
    case deferred
    /// The queue removed the payment.
    case removed
  }

  /// Something to report about a purchase of the app.
  public enum Report: Sendable, Equatable {
    /// It began: `transaction_start`.
    case started(productID: String)
    /// It succeeded: `transaction_complete`.
    case completed(productID: String, transactionID: String?, hasOffer: Bool?)
    /// The user left it: `transaction_abandon`.
    case abandoned(productID: String)
    /// It failed: `transaction_fail` with the message.
    case failed(productID: String, message: String)
    /// It waits for an approval: `transaction_fail` with the fixed message, without a product.
    case pending
    /// The sheet took too long: `transaction_timeout`, without a product. It is also abandoned.
    case timedOut
  }

  /// The ids of the transactions that are known. Keep them from launch to launch.
  public private(set) var knownIDs: Set<String>
  /// Whether the transactions from before the observation are known. Keep it from launch to launch.
  public private(set) var hasBegun: Bool
  /// The products whose payment is under way. Keep them from launch to launch.
  public private(set) var purchasing: Set<String>

  /// Creates an observation, with the state of the last launch.
  public init(
    knownIDs: Set<String> = [], hasBegun: Bool = false, purchasing: Set<String> = []
  ) {
    self.knownIDs = knownIDs
    self.hasBegun = hasBegun
    self.purchasing = purchasing
  }

  /// Takes the transactions from before the observation, which are never reported. Later calls change
  /// nothing.
  public mutating func begin(with transactions: [Listed]) {
    guard !hasBegun else { return }
    hasBegun = true
    knownIDs = Set(transactions.map(\.id))
  }

  /// Takes a transaction that the SDK made and reported itself.
  public mutating func note(ownTransaction id: String) {
    knownIDs.insert(id)
  }

  /// Takes the present transactions, when the app enters the foreground or the store reports a change.
  ///
  /// Only the newest verified transaction is reported, if it is new and was a purchase: the others are
  /// from other devices or renewed by themselves.
  ///
  /// - Parameters:
  ///   - transactions: All transactions.
  ///   - isPurchaseUnderWay: Whether the SDK is making a purchase, which it reports itself.
  /// - Returns: The report, if there is one.
  public mutating func handle(
    _ transactions: [Listed], isPurchaseUnderWay: Bool = false
  ) -> Report? {
    guard hasBegun, !isPurchaseUnderWay else { return nil }
    if transactions.isEmpty { knownIDs = [] }
    let verified = transactions.filter(\.isVerified)
    guard let newest = verified.max(by: { $0.purchasedAt < $1.purchasedAt }),
      !knownIDs.contains(newest.id)
    else { return nil }
    knownIDs.formUnion(transactions.map(\.id))
    guard !newest.isRenewal else { return nil }
    return .completed(
      productID: newest.productID, transactionID: newest.id, hasOffer: newest.hasOffer)
  }

  /// Takes a step of a payment in the first version of StoreKit.
  ///
  /// A payment that the queue repeats after a launch does not start again.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - productID: The product of the payment.
  /// - Returns: The reports, in order.
  public mutating func handle(_ step: Step, productID: String) -> [Report] {
    switch step {
    case .purchasing:
      return purchasing.insert(productID).inserted ? [.started(productID: productID)] : []
    case .removed:
      purchasing.remove(productID)
      return []
    case .purchased(let id):
      return [.completed(productID: productID, transactionID: id, hasOffer: nil)]
    case .failed(let message): return [.failed(productID: productID, message: message)]
    case .cancelled: return [.abandoned(productID: productID)]
    case .timedOut: return [.timedOut, .abandoned(productID: productID)]
    case .deferred: return [.pending]
    }
  }
}
