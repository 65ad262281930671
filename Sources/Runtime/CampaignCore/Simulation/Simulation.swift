import AudienceFilters
import ExpressionCoding
public import ExpressionEngine
public import ExpressionSyntax

/// The numbers of users that fall into each audience and variant of a config.
///
/// Each user is new: a user of a matcher that has just loaded the config, and registers the
/// placement with the attributes of their record, as `swexpr match` does. So no limit is reached,
/// the events that have happened are the loading and the placement, values are sanitized, and the
/// matcher's own values are there: the clock, `user.isLoggedIn`, and drawn at random, unless the
/// user brings their own, `user.seed` and `user.aliasId`. A variant is chosen for each user alone.
/// An event that follows a paywall (docs/spec/campaigns.md §2.10) counts as the look that decides
/// about it. Memory does not grow with the number of users.
///
/// A simulation is not safe to use from several threads at once.
public final class Simulation {
  /// The numbers of users at one audience.
  public struct AudienceTally: Sendable, Equatable {
    /// The placement.
    public var placement: String
    /// The position in the trigger, from 0.
    public var index: Int
    /// The experiment.
    public var experimentID: String
    /// The number of users that were tried at this audience.
    public var tried = 0
    /// The number of them that matched.
    public var matched = 0
    /// The number of those that got each variant, in the order of the config.
    public var variants: [VariantTally] = []
  }

  /// The number of users that got a variant.
  public struct VariantTally: Sendable, Equatable {
    /// The variant.
    public var id: String
    /// Treatment or holdout.
    public var kind: Variant.Kind
    /// The number of users.
    public var count = 0
  }

  /// The number of users that matched no audience of a placement.
  public struct UnmatchedTally: Sendable, Equatable {
    /// The placement.
    public var placement: String
    /// The number of users.
    public var count = 0
  }

  /// The diagnostics of the config.
  public let diagnostics: [ConfigDiagnostic]

  let random: any RandomSource
  private let drawsSeeds: Bool
  private let drawsAliases: Bool
  /// Whether users given as JSON are read into columns.
  private let readsColumns: Bool
  let campaigns: CompiledCampaigns
  private var reader: ContextReader
  var counter: SimulationCounter
  /// The attributes of users and devices that do not bring them along.
  let defaults: [AttributePath: Value]
  /// Whether a filter reads the alias, which is drawn for users who do not have one.
  let filtersReadAlias: Bool
  /// The placements, once users have been given as columns.
  lazy var columnTrial = ColumnTrial(counter.places, counter.scenario)

  /// Prepares a simulation.
  /// - Parameters:
  ///   - config: The config.
  ///   - diagnostics: The diagnostics from decoding it.
  ///   - placements: The placements to try; `nil` means all.
  ///   - options: The options, which decide how variants are chosen and how attributes are named.
  ///   - random: The source of chance for variants that are chosen at random.
  ///   - now: The instant at which all users are tried.
  ///   - zone: The time zone of local times.
  ///   - dialect: The language of the filters.
  public init(
    _ config: CampaignConfig, diagnostics: [ConfigDiagnostic] = [], placements: Set<String>? = nil,
    options: MatchingOptions = .iOS, random: any RandomSource, now: WallTime,
    zone: ZoneRules = .utc, dialect: Dialect = .superscript
  ) {
    let campaigns = CompiledCampaigns(
      config, diagnostics: diagnostics, options: options, dialect: dialect)
    self.campaigns = campaigns
    self.diagnostics = campaigns.diagnostics
    self.random = random
    let wanted = placements.map { Set($0.map(ExactName.init)) }
    let triggers = campaigns.campaignTriggers().filter {
      wanted?.contains(ExactName($0.trigger.placement)) ?? true
    }
    let readsSession = triggers.contains {
      $0.parameterNames?.contains(StandardParameters.sessionName) ?? true
    }
    let scenario = NewUserScenario(
      campaigns, now: now, zone: zone, sessionID: readsSession ? random.uuid() : "")
    // The attributes that the device has at all placements but perhaps a few.
    var common: [String: Value] = [:]
    for trigger in triggers {
      common.merge(scenario.device(at: trigger)) { first, _ in first }
    }
    counter = SimulationCounter(
      triggers, VariantSampler(options: options, random: random), scenario, common: common)
    var conversion = JSONConversion()
    conversion.turnsNestedNullIntoEmptyMap = options.encodesNestedNullAsEmptyMap
    conversion.reservedFirstByte = SanitationRules.reservedByte
    conversion.parameterNull = options.platform == .iOS ? .emptyMap : .nothing
    conversion.dropsListParameters = true
    if options.stripsDollarSigns { conversion.removedByte = SanitationRules.reservedByte }
    let nobody = RandomIdentity()
    if triggers.contains(where: { $0.derived.contains(.aliases) }) {
      common[DerivedAttribute.aliases.rawValue] = .list([.string(nobody.aliasID)])
    }
    let userDefaults = nobody.userAttributes(campaigns.sanitizer)
    var defaults: [AttributePath: Value] = [:]
    for (root, values) in [("user", userDefaults), ("device", common)] {
      for (name, value) in values { defaults[AttributePath(root: root, names: [name])] = value }
    }
    self.defaults = defaults
    filtersReadAlias = triggers.contains {
      $0.userNames?.contains("aliasId") ?? true || $0.derived.contains(.aliases)
    }
    reader = ContextReader(
      for: counter.requirements, userDefaults: userDefaults,
      deviceDefaults: common, conversion: conversion)
    let drawsAll = counter.needsRecords
    let readsSeed = reader.reads(user: "seed")
    drawsSeeds = drawsAll || readsSeed
    // A variant that goes by a drawn alias is one drawn at random.
    drawsAliases = drawsAll || filtersReadAlias
    readsColumns = !drawsAll && reader.canReadColumns
  }

