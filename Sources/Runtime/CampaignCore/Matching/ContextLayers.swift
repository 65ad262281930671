import ExpressionEngine

/// The layers of the context of one request, as far as they differ from the base attributes and some
/// filter of the placement reads them (docs/spec/campaigns.md §6).
///
/// Requests and situations are arguments, not properties: copying them costs as much as making a
/// layer.
struct ContextLayers {
  private let campaigns: CompiledCampaigns
  private let trigger: CompiledTrigger
  /// Whether everything is made.
  private let isWhole: Bool

  /// - Parameter isWhole: Whether somebody will look at the whole context.
  init(_ campaigns: CompiledCampaigns, _ trigger: CompiledTrigger, isWhole: Bool) {
    self.campaigns = campaigns
    self.trigger = trigger
    self.isWhole = isWhole || campaigns.config.isEnabled(ToggleName.expressionParameters)
  }

  /// The `user` layer; `nil` when it is that of the base.
  func user(
    _ request: MatchRequest, _ situation: MatchSituation
  ) -> [String: Value]? {
    guard !request.user.isEmpty else { return nil }
    if !isWhole, let names = trigger.userNames {
      if names.isEmpty { return nil }
      var user: [String: Value] = [:]
      user.reserveCapacity(names.count)
      for name in names {
        user[name] =
          request.user[name].map(campaigns.sanitizer.contextValue)
          ?? situation.attributes.user[name]
      }
      return user
    }
    return campaigns.sanitizer.merged(situation.attributes.user, under: request.user)
  }

  /// The parameters; `nil` when no filter reads any.
  func parameters(
    _ request: MatchRequest, _ situation: MatchSituation
  ) -> [String: Value]? {
    let names = isWhole ? nil : trigger.parameterNames
    if names?.isEmpty == true { return nil }
    return campaigns.sanitizer.parameters(
      of: request, sessionID: situation.sessionID, names: names)
  }

  /// The `device` layer; `nil` when it is that of the base.
  ///
  /// - Parameter own: The attributes that hold for this request only.
  func device(
    _ own: [String: Value], _ situation: MatchSituation
  ) throws(StoreError) -> [String: Value]? {
    let attributes = situation.attributes
    guard isWhole || !trigger.derived.isEmpty || !own.isEmpty || trigger.hasComputedProperties
    else { return nil }
    let source = DerivedAttributeSource(
      now: situation.now, zone: situation.zone, platform: campaigns.options.platform,
      identity: attributes.identity, installation: attributes.installation)
    var device: [String: Value] = [:]
    if !isWhole, let names = trigger.deviceNames { device.reserveCapacity(names.count) }
    // Attributes of the app win over derived ones, and those over the server's (§6.4).
    for attribute in isWhole ? DerivedAttribute.allCases : trigger.derived {
      let name = attribute.name(on: campaigns.options.platform)
      guard own[name] == nil, attributes.ownDevice[name] == nil else { continue }
      device[name] = try source.value(attribute, in: situation.history).map(
        campaigns.sanitizer.contextValue)
    }
    if !isWhole, let names = trigger.deviceNames {
      for name in names where device[name] == nil {
        device[name] = own[name].map(campaigns.sanitizer.contextValue) ?? attributes.device[name]
      }
      return device
    }
    device.merge(attributes.device) { derived, _ in derived }
    return campaigns.sanitizer.merged(device, under: own)
  }
}
