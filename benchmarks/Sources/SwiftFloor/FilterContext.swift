/// The realistic context as plain Swift structs: what an application would write that knew its
/// filters when it was compiled.
///
/// The structs lie in one object, so that a filter gets a pointer to them as the C floors do; passing
/// them by value would measure the copying of forty strings.
public final class FilterContext: Decodable, Sendable {
  public let user: User
  public let device: Device
  public let params: Params

  public struct User: Decodable, Sendable {
    public let id: String
    public let age: Int
    public let email: String
    public let name: String
    public let plan: String
    public let trialDaysLeft: Int
    public let daysSincePaid: Int
    public let sessions: Int
    public let purchases: Int
    public let credits: Int
    public let scores: [Int]
  }

  public struct Device: Decodable, Sendable {
    public let publicApiKey: String
    public let platform: String
    public let appUserId: String
    public let appVersion: String
    public let appVersionPadded: String
    public let osVersion: String
    public let osVersionPadded: String
    public let deviceModel: String
    public let deviceLocale: String
    public let languageCode: String
    public let regionCode: String
    public let currencyCode: String
    public let currencySymbol: String
    public let timezoneOffset: Int
    public let interfaceType: String
    public let interfaceStyle: String
    public let radioType: String
    public let isLowPowerModeEnabled: Bool
    public let isApplePayAvailable: Bool
    public let isSandbox: Bool
    public let isMac: Bool
    public let bundleId: String
    public let appInstallDate: String
    public let appBuildString: String
    public let appBuildNumber: Int
    public let daysSinceInstall: Int
    public let minutesSinceInstall: Int
    public let daysSinceLastPaywallView: Int
    public let minutesSinceLastPaywallView: Int
    public let totalPaywallViews: Int
    public let utcDate: String
    public let localDate: String
    public let utcTime: String
    public let localTime: String
    public let sdkVersionPadded: String
    public let deviceTier: String
    public let subscriptionStatus: String
    public let reviewRequestCount: Int
    public let activeEntitlements: [String]
    public let activeProducts: [String]
  }

  public struct Params: Decodable, Sendable {
    public let origin: String
    public let country: String
    public let value: Int
    public let adults: Int
    public let placement: String
  }
}
