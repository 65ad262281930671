public import ExpressionEngine

/// An action of an element of the paywall.
public indirect enum PaywallAction: Sendable, Equatable {
  /// Calls the app's code; a branch runs with the result.
  case callback(
    name: String, PaywallCallback.Behavior, variables: [String: Value]? = nil,
    onSuccess: [PaywallAction] = [], onFailure: [PaywallAction] = [])
  /// Calls the delegate with a name.
  case custom(String)
  /// Asks for a permission; a branch runs with the answer.
  case requestPermission(
    Permission, onGranted: [PaywallAction] = [], onDenied: [PaywallAction] = [])
  /// Sets attributes of the user; `nil` removes one.
  case setUserAttributes([String: Value?])
  /// Tracks a placement of the editor's own, which can present a paywall.
  case customPlacement(String, parameters: [String: Value] = [:])
  /// Buys the product with this name.
  case purchase(productName: String)
  /// Restores purchases.
  case restore
  /// Opens a web address.
  case openURL(String)
  /// Opens a link that leads back into the app.
  case openDeepLink(String)
  /// Asks for a review.
  case requestReview
  /// Closes the paywall as if by hand.
  case close
}
