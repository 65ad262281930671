public import ExpressionEngine

/// The device attributes that the app sets, typed (docs/spec/campaigns.md §6.1).
///
/// ``values(platform:)`` yields the `device` attributes with the names and text forms of a platform;
/// an unset property is absent.
///
/// Attributes that follow from the clock, the identity, the installation or the history are added
/// by the matcher: see ``DerivedAttribute``.
public struct DeviceAttributes: Sendable, Equatable {
  /// The public key of the app, `pk_…`.
  public var publicAPIKey: String?
  /// `iOS`, `macOS` for an iOS app on a Mac, or `Android`.
  public var platformName: String?
  /// The vendor's id of the device.
  public var vendorID: String?
  /// The version of the app, such as `4.3.1`.
  public var appVersion: String?
  /// The version of the operating system; three parts on iOS.
  public var osVersion: String?
  /// The model, such as `iPhone16,2`.
  public var deviceModel: String?
  /// The locale, such as `en_GB`.
  public var deviceLocale: String?
  /// The first preferred language as a locale.
  public var preferredLocale: String?
  /// The language, such as `en`.
  public var deviceLanguageCode: String?
  /// The language of the preferred locale.
  public var preferredLanguageCode: String?
  /// The region, such as `GB`; may be empty.
  public var regionCode: String?
  /// The region of the preferred locale.
  public var preferredRegionCode: String?
  /// The currency, such as `USD`.
  public var deviceCurrencyCode: String?
  /// The sign of the currency, such as `$`.
  public var deviceCurrencySymbol: String?
  /// `ipad`, `iphone`, `mac`, `carplay`, `tv`, `vision` or `unspecified`.
  public var interfaceType: String?
  /// `Cellular`, `Wifi` or `No Internet`.
  public var radioType: String?
  /// `Light`, `Dark`, `Unspecified` or `Unknown`.
  public var interfaceStyle: String?
  /// `automatic` or `manual`.
  public var interfaceStyleMode: String?
  /// 16 points scaled by the text size, rounded.
  public var fontSize: Int64?
  /// The scale of the text with two decimals; a whole number arrives as an int.
  public var fontScale: Double?
  /// The text size category, such as `large`.
  public var preferredContentSizeCategory: String?
  /// Whether the device saves power.
  public var isLowPowerModeEnabled: Bool?
  /// Always true since iOS 4.11.2.
  public var isApplePayAvailable: Bool?
  /// The bundle or package of the app.
  public var bundleID: String?
  /// Whether an iOS app runs on a Mac.
  public var isMac: Bool?
  /// Whether purchases are sandboxed; the text `true` or `false` in a filter's context.
  public var isSandbox: Bool?
  /// The product ids of active purchases.
  public var activeProducts: [String]?
  /// The version of the SDK, such as `4.16.4`.
  public var sdkVersion: String?
  /// The build of the app.
  public var appBuildString: String?
  /// The framework around the SDK, such as `Flutter`; absent natively.
  public var platformWrapper: String?
  /// The version of that framework.
  public var platformWrapperVersion: String?
  /// The Swift version that built the SDK; on Android that of Kotlin, as `kotlinVersion`.
  public var swiftVersion: String?
  /// The compiler that built the SDK.
  public var compilerVersion: String?
  /// `$SuperwallDevice:<vendor id>`; derived from the vendor id when not set.
  public var deviceID: String?
  /// The performance class of an Android device, such as `ultra_low`.
  public var deviceTier: String?
  /// The country of the store, such as `USA`.
  public var storeFrontCountryCode: String?
  /// The id of the store, such as `143441`.
  public var storeFrontID: String?
  /// The currency of the store.
  public var storeFrontCurrency: String?
  /// The App Store transaction id of the app.
  public var appTransactionID: String?
  /// How often a review was requested; counted from the history when not set.
  public var totalReviewRequests: Int64?
  /// Experimental: `trial`, `code`, `promotional`, `winback`, `subscription` or `revoked`.
  public var latestSubscriptionPeriodType: String?
  /// Experimental: `inGracePeriod`, `subscribed`, `expired`, `inBillingRetryPeriod` or `revoked`.
  public var latestSubscriptionState: String?
  /// Experimental: whether the latest subscription renews.
  public var latestSubscriptionWillAutoRenew: Bool?
  /// The names of what the SDK can do; one comma-separated text on iOS, a list on Android.
  public var capabilities: [String]?
  /// The details of the capabilities.
  public var capabilityDetails: [Value]?
  /// The ids of local resources; sorted and joined by commas.
  public var localResourceIDs: [String]?
  /// The subscription status of the user.
  public var subscriptionStatus: UserSubscriptionStatus?
  /// All transactions and entitlements, see ``CustomerRecord``.
  public var customerInfo: CustomerRecord?

