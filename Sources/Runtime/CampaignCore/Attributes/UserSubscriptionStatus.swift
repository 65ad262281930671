package import ExpressionEngine

/// Whether the user has bought something (docs/spec/campaigns.md §8.1).
public enum UserSubscriptionStatus: Sendable, Hashable, Codable {
  /// Not known yet.
  case unknown
  /// Nothing is in force.
  case inactive
  /// The entitlements; an empty set counts as inactive.
  case active(Set<UserEntitlement>)

  /// Whether an entitlement of an active status is flagged active.
  public var isActive: Bool {
    guard case .active(let entitlements) = self else { return false }
    return entitlements.contains(where: \.isActive)
  }

  /// The word of the wire: `UNKNOWN`, `INACTIVE` or `ACTIVE`.
  public var wireName: String {
    switch self {
    case .unknown: "UNKNOWN"
    case .inactive: "INACTIVE"
    case .active: isActive ? "ACTIVE" : "INACTIVE"
    }
  }

  /// The entitlements of the active set, ordered by identifier so that contexts are reproducible.
  public var entitlements: [UserEntitlement] {
    guard case .active(let entitlements) = self else { return [] }
    return entitlements.sorted { $0.identifier < $1.identifier }
  }

  /// The parameters of `subscriptionStatus_didChange`.
  package var eventParameters: [String: Value] {
    guard isActive else { return ["status": .string(wireName)] }
    let ids = entitlements.map(\.identifier).joined(separator: ",")
    return ["status": .string(wireName), "active_entitlement_ids": .string(ids)]
  }

  /// The attribute that holds the status.
  package static let statusName = "subscriptionStatus"
  /// All attributes that follow from the status, on any platform.
  package static let attributeNames = [
    statusName, "activeEntitlements", "activeEntitlementObjects", "activeEntitlementsObject",
  ]

  /// The attributes that follow from the status.
  package func attributes(platform: MatchingOptions.Platform) -> [String: Value] {
    var result: [String: Value] = [:]
    add(to: &result, platform: platform)
    return result
  }

  func add(to device: inout [String: Value], platform: MatchingOptions.Platform) {
    device[Self.statusName] = .string(wireName)
    device["activeEntitlements"] = Value(texts: entitlements.map(\.identifier))
    switch platform {
    case .iOS:
      device["activeEntitlementObjects"] = .list(entitlements.map(\.contextValue))
    case .android:
      device["activeEntitlementsObject"] = .list(
        entitlements.map { entitlement in
          .map([
            .string("identifier"): .string(entitlement.identifier),
            .string("type"): .string(entitlement.type),
          ])
        })
    }
  }
}

extension UserSubscriptionStatus: CustomStringConvertible {
  /// `unknown`, `inactive`, or `active` with the identifiers.
  public var description: String {
    switch self {
    case .unknown: "unknown"
    case .inactive: "inactive"
    case .active: "active \(entitlements.map(\.identifier).joined(separator: ","))"
    }
  }
}
