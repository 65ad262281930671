extension CampaignConfig {
  /// Returns the paywalls that an app must no longer keep in its cache when this config takes the place
  /// of an older one: those that are gone, and those that changed (docs/spec/campaigns.md §8.21).
  ///
  /// A paywall changed if its cache key did. A paywall that is new needs no removal.
  ///
  /// - Parameter old: The config before.
  /// - Returns: The identifiers of the paywalls.
  public func removedOrChangedPaywalls(since old: CampaignConfig) -> Set<String> {
    let present = Dictionary(
      paywalls.map { ($0.identifier, $0.cacheKey) }, uniquingKeysWith: { first, _ in first })
    let outdated = old.paywalls.filter { paywall in
      guard let key = present[paywall.identifier] else { return true }
      return key != paywall.cacheKey
    }
    return Set(outdated.map(\.identifier))
  }

  /// Returns the paywall of the config, or `nil` if it must be fetched because it is localized for the
  /// device, or if there is none (docs/spec/campaigns.md §8.21).
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the paywall.
  ///   - locale: The locale of the device, such as `de_AT`.
  public func staticPaywall(_ identifier: String, locale: String) -> Paywall? {
    guard !needsLocalizedPaywall(locale: locale) else { return nil }
    return paywalls.first { $0.identifier == identifier }
  }
}