  /// Creates attributes that are all absent.
  public init() {}

  /// The attributes as a filter sees them.
  public func values(platform: MatchingOptions.Platform = .iOS) -> [String: Value] {
    var result: [String: Value] = [:]
    for entry in DeviceAttributes.table {
      guard let value = entry.value(self),
        let name = platform == .iOS ? entry.name : entry.androidName
      else { continue }
      result[name] = value
    }
    addDerivedTexts(to: &result, platform: platform)
    return result
  }

  /// One attribute: its names and how its value is found.
  private struct Entry: Sendable {
    let name: String
    /// The name on Android; `nil` when Android lacks the attribute.
    let androidName: String?
    let value: @Sendable (DeviceAttributes) -> Value?

    /// Creates an attribute that has one name on all platforms.
    init(_ name: String, value: @escaping @Sendable (DeviceAttributes) -> Value?) {
      self.init(name, android: name, value: value)
    }

    init(
      _ name: String, android: String?, value: @escaping @Sendable (DeviceAttributes) -> Value?
    ) {
      self.name = name
      androidName = android
      self.value = value
    }
  }

  private static let table: [Entry] = [
    Entry("publicApiKey") { $0.publicAPIKey.map(Value.string) },
    Entry("platform") { $0.platformName.map(Value.string) },
    Entry("vendorId") { $0.vendorID.map(Value.string) },
    Entry("appVersion") { $0.appVersion.map(Value.string) },
    Entry("osVersion") { $0.osVersion.map(Value.string) },
    Entry("deviceModel") { $0.deviceModel.map(Value.string) },
    Entry("deviceLocale") { $0.deviceLocale.map(Value.string) },
    Entry("preferredLocale") {
      $0.preferredLocale.map(Value.string)
    },
    Entry("deviceLanguageCode") {
      $0.deviceLanguageCode.map(Value.string)
    },
    Entry("preferredLanguageCode") {
      $0.preferredLanguageCode.map(Value.string)
    },
    Entry("regionCode") { $0.regionCode.map(Value.string) },
    Entry("preferredRegionCode") {
      $0.preferredRegionCode.map(Value.string)
    },
    Entry("deviceCurrencyCode") {
      $0.deviceCurrencyCode.map(Value.string)
    },
    Entry("deviceCurrencySymbol") {
      $0.deviceCurrencySymbol.map(Value.string)
    },
    Entry("interfaceType", android: nil) { $0.interfaceType.map(Value.string) },
    Entry("radioType") { $0.radioType.map(Value.string) },
    Entry("interfaceStyle") {
      $0.interfaceStyle.map(Value.string)
    },
    Entry("interfaceStyleMode") {
      $0.interfaceStyleMode.map(Value.string)
    },
    Entry("fontSize", android: nil) { $0.fontSize.map(Value.int) },
    Entry("fontScale", android: nil) { $0.fontScale.map { Value(wholeOr: $0) } },
    Entry("preferredContentSizeCategory", android: nil) {
      $0.preferredContentSizeCategory.map(Value.string)
    },
    Entry("isLowPowerModeEnabled") {
      $0.isLowPowerModeEnabled.map(Value.bool)
    },
    Entry("isApplePayAvailable", android: nil) { $0.isApplePayAvailable.map(Value.bool) },
    Entry("bundleId") { $0.bundleID.map(Value.string) },
    Entry("isMac") { $0.isMac.map(Value.bool) },
    Entry("isSandbox") {
      $0.isSandbox.map { Value.string(String($0)) }
    },
    Entry("activeProducts") {
      $0.activeProducts.map { Value(texts: $0) }
    },
    Entry("sdkVersion") { $0.sdkVersion.map(Value.string) },
    Entry("appBuildString") {
      $0.appBuildString.map(Value.string)
    },
    Entry("platformWrapper", android: "platform_wrapper") {
      $0.platformWrapper.map(Value.string)
    },
    Entry("platformWrapperVersion", android: "platform_wrapper_version") {
      $0.platformWrapperVersion.map(Value.string)
    },
    Entry("swiftVersion", android: "kotlinVersion") { $0.swiftVersion.map(Value.string) },
    Entry("compilerVersion", android: nil) { $0.compilerVersion.map(Value.string) },
    Entry("deviceId") { $0.deviceID.map(Value.string) },
    Entry("deviceTier") { $0.deviceTier.map(Value.string) },
    Entry("storeFrontCountryCode", android: nil) {
      $0.storeFrontCountryCode.map(Value.string)
    },
    Entry("storeFrontId", android: nil) { $0.storeFrontID.map(Value.string) },
    Entry("storeFrontCurrency", android: nil) { $0.storeFrontCurrency.map(Value.string) },
    Entry("appTransactionId", android: nil) { $0.appTransactionID.map(Value.string) },
    Entry("totalReviewRequests", android: "reviewRequestCount") {
      $0.totalReviewRequests.map(Value.int)
    },
    Entry("latestSubscriptionPeriodType") {
      $0.latestSubscriptionPeriodType.map(Value.string)
    },
    Entry("latestSubscriptionState") {
      $0.latestSubscriptionState.map(Value.string)
    },
    Entry("latestSubscriptionWillAutoRenew") {
      $0.latestSubscriptionWillAutoRenew.map(Value.bool)
    },
  ]

