public import ExpressionEngine

/// Decodes a ``CampaignConfig`` from JSON, in snake_case or camelCase
/// (docs/spec/campaigns.md §1).
public struct ConfigDecoder: Sendable {
  /// How values outside the format are treated.
  public var rules: ConfigRules

  /// Creates a decoder.
  public init(rules: ConfigRules = ConfigRules()) {
    self.rules = rules
  }

  /// Decodes a config.
  /// - Returns: The config and its diagnostics.
  /// - Throws: ``ConfigError``, which says which member does not decode, where, and why.
  public func decode(
    _ document: ConfigDocument
  ) throws(ConfigError) -> (config: CampaignConfig, diagnostics: [ConfigDiagnostic]) {
    let log = ConfigLog(document, rules: rules)
    let config = try CampaignConfig(ConfigValue(log))
    ConfigLint(config: config, log: log).run()
    return (config, log.finish())
  }

  /// Decodes a config from a JSON tree; see `decode(_:)-(ConfigDocument)`.
  public func decode(
    _ value: Value
  ) throws(ConfigError) -> (config: CampaignConfig, diagnostics: [ConfigDiagnostic]) {
    try decode(ConfigDocument(value))
  }
}

extension CampaignConfig {
  private static let memberNames: [MemberName] = [
    "build_id", triggersMember, "paywall_responses", "log_level", "localization",
    "app_session_timeout_ms", "toggles", "disable_preload", "request_id", "products_v3",
    "attribution_options", "web2app_config", "prioritized_campaign_id", "ios_app_id",
    "bundle_id_config", "test_mode_user_ids", "postback", "products", "tests",
    "product_identifier_groups", "paywalls",
  ]

  fileprivate init(_ value: ConfigValue) throws(ConfigError) {
    let object = try value.object()
    self.init(buildID: try object["build_id"].string())
    triggers = try object[Self.triggersMember].array(CampaignTrigger.init)
    paywalls = try object["paywall_responses"].array(Paywall.init)
    logLevel = try object["log_level"].int()
    locales = Set(
      try object["localization"].object()["locales"].array { value throws(ConfigError) in
        try value.object()["locale"].string()
      })
    appSessionTimeoutMilliseconds = try object["app_session_timeout_ms"].number()
    toggles = try object["toggles"].array { value throws(ConfigError) in
      let toggle = try value.object()
      return Toggle(key: try toggle["key"].string(), isEnabled: try toggle["enabled"].bool())
    }
    let preload = try object["disable_preload"].object()
    disablePreload.all = try preload["all"].bool()
    disablePreload.triggers = Set(
      try preload["triggers"].array { value throws(ConfigError) in try value.string() })
    requestID = try object.optional("request_id")?.string()
    products =
      try object.optional("products_v3")?.lenientArray(of: "product", ConfigProduct.init) ?? []
    try readOptionalMembers(object)
    if value.log.rules.requiresPostbackAndProducts {
      _ = try object["postback"]
      _ = try object["products"]
    }
    object.reportUnknownMembers(of: "the config", known: Self.memberNames)
  }

  private mutating func readOptionalMembers(_ object: ConfigObject) throws(ConfigError) {
    if let attribution = try object.optional("attribution_options")?.object(),
      let ads = try attribution.optional("apple_search_ads")?.object()
    {
      appleSearchAdsEnabled = try ads["enabled"].bool()
    }
    if let web = try object.optional("web2app_config")?.object() {
      self.web = WebConfig(
        entitlementsMaxAgeMilliseconds: try web["entitlements_max_age_ms"].number(),
        restoreAccessURL: try web["restore_access_url"].string())
    }
    prioritizedCampaignID = try object.optional("prioritized_campaign_id")?.string()
    iOSAppID = try object.optional("ios_app_id")?.string()
    bundleID = try object.optional("bundle_id_config")?.string()
    testUsers = try object.optional("test_mode_user_ids")?.array(TestUser.init) ?? []
  }
}

extension CampaignConfig.TestUser {
  fileprivate init(_ value: ConfigValue) throws(ConfigError) {
    let user = try value.object()
    let id = try user["value"].string()
    switch try user["type"].string() {
    case "userId": self = .userID(id)
    case "aliasId": self = .aliasID(id)
    case let other:
      throw user.error("type", "must be \"userId\" or \"aliasId\", found \"\(other)\"")
    }
  }
}

extension CampaignConfig {
  /// The member with the placements.
  package static let triggersMember: MemberName = "trigger_options"
}

extension CampaignTrigger {
  /// The member with the name of the placement.
  package static let placementMember: MemberName = "event_name"
  /// The member with the audiences.
  package static let audiencesMember: MemberName = "rules"

  private static let memberNames: [MemberName] = [
    placementMember, audiencesMember, "trigger_version",
  ]

