/// The realistic context as plain Swift structs: what an application would write that knew its
/// filters when it was compiled.
///
/// The structs lie in one object, so that a filter gets a pointer to them as the C floors do;
/// passing them by value would measure the copying of forty strings.
package final class FilterContext: Decodable, Sendable {
  package let user: User
  package let device: Device
  package let params: Params

  package struct User: Decodable, Sendable {
    package let id: String
    package let age: Int
    package let email: String
    package let name: String
    package let plan: String
    package let trialDaysLeft: Int
    package let daysSincePaid: Int
    package let sessions: Int
    package let purchases: Int
    package let credits: Int
    package let scores: [Int]
  }

  package struct Device: Decodable, Sendable {
    package let publicApiKey: String
    package let platform: String
    package let appUserId: String
    package let appVersion: String
    package let appVersionPadded: String
    package let osVersion: String
    package let osVersionPadded: String
    package let deviceModel: String
    package let deviceLocale: String
    package let languageCode: String
    package let regionCode: String
    package let currencyCode: String
    package let currencySymbol: String
    package let timezoneOffset: Int
    package let interfaceType: String
    package let interfaceStyle: String
    package let radioType: String
    package let isLowPowerModeEnabled: Bool
    package let isApplePayAvailable: Bool
    package let isSandbox: Bool
    package let isMac: Bool
    package let bundleId: String
    package let appInstallDate: String
    package let appBuildString: String
    package let appBuildNumber: Int
    package let daysSinceInstall: Int
    package let minutesSinceInstall: Int
    package let daysSinceLastPaywallView: Int
    package let minutesSinceLastPaywallView: Int
    package let totalPaywallViews: Int
    package let utcDate: String
    package let localDate: String
    package let utcTime: String
    package let localTime: String
    package let sdkVersionPadded: String
    package let deviceTier: String
    package let subscriptionStatus: String
    package let reviewRequestCount: Int
    package let activeEntitlements: [String]
    package let activeProducts: [String]
  }

  package struct Params: Decodable, Sendable {
    package let origin: String
    package let country: String
    package let value: Int
    package let adults: Int
    package let placement: String
  }
}
