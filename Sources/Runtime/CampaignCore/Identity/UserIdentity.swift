public import ExpressionEngine

/// Who the user is (docs/spec/campaigns.md §4.6, §6.3). A reset begins a new identity.
///
/// The number of paywalls that the user has seen, and the time of the last one, follow from the event
/// `paywall_open` of the history.
public struct UserIdentity: Sendable, Hashable, CustomStringConvertible {
  /// The prefix of an alias.
  public static let aliasPrefix = "$SuperwallAlias:"
  /// The prefix of a device id.
  public static let devicePrefix = "$SuperwallDevice:"

  /// The attributes of `user` that the app cannot replace (§6.3).
  static let fixedAttributes = ["isLoggedIn", "applicationInstalledAt"]
  /// The attributes of `user` that follow from the identity, unless the app replaces them.
  package static let replaceableAttributes = ["aliasId", "appUserId", "seed"]

  /// The number of seeds.
  package static let seedCount: UInt64 = 100

  /// The anonymous id, `$SuperwallAlias:<UUID>`.
  public var aliasID: String
  /// The identified user; `nil` while anonymous.
  public var userID: String?
  /// A number of 0 ... 99 for cohorts.
  public var seed: Int64

  /// The user's id, or the alias while nobody is identified.
  public var description: String { userID ?? aliasID }

  /// Creates an identity.
  public init(aliasID: String, userID: String? = nil, seed: Int64) {
    self.aliasID = aliasID
    self.userID = userID
    self.seed = seed
  }

  /// Creates a new anonymous identity.
  public init(random: some RandomSource) {
    aliasID = UserIdentity.aliasPrefix + random.uuid()
    seed = Int64(random.uniform(below: UserIdentity.seedCount))
  }
}

/// The facts about the installation that are remembered; a reset keeps them.
public struct Installation: Sendable, Hashable {
  /// When the app was installed.
  public var installedAt: WallTime?
  /// Whether the app has been left for the first time.
  public var hasResignedActive = false
  /// The attributes of `device` that follow from the last subscription status (§8.1); empty before the
  /// first one.
  public var subscription: [String: Value] = [:]

  /// Creates the record of a new installation.
  public init(installedAt: WallTime? = nil) {
    self.installedAt = installedAt
  }
}
