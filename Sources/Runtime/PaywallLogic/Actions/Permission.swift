/// A permission that a paywall can ask for, with the word of the wire.
public enum Permission: String, Sendable, Hashable, CaseIterable {
  /// Notifications.
  case notification
  /// The location while the app is in use.
  case location
  /// The location at all times.
  case backgroundLocation = "background_location"
  /// Photos.
  case readImages = "read_images"
  /// Contacts.
  case contacts
  /// The camera.
  case camera
  /// Tracking across apps.
  case tracking
  /// The microphone.
  case microphone

  /// The keys of the app's property list without which the system refuses to ask.
  public var requiredKeys: Set<String> {
    switch self {
    case .notification: []
    case .location: ["NSLocationWhenInUseUsageDescription"]
    case .backgroundLocation:
      [
        "NSLocationWhenInUseUsageDescription", "NSLocationAlwaysAndWhenInUseUsageDescription",
      ]
    case .readImages: ["NSPhotoLibraryUsageDescription"]
    case .contacts: ["NSContactsUsageDescription"]
    case .camera: ["NSCameraUsageDescription"]
    case .tracking: ["NSUserTrackingUsageDescription"]
    case .microphone: ["NSMicrophoneUsageDescription"]
    }
  }
}

/// The status of a permission for the paywall, with the word of the wire.
public enum PermissionStatus: String, Sendable, Hashable, CaseIterable {
  /// The user allows it.
  case granted
  /// The user does not allow it.
  case denied
  /// The device has no such permission, or the app lacks a key of its property list.
  case unsupported
}

/// The settings of system and app that decide on permissions.
public struct PermissionEnvironment: Sendable, Equatable {
  /// An earlier choice of the user.
  public enum Answer: String, Sendable, Hashable, CaseIterable {
    /// Nothing.
    case notDetermined
    /// Nothing; notifications are delivered quietly on trial.
    case provisional
    /// Yes.
    case authorized
    /// No.
    case denied

    /// Whether the system still has to ask.
    var isOpen: Bool { self == .notDetermined || self == .provisional }
  }

  /// The keys that the app's property list has.
  public var propertyListKeys: Set<String>
  /// The permissions that the device knows.
  public var supported: Set<Permission>
  /// The earlier choices of the user; none for permissions that are left out.
  public var answers: [Permission: Answer]

  /// Creates an environment; by default a device that knows all permissions and an app with all keys.
  public init(
    propertyListKeys: Set<String> = Set(Permission.allCases.flatMap(\.requiredKeys)),
    supported: Set<Permission> = Set(Permission.allCases), answers: [Permission: Answer] = [:]
  ) {
    self.propertyListKeys = propertyListKeys
    self.supported = supported
    self.answers = answers
  }

  /// Whether the system can be asked for the permission at all.
  public func canAsk(for permission: Permission) -> Bool {
    supported.contains(permission) && permission.requiredKeys.isSubset(of: propertyListKeys)
  }

  /// Returns the user's earlier choice on a permission.
  public func answer(for permission: Permission) -> Answer {
    answers[permission] ?? .notDetermined
  }
}
