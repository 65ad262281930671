/// The events of the SDKs (docs/spec/campaigns.md §8.7), which functions of the history count
/// beside those of the app.
package enum EventVocabulary {
  /// The events that start a placement without being registered (§2.10).
  package static let placements = words(
    """
    app_install session_start app_launch deepLink_open transaction_fail paywall_decline
    transaction_abandon survey_response touches_began
    """)

  /// The events that only enter the history.
  package static let others = words(
    """
    first_seen app_open app_close reset identity_alias survey_close confirm_all_assignments
    testModeModal_open enrichment_start enrichment_fail adServicesTokenRequest_start
    trigger_fire paywallPresentationRequest paywall_open paywall_close paywall_page_view
    transaction_start transaction_timeout transaction_complete transaction_restore
    subscription_start freeTrial_start nonRecurringProduct_purchase restore_start
    restore_complete restore_fail custom_placement user_attributes integration_attributes
    attribution_match device_attributes subscriptionStatus_didChange customerInfo_didChange
    config_refresh config_fail config_attributes paywallResponseLoad_start
    paywallResponseLoad_notFound paywallResponseLoad_fail paywallResponseLoad_complete
    paywallWebviewLoad_start paywallWebviewLoad_fail paywallWebviewLoad_complete
    paywallWebviewLoad_timeout paywallWebviewLoad_fallback paywallWebviewLoad_processTerminated
    paywallProductsLoad_start paywallProductsLoad_fail paywallProductsLoad_complete
    paywallProductsLoad_retry paywallProductsLoad_missingProducts paywallPreload_start
    paywallPreload_complete shimmerView_start shimmerView_complete redemption_start
    redemption_complete redemption_fail enrichment_complete adServicesTokenRequest_fail
    adServicesTokenRequest_complete networkDecoding_fail review_requested review_granted
    review_denied permission_requested permission_granted permission_denied stripeCheckout_start
    stripeCheckout_submit stripeCheckout_complete stripeCheckout_fail testModeModal_close
    paywallResourceLoad_fail
    """)

  /// Returns the event that a name means in another spelling: `deeplink_open`, `PAYWALL_OPEN`,
  /// `appOpen`, `transaction_abandn`.
  ///
  /// - Returns: `nil` for the name of an event of the SDKs, and for any other name.
  package static func event(meantBy name: String) -> String? {
    guard name.utf8.count <= 60, !known.contains(name) else { return nil }
    if let same = byKey[key(of: name)] { return same }
    // The SDK itself reports what happened to a paywall or a purchase.
    if name.hasPrefix("paywall_") || name.hasPrefix("transaction_"), name.hasSuffix("d"),
      let base = [1, 2, 3].lazy.map({ String(name.dropLast($0)) }).first(where: {
        known.contains($0)
      })
    {
      return base
    }
    if let other = aliases[name.lowercased()] { return other }
    let scalars = Array(name.unicodeScalars)
    guard scalars.count >= 9 else { return nil }
    // An app may have an event in the plural.
    return long.first { event in
      abs(event.scalars.count - scalars.count) <= 1 && event.name + "s" != name
        && event.name != name + "s" && Suggestions.distance(scalars, event.scalars) == 1
    }?.name
  }

  private static let known = Set(placements + others)
  /// Other names of what the SDK reports, by their letters in lower case.
  private static let aliases = [
    "paywall_view": "paywall_open", "paywall_viewed": "paywall_open",
    "paywall_shown": "paywall_open", "paywall_show": "paywall_open",
    "paywall_presented": "paywall_open", "paywall_impression": "paywall_open",
    "paywall_dismiss": "paywall_close", "paywall_dismissed": "paywall_close",
    "touch_began": "touches_began",
  ]

  private static let byKey: [[UInt8]: String] = {
    var names: [[UInt8]: String] = [:]
    for name in placements + others { names[key(of: name)] = name }
    return names
  }()
  /// The names that are long enough for one letter to be a slip.
  private static let long: [LongName] = (placements + others)
    .map { LongName(name: $0, scalars: Array($0.unicodeScalars)) }
    .filter { $0.scalars.count >= 10 }

  private struct LongName: Sendable {
    let name: String
    let scalars: [Unicode.Scalar]
  }

  /// Returns the letters and digits of a name, in lower case.
  private static func key(of name: String) -> [UInt8] {
    name.utf8.compactMap { byte in
      if byte &- UInt8(ascii: "A") < 26 { return byte | 0x20 }
      let isPlain = byte >= 0x80 || byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
      return isPlain ? byte : nil
    }
  }

  private static func words(_ text: String) -> [String] {
    text.split(whereSeparator: { $0.isWhitespace }).map(String.init)
  }
}
