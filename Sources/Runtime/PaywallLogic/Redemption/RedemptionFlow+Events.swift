public import CampaignCore
import ExpressionEngine

extension RedemptionFlow {
  /// A message of the checkout page, with the word of the wire.
  public enum CheckoutStep: String, Sendable, Hashable, CaseIterable {
    /// The page opened.
    case start = "stripe_checkout_start"
    /// The user submitted.
    case submit = "stripe_checkout_submit"
    /// The purchase was made.
    case complete = "stripe_checkout_complete"
    /// The purchase failed.
    case fail = "stripe_checkout_fail"
    /// The user left. There is no such event: it counts as an abandoned transaction.
    case abandon = "stripe_checkout_abandon"
  }

  /// An event of purchases on the web.
  public indirect enum Event: Sendable, Equatable {
    /// A paywall appeared; with the entitlements of its products.
    case paywallPresented(PaywallDetails, entitlements: Set<String>)
    /// The paywall is gone.
    case paywallDismissed
    /// A link brought a code.
    case link(code: String)
    /// The known codes are to be redeemed once more, such as after a purchase.
    case existingCodes
    /// The server responded to the request with this id, with the entitlements that are active on the
    /// device. Without an id, the results tell which request it is.
    case responded(Response, device: Set<String>, at: WallTime, id: Int? = nil)
    /// The server redeemed the code of a checkout that was pending; see ``CheckoutRecovery``.
    case recovered(Response, code: String, device: Set<String>, at: WallTime)
    /// The server could not be reached with the request of this id; by default the oldest one.
    case networkFailed(String, id: Int? = nil)
    /// The app was launched.
    case launched
    /// The app came to the foreground.
    case foregrounded(at: WallTime)
    /// The web entitlements were fetched; with the entitlements that are active without them.
    case fetched(CustomerRecord, at: WallTime, others: Set<String> = [])
    /// The checkout page sent a message about a product.
    case checkout(CheckoutStep, productID: String)
  }
}
