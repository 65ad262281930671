import ExpressionEngine
import ExpressionSyntax

/// The users of a simulation: nothing is remembered of them, and the only event that ever happened is
/// that the config was loaded.
struct NewUserScenario {
  let campaigns: CompiledCampaigns
  let now: WallTime
  let zone: ZoneRules
  let sessionID: String
  private let history: EventLog

  init(_ campaigns: CompiledCampaigns, now: WallTime, zone: ZoneRules, sessionID: String) {
    self.campaigns = campaigns
    self.now = now
    self.zone = zone
    self.sessionID = sessionID
    var history = EventLog()
    history.record(BuiltInEvent.configRefresh.rawValue, at: now)
    self.history = history
  }

  /// The situation of a user who brings nothing along.
  func situation(
    _ identity: RandomIdentity, roots: [String: Value] = [:], assignments: any AssignmentLookup
  ) -> MatchSituation {
    let attributes = BaseAttributes(
      user: [:], device: [:], enrichment: [:], identity: identity.identity,
      installation: Installation(), roots: roots.isEmpty ? nil : Context.Layer(roots),
      options: campaigns.options)
    var situation = MatchSituation(
      now: now, zone: zone, attributes: attributes, history: history, assignments: assignments)
    situation.sessionID = sessionID
    return situation
  }

  /// The history once a placement is registered.
  func history(with placement: String) -> EventLog {
    var history = history
    history.record(placement, at: now)
    return history
  }

  /// Whether an audience of a placement gets a legacy key (docs/spec/campaigns.md §5.1). Few do: the
  /// events that most of them ask about have never happened.
  func hasLegacyEntries(at trigger: CompiledTrigger) -> Bool {
    guard trigger.hasComputedProperties else { return false }
    let placement = trigger.trigger.placement
    let reader = HistoryReader(now: now, zone: zone, options: campaigns.options)
    let history = history(with: placement)
    return trigger.audiences.contains { audience in
      audience.audience.computedProperties.contains { property in
        // A history in memory cannot fail.
        (try? reader.legacyEntry(for: property, placement: placement, in: history)) != nil
      }
    }
  }

  /// The attributes of `device` that every user has at a placement, but those that depend on chance.
  func device(at trigger: CompiledTrigger) -> [String: Value] {
    let source = DerivedAttributeSource(
      now: now, zone: zone, platform: campaigns.options.platform,
      identity: UserIdentity(aliasID: "", seed: 0), installation: Installation())
    let history = history(with: trigger.trigger.placement)
    var device: [String: Value] = [:]
    for attribute in trigger.derived where attribute != .aliases {
      // A history in memory cannot fail.
      let value = try? source.value(attribute, in: history)
      device[attribute.name(on: campaigns.options.platform)] = value.map(
        campaigns.sanitizer.contextValue)
    }
    return device
  }
}

/// The identity that is drawn at random for each user, unless the record gives it.
struct RandomIdentity {
  var aliasID = ""
  var seed: Int64 = 0

  var identity: UserIdentity { UserIdentity(aliasID: aliasID, seed: seed) }

  /// The attributes of `user` that follow from it.
  func userAttributes(_ sanitizer: AttributeSanitizer) -> [String: Value] {
    sanitizer.contextValues(identity.userAttributes(Installation()))
  }
}

/// One user record of the input.
struct UserRecord {
  var user: [String: Value] = [:]
  var device: [String: Value] = [:]
  var parameters: [String: Value] = [:]
  /// Further variables beside these three.
  var roots: [String: Value] = [:]

  /// Takes the layers of a context by their names.
  init(_ context: Context) {
    roots = context.snapshot()
    user = roots.removeValue(forKey: "user")?.objectValue ?? [:]
    device = roots.removeValue(forKey: "device")?.objectValue ?? [:]
    parameters = roots.removeValue(forKey: "params")?.objectValue ?? [:]
  }

  /// Reads an object with `user`, `device` and `params`, or the attributes of a user alone.
  init(_ object: [String: Value]) {
    let roots = AttributeRoots.names.map { object[$0]?.objectValue }
    guard roots.contains(where: { $0 != nil }) else {
      user = object
      return
    }
    user = roots[0] ?? [:]
    device = roots[1] ?? [:]
    parameters = roots[2] ?? [:]
  }

  /// The registration of a placement by this user.
  func request(_ placement: String) -> MatchRequest {
    var request = MatchRequest(placement, parameters: parameters)
    request.user = user
    request.device = device
    request.isStandardEvent = BuiltInEvent.isStandard(placement)
    return request
  }
}
