import AudienceFilters
import ExpressionEngine
import ExpressionSyntax

/// Walks users over the audiences of some placements and counts.
struct Census: ~Copyable {
  /// The audiences of a placement.
  private struct Walk {
    let registration: FirstRegistration
    let isStandardEvent: Bool
    /// Where its audiences are among all.
    let range: Range<Int>
    /// The filters up to the first audience that everyone is in, tried together.
    let filters: FilterSet
    /// The audience of each filter, and at the end the one that everyone is in, if there is one.
    let positions: [Int]
    /// Whether a filter reads the parameters that every registration adds.
    let readsStandardParameters: Bool
    /// What the functions of the history answer; `nil` when no filter calls one.
    let history: EvaluationState?
    /// Whether each audience must be tried by itself over a record as a whole, because `device` has
    /// other attributes here than elsewhere.
    let isSingular: Bool

    var placement: String { registration.placement }
  }

  /// What the filters read.
  let requirements: [Requirements]
  private(set) var users = 0
  private let audiences: [Audience]
  private let walks: [Walk]
  private let lottery: VariantLottery
  private let sanitizer: AttributeSanitizer
  private let sessionID: String
  private var matchedCounts: [Int]
  /// The variants of all audiences in a row, each audience from its offset on.
  private var variantCounts: [Int]
  private let variantOffsets: [Int]
  private var unmatchedCounts: [Int]

  /// - Parameters:
  ///   - triggers: the placements.
  ///   - derived: which attributes the config's filters read.
  ///   - lottery: chooses variants.
  ///   - history: now, the zone and the options.
  ///   - common: what holds wherever nothing else is known.
  ///   - sessionID: the session of all users.
  init(
    _ triggers: [CompiledTrigger], derived: [DerivedAttribute], _ lottery: VariantLottery,
    _ history: HistoryReader, common: FirstRegistration, sessionID: String
  ) {
    var audiences: [Audience] = []
    var walks: [Walk] = []
    for trigger in triggers {
      let registration = FirstRegistration(trigger, derived: derived, history, sessionID: sessionID)
      walks.append(
        Self.walk(
          trigger, from: audiences.count, history, registration,
          isSingular: registration.device != common.device
            || registration.legacyKeys.contains { !$0.isEmpty }))
      audiences += trigger.audiences.map(\.audience)
    }
    requirements =
      lottery.requirements + walks.flatMap { walk in walk.filters.filters.map(\.requirements) }
    var offsets = [0]
    for audience in audiences { offsets.append((offsets.last ?? 0) + audience.variants.count) }
    matchedCounts = Array(repeating: 0, count: audiences.count)
    variantCounts = Array(repeating: 0, count: offsets.last ?? 0)
    variantOffsets = offsets
    unmatchedCounts = Array(repeating: 0, count: walks.count)
    sanitizer = AttributeSanitizer(options: history.options)
    self.audiences = audiences
    self.walks = walks
    self.lottery = lottery
    self.sessionID = sessionID
  }

  /// Prepares a placement whose audiences begin at a position.
  private static func walk(
    _ trigger: CompiledTrigger, from first: Int, _ history: HistoryReader,
    _ registration: FirstRegistration, isSingular: Bool
  ) -> Walk {
    var filters: [Filter] = []
    var positions: [Int] = []
    var isClosed = false
    for (index, compiled) in trigger.audiences.enumerated() where !isClosed {
      if let limit = compiled.limit, limit.isClosedToAll(at: history.now) { continue }
      switch compiled.filter {
      case .invalid: continue
      case .everyone: isClosed = true
      case .compiled(let shared): filters.append(shared.filter)
      }
      positions.append(first + index)
    }
    return Walk(
      registration: registration,
      isStandardEvent: BuiltInEvent.isStandard(trigger.trigger.placement),
      range: first..<first + trigger.audiences.count, filters: FilterSet(filters),
      positions: positions,
      readsStandardParameters: filters.contains(where: StandardParameters.areRead),
      history: filters.allSatisfy(\.requirements.hostCalls.isEmpty)
        ? nil : EvaluationState(reader: history, eventsNow: registration.events),
      isSingular: isSingular)
  }

  /// Whether some users can only be counted when their whole record is there.
  var needsRecords: Bool { walks.contains(where: \.isSingular) }

  /// Counts a user whose context has been read with a reader for ``requirements``.
  ///
  /// - Parameters:
  ///   - context: what the filters read, with everything that the matcher itself gives.
  ///   - hasSpecialParameters: whether the app's placements have to look at the parameters.
  ///   - record: the user's whole record, where ``needsRecords``.
  ///   - chance: what was drawn for the user.
  mutating func count(
    _ context: Context, hasSpecialParameters: Bool, record: UserRecord?,
    _ chance: FirstRegistration.Chance
  ) {
    users += 1
    for walk in walks.indices {
      if walks[walk].isSingular, let record {
        count(record, chance, at: walk)
        continue
      }
      var registration = context
      if let history = walks[walk].history { registration = context.replacing(hostState: history) }
      let dropsParameters = hasSpecialParameters && !walks[walk].isStandardEvent
      if walks[walk].readsStandardParameters || dropsParameters {
        registration = withParameters(registration, at: walk)
      }
      tally(walks[walk].filters.indexOfFirstMatch(registration), context, at: walk)
    }
  }

