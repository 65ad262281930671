/// The settings of the dashboard: campaigns, paywalls and the switches around them
/// (docs/spec/campaigns.md §1). Decode one with ``ConfigDecoder``.
public struct CampaignConfig: Sendable, Equatable {
  /// Identifies the dashboard build.
  public var buildID: String
  /// The placements with their audiences, in document order.
  public var triggers: [CampaignTrigger] = []
  /// The paywalls.
  public var paywalls: [Paywall] = []
  /// The remote log level.
  public var logLevel: Int64 = 10
  /// The locales that have localized paywalls.
  public var locales: Set<String> = []
  /// A new session begins when more milliseconds than this passed since the app was closed.
  public var appSessionTimeoutMilliseconds: Double = 3_600_000
  /// The feature flags in document order.
  public var toggles: [Toggle] = []
  /// The paywalls that must not be preloaded.
  public var disablePreload = DisablePreload()
  /// Echoed in transactions.
  public var requestID: String?
  /// The products that decoded.
  public var products: [ConfigProduct] = []
  /// Whether Apple Search Ads attribution is enabled.
  public var appleSearchAdsEnabled = false
  /// Polling of web entitlements.
  public var web: WebConfig?
  /// The campaign whose paywalls are preloaded first.
  public var prioritizedCampaignID: String?
  /// The store id of the iOS app.
  public var iOSAppID: String?
  /// The bundle that the dashboard expects.
  public var bundleID: String?
  /// The users in test mode.
  public var testUsers: [TestUser] = []

  /// Creates a config with no campaigns.
  public init(buildID: String) {
    self.buildID = buildID
  }

  /// A feature flag.
  public struct Toggle: Sendable, Equatable {
    /// The name of the flag.
    public var key: String
    /// Whether it is on.
    public var isEnabled: Bool

    /// Creates a flag.
    public init(key: String, isEnabled: Bool) {
      self.key = key
      self.isEnabled = isEnabled
    }
  }

  /// The remote kill switch of preloading.
  public struct DisablePreload: Sendable, Equatable {
    /// Whether nothing is preloaded.
    public var all = false
    /// The placements that are not preloaded.
    public var triggers: Set<String> = []

    /// Creates a switch that disables nothing.
    public init() {}
  }

  /// Settings of web entitlements.
  public struct WebConfig: Sendable, Equatable {
    /// How old web entitlements may become, in milliseconds.
    public var entitlementsMaxAgeMilliseconds: Double
    /// Where access is restored.
    public var restoreAccessURL: String

    /// Creates the settings.
    public init(entitlementsMaxAgeMilliseconds: Double, restoreAccessURL: String) {
      self.entitlementsMaxAgeMilliseconds = entitlementsMaxAgeMilliseconds
      self.restoreAccessURL = restoreAccessURL
    }
  }

  /// A user in test mode.
  public enum TestUser: Sendable, Equatable {
    /// An identified user.
    case userID(String)
    /// An anonymous user.
    case aliasID(String)
  }

  /// The trigger of a placement, whose name is compared byte by byte; of several the last (§1.7).
  public func trigger(of placement: String) -> CampaignTrigger? {
    triggers.last { $0.placement.isExactly(placement) }
  }

  /// Whether a flag is on: the first element with the key decides, `false` when there is none.
  public func isEnabled(_ toggle: String) -> Bool {
    toggles.first { $0.key == toggle }?.isEnabled ?? false
  }

  /// The union of the entitlements of all products with an id, per product id (§1.4).
  public var entitlementsByProductID: [String: Set<UserEntitlement>] {
    products.reduce(into: [:]) { $0[$1.id, default: []].formUnion($1.entitlements) }
  }

  /// Whether a localized paywall must be fetched for a locale such as `de_AT` (§1.5).
  public func needsLocalizedPaywall(locale: String) -> Bool {
    if locales.contains(locale) { return true }
    let language = String(locale.prefix { $0 != "_" })
    return language != "en" && locales.contains(language)
  }
}

/// The names of the toggles that this module reads.
public enum ToggleName {
  /// Derives the seed from the user id on identify (§6.3).
  public static let userIDSeed = "enable_userid_seed"
  /// Adds the whole context to `paywallPresentationRequest` (§1.6).
  public static let expressionParameters = "enable_expression_params"
}
