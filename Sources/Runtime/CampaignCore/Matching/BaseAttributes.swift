public import ExpressionEngine

/// The attributes of a user and a device before a placement adds anything: those that the app set,
/// those of the server, and those that follow from the identity (docs/spec/campaigns.md §6).
///
/// Making one sanitizes and stores all values, so keep it as long as nothing changes. It is a class,
/// because situations are copied more often than the attributes change.
public final class BaseAttributes: Sendable {
  /// The user.
  public let identity: UserIdentity
  /// The installation.
  public let installation: Installation
  /// The `user` layer.
  package let user: [String: Value]
  /// The device attributes that the app set.
  let ownDevice: [String: Value]
  /// The `device` layer without derived attributes.
  let device: [String: Value]
  /// Both layers.
  let context: Context

  /// Creates the attributes.
  ///
  /// - Parameters:
  ///   - user: The attributes that the app gave the user. They win over those that follow from the
  ///     identity, except `isLoggedIn` and `applicationInstalledAt`.
  ///   - device: The attributes that the app gave the device.
  ///   - enrichment: The server's attributes of the device; they overwrite nothing (§6.4).
  ///   - identity: The user.
  ///   - installation: The installation.
  ///   - roots: Further variables beside `user`, `device` and `params`.
  ///   - options: Platform differences.
  public convenience init(
    user: [String: Value] = [:], device: [String: Value] = [:], enrichment: [String: Value] = [:],
    identity: UserIdentity, installation: Installation = Installation(),
    roots: [String: Value] = [:], options: MatchingOptions = .iOS
  ) {
    self.init(
      user: user, device: device, enrichment: enrichment, identity: identity,
      installation: installation, roots: roots.isEmpty ? nil : Context.Layer(roots),
      options: options)
  }

  /// - Parameter roots: Further variables beside `user`, `device` and `params`.
  init(
    user: [String: Value], device: [String: Value], enrichment: [String: Value],
    identity: UserIdentity, installation: Installation, roots: Context.Layer?,
    options: MatchingOptions
  ) {
    let sanitizer = AttributeSanitizer(options: options)
    self.identity = identity
    self.installation = installation
    var attributes = sanitizer.contextValues(user)
    for name in UserIdentity.fixedAttributes { attributes[name] = nil }
    attributes.merge(sanitizer.contextValues(identity.userAttributes(installation))) { own, _ in
      own
    }
    self.user = attributes
    ownDevice = sanitizer.contextValues(device)
    self.device = ownDevice.merging(sanitizer.contextValues(enrichment)) { own, _ in own }
    context = Context(
      user: Context.Layer(attributes), device: Context.Layer(self.device), roots: roots)
  }
}

/// Everything a decision depends on beside the request and the config.
public struct MatchSituation {
  /// The clock reading; one decision happens at one instant.
  public var now: WallTime
  /// The zone of the wall clock.
  public var zone: ZoneRules
  /// The attributes of the user and the device.
  public var attributes: BaseAttributes
  /// The events that happened.
  public var history: any EventHistory
  /// The occurrences that limits count.
  public var occurrences: any OccurrenceCounts
  /// The variants that the user got.
  public var assignments: any AssignmentLookup
  /// The session, which is part of the standard parameters.
  public var sessionID = ""
  /// Whether a paywall is on screen.
  public var isPaywallOnScreen = false
  /// The units of limits that presentations under way hold, by key.
  package var heldOccurrences: [ExactName: Int] = [:]
  /// Values that host functions return instead of asking the history.
  package var historySubstitutes: [String: Value] = [:]

  /// Creates a situation; by default nothing ever happened.
  public init(
    now: WallTime, zone: ZoneRules = .utc, attributes: BaseAttributes,
    history: any EventHistory = EventLog(), occurrences: any OccurrenceCounts = OccurrenceLog(),
    assignments: any AssignmentLookup
  ) {
    self.now = now
    self.zone = zone
    self.attributes = attributes
    self.history = history
    self.occurrences = occurrences
    self.assignments = assignments
  }
}
