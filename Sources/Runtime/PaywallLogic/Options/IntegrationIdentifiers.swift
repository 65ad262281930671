import ExpressionEngine

/// The id of the user in another service.
public enum IntegrationIdentifier: Sendable, Hashable {
  /// A service that the SDK knows.
  case known(Known)
  /// Any other.
  case custom(String)

  /// The services that the SDK knows, with the word of the wire.
  public enum Known: String, Sendable, Hashable, CaseIterable {
    /// Adjust.
    case adjustId
    /// Amplitude, the device.
    case amplitudeDeviceId
    /// Amplitude, the user.
    case amplitudeUserId
    /// AppsFlyer.
    case appsflyerId
    /// Braze, the alias' name.
    case brazeAliasName
    /// Braze, the alias' label.
    case brazeAliasLabel
    /// OneSignal.
    case onesignalId
    /// Facebook.
    case fbAnonId
    /// Firebase, the app's instance.
    case firebaseAppInstanceId
    /// Firebase, the installation.
    case firebaseInstallationId
    /// Iterable, the user.
    case iterableUserId
    /// Iterable, the campaign.
    case iterableCampaignId
    /// Iterable, the template.
    case iterableTemplateId
    /// Mixpanel.
    case mixpanelDistinctId
    /// mParticle.
    case mparticleId
    /// CleverTap.
    case clevertapId
    /// Airship.
    case airshipChannelId
    /// Kochava.
    case kochavaDeviceId
    /// Tenjin.
    case tenjinId
    /// PostHog.
    case posthogUserId
    /// Customer.io.
    case customerioId
    /// Appstack.
    case appstackId
    /// Singular.
    case singularDeviceId
  }

  /// The key of the attribute.
  public var key: String {
    switch self {
    case .known(let known): known.rawValue
    case .custom(let key): key
    }
  }
}

/// The ids of the user in other services, which filters read as attributes of the user.
public struct IntegrationAttributes: Sendable, Equatable {
  /// The ids by key.
  public private(set) var values: [String: String]

  /// Creates a collection.
  public init(_ values: [String: String] = [:]) {
    self.values = values
  }

  /// Sets ids; `nil` removes one.
  ///
  /// - Returns: The effects: the event with all ids, and the change of the user's attributes.
  ///   Nothing when nothing changes.
  public mutating func set(_ changes: [IntegrationIdentifier: String?]) -> [PaywallEffect] {
    var merged: [String: Value?] = [:]
    for (attribute, id) in changes where values[attribute.key] != id {
      values[attribute.key] = id
      merged[attribute.key] = .some(id.map(Value.string))
    }
    return merged.isEmpty
      ? [] : [.mergeUserAttributes(merged), .track(.integrationAttributes(values))]
  }
}
