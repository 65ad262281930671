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

  /// An audience as the simulation walks over it.
  private struct Candidate {
    let filter: AudienceFilter
    /// Whether a limit keeps everyone out.
    let isClosed: Bool
    let variants: [Variant]
    let experimentID: String
  }

  /// The audiences of a placement.
  private struct Walk {
    let placement: String
    /// Where its audiences are among all.
    let range: Range<Int>
    /// Whether a filter reads the parameters that every registration adds.
    let readsStandardParameters: Bool
  }

  private let candidates: [Candidate]
  private let walks: [Walk]
  private var triedCounts: [Int]
  private var matchedCounts: [Int]
  private var variantCounts: [[Int]]
  private var unmatchedCounts: [Int]
  private let random: any RandomSource
  private let chooser: VariantChooser
  private let isDeterministic: Bool
  private let bucketingIDs: [CompiledFilter]
  private let hostState: EvaluationState
  private var reader: ContextReader
  private let drawsSeeds: Bool

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
    chooser = VariantChooser(random: random)
    let history = HistoryReader(now: now, zone: zone, options: options)
    hostState = EvaluationState(reader: history, transaction: nil)
    var candidates: [Candidate] = []
    var walks: [Walk] = []
    var requirements: [Requirements] = []
    let triggers = compiled.campaignTriggers(representativeOnly: false).filter {
      placements?.contains($0.trigger.placement) ?? true
    }
    for trigger in triggers {
      let first = candidates.count
      var reads: Set<String> = []
      for audience in trigger.audiences {
        if case .compiled(let filter) = audience.filter {
          requirements.append(filter.requirements)
          for attribute in filter.requirements.attributes {
            if attribute.root == "params" { reads.insert(attribute.name) }
            if attribute.root == nil, attribute.name == "params" { reads.insert("event_name") }
          }
        }
        candidates.append(
          Candidate(
            filter: audience.filter, isClosed: audience.limit.map { $0.maximum < 1 } ?? false,
            variants: audience.audience.variants, experimentID: audience.audience.experimentID))
      }
      walks.append(
        Walk(
          placement: trigger.trigger.placement, range: first..<candidates.count,
          readsStandardParameters: !reads.isDisjoint(with: StandardParameters.names)))
    }
    if case .deterministic(let unit) = options.variantChoice {
      isDeterministic = true
      let names = unit == .alias ? ["aliasId"] : ["appUserId", "id", "aliasId"]
      bucketingIDs = names.compactMap {
        try? CompiledFilter(Source("user.\($0)"), environment: .standard)
      }
    } else {
      isDeterministic = false
      bucketingIDs = []
    }
    self.random = random
    reader = ContextReader(
      for: requirements + bucketingIDs.map(\.requirements),
      userDefaults: ["isLoggedIn": .bool(false), "seed": .int(0)],
      deviceDefaults: DerivedAttribute.valuesWithoutHistory(
        compiled.derived, now: now, zone: zone, platform: options.platform))
    drawsSeeds = reader.reads(user: "seed")
    triedCounts = Array(repeating: 0, count: candidates.count)
    matchedCounts = triedCounts
    variantCounts = candidates.map { Array(repeating: 0, count: $0.variants.count) }
    unmatchedCounts = Array(repeating: 0, count: walks.count)
    self.candidates = candidates
    self.walks = walks
  }

  /// Counts a user given as one JSON document.
  ///
  /// The document is an object with `user`, `device` and `params`, or the attributes of a user alone.
  /// Only what filters read is built; the rest is passed over. With deterministic bucketing the user
  /// goes by the first text among `user.appUserId`, `user.id` and `user.aliasId`.
  ///
  /// - Throws: ``JSONError`` with the position of the mistake; the user does not count then.
  public func add(json bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) {
    if drawsSeeds {
      reader.setDefault(user: "seed", to: .int(Int64(random.uniform(below: Identity.seedCount))))
    }
    count(try reader.read(bytes, hostState: hostState))
  }

  /// Counts a user.
  public func add(_ context: Context) { count(context.with(hostState: hostState)) }

  private func count(_ context: Context) {
    users += 1
    for walk in walks.indices {
      let context =
        walks[walk].readsStandardParameters
        ? StandardParameters(
          placement: walks[walk].placement,
          isStandardEvent: BuiltInEvent(rawValue: walks[walk].placement) != nil
        ).added(to: context) : context
      guard let match = firstMatch(in: walks[walk].range, context) else {
        unmatchedCounts[walk] += 1
        continue
      }
      matchedCounts[match] += 1
      if let variant = choose(candidates[match], context) { variantCounts[match][variant] += 1 }
    }
  }

  private func firstMatch(in range: Range<Int>, _ context: Context) -> Int? {
    for index in range {
      triedCounts[index] += 1
      if candidates[index].isClosed { continue }
      switch candidates[index].filter {
      case .everyone: return index
      case .invalid: continue
      case .compiled(let filter): if filter.matches(context) { return index }
      }
    }
    return nil
  }

  private func choose(_ candidate: Candidate, _ context: Context) -> Int? {
    guard candidate.variants.count > 1 else { return candidate.variants.isEmpty ? nil : 0 }
    guard isDeterministic else { return chooser.chooseIndex(from: candidate.variants) }
    let chosen = DeterministicBucketing.choose(
      from: candidate.variants, unitID: bucketingID(context), experimentID: candidate.experimentID)
    return chosen.flatMap { chosen in candidate.variants.firstIndex { $0.id == chosen.id } }
  }

  private func bucketingID(_ context: Context) -> String {
    for filter in bucketingIDs {
      if case .string(let id)? = try? filter.evaluate(context), !id.isEmpty { return id }
    }
    return ""
  }

  // MARK: Results

  /// The number of users so far.
  public private(set) var users = 0

  /// How many users matched no audience, per placement in the order of the config.
  public var unmatched: [UnmatchedTally] {
    zip(walks, unmatchedCounts).map { UnmatchedTally(placement: $0.placement, count: $1) }
  }

  /// The audiences in the order of the config.
  public var tallies: [AudienceTally] {
    walks.flatMap { walk in
      walk.range.map { index in
        let candidate = candidates[index]
        return AudienceTally(
          placement: walk.placement, index: index - walk.range.lowerBound,
          experimentID: candidate.experimentID, tried: triedCounts[index],
          matched: matchedCounts[index],
          variants: zip(candidate.variants, variantCounts[index]).map {
            VariantTally(id: $0.id, kind: $0.kind, count: $1)
          })
      }
    }
  }
}
