public import CampaignCore
public import ExpressionEngine

/// How a paywall was asked for, reported as `presentation_source_type`.
public enum PresentationSource: String, Sendable, Hashable, CaseIterable {
  /// A registration.
  case register
  /// The app, which presents the paywall itself.
  case getPaywall
  /// A built-in placement.
  case implicit
}

/// A paywall on its way to the screen or on it, as handlers, delegates and events see it.
public struct PaywallDetails: Sendable, Equatable {
  /// A product of the paywall by its name in the editor.
  public struct NamedProduct: Sendable, Equatable {
    /// The name in the editor, such as `primary`.
    public var name: String?
    /// The product identifier.
    public var id: String

    /// Creates a named product.
    public init(name: String? = nil, id: String) {
      self.name = name
      self.id = id
    }
  }

  /// When a part of the paywall began to load and was done, as texts of the wire.
  public struct LoadTimes: Sendable, Equatable {
    /// When loading began.
    public var start: String?
    /// When loading was done.
    public var complete: String?
    /// When loading failed.
    public var fail: String?
    /// The seconds in between.
    public var duration: Double?

    /// Creates times.
    public init(
      start: String? = nil, complete: String? = nil, fail: String? = nil, duration: Double? = nil
    ) {
      self.start = start
      self.complete = complete
      self.fail = fail
      self.duration = duration
    }
  }

  /// The identifier that variants refer to.
  public var identifier: String
  /// The database id, reported as `paywall_id`.
  public var databaseID: String
  /// The name on the dashboard.
  public var name: String
  /// The address of the paywall.
  public var url = ""
  /// Whether the feature needs a purchase.
  public var featureGating = FeatureGating.nonGated
  /// The products by position, with overrides applied.
  public var products: [NamedProduct] = []
  /// The experiment; `nil` for a paywall that was presented by its identifier.
  public var experiment: CampaignExperiment?
  /// The placement that presented the paywall.
  public var placement: String?
  /// The id of the placement's event.
  public var placementID: String?
  /// When the placement was registered, as text of the wire.
  public var placementTime: String?
  /// How the paywall was asked for.
  public var source = PresentationSource.register
  /// Whether a free trial can be offered.
  public var isFreeTrialAvailable = false
  /// Whether introductory offers are shown.
  public var offerEligibility = OfferEligibility.automatic
  /// The surveys that may follow.
  public var surveys: [Survey] = []
  /// The notifications that a free trial schedules, by their delays in milliseconds.
  public var trialNotificationDelays: [Int64] = []
  /// Changes whenever the paywall changes.
  public var cacheKey = ""
  /// The build of the paywall.
  public var buildID = ""
  /// The version of the script that renders the paywall.
  public var scriptVersion: String?
  /// Whether the paywall scrolls.
  public var isScrollEnabled: Bool?
  /// The App Store's transaction of the app itself.
  public var appTransactionID: String?
  /// The presentation, shared by all events of it.
  public var presentationID: String?
  /// When the response loaded.
  public var response = LoadTimes()
  /// When the web view loaded.
  public var webView = LoadTimes()
  /// When the products loaded.
  public var productsLoad = LoadTimes()
  /// When the shimmer was shown.
  public var shimmer = LoadTimes()

  /// Creates the info of a paywall.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the paywall.
  ///   - databaseID: The database id; `identifier` if left out.
  ///   - name: The name; `identifier` if left out.
  public init(identifier: String, databaseID: String? = nil, name: String? = nil) {
    self.identifier = identifier
    self.databaseID = databaseID ?? identifier
    self.name = name ?? identifier
  }

  /// The info of a transaction that no paywall is part of.
  public static let none = PaywallDetails(identifier: "")

  /// How the paywall was presented: `placement`, or `programmatically` without one.
  public var presentedBy: String { placement == nil ? "programmatically" : "placement" }
}

extension PaywallDetails {
  /// The parameters that filters of follow-up placements can read (docs/spec/campaigns.md §6.6).
  public var filterParameters: [String: Value] {
    var result: [String: Value] = [
      "paywall_id": .string(databaseID), "paywall_name": .string(name),
      "paywall_product_ids": .string(products.map(\.id).joined(separator: ",")),
      "is_free_trial_available": .bool(isFreeTrialAvailable),
      "feature_gating": .string(featureGating.rawValue), "presented_by": .string(presentedBy),
    ]
    if let placement { result["presented_by_event_name"] = .string(placement) }
    for (index, name) in ["primary", "secondary", "tertiary"].enumerated() {
      result[name + "_product_id"] = .string(index < products.count ? products[index].id : "")
    }
    for product in products {
      if let name = product.name { result[name + "_product_id"] = .string(product.id) }
    }
    return result
  }

  /// All parameters of the paywall's events (docs/spec/campaigns.md §8.7). What is not known is left out.
  ///
  /// - Parameters:
  ///   - closeReason: How the paywall closed, if it has.
  ///   - product: The product that the event is about.
  public func parameters(
    closeReason: CloseReason = .none, product: PaywallProduct? = nil
  ) -> [String: Value] {
    var result = filterParameters
    let always = [
      "paywall_identifier": identifier, "paywall_url": url, "cache_key": cacheKey,
      "build_id": buildID, "close_reason": closeReason.rawValue,
      "presentation_source_type": source.rawValue,
      "intro_offer_eligibility": offerEligibility.rawValue,
    ]
    let known = [
      "paywalljs_version": scriptVersion, "presented_by_event_id": placementID,
      "presented_by_event_timestamp": placementTime, "experiment_id": experiment?.id,
      "variant_id": experiment?.variant.id, "app_transaction_id": appTransactionID,
      "presentation_id": presentationID, "shimmerView_load_start_time": shimmer.start,
      "shimmerView_load_complete_time": shimmer.complete,
      "paywall_products_load_fail_time": productsLoad.fail,
    ]
    for (name, text) in always { result[name] = .string(text) }
    for (name, text) in known { result[name] = text.map(Value.string) }
    result["is_scroll_enabled"] = isScrollEnabled.map(Value.bool)
    for (part, times) in [
      ("response", response), ("webview", webView), ("products", productsLoad),
    ] {
      result["paywall_\(part)_load_start_time"] = times.start.map(Value.string)
      result["paywall_\(part)_load_complete_time"] = times.complete.map(Value.string)
      result["paywall_\(part)_load_duration"] = times.duration.map(Value.double)
    }
    if let product {
      result["product_id"] = .string(product.id)
      for (name, text) in product.attributes { result["product_" + name] = .string(text) }
    }
    return result
  }
}
