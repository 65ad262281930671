public import CampaignCore
import ExpressionCoding
import ExpressionEngine

/// The part of a session that outlives a launch, as one value.
///
/// A session gives it by ``PaywallSession/state`` and begins with it by its initializer. `PaywallHost` keeps
/// it in the matcher's store by itself.
public struct SessionState: Sendable, Equatable {
  /// The version that this module writes. It reads every version up to this one.
  public static let version = 1
  /// The subscription status.
  public var status = UserSubscriptionStatus.unknown
  /// The purchases on the device as they were read last; `nil` before the first time.
  public var device: CustomerRecord?
  /// The purchases on the web as the server told them last; `nil` before the first time.
  public var web: CustomerRecord?
  /// The entitlements that the last config gave each product.
  public var entitlementsByProduct: [String: [UserEntitlement]] = [:]
  /// The codes that the server knows, in the order of their redemption.
  public var codes: [String] = []
  /// When the purchases on the web were fetched last.
  public var fetchedAt: WallTime?
  /// The choices of the tester.
  public var testSettings = TestMode.Settings()
  /// The key of the survey that was asked last.
  public var surveyKey: String?

  /// Whether the last config turned verbose events off.
  public var areVerboseEventsDisabled: Bool?
  /// The checkout whose result is unknown.
  public var pendingCheckout: CheckoutRecovery.Pending?
  /// The purchases of the app that are known.
  public var observed = ObservedTransactions()

  /// Creates the state of a new installation.
  public init() {}
}

/// A state that cannot be read.
public enum SessionStateError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A newer version of this module has written it.
  case newerVersion(Int)
  /// It is damaged.
  case damaged(String)

  /// The error as a sentence for people.
  public var description: String {
    switch self {
    case .newerVersion(let version):
      "the session's state has version \(version); this version reads up to \(SessionState.version)"
    case .damaged(let reason): "the session's state is damaged: \(reason)"
    }
  }
}

extension SessionState: Codable {
  private enum CodingKeys: String, CodingKey {
    case version
    case status
    case device
    case web
    case entitlementsByProduct
    case codes
    case fetchedAt
    case testSettings
    case surveyKey
    case areVerboseEventsDisabled
    case pendingCheckout
    case observed
  }

  /// Reads a state.
  ///
  /// - Throws: ``SessionStateError/newerVersion(_:)``, or a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let version = try members.decode(Int.self, forKey: .version)
    guard version <= Self.version else { throw SessionStateError.newerVersion(version) }
    status = try members.decode(UserSubscriptionStatus.self, forKey: .status)
    device = try members.decodeIfPresent(CustomerRecord.self, forKey: .device)
    web = try members.decodeIfPresent(CustomerRecord.self, forKey: .web)
    entitlementsByProduct = try members.decode(
      [String: [UserEntitlement]].self, forKey: .entitlementsByProduct)
    codes = try members.decode([String].self, forKey: .codes)
    fetchedAt = try members.decodeIfPresent(WallTime.self, forKey: .fetchedAt)
    testSettings = try members.decode(TestMode.Settings.self, forKey: .testSettings)
    surveyKey = try members.decodeIfPresent(String.self, forKey: .surveyKey)
    areVerboseEventsDisabled = try members.decodeIfPresent(
      Bool.self, forKey: .areVerboseEventsDisabled)
    pendingCheckout = try members.decodeIfPresent(
      CheckoutRecovery.Pending.self, forKey: .pendingCheckout)
    observed =
      try members.decodeIfPresent(ObservedTransactions.self, forKey: .observed)
      ?? ObservedTransactions()
  }

  /// Writes the state with the version of this module.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(Self.version, forKey: .version)
    try members.encode(status, forKey: .status)
    try members.encodeIfPresent(device, forKey: .device)
    try members.encodeIfPresent(web, forKey: .web)
    try members.encode(entitlementsByProduct, forKey: .entitlementsByProduct)
    try members.encode(codes, forKey: .codes)
    try members.encodeIfPresent(fetchedAt, forKey: .fetchedAt)
    try members.encode(testSettings, forKey: .testSettings)
    try members.encodeIfPresent(surveyKey, forKey: .surveyKey)
    try members.encodeIfPresent(areVerboseEventsDisabled, forKey: .areVerboseEventsDisabled)
    try members.encodeIfPresent(pendingCheckout, forKey: .pendingCheckout)
    if observed != ObservedTransactions() { try members.encode(observed, forKey: .observed) }
  }
}

extension SessionState {
  /// Reads the JSON that ``json()`` wrote.
  ///
  /// - Throws: ``SessionStateError``.
  public init(json: String) throws(SessionStateError) {
    do {
      self = try Value(json: json).decode()
    } catch let error as SessionStateError {
      throw error
    } catch {
      throw .damaged("\(error)")
    }
  }

  /// Returns the state as JSON.
  ///
  /// - Throws: ``SessionStateError/damaged(_:)`` for a state nested too deeply, which cannot happen by itself.
  public func json() throws(SessionStateError) -> String {
    do {
      return try Value(encoding: self).jsonText()
    } catch {
      throw .damaged("\(error)")
    }
  }
}
