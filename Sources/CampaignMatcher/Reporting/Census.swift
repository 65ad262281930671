import AudienceFilters
import ExpressionEngine
import ExpressionSyntax

/// Walks users over the audiences of some placements and counts.
struct Census: ~Copyable {
  /// The audiences of a placement.
  private struct Walk {
    let placement: String
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
  }

  /// What the filters read.
  let requirements: [Requirements]
  private(set) var users = 0
  private let audiences: [Audience]
  private let walks: [Walk]
  private let lottery: VariantLottery
  private var matchedCounts: [Int]
  /// The variants of all audiences in a row, each audience from its offset on.
  private var variantCounts: [Int]
  private let variantOffsets: [Int]
  private var unmatchedCounts: [Int]

  init(_ triggers: [CompiledTrigger], _ lottery: VariantLottery, _ history: HistoryReader) {
    var audiences: [Audience] = []
    var walks: [Walk] = []
    for trigger in triggers {
      walks.append(Self.walk(trigger, from: audiences.count, history))
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
    self.audiences = audiences
    self.walks = walks
    self.lottery = lottery
  }

  /// Prepares a placement whose audiences begin at a position.
  private static func walk(
    _ trigger: CompiledTrigger, from first: Int, _ history: HistoryReader
  ) -> Walk {
    var filters: [Filter] = []
    var positions: [Int] = []
    var isClosed = false
    for (index, compiled) in trigger.audiences.enumerated() where !isClosed {
      // Nobody gets past a limit of less than one.
      if let limit = compiled.limit, limit.maximum < 1 { continue }
      switch compiled.filter {
      case .invalid: continue
      case .everyone: isClosed = true
      case .compiled(let shared): filters.append(shared.filter)
      }
      positions.append(first + index)
    }
    return Walk(
      placement: trigger.trigger.placement,
      isStandardEvent: BuiltInEvent(rawValue: trigger.trigger.placement) != nil,
      range: first..<first + trigger.audiences.count, filters: FilterSet(filters),
      positions: positions,
      readsStandardParameters: filters.contains(where: StandardParameters.areRead),
      history: filters.allSatisfy(\.requirements.hostCalls.isEmpty)
        ? nil : EvaluationState(reader: history, registered: trigger.trigger.placement))
  }

  /// Counts a user.
  mutating func count(_ context: Context) {
    users += 1
    for walk in walks.indices {
      var registration = context
      if let history = walks[walk].history { registration = context.with(hostState: history) }
      if walks[walk].readsStandardParameters {
        let parameters = StandardParameters(
          placement: walks[walk].placement, isStandardEvent: walks[walk].isStandardEvent)
        registration = parameters.added(to: registration)
      }
      let number = walks[walk].filters.firstMatch(registration) ?? walks[walk].filters.count
      guard number < walks[walk].positions.count else {
        unmatchedCounts[walk] += 1
        continue
      }
      let match = walks[walk].positions[number]
      matchedCounts[match] += 1
      if let variant = lottery.draw(audiences[match], context) {
        variantCounts[variantOffsets[match] + variant] += 1
      }
    }
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
    return chosen.flatMap { chosen in audience.variants.firstIndex { $0.id == chosen.id } }
  }
}
