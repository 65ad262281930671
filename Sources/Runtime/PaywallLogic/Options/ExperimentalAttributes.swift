public import CampaignCore
public import ExpressionEngine

/// The attributes of the device that need `enableExperimentalDeviceVariables`
/// (docs/spec/campaigns.md §6.5).
public struct ExperimentalAttributes: Sendable, Equatable {
  /// Whether the attributes are there.
  public var isEnabled: Bool

  /// Creates the switch, off by default.
  public init(isEnabled: Bool = false) {
    self.isEnabled = isEnabled
  }

  /// The attributes of the latest subscription; none when switched off or without a subscription.
  public func attributes(of customer: CustomerRecord) -> [String: Value] {
    guard isEnabled,
      let latest = customer.subscriptions.max(by: { $0.purchasedAt < $1.purchasedAt })
    else { return [:] }
    return [
      "latestSubscriptionPeriodType": .string(latest.periodType),
      "latestSubscriptionState": .string(latest.state.rawValue),
      "latestSubscriptionWillAutoRenew": .bool(latest.willRenew),
    ]
  }
}

extension CustomerRecord.Subscription {
  /// `revoked`, the kind of the offer, or `subscription`.
  fileprivate var periodType: String {
    isRevoked ? "revoked" : offerType?.rawValue ?? "subscription"
  }

  /// The state that the flags say.
  public var state: SubscriptionState {
    if isRevoked { return .revoked }
    if isInGracePeriod { return .inGracePeriod }
    if isInBillingRetryPeriod { return .inBillingRetryPeriod }
    return isActive ? .subscribed : .expired
  }
}
