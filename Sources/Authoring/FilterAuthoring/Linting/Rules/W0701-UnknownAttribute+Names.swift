import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Tells misspellings from names of their own.

extension FilterLinter {
  /// Common other names of device attributes, with the real names.
  static let deviceAliases: [String: [String]] = [
    "os": ["platform", "osVersion"], "country": ["regionCode", "ipCountry"],
    "countryCode": ["regionCode", "storeFrontCountryCode"], "region": ["regionCode", "ipRegion"],
    "language": ["deviceLanguageCode", "preferredLanguageCode"],
    "languageCode": ["deviceLanguageCode", "preferredLanguageCode"],
    "hour": ["localTime"], "localHour": ["localTime"], "today": ["localDate"],
    "name": ["deviceModel"], "isTablet": ["interfaceType"], "isIpad": ["interfaceType"],
    "storefront": ["storeFrontCountryCode"],
    "locale": ["deviceLocale", "preferredLocale"], "model": ["deviceModel"],
    "version": ["appVersion", "appVersionPadded", "osVersion"],
    "appVersionPad": ["appVersionPadded"],
    "currency": ["deviceCurrencyCode"],
    "type": ["interfaceType"], "deviceType": ["interfaceType"],
    "timezone": ["timezoneOffset", "ipTimezone"], "timeZone": ["timezoneOffset", "ipTimezone"],
    "isLowPowerMode": ["isLowPowerModeEnabled"], "darkMode": ["interfaceStyle"],
    "entitlements": ["activeEntitlements"], "products": ["activeProducts"],
    "paywallViews": ["totalPaywallViews"], "installDate": ["appInstallDate"],
    "date": ["localDate", "utcDate"], "time": ["localTime", "utcTime"], "city": ["ipCity"],
    "isSubscribed": ["subscriptionStatus"], "buildNumber": ["appBuildStringNumber"],
    "activeSubscriptions": ["activeProducts", "activeEntitlements"],
    "build": ["appBuildStringNumber"], "sandbox": ["isSandbox"], "isIOS": ["platform"],
    "isAndroid": ["platform"], "firstLaunch": ["isFirstAppOpen"],
    "network": ["radioType"], "connection": ["radioType"], "theme": ["interfaceStyle"],
    "weeksSinceInstall": ["daysSinceInstall"], "hoursSinceInstall": ["minutesSinceInstall"],
    "monthsSinceInstall": ["daysSinceInstall"], "installedDaysAgo": ["daysSinceInstall"],
    "isTrial": ["latestSubscriptionPeriodType"], "hasActiveSubscription": ["subscriptionStatus"],
    "hasSubscription": ["subscriptionStatus"], "isPremium": ["subscriptionStatus"],
    "isPro": ["subscriptionStatus"], "timeSinceLastPaywallView": ["daysSinceLastPaywallView"],
    "lastPaywallView": ["daysSinceLastPaywallView"], "networkType": ["radioType"],
    "connectionType": ["radioType"], "wifi": ["radioType"],
    "accessLevels": ["activeEntitlements"], "accessLevel": ["activeEntitlements"],
    "daysInstalled": ["daysSinceInstall"], "subscribed": ["subscriptionStatus"],
    "subscriber": ["subscriptionStatus"], "premium": ["activeEntitlements"],
    "osName": ["platform"], "systemName": ["platform"], "systemVersion": ["osVersion"],
    "deviceOS": ["platform"], "firstOpenTimestamp": ["appInstallDate"],
    "firstOpen": ["appInstallDate"], "firstOpenTime": ["appInstallDate"],
    "installTime": ["appInstallDate"], "ipCountryCode": ["regionCode", "ipCountry"],
    "bundleIdentifier": ["bundleId"], "packageName": ["bundleId"], "userId": ["appUserId"],
    "customUserId": ["appUserId"],
    "subscriptions": ["customerInfo.subscriptions"],
  ]

  /// Returns whether a name is so close to another that it is hardly a different one.
  static func isMisspelling(_ name: String, of other: String) -> Bool {
    // Two characters have at most eight bytes, and two of ASCII two.
    let isASCII = (name + other).utf8.allSatisfy { $0 < 0x80 }
    guard abs(name.utf8.count - other.utf8.count) <= (isASCII ? 2 : 8) else { return false }
    if name.utf8.count == other.utf8.count, name.lowercased() == other.lowercased() { return true }
    guard min(name.utf8.count, other.utf8.count) >= 6, min(name.count, other.count) >= 6 else {
      return false
    }
    // Names of one family, such as `ipCity` and `ipCode`, differ in one whole word.
    let a = Array(name.lowercased().unicodeScalars)
    let b = Array(other.lowercased().unicodeScalars)
    guard abs(a.count - b.count) <= 2 else { return false }
    let length = min(a.count, b.count)
    return Suggestions.distance(a, b) <= (length >= 16 ? 3 : length >= 10 ? 2 : 1)
  }

  /// Returns whether a name is one slip away from a name of five letters or more, other than its
  /// plural.
  static func isSlip(_ name: String, of other: String) -> Bool {
    guard abs(name.utf8.count - other.utf8.count) <= 4, min(name.count, other.count) >= 5,
      abs(name.count - other.count) <= 1,
      name + "s" != other, other + "s" != name
    else {
      return false
    }
    return Suggestions.distance(
      Array(name.lowercased().unicodeScalars), Array(other.lowercased().unicodeScalars)) <= 1
  }

  /// Words of which apps make names, and that are no other words with two letters exchanged.
  private static let commonWords: Set<String> = [
    "birthday", "campaign", "category", "channel", "completed", "country", "credits", "currency",
    "email", "favorite", "gender", "language", "lesson", "lessons", "level", "membership",
    "orders", "phone", "points", "premium", "purchase", "purchases", "referral", "region",
    "score", "session", "sessions", "source", "status", "streak", "subscribed", "subscriber",
    "subscription", "username", "version", "workout", "workouts",
  ]

  /// Returns a name with a common word for one of which two letters are exchanged: `email` for
  /// `emial`.
  static func withoutExchange(in name: String) -> String? {
    guard (5...40).contains(name.utf8.count) else { return nil }
    let words = Set(name.nameWords)
    let letters = Array(name)
    for index in letters.indices.dropLast() where letters[index] != letters[index + 1] {
      var changed = letters
      changed.swapAt(index, index + 1)
      let meant = String(changed)
      let new = meant.nameWords.filter { !words.contains($0) }
      guard new.count == 1, let word = new.first,
        commonWords.contains(word)
      else { continue }
      return meant
    }
    return nil
  }
}
