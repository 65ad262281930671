public import ExpressionEngine

/// Decodes a ``CampaignConfig`` from a JSON tree, in snake_case or camelCase
/// (spec/campaigns.md §1).
public struct ConfigDecoder: Sendable {
  /// How values outside the format are treated.
  public var rules: ConfigRules

  /// Creates a decoder.
  public init(rules: ConfigRules = ConfigRules()) {
    self.rules = rules
  }

  /// Decodes a config.
  /// - Returns: the config and what a person should know about it.
  /// - Throws: ``ConfigError``, which says which member does not decode, where, and why.
  public func decode(
    _ value: Value
  ) throws(ConfigError) -> (config: CampaignConfig, diagnostics: [ConfigDiagnostic]) {
    let log = ConfigLog(rules: rules)
    let config = try CampaignConfig(ConfigObject(value, at: .root, log: log))
    ConfigLint(config: config, log: log).run()
    return (config, log.finish())
  }
}

extension CampaignConfig {
  fileprivate static let memberNames: Set<MemberName> = [
    "build_id", "trigger_options", "paywall_responses", "log_level", "localization",
    "app_session_timeout_ms", "toggles", "disable_preload", "request_id", "products_v3",
    "attribution_options", "web2app_config", "prioritized_campaign_id", "ios_app_id",
    "bundle_id_config", "test_mode_user_ids", "postback", "products", "tests",
    "product_identifier_groups", "paywalls",
  ]

  fileprivate init(_ object: ConfigObject) throws(ConfigError) {
    let log = object.log
    self.init(buildID: try object.string("build_id"))
    triggers = try object.array("trigger_options") { value, path throws(ConfigError) in
      try Trigger(ConfigObject(value, at: path, log: log))
    }
    paywalls = try object.array("paywall_responses") { value, path throws(ConfigError) in
      try Paywall(ConfigObject(value, at: path, log: log))
    }
    logLevel = try object.int("log_level")
    let locales = try object.object("localization")
    self.locales = Set(
      try locales.array("locales") { value, path throws(ConfigError) in
        try ConfigObject(value, at: path, log: log).string("locale")
      })
    appSessionTimeoutMilliseconds = try object.number("app_session_timeout_ms")
    toggles = try object.array("toggles") { value, path throws(ConfigError) in
      let toggle = try ConfigObject(value, at: path, log: log)
      return Toggle(key: try toggle.string("key"), isEnabled: try toggle.bool("enabled"))
    }
    try readPreloadSwitch(object.object("disable_preload"))
    requestID = try object.optionalString("request_id")
    products = try object.lenientArray("products_v3", of: "product") {
      value, path throws(ConfigError) in try Product(ConfigObject(value, at: path, log: log))
    }
    try readOptionalMembers(object)
    if log.rules.requiresPostbackAndProducts {
      _ = try object.required("postback")
      _ = try object.required("products")
    }
    object.reportUnknownMembers(of: "the config", known: Self.memberNames)
  }

  private mutating func readPreloadSwitch(_ object: ConfigObject) throws(ConfigError) {
    disablePreload.all = try object.bool("all")
    disablePreload.triggers = Set(
      try object.array("triggers") { value, path throws(ConfigError) in
        guard case .string(let name) = value else {
          throw ConfigError(
            path: path.text, problem: "must be a string, found \(value.wireDescription)")
        }
        return name
      })
  }

  private mutating func readOptionalMembers(_ object: ConfigObject) throws(ConfigError) {
    if let attribution = try object.optionalObject("attribution_options"),
      let ads = try attribution.optionalObject("apple_search_ads")
    {
      appleSearchAdsEnabled = try ads.bool("enabled")
    }
    if let web = try object.optionalObject("web2app_config") {
      self.web = WebConfig(
        entitlementsMaxAgeMilliseconds: try web.optionalNumber("entitlements_max_age_ms"),
        restoreAccessURL: try web.optionalString("restore_access_url"))
    }
    prioritizedCampaignID = try object.optionalString("prioritized_campaign_id")
    iOSAppID = try object.optionalString("ios_app_id")
    bundleID = try object.optionalString("bundle_id_config")
    guard object.value("test_mode_user_ids") != nil else { return }
    let log = object.log
    testUsers = try object.array("test_mode_user_ids") { value, path throws(ConfigError) in
      let user = try ConfigObject(value, at: path, log: log)
      let id = try user.string("value")
      switch try user.string("type") {
      case "userId": return .userID(id)
      case "aliasId": return .aliasID(id)
      case let other:
        throw user.error("type", "must be \"userId\" or \"aliasId\", found \"\(other)\"")
      }
    }
  }
}

extension Trigger {
  fileprivate static let memberNames: Set<MemberName> = ["event_name", "rules", "trigger_version"]

