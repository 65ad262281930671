public import AudienceFilters
public import CampaignCore
public import ExpressionEngine
public import ExpressionSyntax

/// Answers which audience of which campaign a user is in, and which variant they get.
///
/// One matcher serves one user on one device: it owns identity, attributes, history, limits and
/// assignments through its store. Requests may come from any thread; registrations are serialized,
/// as in the reference, and each is one transaction of the store.
public final class Matcher: Sendable {
  /// The options in force.
  public let options: MatchingOptions
  /// What the clock says.
  public let clock: any WallClock
  /// The zone of the wall clock.
  public let zone: ZoneRules
  /// How long single events are kept.
  public let retention: RetentionPolicy
  let store: any MatcherStore
  let random: any RandomSource
  let environment: FilterEnvironment
  let explain: AudienceExplainer
  let sanitizer: AttributeSanitizer
  let outbox = EventOutbox()
  let state: Locked<MatcherState>

  /// Creates a matcher; a new store gets a new anonymous identity.
  /// - Parameters:
  ///   - store: what is remembered; in memory by default.
  ///   - options: platform differences and quirks; iOS v4 by default.
  ///   - clock: read once per request. Clock, random source and store are asked while the matcher is
  ///     held, so they must not call it.
  ///   - zone: decides calendar days and local times.
  ///   - random: chooses variants, seeds and aliases.
  ///   - retention: how long single events are kept.
  ///   - dialect: the language of the filters.
  ///   - includesVersionFunctions: whether filters may call ``VersionFunction``; by default only
  ///     outside the reference dialect, which has no room for them.
  ///   - explain: finds the reason why a filter is not true; it must not call the matcher.
  /// - Throws: ``StoreError`` when the store cannot be read or written.
  public init(
    store: any MatcherStore = InMemoryStore(), options: MatchingOptions = .iOS,
    clock: any WallClock = SystemClock(), zone: ZoneRules = .system,
    random: any RandomSource = SystemRandomSource(), retention: RetentionPolicy = RetentionPolicy(),
    dialect: Dialect = .superscript, includesVersionFunctions: Bool? = nil,
    explain: AudienceExplainer? = nil
  ) throws(StoreError) {
    self.store = store
    self.options = options
    self.clock = clock
    self.zone = zone
    self.random = random
    self.retention = retention
    self.explain = explain ?? FilterExplanation.init(of:in:)
    sanitizer = AttributeSanitizer(options: options)
    environment = HostFunctions.environment(
      dialect: dialect, includesVersions: includesVersionFunctions ?? (dialect != .superscript))
    state = Locked(MatcherState(sessionID: random.uuid()))
    let now = clock.now()
    let subscription = try store.write { transaction throws(StoreError) in
      if try transaction.identity() == nil {
        try transaction.save(Identity(random: random))
      }
      try transaction.compact(before: retention.horizon(at: now))
      return try transaction.installation().subscription
    }
    // What else a file may hold under this heading is no part of a status.
    let known = subscription.filter { SubscriptionStatus.attributeNames.contains($0.key) }
    state.withLock { $0.subscription = sanitizer.contextValues(known) }
  }

  deinit {
    outbox.finish()
  }

  // MARK: Config

  /// The config in force.
  public var config: CampaignConfig? { state.withLock { $0.compiled?.config } }

  /// What a person should know about the config in force.
  public var configDiagnostics: [ConfigDiagnostic] {
    state.withLock { $0.compiled?.diagnostics ?? [] }
  }

  /// Loads a config that is a JSON tree already; see `load(_:)-(ConfigDocument)`.
  @discardableResult
  public func load(_ json: Value) throws(LoadError) -> [ConfigDiagnostic] {
    try load(ConfigDocument(json))
  }

