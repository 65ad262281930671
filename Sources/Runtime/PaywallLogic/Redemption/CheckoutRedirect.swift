/// The data that a web checkout passes to the app's own address, when the app redirects users instead of
/// letting the service redeem.
public struct CheckoutRedirect: Sendable, Equatable {
  /// The id of the user in the app.
  public var appUserID: String?
  /// The address of the buyer.
  public var email: String?
  /// The subscription at Stripe; for a one-time purchase the checkout session.
  public var stripeSubscriptionID: String?
  /// The parameters of the placement.
  public var placementParameters: [String: String]

  /// Reads the query of an address.
  ///
  /// - Returns: `nil` when it names neither user nor subscription, and so comes from no checkout.
  public init?(url: String) {
    var parameters = AppLink(url).queryParameters
    appUserID = parameters.removeValue(forKey: "app_user_id")
    email = parameters.removeValue(forKey: "email")
    stripeSubscriptionID = parameters.removeValue(forKey: "stripe_subscription_id")
    placementParameters = parameters
    if appUserID == nil, stripeSubscriptionID == nil { return nil }
  }
}