  /// Counts a user given as one JSON document.
  ///
  /// The document is an object with `user`, `device` and `params`, or the attributes of a user alone.
  /// Only what filters read is built; the rest is passed over. With deterministic bucketing the user
  /// goes by the first text among `user.appUserId`, `user.id` and `user.aliasId`.
  ///
  /// - Throws: `JSONError` with the position of the mistake; the user does not count then.
  public func add(json bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) {
    let identity = draw()
    if drawsSeeds { reader.setDefault(user: "seed", to: .int(identity.seed)) }
    if drawsAliases {
      let aliasID = campaigns.sanitizer.contextValue(.string(identity.aliasID))
      reader.setDefault(user: "aliasId", to: aliasID)
      reader.setDefault(device: DerivedAttribute.aliases.rawValue, to: .list([aliasID]))
    }
    if readsColumns {
      try reader.readRow(bytes)
      if reader.hasMisshapenRoot { misshapenCount += 1 }
      if reader.rowCount == Self.batchSize { countColumns() }
      return
    }
    let context = try reader.read(bytes)
    if reader.hasMisshapenRoot { misshapenCount += 1 }
    var record: UserRecord?
    if counter.needsRecords {
      record = UserRecord(try Value(json: bytes).objectValue ?? [:])
    }
    counter.count(
      context, hasAllParameters: reader.keepsAllParameters, record: record, identity)
  }

  /// The number of users who are counted at a time.
  private static let batchSize = 1_024

  /// Counts the users who have been read into columns.
  func countColumns() {
    guard reader.rowCount > 0 else { return }
    let users = reader.takeColumns()
    counter.count(columnTrial, users)
  }

  /// Counts a user given as a context, whose layers are the attributes of `user`, `device` and
  /// `params`. Filters see its further variables, too.
  public func add(_ context: Context) {
    countColumns()
    counter.count(UserRecord(context), draw())
  }

  /// Returns whether a filter reads an attribute, perhaps with all others of its root.
  func reads(_ path: AttributePath) -> Bool {
    switch (path.root, path.names.first) {
    case ("user", let name?): reader.reads(user: name)
    case ("device", let name?): reader.reads(device: name)
    default: true
    }
  }

  /// Begins again with no user.
  package func removeAll() {
    countColumns()
    counter.removeAll()
    misshapenCount = 0
  }

  /// The attributes that the filters read, by their paths.
  package var attributePaths: [String] {
    Set(counter.requirements.flatMap { $0.attributes.map(\.path) }).sorted()
  }

  /// Draws what differs from user to user, as far as filters read it.
  private func draw() -> RandomIdentity {
    var identity = RandomIdentity()
    if drawsSeeds { identity.seed = Int64(random.uniform(below: UserIdentity.seedCount)) }
    if drawsAliases { identity.aliasID = UserIdentity.aliasPrefix + random.uuid() }
    return identity
  }

  /// How many users so far had a `user`, a `device` or `params` that is no object. It was taken for an
  /// attribute of the user when the line had no such object at all, and ignored otherwise.
  package var misshapenUsers: Int { misshapenCount }
  private var misshapenCount = 0

  /// The number of users so far.
  public var users: Int { counter.users + reader.rowCount }

  /// The number of users that matched no audience, per placement in the order of the config.
  public var unmatched: [UnmatchedTally] {
    countColumns()
    return counter.unmatched
  }

  /// The audiences in the order of the config.
  public var tallies: [AudienceTally] {
    countColumns()
    return counter.tallies
  }
}
