extension Paywall {
  /// The members that only the appearance needs. iOS refuses a config without them (§1.5).
  private static let appearance: [MemberName] = [
    "name", "cache_key", "build_id", "url", "url_config", "paywalljs_event",
    "presentation_style_v3", "presentation_delay", "background_color_hex",
  ]

  init(_ value: ConfigValue) throws(ConfigError) {
    let object = try value.object()
    let log = value.log
    self.init(id: try object["id"].string(), identifier: try object["identifier"].string())
    let missing = Self.appearance.filter { object.optional($0) == nil }
    if let first = missing.first {
      if log.rules.requiresPaywallAppearance { throw object.error(first, "is missing") }
      log.warn(
        .missingMember, object.path,
        "paywall \"\(identifier)\" lacks \(missing.map(\.description).joined(separator: ", "));"
          + " iOS refuses such a config")
    }
    name = try object.optional("name")?.string()
    cacheKey = try object.optional("cache_key")?.string()
    if let gating = try object.optional("feature_gating")?.string() {
      if let known = FeatureGating(rawValue: gating) {
        featureGating = known
      } else {
        log.warn(
          .unknownValue, object.path("feature_gating"),
          "feature gating \"\(gating)\" is unknown and counts as NON_GATED")
      }
    }
    if let offer = try object.optional("introductory_offer_eligibility")?.string() {
      offerEligibility = OfferEligibility(rawValue: offer) ?? .automatic
    }
    products =
      try object.optional("products_v2")?.lenientArray(of: "product", ConfigProduct.init) ?? []
    computedProperties =
      try object.optional("computed_properties")?
      .lenientArray(of: "computed property", ComputedProperty.init) ?? []
    trialNotifications =
      try object.optional("local_notifications")?
      .lenientArray(of: "notification", TrialNotification.init) ?? []
    surveys = try object.optional("surveys")?.lenientArray(of: "survey", Survey.init) ?? []
  }
}

extension TrialNotification {
  fileprivate init(_ value: ConfigValue) throws(ConfigError) {
    let object = try value.object()
    let type = try object["notification_type"].string()
    guard type == "TRIAL_STARTED" else {
      throw object.error("notification_type", "must be TRIAL_STARTED, found \"\(type)\"")
    }
    title = try object["title"].string()
    subtitle = try object.optional("subtitle")?.string()
    body = try object["body"].string()
    delay = try object["delay"].int()
  }
}

extension Survey {
  fileprivate init(_ value: ConfigValue) throws(ConfigError) {
    let object = try value.object()
    let id = try object["id"].string()
    let assignmentKey = try object["assignment_key"].string()
    let text = try object["presentation_condition"].string()
    guard let condition = Condition(rawValue: text) else {
      throw object.error(
        "presentation_condition", "must be ON_MANUAL_CLOSE or ON_PURCHASE, found \"\(text)\"")
    }
    self.init(id: id, assignmentKey: assignmentKey, condition: condition)
    title = try object["title"].string()
    message = try object["message"].string()
    options = try object["options"].array { value throws(ConfigError) in
      let option = try value.object()
      return Option(id: try option["id"].string(), title: try option["title"].string())
    }
    probability = try object["presentation_probability"].number()
    includesOtherOption = try object["include_other_option"].bool()
    includesCloseOption = try object.optional("include_close_option")?.bool() ?? false
  }
}

extension ConfigProduct {
  init(_ value: ConfigValue) throws(ConfigError) {
    let object = try value.object()
    let entitlements = try object["entitlements"].array(UserEntitlement.init(_:))
    self.init(
      referenceName: try object.optional("reference_name")?.string(),
      storeProduct: try StoreProduct(object["store_product"].object()),
      // A composite id of the wrong type counts as absent, as in the reference.
      compositeID: object.optional("sw_composite_product_id")?.text,
      entitlements: Set(entitlements))
  }
}

extension ConfigProduct.StoreProduct {
  fileprivate init(_ object: ConfigObject) throws(ConfigError) {
    let id = try object["product_identifier"].string()
    switch try object["store"].string() {
    case "APP_STORE":
      let plan = try object.optional("billing_plan_type")?.string()
      if let plan, plan != "UP_FRONT", plan != "MONTHLY" {
        throw object.error("billing_plan_type", "must be UP_FRONT or MONTHLY, found \"\(plan)\"")
      }
      self = .appStore(id: id, billingPlan: plan)
    case "STRIPE":
      self = .stripe(id: id, trialDays: try object.optional("trial_days")?.int())
    case "PADDLE": self = .paddle(id: id)
    case "CUSTOM": self = .custom(id: id)
    case let other:
      throw object.error(
        "store", "must be APP_STORE, STRIPE, PADDLE or CUSTOM, found \"\(other)\"")
    }
  }
}

extension UserEntitlement {
  init(_ value: ConfigValue) throws(ConfigError) {
    let object = try value.object()
    self.init(identifier: try object["identifier"].string())
    type = try object["type"].string()
    guard type == "SERVICE_LEVEL" else {
      throw object.error("type", "must be SERVICE_LEVEL, found \"\(type)\"")
    }
    isActive = try object.optional("is_active")?.bool() ?? false
    productIDs =
      try object.optional("product_ids")?.array { value throws(ConfigError) in try value.string() }
      ?? []
    latestProductID = try object.optional("latest_product_id")?.string()
    if let store = try object.optional("store")?.string() {
      self.store = PaymentStore(rawValue: store) ?? .other
    }
    startsAt = try object.optional("starts_at")?.date()
    renewedAt = try object.optional("renewed_at")?.date()
    expiresAt = try object.optional("expires_at")?.date()
    isLifetime = try object.optional("is_lifetime")?.bool()
    willRenew = try object.optional("will_renew")?.bool()
    state = SubscriptionState(rawValue: try object.optional("state")?.string() ?? "")
    offerType = OfferType(rawValue: try object.optional("offer_type")?.string() ?? "")
  }
}