  /// Counts a user whose record is known as a whole.
  mutating func count(_ record: UserRecord, _ chance: FirstRegistration.Chance) {
    users += 1
    for walk in walks.indices { count(record, chance, at: walk) }
  }

  /// Tries one audience after the other.
  private mutating func count(
    _ record: UserRecord, _ chance: FirstRegistration.Chance, at walk: Int
  ) {
    let (plain, device) = walks[walk].registration.context(of: record, chance)
    let context = plain.replacing(hostState: walks[walk].history)
    let fails = walks[walk].registration.failsEveryFilter(record)
    var match: Int?
    for (number, filter) in walks[walk].filters.filters.enumerated() where !fails {
      let keys = walks[walk].registration.legacyKeys[
        walks[walk].positions[number] - walks[walk].range.lowerBound]
      let own =
        keys.isEmpty
        ? context
        : context.replacing(device: Context.Layer(device.merging(keys) { _, key in key }))
      if filter.matches(own) {
        match = number
        break
      }
    }
    tally(match, context, at: walk)
  }

  /// Notes which filter of a placement is the first that is true.
  private mutating func tally(_ match: Int?, _ context: Context, at walk: Int) {
    let number = match ?? walks[walk].filters.count
    guard number < walks[walk].positions.count else {
      unmatchedCounts[walk] += 1
      return
    }
    let audience = walks[walk].positions[number]
    matchedCounts[audience] += 1
    if let variant = lottery.draw(audiences[audience], context) {
      variantCounts[variantOffsets[audience] + variant] += 1
    }
  }

  /// The context with the parameters of a placement: those that it passes on, and those that every
  /// registration has.
  private func withParameters(_ context: Context, at walk: Int) -> Context {
    var parameters = context.snapshot()["params"]?.object ?? [:]
    if !walks[walk].isStandardEvent { parameters = sanitizer.placementParameters(parameters) }
    StandardParameters(
      placement: walks[walk].placement, isStandardEvent: walks[walk].isStandardEvent,
      sessionID: sessionID
    ).add(to: &parameters)
    return context.replacing(params: Context.Layer(parameters))
  }

  // MARK: Results

  var unmatched: [Simulation.UnmatchedTally] {
    zip(walks, unmatchedCounts).map {
      Simulation.UnmatchedTally(placement: $0.placement, count: $1)
    }
  }

  var tallies: [Simulation.AudienceTally] {
    var tallies: [Simulation.AudienceTally] = []
    for walk in walks {
      // Whoever matched no audience before is tried at the next one.
      var tried = users
      for index in walk.range {
        let audience = audiences[index]
        let counts = variantCounts[variantOffsets[index]..<variantOffsets[index + 1]]
        tallies.append(
          Simulation.AudienceTally(
            placement: walk.placement, index: index - walk.range.lowerBound,
            experimentID: audience.experimentID, tried: tried, matched: matchedCounts[index],
            variants: zip(audience.variants, counts).map {
              Simulation.VariantTally(id: $0.id, kind: $0.kind, count: $1)
            }))
        tried -= matchedCounts[index]
      }
    }
    return tallies
  }
}

/// Chooses the variants of users who have none.
struct VariantLottery {
  private let chooser: VariantChooser
  /// The filters whose values are tried in turn as the unit of bucketing; empty for a random choice.
  private let unitIDs: [Filter]

  init(options: MatchingOptions, random: any RandomSource) {
    chooser = VariantChooser(random: random)
    guard case .deterministic(let unit) = options.variantChoice else {
      unitIDs = []
      return
    }
    let names = unit == .alias ? ["aliasId"] : ["appUserId", "id", "aliasId"]
    unitIDs = names.compactMap { try? Filter("user.\($0)") }
  }

  /// The attributes that identify a user.
  var requirements: [Requirements] { unitIDs.map(\.requirements) }

  /// The position of the variant that a user gets.
  func draw(_ audience: Audience, _ context: Context) -> Int? {
    guard audience.variants.count > 1 else { return audience.variants.isEmpty ? nil : 0 }
    guard !unitIDs.isEmpty else { return chooser.chooseIndex(from: audience.variants) }
    var unitID = ""
    for filter in unitIDs where unitID.isEmpty {
      if case .string(let id)? = try? evaluate(filter, context) { unitID = id }
    }
    // A user without a name cannot get the same variant again.
    guard !unitID.isEmpty else { return chooser.chooseIndex(from: audience.variants) }
    let chosen = DeterministicBucketing.choose(
      from: audience.variants, unitID: unitID, experimentID: audience.experimentID)
    return chosen.flatMap { chosen in audience.variants.firstIndex { $0.id.isExactly(chosen.id) } }
  }
}
