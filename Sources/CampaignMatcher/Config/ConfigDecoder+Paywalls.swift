import ExpressionEngine

extension Paywall {
  /// The members that only the appearance needs. iOS refuses a config without them (§1.5).
  private static let appearance: [MemberName] = [
    "name", "cache_key", "build_id", "url", "url_config", "paywalljs_event",
    "presentation_style_v3", "presentation_delay", "background_color_hex",
  ]

  init(_ object: ConfigObject) throws(ConfigError) {
    let log = object.log
    self.init(id: try object.string("id"), identifier: try object.string("identifier"))
    let missing = Self.appearance.filter { object.value($0) == nil }
    if let first = missing.first {
      if log.rules.requiresPaywallAppearance { throw object.error(first, "is missing") }
      log.warn(
        .missingMember, object.path,
        "paywall \"\(identifier)\" lacks \(missing.map(\.snake).joined(separator: ", "));"
          + " iOS refuses such a config")
    }
    name = try object.optionalString("name")
    cacheKey = try object.optionalString("cache_key")
    if let gating = try object.optionalString("feature_gating") {
      if let known = FeatureGating(rawValue: gating) {
        featureGating = known
      } else {
        log.warn(
          .unknownValue, object.path("feature_gating"),
          "feature gating \"\(gating)\" is unknown and counts as NON_GATED")
      }
    }
    if let offer = try object.optionalString("introductory_offer_eligibility") {
      offerEligibility = OfferEligibility(rawValue: offer) ?? .automatic
    }
    products = try object.lenientArray("products_v2", of: "product") {
      value, path throws(ConfigError) in try Product(ConfigObject(value, at: path, log: log))
    }
    computedProperties = try object.lenientArray("computed_properties", of: "computed property") {
      value, path throws(ConfigError) in
      try ComputedProperty(ConfigObject(value, at: path, log: log))
    }
    surveys = try object.lenientArray("surveys", of: "survey") { value, path throws(ConfigError) in
      try Survey(ConfigObject(value, at: path, log: log))
    }
  }
}

extension Survey {
  fileprivate init(_ object: ConfigObject) throws(ConfigError) {
    let log = object.log
    id = try object.string("id")
    assignmentKey = try object.string("assignment_key")
    title = try object.string("title")
    message = try object.string("message")
    options = try object.array("options") { value, path throws(ConfigError) in
      let option = try ConfigObject(value, at: path, log: log)
      return Option(id: try option.string("id"), title: try option.string("title"))
    }
    let text = try object.string("presentation_condition")
    guard let condition = Condition(rawValue: text) else {
      throw object.error(
        "presentation_condition", "must be ON_MANUAL_CLOSE or ON_PURCHASE, found \"\(text)\"")
    }
    self.condition = condition
    probability = try object.number("presentation_probability")
    includesOtherOption = try object.bool("include_other_option")
    includesCloseOption = try object.optionalBool("include_close_option") ?? false
  }
}

extension Product {
  init(_ object: ConfigObject) throws(ConfigError) {
    let log = object.log
    let entitlements = try object.array("entitlements") { value, path throws(ConfigError) in
      try Entitlement(ConfigObject(value, at: path, log: log))
    }
    // A composite id of the wrong type counts as absent, as in the reference.
    var compositeID: String?
    if case .string(let id)? = object.value("sw_composite_product_id") { compositeID = id }
    self.init(
      referenceName: try object.optionalString("reference_name"),
      storeProduct: try StoreProduct(object.object("store_product")),
      compositeID: compositeID, entitlements: Set(entitlements))
  }
}

extension Product.StoreProduct {
  fileprivate init(_ object: ConfigObject) throws(ConfigError) {
    let id = try object.string("product_identifier")
    switch try object.string("store") {
    case "APP_STORE":
      let plan = try object.optionalString("billing_plan_type")
      if let plan, plan != "UP_FRONT", plan != "MONTHLY" {
        throw object.error("billing_plan_type", "must be UP_FRONT or MONTHLY, found \"\(plan)\"")
      }
      self = .appStore(id: id, billingPlan: plan)
    case "STRIPE": self = .stripe(id: id, trialDays: try object.optionalInt("trial_days"))
    case "PADDLE": self = .paddle(id: id)
    case "CUSTOM": self = .custom(id: id)
    case let other:
      throw object.error(
        "store", "must be APP_STORE, STRIPE, PADDLE or CUSTOM, found \"\(other)\"")
    }
  }
}

extension Entitlement {
  init(_ object: ConfigObject) throws(ConfigError) {
    self.init(identifier: try object.string("identifier"))
    type = try object.string("type")
    guard type == "SERVICE_LEVEL" else {
      throw object.error("type", "must be SERVICE_LEVEL, found \"\(type)\"")
    }
    isActive = try object.optionalBool("is_active") ?? false
    if object.value("product_ids") != nil {
      productIDs = try object.array("product_ids") { value, path throws(ConfigError) in
        guard case .string(let id) = value else {
          throw ConfigError(
            path: path.text, problem: "must be a string, found \(value.wireDescription)")
        }
        return id
      }
    }
    latestProductID = try object.optionalString("latest_product_id")
    if let store = try object.optionalString("store") {
      self.store = Store(rawValue: store) ?? .other
    }
    startsAt = try object.optionalDate("starts_at")
    renewedAt = try object.optionalDate("renewed_at")
    expiresAt = try object.optionalDate("expires_at")
    isLifetime = try object.optionalBool("is_lifetime")
    willRenew = try object.optionalBool("will_renew")
    state = try object.optionalString("state")
    offerType = try object.optionalString("offer_type")
  }
}

extension ConfigObject {
  /// A date as ISO 8601 text or as integer milliseconds since 1970 (§1.1).
  func optionalDate(_ name: MemberName) throws(ConfigError) -> Instant? {
    guard let value = value(name) else { return nil }
    switch value {
    case .int(let milliseconds): return Instant(milliseconds: milliseconds)
    case .string(let text):
      if let instant = Instant(rfc3339: text) { return instant }
    default: break
    }
    throw error(
      name, "must be a date such as \"2026-03-01T10:20:30.456Z\", found \(value.wireDescription)")
  }
}
