import ExpressionEngine

/// A placement as it is registered for a user of whom nothing is remembered, by a matcher that has just
/// loaded its config.
final class FirstRegistration {
  /// Something that has happened just now.
  struct Event {
    var name: String
    var count: Int
  }

  /// What differs from user to user although nobody tells it.
  struct Chance {
    var aliasID = ""
    var seed: Int64 = 0

    /// The attributes of `user` that follow from it.
    var userAttributes: [String: Value] {
      Identity(aliasID: aliasID, seed: seed).userAttributes(Installation())
    }

    /// The value of `device.aliases`.
    var aliases: Value { .list([.string(aliasID)]) }
  }

  let placement: String
  /// Loading the config is an event, and so is the placement.
  let events: [Event]
  /// The attributes of `device` that the matcher gives, but for those that depend on chance.
  let device: [String: Value]
  /// For each audience the keys that its computed properties add to `device`.
  let legacyKeys: [[String: Value]]
  private let readsAliases: Bool
  private let sanitizer: AttributeSanitizer
  private let sessionID: String

  /// - Parameters:
  ///   - trigger: the placement with its audiences; `nil` before any is registered.
  ///   - derived: which attributes the config's filters read.
  ///   - history: now, the zone and the options.
  ///   - sessionID: the session of all users.
  init(
    _ trigger: CompiledTrigger?, derived: [DerivedAttribute], _ history: HistoryReader,
    sessionID: String
  ) {
    placement = trigger?.trigger.placement ?? ""
    var names = [BuiltInEvent.configRefresh.rawValue]
    if trigger != nil { names.append(placement) }
    events = Dictionary(grouping: names, by: ExactName.init).map { name, all in
      Event(name: name.text, count: all.count)
    }
    readsAliases = derived.contains(.aliases)
    sanitizer = AttributeSanitizer(options: history.options)
    self.sessionID = sessionID
    let source = DerivedAttributeSource(
      now: history.now, zone: history.zone, platform: history.options.platform,
      identity: Identity(aliasID: "", seed: 0), installation: Installation())
    // What follows from the events is asked of a history, as for any user. One in memory cannot fail.
    let answers = try? InMemoryStore().write { transaction throws(StoreError) in
      for name in names { try transaction.record(name, at: history.now) }
      var keys: [[String: Value]] = []
      for audience in trigger?.audiences ?? [] {
        var entries: [String: Value] = [:]
        for property in audience.audience.computedProperties {
          let entry = try history.legacyEntry(
            for: property, placement: trigger?.trigger.placement, in: transaction)
          if let entry { entries[entry.key] = entry.value }
        }
        keys.append(entries)
      }
      let device = try source.deviceAttributes(derived.filter { $0 != .aliases }, in: transaction)
      return Answers(device: device, legacyKeys: keys)
    }
    device = sanitizer.contextValues(answers?.device ?? [:])
    legacyKeys = answers?.legacyKeys ?? []
  }

  private struct Answers: Sendable {
    var device: [String: Value]
    var legacyKeys: [[String: Value]]
  }

  /// The `user` layer that everyone has.
  func ownUser(_ chance: Chance) -> [String: Value] {
    sanitizer.contextValues(chance.userAttributes)
  }

  /// The `device` layer that everyone has.
  func ownDevice(_ chance: Chance) -> [String: Value] {
    guard readsAliases else { return device }
    var device = device
    device[DerivedAttribute.aliases.rawValue] = sanitizer.contextValue(chance.aliases)
    return device
  }

  /// The context of a user.
  func context(of record: UserRecord, _ chance: Chance) -> (
    context: Context, device: [String: Value]
  ) {
    let device = sanitizer.merged(ownDevice(chance), under: record.device)
    let parameters = sanitizer.parameters(of: request(of: record), sessionID: sessionID, names: nil)
    return (
      Context(
        user: Context.Layer(sanitizer.merged(ownUser(chance), under: record.user)),
        device: Context.Layer(device), params: Context.Layer(parameters),
        roots: record.roots.isEmpty ? nil : Context.Layer(record.roots)),
      device
    )
  }

  /// Whether no filter is true for a user.
  func failsEveryFilter(_ record: UserRecord) -> Bool {
    sanitizer.failsEveryFilter(request(of: record))
  }

  private func request(of record: UserRecord) -> MatchRequest {
    var request = MatchRequest(placement, parameters: record.parameters)
    request.isStandardEvent = BuiltInEvent.isStandard(placement)
    return request
  }
}

/// What is told of a user.
struct UserRecord {
  var user: [String: Value] = [:]
  var device: [String: Value] = [:]
  var parameters: [String: Value] = [:]
  /// Further variables beside these three.
  var roots: [String: Value] = [:]

  /// Takes the layers of a context by their names.
  init(_ context: Context) {
    roots = context.snapshot()
    user = roots.removeValue(forKey: "user")?.object ?? [:]
    device = roots.removeValue(forKey: "device")?.object ?? [:]
    parameters = roots.removeValue(forKey: "params")?.object ?? [:]
  }

  /// Reads an object with `user`, `device` and `params`, or the attributes of a user alone.
  init(_ object: [String: Value]) {
    let roots = ["user", "device", "params"].map { object[$0]?.object }
    guard roots.contains(where: { $0 != nil }) else {
      user = object
      return
    }
    user = roots[0] ?? [:]
    device = roots[1] ?? [:]
    parameters = roots[2] ?? [:]
  }
}
