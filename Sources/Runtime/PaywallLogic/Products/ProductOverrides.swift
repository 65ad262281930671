/// Products that take the place of a paywall's by their names (docs/spec/campaigns.md §8.4).
///
/// Only what is shown and bought changes. Entitlements of the user and filters stay as they are.
public struct ProductOverrides: Sendable, Equatable {
  /// The product identifiers by the name in the editor, for all paywalls.
  public var global: [String: String]

  /// Creates overrides for all paywalls.
  public init(global: [String: String] = [:]) {
    self.global = global
  }

  /// The products of a paywall after the overrides.
  ///
  /// Names must match exactly. A name that the paywall does not have changes nothing, and a product
  /// without a name is never replaced.
  ///
  /// - Parameters:
  ///   - products: The products of the paywall, by position.
  ///   - perCall: The overrides of one call. They win over ``global`` entirely, also when empty, as
  ///     they are for a paywall that takes the place of another one.
  public func apply(
    to products: [PaywallDetails.NamedProduct], perCall: [String: String]? = nil
  ) -> [PaywallDetails.NamedProduct] {
    let overrides = perCall ?? global
    return products.map { product in
      guard let name = product.name, let id = overrides[name] else { return product }
      return PaywallDetails.NamedProduct(name: name, id: id)
    }
  }
}
