/// A paywall that has loaded, with its products.
public struct LoadedPaywall: Sendable, Equatable {
  /// The paywall, with the times of its loading if they are known.
  @_Boxed public var info: PaywallDetails
  /// The products of the paywall that the store knows.
  public var products: [PaywallProduct]
  /// The identifiers of the products that the store does not know.
  public var missingProducts: [String] = []
  /// Why the products could not be loaded. The paywall is shown all the same.
  public var productsFailure: String?

  /// Creates a loaded paywall.
  public init(_ info: PaywallDetails, products: [PaywallProduct] = []) {
    self.info = info
    self.products = products
  }
}

/// What the page of a paywall shows. A user is asked a survey only after they have seen the paywall.
public enum ContentState: String, Sendable, Hashable, CaseIterable {
  /// Nothing yet.
  case unknown
  /// The shimmer, while the page loads.
  case loadingURL
  /// A spinner of the app.
  case manualLoading
  /// A spinner, while something is bought or restored.
  case loadingPurchase
  /// The paywall.
  case ready

  /// Whether a survey may follow when the paywall closes.
  var allowsSurvey: Bool { self == .ready || self == .loadingPurchase }
}
