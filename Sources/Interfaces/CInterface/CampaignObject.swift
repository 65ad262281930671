import CampaignAnalysis
import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax

/// A campaign config that C code counts users with.
final class CampaignObject: Sendable {
  /// Simulations that are not in use.
  private struct Idle: @unchecked Sendable {
    // Unchecked: a simulation is used by the thread that has taken it out.
    var simulations: [Simulation] = []
  }

  private let config: CampaignConfig
  private let notes: [ConfigDiagnostic]
  private let options: CampaignOptions
  private let idle = Locked(Idle())

  /// - Throws: ``InterfaceError`` if the text is not a config.
  init(config text: String, _ options: CampaignOptions) throws(InterfaceError) {
    let document = try InterfaceError.describing { () throws(JSONError) in
      try ConfigDocument(json: text)
    }
    (config, notes) = try InterfaceError.describing { () throws(ConfigError) in
      try ConfigDecoder(rules: options.matching.config).decode(document)
    }
    self.options = options
    // The filters are compiled now, not with the first batch.
    try withSimulation { _ in }
  }

  private func simulation() -> Simulation {
    Simulation(
      config, diagnostics: notes, options: options.matching, random: options.random(),
      now: options.now, zone: options.zone, dialect: options.dialect)
  }

  /// Calls a function with a simulation that no other thread uses meanwhile.
  private func withSimulation<Result>(
    _ body: (Simulation) throws(InterfaceError) -> Result
  ) throws(InterfaceError) -> Result {
    var own = Idle()
    idle.withLock { idle in
      if let last = idle.simulations.popLast() { own.simulations = [last] }
    }
    if own.simulations.isEmpty { own.simulations = [simulation()] }
    defer {
      own.simulations[0].removeAll()
      idle.withLock { [own] idle in idle.simulations += own.simulations }
    }
    return try body(own.simulations[0])
  }

  /// The findings of reading the config and compiling its filters.
  func diagnostics() throws(InterfaceError) -> [ConfigDiagnostic] {
    try withSimulation { $0.diagnostics }
  }

  /// The attributes that the filters read.
  func attributes() throws(InterfaceError) -> [String] {
    try withSimulation { $0.attributePaths }
  }

  /// Counts users, as new users, in all audiences.
  ///
  /// - Parameter users: The users; `nil` for none.
  func counts(of users: ColumnBatch?) throws(InterfaceError) -> Value {
    try withSimulation { simulation throws(InterfaceError) in
      try InterfaceError.describing { () throws(ColumnBatchError) in
        if let users { try simulation.add(users) }
      }
      return simulation.value()
    }
  }

  /// Decides what a placement leads to for a new user.
  func decision(about placement: String, _ context: Value) throws(InterfaceError) -> Value {
    guard case .map(let roots) = context else {
      throw InterfaceError("the context is not a JSON object")
    }
    func attributes(_ root: String) throws(InterfaceError) -> [String: Value] {
      guard let value = roots[.string(root)] else { return [:] }
      guard let object = value.objectValue else {
        throw InterfaceError("`\(root)` is not a JSON object")
      }
      return object
    }
    for case .string(let root) in roots.keys where !AttributeRoots.contains(root) {
      throw InterfaceError("a context has `user`, `device` and `params`, but not `\(root)`")
    }
    var request = MatchRequest(placement, parameters: try attributes("params"))
    request.user = try attributes("user")
    request.device = try attributes("device")
    request.detail = .full
    do {
      let matcher = try Matcher(
        .init(
          options: options.matching, clock: ManualClock(options.now), zone: options.zone,
          random: options.random(), dialect: options.dialect,
          explain: FilterExplanation.init(of:in:)))
      _ = try matcher.load(config, diagnostics: notes)
      return MatchReport(try matcher.previewNow(request)).value
    } catch {
      throw InterfaceError("\(error)")
    }
  }

}

/// The options of a campaign, as JSON.
struct CampaignOptions {
  private(set) var matching = MatchingOptions.iOS
  private(set) var dialect = Dialect.superscript
  private(set) var now = SystemClock().now()
  private(set) var zone = ZoneRules.system
  private var seed: UInt64?

  /// A new sequence of random numbers; with a seed always the same one.
  func random() -> any RandomSource {
    SeededRandomSource(seed: seed ?? .random(in: .min ... .max))
  }

  /// Reads options.
  ///
  /// - Throws: ``InterfaceError`` if the text is not JSON, and for a member that is unknown or has
  ///   a value that cannot be used.
  init(json text: String) throws(InterfaceError) {
    let options = try InterfaceError.describing { () throws(JSONError) in
      try Value(json: text, reading: Value.JSONReading(duplicates: .error))
    }
    guard case .map(let members) = options else {
      throw InterfaceError("the options are not a JSON object")
    }
    if members[.string("platform")] == .string("android") { matching = .android }
    matching.variantChoice = .deterministic(.userOrAlias)
    for (key, value) in members.sorted(by: { $0.key.text < $1.key.text }) {
      switch (key.text, value) {
      case ("platform", .string("ios")), ("platform", .string("android")): break
      case ("platform", _): throw InterfaceError("`platform` is `ios` or `android`")
      case ("dialect", _): dialect = try EnvironmentOptions.dialect(value)
      case ("variants", .string("deterministic")): break
      case ("variants", .string("random")): matching.variantChoice = .random
      case ("variants", _): throw InterfaceError("`variants` is `deterministic` or `random`")
      case ("seed", .int(let number)): seed = UInt64(bitPattern: number)
      case ("seed", _): throw InterfaceError("the option `seed` must be an integer")
      case ("now", .string(let text)):
        guard let instant = WallTime(rfc3339: text) else {
          throw InterfaceError("`\(text)` is not a date and time such as 2026-03-01T10:00:00Z")
        }
        now = instant
        zone = .fixed(rfc3339: text)
      case ("now", _): throw InterfaceError("the option `now` must be a string")
      default: throw InterfaceError("there is no option `\(key.text)`")
      }
    }
  }
}