  fileprivate init(_ value: ConfigValue) throws(ConfigError) {
    let object = try value.object()
    placement = try object[Self.placementMember].string()
    audiences = try object[Self.audiencesMember].array(Audience.init)
    object.reportUnknownMembers(of: "triggers", known: Self.memberNames)
  }
}

extension Audience {
  /// The member with the filter.
  package static let filterMember: MemberName = "expression_cel"
  /// The member with the name of the experiment.
  package static let experimentMember: MemberName = "experiment_id"

  private static let memberNames: [MemberName] = [
    "experiment_group_id", experimentMember, "expression", "expression_js", filterMember,
    "variants", "occurrence", "computed_properties", "preload",
  ]

  fileprivate init(_ value: ConfigValue) throws(ConfigError) {
    let object = try value.object()
    self.init(
      campaignID: try object["experiment_group_id"].string(),
      experimentID: try object[Self.experimentMember].string(),
      variants: try object["variants"].array(Variant.init))
    expression = try object.optional(Self.filterMember)?.string()
    limit = try object.optional("occurrence").map(OccurrenceLimit.init)
    if let properties = object.optional("computed_properties") {
      computedProperties =
        value.log.rules.rejectsUnknownComputedProperties
        ? try properties.array(ComputedProperty.init)
        : try properties.lenientArray(of: "computed property", ComputedProperty.init)
    }
    preload = try PreloadBehavior(object["preload"])
    object.reportUnknownMembers(of: "audiences", known: Self.memberNames)
  }
}

extension PreloadBehavior {
  private static let memberNames: [MemberName] = ["behavior", "requires_re_evaluation"]

  fileprivate init(_ value: ConfigValue) throws(ConfigError) {
    let object = try value.object()
    let text = try object["behavior"].string()
    let reEvaluates = try object.optional("requires_re_evaluation")?.bool() ?? false
    let name = value.log.rules.ignoresCaseOfPreload ? text.uppercased() : text
    guard let behavior = PreloadBehavior(rawValue: name) else {
      throw object.error("behavior", "must be IF_TRUE, ALWAYS or NEVER, found \"\(text)\"")
    }
    object.reportUnknownMembers(of: "preload", known: Self.memberNames)
    self = reEvaluates ? .always : behavior
  }
}

extension Variant {
  private static let memberNames: [MemberName] = [
    "variant_type", "variant_id", "percentage", "paywall_identifier",
  ]

  fileprivate init(_ value: ConfigValue) throws(ConfigError) {
    let object = try value.object()
    let type = try object["variant_type"].string()
    let kind = Kind(rawValue: type)
    self.init(
      id: try object["variant_id"].string(), kind: kind ?? .treatment,
      percentage: try object["percentage"].int(),
      paywallIdentifier: try object.optional("paywall_identifier")?.string())
    if kind == nil {
      guard !value.log.rules.rejectsUnknownVariantTypes else {
        throw object.error("variant_type", "must be TREATMENT or HOLDOUT, found \"\(type)\"")
      }
      value.log.warn(
        .unknownValue, object.path("variant_type"),
        "variant type \"\(type)\" is unknown and counts as TREATMENT")
    }
    object.reportUnknownMembers(of: "variants", known: Self.memberNames)
  }
}

extension OccurrenceLimit {
  private static let memberNames: [MemberName] = ["key", "max_count", "interval"]

  fileprivate init(_ value: ConfigValue) throws(ConfigError) {
    let object = try value.object()
    key = try object["key"].string()
    maximum = try object["max_count"].int()
    let window = try object["interval"].object()
    let type = try window["type"].string()
    let minutes = try window.optional("minutes")?.int()
    let rules = value.log.rules
    switch (type, minutes) {
    case ("MINUTES", let minutes?):
      interval = .minutes(minutes)
    case ("MINUTES", nil):
      interval = rules.treatsMissingMinutesAsZero ? .minutes(0) : .infinity
      let meaning = rules.treatsMissingMinutesAsZero ? "a window of 0 minutes" : "forever"
      value.log.warn(
        .unknownValue, window.path("minutes"),
        "an interval of MINUTES without `minutes` means \(meaning)")
    case ("INFINITY", _):
      interval = .infinity
    default:
      guard !rules.rejectsUnknownIntervals else {
        throw window.error("type", "must be MINUTES or INFINITY, found \"\(type)\"")
      }
      interval = .infinity
      value.log.warn(
        .unknownValue, window.path("type"), "interval \"\(type)\" is unknown and means forever")
    }
    object.reportUnknownMembers(of: "occurrences", known: Self.memberNames)
  }
}

extension ComputedProperty {
  /// Decodes a computed property of an audience or a paywall.
  init(_ value: ConfigValue) throws(ConfigError) {
    let object = try value.object()
    let type = try object["type"].string()
    guard let kind = Kind(rawValue: type) else {
      throw object.error("type", "is no computed property, found \"\(type)\"")
    }
    self.init(kind: kind, eventName: try object["event_name"].string())
  }
}
