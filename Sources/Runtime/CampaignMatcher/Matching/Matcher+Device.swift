public import CampaignCore
public import ExpressionEngine

extension Matcher {
  /// The device, and what was bought on it.
  public struct Device: Sendable {
    let matcher: Matcher
  }

  /// The device, and what was bought on it.
  public var device: Device { Device(matcher: self) }
}

extension Matcher.Device {
  /// Replaces the device attributes. A subscription status among them wins over that of
  /// ``setSubscriptionStatus(_:)``; without one the latter stays.
  public func set(_ attributes: DeviceAttributes) {
    set(values: attributes.values(platform: matcher.options.platform))
  }

  /// Replaces the device attributes by values under their wire names; see ``set(_:)``.
  public func set(values: [String: Value]) {
    let sanitized = values.mapValues { matcher.sanitizer.contextValue($0) }
    matcher.state.withLock { state in
      state.device = sanitized
      state.generation += 1
    }
    matcher.changes.notify()
    matcher.serveLine()
  }

  /// Tells what the user has bought, which decides `device.subscriptionStatus` and
  /// `device.activeEntitlements` (docs/spec/campaigns.md §8.1).
  ///
  /// Until the first status other than unknown requests wait. The status is kept in the
  /// store and holds from the beginning of the next launch on, until another one is set. A status
  /// that changes nothing is not announced.
  ///
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  public func setSubscriptionStatus(_ status: UserSubscriptionStatus) throws(StoreError) {
    let told = status.attributes(platform: matcher.options.platform)
    let attributes = matcher.sanitizer.contextValues(told)
    try matcher.withTransaction { state, work throws(StoreError) in
      var next = state
      for name in UserSubscriptionStatus.attributeNames { next.device[name] = nil }
      next.subscription = attributes
      var installation = try work.transaction.installation()
      if installation.subscription != told {
        installation.subscription = told
        try work.transaction.save(installation)
      }
      let own = next.device
      let device = next.ownDevice
      let isChange = device != state.ownDevice
      work.onCommit { state in
        state.device = own
        state.subscription = attributes
        state.generation += 1
      }
      guard isChange else { return }
      try work.track(.subscriptionStatusChanged(status))
      try work.track(
        .tracked(name: BuiltInEvent.deviceAttributes.rawValue, parameters: device))
    }
    matcher.serveLine()
  }

  /// Whether a subscription status other than unknown has been set.
  public var isSubscriptionStatusKnown: Bool {
    matcher.state.withLock { $0.knowsSubscription(for: MatchRequest("")) }
  }

  /// Merges what the enrichment request returned under `device`; it never overwrites the device's
  /// own attributes (§6.4).
  public func mergeEnrichment(_ values: [String: Value]) {
    let sanitized = values.mapValues { matcher.sanitizer.contextValue($0) }
    matcher.state.withLock { state in
      state.enrichment.merge(sanitized) { _, new in new }
      state.generation += 1
    }
    matcher.changes.notify()
  }
}
