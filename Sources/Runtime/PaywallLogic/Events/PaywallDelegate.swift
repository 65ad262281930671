public import CampaignCore
public import ExpressionEngine

/// A listener for everything that happens to paywalls. All methods are optional.
///
/// A host calls one method after the other, on the executor that the app names; `PaywallHost` calls them on
/// the main actor unless its configuration says otherwise.
public protocol PaywallDelegate: Sendable {
  /// An event was tracked.
  func handleEvent(_ event: AnalyticsEvent)
  /// A custom action was tapped.
  func handleCustomPaywallAction(withName name: String)
  /// A paywall is about to appear.
  func willPresentPaywall(withInfo info: PaywallDetails)
  /// A paywall appeared.
  func didPresentPaywall(withInfo info: PaywallDetails)
  /// A paywall is about to disappear.
  func willDismissPaywall(withInfo info: PaywallDetails)
  /// A paywall disappeared.
  func didDismissPaywall(withInfo info: PaywallDetails)
  /// The paywall opens a web address.
  func paywallWillOpenURL(url: String)
  /// The paywall opens a deep link.
  func paywallWillOpenDeepLink(url: String)
  /// The subscription status changed.
  func subscriptionStatusDidChange(
    from oldValue: UserSubscriptionStatus, to newValue: UserSubscriptionStatus)
  /// The customer info changed.
  func customerInfoDidChange(
    from oldValue: CustomerRecord, to newValue: CustomerRecord)
  /// Something else than the app changed attributes of the user; `nil` for one that was removed.
  func userAttributesDidChange(newAttributes: [String: Value?])
  /// A code is about to be redeemed.
  func willRedeemLink()
  /// A code was redeemed, or could not be.
  func didRedeemLink(result: PaywallRedemptionResult)
  /// A link of the service was opened.
  func handleSuperwallDeepLink(
    _ url: String, pathComponents: [String], queryParameters: [String: String])
  /// A message of the log. Every message comes, whatever is printed.
  func handleLog(level: PaywallLogLevel, scope: PaywallLogScope, message: String)
}

extension PaywallDelegate {
  /// Does nothing.
  public func handleEvent(_ event: AnalyticsEvent) {}
  /// Does nothing.
  public func handleCustomPaywallAction(withName name: String) {}
  /// Does nothing.
  public func willPresentPaywall(withInfo info: PaywallDetails) {}
  /// Does nothing.
  public func didPresentPaywall(withInfo info: PaywallDetails) {}
  /// Does nothing.
  public func willDismissPaywall(withInfo info: PaywallDetails) {}
  /// Does nothing.
  public func didDismissPaywall(withInfo info: PaywallDetails) {}
  /// Does nothing.
  public func paywallWillOpenURL(url: String) {}
  /// Does nothing.
  public func paywallWillOpenDeepLink(url: String) {}
  /// Does nothing.
  public func subscriptionStatusDidChange(
    from oldValue: UserSubscriptionStatus, to newValue: UserSubscriptionStatus
  ) {}
  /// Does nothing.
  public func customerInfoDidChange(
    from oldValue: CustomerRecord, to newValue: CustomerRecord
  ) {}
  /// Does nothing.
  public func userAttributesDidChange(newAttributes: [String: Value?]) {}
  /// Does nothing.
  public func willRedeemLink() {}
  /// Does nothing.
  public func didRedeemLink(result: PaywallRedemptionResult) {}
  /// Does nothing.
  public func handleSuperwallDeepLink(
    _ url: String, pathComponents: [String], queryParameters: [String: String]
  ) {}
  /// Does nothing.
  public func handleLog(level: PaywallLogLevel, scope: PaywallLogScope, message: String) {}

  /// Carries out an effect if it is the delegate's; does nothing with any other.
  public func perform(_ effect: PaywallEffect) {
    switch effect {
    case .track(let event): handleEvent(event)
    case .delegate(let call): perform(call)
    default: break
    }
  }

  private func perform(_ call: DelegateCall) {
    switch call {
    case .willPresentPaywall(let info): willPresentPaywall(withInfo: info)
    case .didPresentPaywall(let info): didPresentPaywall(withInfo: info)
    case .willDismissPaywall(let info): willDismissPaywall(withInfo: info)
    case .didDismissPaywall(let info): didDismissPaywall(withInfo: info)
    case .paywallWillOpenURL(let url): paywallWillOpenURL(url: url)
    case .paywallWillOpenDeepLink(let url): paywallWillOpenDeepLink(url: url)
    case .handleCustomPaywallAction(let name): handleCustomPaywallAction(withName: name)
    case .subscriptionStatusDidChange(let old, let new):
      subscriptionStatusDidChange(from: old, to: new)
    case .customerInfoDidChange(let old, let new): customerInfoDidChange(from: old, to: new)
    case .userAttributesDidChange(let attributes):
      userAttributesDidChange(newAttributes: attributes)
    case .willRedeemLink: willRedeemLink()
    case .didRedeemLink(let result): didRedeemLink(result: result)
    case .handleSuperwallDeepLink(let url, let components, let query):
      handleSuperwallDeepLink(url, pathComponents: components, queryParameters: query)
    }
  }
}
