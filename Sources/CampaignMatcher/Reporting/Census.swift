import AudienceFilters
import ExpressionEngine
import ExpressionSyntax

/// Walks users over the audiences of some placements and counts.
///
/// A million users take this path, so it is kept free of what the optimizer cannot remove: filters
/// are called where they lie, because copying one out of an array counts references several times.
struct Census: ~Copyable {
  /// A filter at an address of its own.
  private final class Judge {
    private let filter: Filter

    init(_ filter: Filter) { self.filter = filter }

    func matches(_ context: Context) -> Bool { filter.matches(context) }
  }

  /// What to do at an audience.
  private enum Step {
    case everyone
    case nobody
    /// Evaluates a filter, which `judges` keeps alive.
    case filter(Unmanaged<Judge>)
  }

  /// The audiences of a placement.
  private struct Walk {
    let placement: String
    let isStandardEvent: Bool
    /// Where its audiences are among all.
    let range: Range<Int>
    /// Whether a filter reads the parameters that every registration adds.
    let readsStandardParameters: Bool
  }

  /// What the filters read.
  let requirements: [Requirements]
  private(set) var users = 0
  private let audiences: [Audience]
  private let walks: [Walk]
  private let steps: [Step]
  private let judges: [Judge]
  private let lottery: VariantLottery
  private var triedCounts: [Int]
  private var matchedCounts: [Int]
  private var variantCounts: [[Int]]
  private var unmatchedCounts: [Int]

  init(_ triggers: [CompiledTrigger], _ lottery: VariantLottery) {
    var audiences: [Audience] = []
    var walks: [Walk] = []
    var steps: [Step] = []
    var judges: [Judge] = []
    var requirements = lottery.requirements
    for trigger in triggers {
      let first = audiences.count
      var readsStandardParameters = false
      for compiled in trigger.audiences {
        audiences.append(compiled.audience)
        let isClosed = compiled.limit.map { $0.maximum < 1 } ?? false
        switch compiled.filter {
        case .invalid: steps.append(.nobody)
        case _ where isClosed: steps.append(.nobody)
        case .everyone: steps.append(.everyone)
        case .compiled(let filter):
          let judge = Judge(filter)
          steps.append(.filter(Unmanaged.passUnretained(judge)))
          judges.append(judge)
          requirements.append(filter.requirements)
          if StandardParameters.areRead(by: filter) { readsStandardParameters = true }
        }
      }
      walks.append(
        Walk(
          placement: trigger.trigger.placement,
          isStandardEvent: BuiltInEvent(rawValue: trigger.trigger.placement) != nil,
          range: first..<audiences.count, readsStandardParameters: readsStandardParameters))
    }
    self.requirements = requirements
    self.judges = judges
    triedCounts = Array(repeating: 0, count: audiences.count)
    matchedCounts = triedCounts
    variantCounts = audiences.map { Array(repeating: 0, count: $0.variants.count) }
    unmatchedCounts = Array(repeating: 0, count: walks.count)
    self.audiences = audiences
    self.walks = walks
    self.steps = steps
    self.lottery = lottery
  }

  /// Counts a user.
  mutating func count(_ context: Context) {
    users += 1
    for walk in walks.indices {
      let match: Int?
      if walks[walk].readsStandardParameters {
        let parameters = StandardParameters(
          placement: walks[walk].placement, isStandardEvent: walks[walk].isStandardEvent)
        match = firstMatch(in: walks[walk].range, parameters.added(to: context))
      } else {
        match = firstMatch(in: walks[walk].range, context)
      }
      guard let match else {
        unmatchedCounts[walk] += 1
        continue
      }
      matchedCounts[match] += 1
      if let variant = lottery.draw(audiences[match], context) {
        variantCounts[match][variant] += 1
      }
    }
  }

  private mutating func firstMatch(in range: Range<Int>, _ context: Context) -> Int? {
    for index in range {
      triedCounts[index] += 1
      switch steps[index] {
      case .everyone: return index
      case .nobody: continue
      case .filter(let judge):
        if judge._withUnsafeGuaranteedRef({ $0.matches(context) }) { return index }
      }
    }
    return nil
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
      for index in walk.range {
        let audience = audiences[index]
        tallies.append(
          Simulation.AudienceTally(
            placement: walk.placement, index: index - walk.range.lowerBound,
            experimentID: audience.experimentID, tried: triedCounts[index],
            matched: matchedCounts[index],
            variants: zip(audience.variants, variantCounts[index]).map {
              Simulation.VariantTally(id: $0.id, kind: $0.kind, count: $1)
            }))
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