  fileprivate init(_ object: ConfigObject) throws(ConfigError) {
    placement = try object.string("event_name")
    let log = object.log
    audiences = try object.array("rules") { value, path throws(ConfigError) in
      try Audience(ConfigObject(value, at: path, log: log))
    }
    object.reportUnknownMembers(of: "triggers", known: Self.memberNames)
  }
}

extension Audience {
  fileprivate static let memberNames: Set<MemberName> = [
    "experiment_group_id", "experiment_id", "expression", "expression_js", "expression_cel",
    "variants", "occurrence", "computed_properties", "preload",
  ]

  fileprivate init(_ object: ConfigObject) throws(ConfigError) {
    let log = object.log
    let campaignID = try object.string("experiment_group_id")
    let experimentID = try object.string("experiment_id")
    let variants = try object.array("variants") { value, path throws(ConfigError) in
      try Variant(ConfigObject(value, at: path, log: log))
    }
    self.init(campaignID: campaignID, experimentID: experimentID, variants: variants)
    expression = try object.optionalString("expression_cel")
    if let occurrence = try object.optionalObject("occurrence") {
      limit = try OccurrenceLimit(occurrence)
    }
    if log.rules.rejectsUnknownComputedProperties, object.value("computed_properties") != nil {
      computedProperties = try object.array("computed_properties") {
        value, path throws(ConfigError) in
        try ComputedProperty(ConfigObject(value, at: path, log: log))
      }
    } else {
      computedProperties = try object.lenientArray("computed_properties", of: "computed property") {
        value, path throws(ConfigError) in
        try ComputedProperty(ConfigObject(value, at: path, log: log))
      }
    }
    preload = try PreloadBehavior(object.object("preload"))
    object.reportUnknownMembers(of: "audiences", known: Self.memberNames)
  }
}

extension PreloadBehavior {
  fileprivate init(_ object: ConfigObject) throws(ConfigError) {
    let text = try object.string("behavior")
    let reEvaluates = try object.optionalBool("requires_re_evaluation") ?? false
    let name = object.log.rules.ignoresCaseOfPreload ? text.uppercased() : text
    guard let behavior = PreloadBehavior(rawValue: name) else {
      throw object.error("behavior", "must be IF_TRUE, ALWAYS or NEVER, found \"\(text)\"")
    }
    object.reportUnknownMembers(of: "preload", known: ["behavior", "requires_re_evaluation"])
    self = reEvaluates ? .always : behavior
  }
}

extension Variant {
  fileprivate init(_ object: ConfigObject) throws(ConfigError) {
    let type = try object.string("variant_type")
    let id = try object.string("variant_id")
    let percentage = try object.int("percentage")
    let paywall = try object.optionalString("paywall_identifier")
    if Kind(rawValue: type) == nil {
      guard !object.log.rules.rejectsUnknownVariantTypes else {
        throw object.error("variant_type", "must be TREATMENT or HOLDOUT, found \"\(type)\"")
      }
      object.log.warn(
        .unknownValue, object.path("variant_type"),
        "variant type \"\(type)\" is unknown and counts as TREATMENT")
    }
    object.reportUnknownMembers(
      of: "variants", known: ["variant_type", "variant_id", "percentage", "paywall_identifier"])
    self.init(
      id: id, kind: Kind(rawValue: type) ?? .treatment, percentage: percentage,
      paywallIdentifier: paywall)
  }
}

extension OccurrenceLimit {
  fileprivate init(_ object: ConfigObject) throws(ConfigError) {
    key = try object.string("key")
    maximum = try object.int("max_count")
    let window = try object.object("interval")
    let type = try window.string("type")
    let minutes = try window.optionalInt("minutes")
    let rules = object.log.rules
    switch (type, minutes) {
    case ("MINUTES", let minutes?):
      interval = .minutes(minutes)
    case ("MINUTES", nil):
      interval = rules.treatsMissingMinutesAsZero ? .minutes(0) : .infinity
      let meaning = rules.treatsMissingMinutesAsZero ? "a window of 0 minutes" : "forever"
      object.log.warn(
        .unknownValue, window.path("minutes"),
        "an interval of MINUTES without `minutes` means \(meaning)")
    case ("INFINITY", _):
      interval = .infinity
    default:
      guard !rules.rejectsUnknownIntervals else {
        throw window.error("type", "must be MINUTES or INFINITY, found \"\(type)\"")
      }
      interval = .infinity
      object.log.warn(
        .unknownValue, window.path("type"), "interval \"\(type)\" is unknown and means forever")
    }
    object.reportUnknownMembers(of: "occurrences", known: ["key", "max_count", "interval"])
  }
}

extension ComputedProperty {
  /// Decodes a computed property of an audience or a paywall.
  init(_ object: ConfigObject) throws(ConfigError) {
    let type = try object.string("type")
    guard let kind = Kind(rawValue: type) else {
      throw object.error("type", "is no computed property, found \"\(type)\"")
    }
    self.init(kind: kind, eventName: try object.string("event_name"))
  }
}
