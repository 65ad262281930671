// The vocabulary of the paywall SDKs, one attribute per row.

extension AttributeSchema {
  /// The SDK's attributes of device, app and purchases.
  static let deviceAttributes: [Attribute] = [
    .init(
      "device.publicApiKey", .string, summary: "the public API key", since: "3.0.0",
      example: "\"pk_…\""),
    .init(
      "device.platform", .string, summary: "the platform, `macOS` also for an iOS app on a Mac",
      values: ["iOS", "macOS", "Android"],
      since: "3.0.0"),
    .init("device.appUserId", .string, summary: "the identified user, or empty", since: "3.0.0"),
    .init(
      "device.aliases", .list(.string), summary: "the anonymous ids, one element", since: "3.0.0"),
    .init("device.vendorId", .string, summary: "the vendor id", since: "3.0.0"),
    .init(
      "device.appVersion", .string, format: .version, summary: "the version of the app",
      since: "3.0.0", example: "\"4.3.1\""),
    .init(
      "device.appVersionPadded", .string, format: .paddedVersion,
      summary: "the version of the app, padded for comparing", since: "3.12.0",
      example: "\"004.003.001\""),
    .init(
      "device.osVersion", .string, format: .systemVersion, summary: "the version of the system",
      since: "3.0.0", example: "\"17.5.1\""),
    .init(
      "device.deviceModel", .string, format: .model, summary: "the model", since: "3.0.0",
      example: "\"iPhone16,2\""
    ),
    .init(
      "device.deviceLocale", .string, format: .locale, summary: "the locale of the device",
      since: "3.0.0",
      example: "\"en_GB\""),
    .init(
      "device.preferredLocale", .string, format: .locale,
      summary: "the first preferred language as a locale",
      since: "3.4.8", example: "\"en_GB\""),
    .init(
      "device.deviceLanguageCode", .string, format: .language,
      summary: "the language of the device", since: "3.0.0",
      example: "\"en\""),
    .init(
      "device.preferredLanguageCode", .string, format: .language,
      summary: "the first preferred language",
      since: "3.4.8", example: "\"en\""),
    .init(
      "device.regionCode", .string, format: .region, summary: "the region; may be empty",
      since: "3.6.0",
      example: "\"GB\""),
    .init(
      "device.preferredRegionCode", .string, format: .region,
      summary: "the region of the first preferred language",
      since: "3.6.0", example: "\"GB\""),
    .init(
      "device.deviceCurrencyCode", .string, format: .currency, summary: "the currency",
      since: "3.0.0", example: "\"USD\""),
    .init(
      "device.deviceCurrencySymbol", .string, format: .currencySymbol,
      summary: "the sign of the currency", since: "3.0.0",
      example: "\"$\""),
    .init(
      "device.interfaceType", .string, summary: "the kind of device",
      values: ["ipad", "iphone", "mac", "carplay", "tv", "vision", "unspecified"],
      platforms: .apple, since: "3.2.0"),
    .init(
      "device.timezoneOffset", .int, unit: .offset, summary: "seconds from GMT now", since: "3.0.0",
      example: "7200", minimum: -43_200, maximum: 50_400),
    .init(
      "device.radioType", .string, summary: "the connection",
      values: ["Cellular", "Wifi", "No Internet", ""], since: "3.0.0"),
    .init(
      "device.interfaceStyle", .string, summary: "light or dark",
      values: ["Light", "Dark", "Unspecified", "Unknown"], since: "3.0.0"),
    .init(
      "device.fontSize", .int, summary: "the text size in points", platforms: .apple,
      since: "4.16.2", example: "16"),
    .init(
      "device.fontScale", .number, unit: .factor, summary: "the text size against the default",
      platforms: .apple, since: "4.16.2", example: "1.25", minimum: 0, maximum: 5),
    .init(
      "device.preferredContentSizeCategory", .string, summary: "the text size category",
      values: [
        "xSmall", "small", "medium", "large", "xLarge", "xxLarge", "xxxLarge",
        "accessibilityMedium", "accessibilityLarge", "accessibilityXLarge", "accessibilityXXLarge",
        "accessibilityXXXLarge", "unspecified",
      ], platforms: .apple, since: "4.16.2"),
    .init(
      "device.isLowPowerModeEnabled", .bool, summary: "whether low power mode is on", since: "3.0.0"
    ),
    .init(
      "device.isApplePayAvailable", .bool, summary: "whether Apple Pay is available",
      platforms: .apple, since: "4.9.0", deprecated: "it is always true since 4.11.2"),
    .init(
      "device.bundleId", .string, summary: "the bundle id", since: "3.0.0",
      example: "\"com.example.app\""),
    .init(
      "device.appInstallDate", .string, format: .dateTime,
      summary: "when the app was installed; may be empty", since: "3.0.0"),
    .init("device.isMac", .bool, summary: "whether it is an iOS app on a Mac", since: "3.0.0"),
    .init(
      "device.daysSinceInstall", .int, unit: .days, summary: "whole days since the install",
      since: "2.4.0",
      example: "12", minimum: 0),
    .init(
      "device.minutesSinceInstall", .int, unit: .minutes,
      summary: "whole minutes since the install",
      since: "2.4.0", example: "17541", minimum: 0),
    .init(
      "device.daysSinceLastPaywallView", .int, unit: .days,
      summary: "whole days since the last paywall",
      isOptional: true, since: "2.4.0", example: "3", minimum: 0),
    .init(
      "device.minutesSinceLastPaywallView", .int, unit: .minutes,
      summary: "whole minutes since the last paywall",
      isOptional: true, since: "2.4.0", example: "4411", minimum: 0),
    .init(
      "device.totalPaywallViews", .int, summary: "how many paywalls the user has seen",
      since: "2.4.0", example: "3", minimum: 0),
    .init(
      "device.totalReviewRequests", .int, summary: "how often a review was requested",
      platforms: .apple, since: "4.8.2", example: "1", minimum: 0),
    .init(
      "device.reviewRequestCount", .int, summary: "how often a review was requested",
      platforms: .android, example: "1", minimum: 0),
    .init(
      "device.utcDate", .string, format: .date, summary: "the date in UTC", since: "3.0.0",
      example: "\"2026-03-01\""),
    .init(
      "device.localDate", .string, format: .date, summary: "the local date", since: "3.0.0",
      example: "\"2026-03-01\""),
    .init(
      "device.utcTime", .string, format: .time, summary: "the time in UTC", since: "3.0.0",
      example: "\"18:30:00\""),
    .init(
      "device.localTime", .string, format: .time, summary: "the local time", since: "3.0.0",
      example: "\"18:30:00\""),
    .init(
      "device.utcDateTime", .string, format: .dateTime, summary: "date and time in UTC",
      since: "3.0.0", example: "\"2026-03-01T15:54:28Z\""),
    .init(
      "device.localDateTime", .string, format: .dateTime, summary: "local date and time",
      since: "3.0.0", example: "\"2026-03-01T15:54:28\""),
    .init(
      "device.isSandbox", .bool,
      summary: "whether purchases are test purchases (sent as text, read as bool)", since: "3.0.0"),
    .init(
      "device.activeEntitlements", .list(.string), summary: "the ids of the active entitlements",
      since: "4.0.0", example: "[\"gold\"]"),
    .init(
      "device.activeEntitlementObjects", .list(.map), summary: "the active entitlements as objects",
      members: entitlementMembers,
      platforms: .apple, since: "4.0.0"),
    .init(
      "device.activeEntitlementsObject", .list(.map), summary: "the active entitlements as objects",
      members: [
        .init("identifier", .string, summary: "the id"),
        .init("type", .string, summary: "the kind"),
      ],
      platforms: .android),
    .init(
      "device.customerInfo", .map, summary: "what the user has bought", platforms: .apple,
      since: "4.10.0"),
    .init(
      "device.customerInfo.subscriptions", .list(.map), summary: "the subscriptions",
      members: subscriptionMembers,
      platforms: .apple, since: "4.10.0"),
    .init(
      "device.customerInfo.nonSubscriptions", .list(.map), summary: "other purchases",
      members: purchaseMembers,
      platforms: .apple, since: "4.10.0"),
    .init(
      "device.customerInfo.entitlements", .list(.map), summary: "all entitlements",
      members: entitlementMembers,
      platforms: .apple, since: "4.10.0"),
    .init(
      "device.customerInfo.isPlaceholder", .bool, summary: "whether it was not loaded yet",
      platforms: .apple, since: "4.10.0"),
    .init(
      "device.activeProducts", .list(.string), summary: "the ids of active purchases",
      since: "4.0.0"),
    .init(
      "device.subscriptionStatus", .string, summary: "the subscription status",
      values: ["ACTIVE", "INACTIVE", "UNKNOWN"], since: "3.0.0"),
    .init(
      "device.isFirstAppOpen", .bool, summary: "whether the app was opened for the first time",
      since: "3.0.0"),
    .init(
      "device.sdkVersion", .string, format: .version, summary: "the version of the SDK",
      since: "3.4.0", example: "\"4.16.4\""),
    .init(
      "device.sdkVersionPadded", .string, format: .paddedVersion,
      summary: "the version of the SDK, padded for comparing", since: "3.4.0",
      example: "\"004.016.004\""),
    .init(
      "device.appBuildString", .string, summary: "the build of the app", since: "3.4.0",
      example: "\"412\""),
    .init(
      "device.appBuildStringNumber", .int, summary: "the build of the app as a number",
      isOptional: true, since: "3.4.0", example: "412"),
    .init(
      "device.interfaceStyleMode", .string, summary: "whether the style was set by the app",
      values: ["automatic", "manual"], since: "3.6.2"),
    .init(
      "device.capabilities", .any, summary: "what the SDK can do: a text on iOS, a list on Android",
      since: "3.7.0"),
    .init(
      "device.capabilitiesConfig", .list(.map), summary: "details of the capabilities",
      platforms: .apple, since: "3.7.0"),
    .init(
      "device.capabilities_config", .list(.map), summary: "details of the capabilities",
      platforms: .android),
    .init(
      "device.platformWrapper", .string, summary: "the framework around the SDK",
      usualValues: ["Flutter", "React Native", "Expo", "Unity"], isOptional: true,
      platforms: .apple, since: "3.7.1", example: "\"Flutter\""),
    .init(
      "device.platformWrapperVersion", .string, format: .version, summary: "its version",
      isOptional: true, platforms: .apple, since: "3.7.1"),
    .init(
      "device.platform_wrapper", .string, summary: "the framework around the SDK",
      usualValues: ["Flutter", "React Native", "Expo", "Unity"], isOptional: true,
      platforms: .android),
    .init(
      "device.platform_wrapper_version", .string, format: .version, summary: "its version",
      isOptional: true, platforms: .android),
    .init(
      "device.swiftVersion", .string, format: .version, summary: "the version of Swift",
      platforms: .apple, since: "4.7.0", example: "\"6.2\""),
    .init(
      "device.compilerVersion", .string, format: .version, summary: "the version of the compiler",
      platforms: .apple, since: "4.7.0", example: "\"6.2\""),
    .init(
      "device.kotlinVersion", .string, format: .version, summary: "the version of Kotlin",
      platforms: .android),
    .init(
      "device.localResourceIds", .string,
      summary: "the ids of local resources, sorted, with commas", platforms: .apple, since: "4.13.0"
    ),
    .init("device.deviceId", .string, summary: "the id of the device", since: "4.8.0"),
    .init(
      "device.deviceTier", .string, summary: "how fast the device is",
      values: [
        "ultra_low", "low", "mid", "high", "ultra_high", "unknown", "ultraLow", "ultraHigh",
      ], platforms: .android),
    .init(
      "device.storeFrontCountryCode", .string, format: .storefront,
      summary: "the country of the store, three letters",
      platforms: .apple, since: "4.3.6", example: "\"USA\""),
    .init(
      "device.storeFrontId", .string, format: .integer, summary: "the number of the store",
      platforms: .apple, since: "4.3.6",
      example: "\"143441\""),
    .init(
      "device.storeFrontCurrency", .string, format: .currency,
      summary: "the currency of the store", platforms: .apple, since: "4.3.6",
      example: "\"USD\""),
    .init(
      "device.appTransactionId", .string, summary: "the App Store transaction of the app",
      isOptional: true, platforms: .apple, since: "4.6.0"),
    .init(
      "device.ipRegion", .string, summary: "the region of the address", isFetched: true,
      since: "3.6.3", example: "\"California\""),
    .init(
      "device.ipRegionCode", .string, format: .subdivision, summary: "its code", isFetched: true,
      since: "3.6.3",
      example: "\"CA\""),
    .init(
      "device.ipCountry", .string, format: .country, summary: "the country of the address",
      isFetched: true,
      since: "3.6.3", example: "\"United States\""),
    .init(
      "device.ipCity", .string, summary: "the city of the address", isFetched: true,
      since: "3.6.3", example: "\"San Francisco\""),
    .init(
      "device.ipContinent", .string, summary: "the continent of the address",
      values: [
        "Africa", "Antarctica", "Asia", "Europe", "North America", "Oceania", "South America",
      ], isFetched: true,
      since: "3.6.3", example: "\"North America\""),
    .init(
      "device.ipTimezone", .string, format: .timeZone, summary: "the time zone of the address",
      isFetched: true,
      since: "3.6.3", example: "\"America/Los_Angeles\""),
    .init(
      "device.demandScore", .int, unit: .points, summary: "how likely the user is to buy, 0 to 100",
      isFetched: true, since: "4.2.0", example: "70", minimum: 0, maximum: 100),
    .init(
      "device.demandTier", .string, summary: "how likely the user is to buy",
      usualValues: ["none", "low", "medium", "high"], isFetched: true,
      since: "4.2.0", example: "\"high\""),
    .init(
      "device.latestSubscriptionPeriodType", .string,
      summary: "the kind of period of the latest subscription",
      values: [
        "trial", "code", "promotional", "winback", "subscription", "revoked", "normal", "intro",
      ], isOptional: true, since: "4.3.0"),
    .init(
      "device.latestSubscriptionState", .string, summary: "the state of the latest subscription",
      values: subscriptionStates,
      isOptional: true, since: "4.3.0", example: "\"subscribed\""),
    .init(
      "device.latestSubscriptionWillAutoRenew", .bool,
      summary: "whether the latest subscription renews", isOptional: true, since: "4.3.0"),
    .init(
      "device.minutesSince_*", .int, unit: .minutes,
      summary: "whole minutes since an event (older spelling of `device.minutesSince(\"…\")`)",
      isOptional: true),
    .init(
      "device.hoursSince_*", .int, unit: .hours,
      summary: "whole hours since an event (older spelling of `device.hoursSince(\"…\")`)",
      isOptional: true),
    .init(
      "device.daysSince_*", .int, unit: .days,
      summary: "whole days since an event (older spelling of `device.daysSince(\"…\")`)",
      isOptional: true),
    .init(
      "device.monthsSince_*", .int,
      summary: "whole months since an event (older spelling of `device.monthsSince(\"…\")`)",
      isOptional: true),
    .init(
      "device.yearsSince_*", .int,
      summary: "whole years since an event (older spelling of `device.yearsSince(\"…\")`)",
      isOptional: true),
    .init(
      "device.placementsInHour_*", .int,
      summary: "how often an event happened (older spelling of `device.placementsInHour(\"…\")`)",
      isOptional: true),
    .init(
      "device.placementsInDay_*", .int,
      summary: "how often an event happened (older spelling of `device.placementsInDay(\"…\")`)",
      isOptional: true),
    .init(
      "device.placementsInWeek_*", .int,
      summary: "how often an event happened (older spelling of `device.placementsInWeek(\"…\")`)",
      isOptional: true),
    .init(
      "device.placementsInMonth_*", .int,
      summary: "how often an event happened (older spelling of `device.placementsInMonth(\"…\")`)",
      isOptional: true),
    .init(
      "device.placementsSinceInstall_*", .int,
      summary:
        "how often an event happened (older spelling of `device.placementsSinceInstall(\"…\")`)",
      isOptional: true),
  ]
}
