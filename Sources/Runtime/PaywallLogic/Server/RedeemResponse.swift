public import CampaignCore

/// The response of the server to codes, and to the question about a checkout
/// (docs/spec/campaigns.md §8.16).
public struct RedeemResponse: Sendable, Equatable {
  /// The state of a checkout, with the word of the wire.
  public enum Status: String, Sendable, Hashable, CaseIterable {
    /// The payment is not decided.
    case pending
    /// The payment failed.
    case failed
    /// The payment is decided.
    case complete
  }

  /// A result for each code, also for those of earlier requests.
  public var results: [PaywallRedemptionResult]
  /// The customer's purchases on the web; a placeholder if the server left them out.
  public var customerInfo: CustomerRecord
  /// The state of the checkout; `nil` for a response to codes.
  public var status: Status?

  /// Creates a response.
  public init(
    results: [PaywallRedemptionResult] = [], customerInfo: CustomerRecord = .placeholder,
    status: Status? = nil
  ) {
    self.results = results
    self.customerInfo = customerInfo
    self.status = status
  }

  /// The codes of the results, which the next request sends once more.
  public var codes: [String] { results.map(\.code) }

  /// The response as the flow of redemptions takes it.
  public var redemption: RedemptionFlow.Response {
    RedemptionFlow.Response(results: results, customerInfo: customerInfo)
  }
}
