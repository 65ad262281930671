import AudienceFilters
public import ExpressionEngine
public import ExpressionSyntax

/// How many of many users fall into each audience and variant of a config.
///
/// Each user is new: without history, so that no limit is reached and no event has happened, and with
/// a variant chosen for them alone. What the matcher knows by itself is there as it is for a new user:
/// the clock, `user.isLoggedIn`, and a `user.seed` drawn at random, unless the user brings their own.
/// Memory does not grow with the number of users.
///
/// A simulation is not safe to use from several threads at once.
public final class Simulation {
  /// What happened at one audience.
  public struct AudienceTally: Sendable, Hashable {
    /// The placement.
    public var placement: String
    /// The position in the trigger, from 0.
    public var index: Int
    /// The experiment.
    public var experimentID: String
    /// How many users were tried at this audience.
    public var tried = 0
    /// How many of them matched.
    public var matched = 0
    /// How many of those got each variant, in the order of the config.
    public var variants: [VariantTally] = []
  }

  /// How many users got a variant.
  public struct VariantTally: Sendable, Hashable {
    /// The variant.
    public var id: String
    /// Treatment or holdout.
    public var kind: Variant.Kind
    /// The number of users.
    public var count = 0
  }

  /// How many users matched no audience of a placement.
  public struct UnmatchedTally: Sendable, Hashable {
    /// The placement.
    public var placement: String
    /// The number of users.
    public var count = 0
  }

  /// What a person should know about the config.
  public let diagnostics: [ConfigDiagnostic]

  private let random: any RandomSource
  private let drawsSeeds: Bool
  private var reader: ContextReader
  private var census: Census

  /// Prepares a simulation.
  /// - Parameters:
  ///   - config: the config.
  ///   - diagnostics: what decoding it had to say.
  ///   - placements: only these are tried; `nil` means all.
  ///   - options: decide how variants are chosen and how attributes are named.
  ///   - random: chooses variants when they are chosen at random.
  ///   - now: the instant at which all users are tried.
  ///   - zone: decides local times.
  ///   - dialect: the language of the filters.
  public init(
    _ config: CampaignConfig, diagnostics: [ConfigDiagnostic] = [], placements: Set<String>? = nil,
    options: MatchingOptions = .iOS, random: any RandomSource, now: Instant,
    zone: ZoneRules = .utc, dialect: Dialect = .superscript
  ) {
    let environment = MatcherFunctions.environment(
      dialect: dialect, includesVersions: dialect != .superscript)
    let compiled = CompiledConfig(config, diagnostics: diagnostics, environment: environment)
    self.diagnostics = compiled.diagnostics
    self.random = random
    let history = HistoryReader(now: now, zone: zone, options: options)
    let triggers = compiled.campaignTriggers(representativeOnly: false).filter {
      placements?.contains($0.trigger.placement) ?? true
    }
    census = Census(triggers, VariantLottery(options: options, random: random), history)
    reader = ContextReader(
      for: census.requirements, userDefaults: ["isLoggedIn": .bool(false), "seed": .int(0)],
      deviceDefaults: DerivedAttribute.valuesWithoutHistory(
        compiled.derived, now: now, zone: zone, platform: options.platform))
    drawsSeeds = reader.reads(user: "seed")
  }

  /// Counts a user given as one JSON document.
  ///
  /// The document is an object with `user`, `device` and `params`, or the attributes of a user alone.
  /// Only what filters read is built; the rest is passed over. With deterministic bucketing the user
  /// goes by the first text among `user.appUserId`, `user.id` and `user.aliasId`.
  ///
  /// - Throws: `JSONError` with the position of the mistake; the user does not count then.
  public func add(json bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) {
    if drawsSeeds {
      let seed = Int64(random.uniform(below: Identity.seedCount))
      reader.setDefault(user: "seed", to: .int(seed))
    }
    census.count(try reader.read(bytes))
  }

  /// Counts a user.
  public func add(_ context: Context) { census.count(context) }

  /// The number of users so far.
  public var users: Int { census.users }

  /// How many users matched no audience, per placement in the order of the config.
  public var unmatched: [UnmatchedTally] { census.unmatched }

  /// The audiences in the order of the config.
  public var tallies: [AudienceTally] { census.tallies }
}
