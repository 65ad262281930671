import AudienceFilters
public import CampaignCore
public import ExpressionEngine
import ExpressionSyntax

/// Answers which audience of which campaign a user is in, and which variant they get.
///
/// One matcher serves one user on one device: it owns identity, attributes, history, limits and
/// assignments through its store. Requests may come from any thread; registrations are serialized,
/// as in the reference, and each is one transaction of the store.
public final class Matcher: Sendable {
  /// The options in force.
  public let options: MatchingOptions
  /// The clock of the matcher.
  public let clock: any WallClock
  /// The zone of the wall clock.
  public let zone: ZoneRules
  /// How long single events are kept.
  public let retention: RetentionPolicy
  let store: any MatcherStore
  package let random: any RandomSource
  let environment: FilterEnvironment
  let explain: AudienceExplainer
  let onDecision: (@Sendable (DecisionRecord) -> Void)?
  let sanitizer: AttributeSanitizer
  let outbox = EventOutbox()
  let changes = ChangeSignal()
  let state: Locked<MatcherState>

  /// Creates a matcher; a new store gets a new anonymous identity.
  ///
  /// - Throws: `StoreError` when the store cannot be read or written.
  public init(_ configuration: Configuration = Configuration()) throws(StoreError) {
    store = configuration.store
    options = configuration.options
    clock = configuration.clock
    zone = configuration.zone
    random = configuration.random
    retention = configuration.retention
    explain = configuration.explain
    onDecision = configuration.onDecision
    sanitizer = AttributeSanitizer(options: options)
    environment = HostFunctions.environment(
      dialect: configuration.dialect,
      includesVersions: configuration.includesVersionFunctions
        ?? (configuration.dialect != .superscript))
    state = Locked(MatcherState(sessionID: random.uuid()))
    let now = clock.now()
    let subscription = try store.write { transaction throws(StoreError) in
      if try transaction.identity() == nil {
        try transaction.save(UserIdentity(random: random))
      }
      try transaction.compact(before: retention.horizon(at: now))
      return try transaction.installation().subscription
    }
    // Other attributes that a file may hold under this heading are no part of a status.
    let known = subscription.filter { UserSubscriptionStatus.attributeNames.contains($0.key) }
    state.withLock { $0.subscription = sanitizer.contextValues(known) }
  }

  deinit {
    outbox.finish()
    changes.finish()
  }

  // MARK: Config

  /// The config in force.
  public var config: CampaignConfig? { state.withLock { $0.compiled?.config } }

  /// The diagnostics of the config in force.
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
  /// - Returns: The diagnostics of the config.
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
  ///   - config: The config.
  ///   - diagnostics: The diagnostics from decoding the config.
  /// - Returns: The diagnostics of the config.
  /// - Throws: ``LoadError/store(_:)``; the previous config stays in force then.
  @discardableResult
  public func load(
    _ config: CampaignConfig, diagnostics: [ConfigDiagnostic] = []
  ) throws(LoadError) -> [ConfigDiagnostic] {
    let compiled = compile(config, diagnostics)
    do throws(StoreError) {
      try withTransaction { state, work throws(StoreError) in
        try seedUser(compiled, state, work)
        try chooseAssignments(for: compiled, work: work)
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