  /// Decodes a config and puts it in force: compiles its filters and chooses missing assignments.
  ///
  /// - Returns: what a person should know about the config.
  /// - Throws: ``LoadError``; the previous config stays in force then.
  @discardableResult
  public func load(_ document: ConfigDocument) throws(LoadError) -> [ConfigDiagnostic] {
    let decoded: (config: CampaignConfig, diagnostics: [ConfigDiagnostic])
    do throws(ConfigError) {
      decoded = try ConfigDecoder(rules: options.config).decode(document)
    } catch {
      do throws(StoreError) {
        try track([.configFail(message: error.description)])
      } catch {
        throw .store(error)
      }
      // Without another config in force nobody need wait for this one.
      if config == nil { configUnavailable() }
      throw .config(error)
    }
    return try load(decoded.config, diagnostics: decoded.diagnostics)
  }

  /// Puts a config in force: compiles its filters and chooses missing assignments.
  ///
  /// - Parameters:
  ///   - config: the config.
  ///   - diagnostics: what decoding the config had to say.
  /// - Returns: what a person should know about the config.
  /// - Throws: ``LoadError/store(_:)``; the previous config stays in force then.
  @discardableResult
  public func load(
    _ config: CampaignConfig, diagnostics: [ConfigDiagnostic] = []
  ) throws(LoadError) -> [ConfigDiagnostic] {
    let compiled = compile(config, diagnostics)
    do throws(StoreError) {
      try withTransaction { state, work throws(StoreError) in
        try seedUser(compiled, state, work)
        try chooseAssignments(for: compiled, state: state, work: work)
        try work.track(.configRefresh(buildID: config.buildID))
        work.onCommit { state in
          state.compiled = compiled
          state.isConfigUnavailable = false
          state.generation += 1
        }
      }
    } catch {
      throw .store(error)
    }
    serveLine()
    return compiled.diagnostics
  }

  func compile(
    _ config: CampaignConfig, _ diagnostics: [ConfigDiagnostic]
  ) -> CompiledCampaigns {
    CompiledCampaigns(
      config, diagnostics: diagnostics, options: options, environment: environment,
      explain: explain)
  }

  // MARK: Device

  /// Replaces the device attributes. A subscription status among them wins over that of
  /// ``setSubscriptionStatus(_:)``; without one the latter stays.
  public func setDevice(_ attributes: DeviceAttributes) {
    setDevice(values: attributes.values(platform: options.platform))
  }

  /// Replaces the device attributes by values under their wire names; see ``setDevice(_:)``.
  public func setDevice(values: [String: Value]) {
    let sanitized = values.mapValues { sanitizer.contextValue($0) }
    state.withLock { state in
      state.device = sanitized
      state.generation += 1
    }
    serveLine()
  }

  /// Tells what the user has bought, which decides `device.subscriptionStatus` and
  /// `device.activeEntitlements` (docs/spec/campaigns.md §8.1).
  ///
  /// Until the first status other than unknown requests wait. The status is kept in the
  /// store and holds from the beginning of the next launch on, until another one is told. A status that
  /// changes nothing is not announced.
  ///
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func setSubscriptionStatus(_ status: SubscriptionStatus) throws(StoreError) {
    let told = status.attributes(platform: options.platform)
    let attributes = sanitizer.contextValues(told)
    try withTransaction { state, work throws(StoreError) in
      var next = state
      for name in SubscriptionStatus.attributeNames { next.device[name] = nil }
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
    serveLine()
  }

  /// Whether a subscription status other than unknown has been told.
  public var isSubscriptionStatusKnown: Bool {
    state.withLock { $0.knowsSubscription(for: MatchRequest("")) }
  }

  /// Merges what the enrichment request returned under `device`; it never overwrites the device's
  /// own attributes (§6.4).
  public func mergeDeviceEnrichment(_ values: [String: Value]) {
    let sanitized = values.mapValues { sanitizer.contextValue($0) }
    state.withLock { state in
      state.enrichment.merge(sanitized) { _, new in new }
      state.generation += 1
    }
  }
}

/// Why a config could not be put in force.
public enum LoadError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It does not decode.
  case config(ConfigError)
  /// The store failed.
  case store(StoreError)

  /// The error as one line.
  public var description: String {
    switch self {
    case .config(let error): error.description
    case .store(let error): error.description
    }
  }
}