  private func addDerivedTexts(
    to result: inout [String: Value], platform: MatchingOptions.Platform
  ) {
    let padding: VersionPadding = platform == .iOS ? .iOS : .android
    if let appVersion { result["appVersionPadded"] = .string(padding.padded(appVersion)) }
    if let sdkVersion { result["sdkVersionPadded"] = .string(padding.padded(sdkVersion)) }
    if let appBuildString, let number = Int64(appBuildString) {
      result["appBuildStringNumber"] = .int(number)
    }
    if deviceID == nil, let vendorID {
      result["deviceId"] = .string(
        platform == .iOS ? UserIdentity.devicePrefix + vendorID : vendorID)
    }
    if let capabilities {
      result["capabilities"] =
        platform == .iOS
        ? .string(capabilities.joined(separator: ",")) : Value(texts: capabilities)
    }
    if let capabilityDetails {
      result[platform == .iOS ? "capabilitiesConfig" : "capabilities_config"] =
        .list(capabilityDetails)
    }
    if platform == .iOS, let localResourceIDs {
      result["localResourceIds"] = .string(localResourceIDs.sorted().joined(separator: ","))
    }
    if let subscriptionStatus { subscriptionStatus.add(to: &result, platform: platform) }
    if platform == .iOS, let customerInfo { result["customerInfo"] = customerInfo.value }
  }
}

extension Value {
  /// A double, or the int that it equals, which is how numbers pass through JSON on iOS.
  init(wholeOr number: Double) {
    self = Int64(exactly: number).map(Value.int) ?? .double(number)
  }

  /// A list of strings.
  package init(texts: [String]) {
    self = .list(texts.map(Value.string))
  }
}
