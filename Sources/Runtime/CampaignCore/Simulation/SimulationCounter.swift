import AudienceFilters
import ExpressionEngine
import ExpressionSyntax

/// Tries users at the audiences of some placements and counts.
struct SimulationCounter: ~Copyable {
  /// A placement.
  private struct Place {
    let trigger: CompiledTrigger
    let isStandardEvent: Bool
    /// Where its audiences are among all.
    let range: Range<Int>
    /// Whether a filter reads the parameters that every registration adds.
    let readsStandardParameters: Bool
    /// The state that history functions need; `nil` when no filter calls one.
    let evaluation: EvaluationState?
    /// Whether users must be tried here with their whole record, because the context has attributes
    /// here that it has not elsewhere.
    let needsRecord: Bool

    var placement: String { trigger.trigger.placement }
  }

  /// The attributes that the filters read.
  let requirements: [Requirements]
  private(set) var users = 0
  private let scenario: NewUserScenario
  private let audiences: [Audience]
  /// The experiment of each audience.
  private let experiments: [Int]
  private let places: [Place]
  private var sampler: VariantSampler
  private var matchedCounts: [Int]
  /// The variants of all audiences in a row, each audience from its offset on.
  private var variantCounts: [Int]
  private let variantOffsets: [Int]
  private var unmatchedCounts: [Int]

  /// - Parameters:
  ///   - triggers: The placements.
  ///   - sampler: Chooses variants.
  ///   - scenario: The users.
  ///   - common: The device attributes that hold wherever a record does not say otherwise.
  init(
    _ triggers: [CompiledTrigger], _ sampler: VariantSampler, _ scenario: NewUserScenario,
    common: [String: Value]
  ) {
    var audiences: [Audience] = []
    var places: [Place] = []
    var experiments: [Int] = []
    var sampler = sampler
    let reader = HistoryReader(
      now: scenario.now, zone: scenario.zone, options: scenario.campaigns.options)
    for trigger in triggers {
      let placement = trigger.trigger.placement
      let isStandardEvent = BuiltInEvent.isStandard(placement)
      let readsCopies =
        trigger.parameterNames?.contains {
          !SanitationRules.acceptsName($0) && !StandardParameters.names.contains($0)
        } ?? true
      places.append(
        Place(
          trigger: trigger, isStandardEvent: isStandardEvent,
          range: audiences.count..<audiences.count + trigger.audiences.count,
          readsStandardParameters: trigger.parameterNames.map { names in
            names.contains(where: StandardParameters.names.contains)
          } ?? true,
          evaluation: trigger.needs.asksHistory
            ? EvaluationState(reader: reader, history: scenario.history(with: placement)) : nil,
          needsRecord: trigger.hasComputedProperties || isStandardEvent && readsCopies
            || scenario.device(at: trigger).contains { common[$0.key] != $0.value }))
      for audience in trigger.audiences {
        let id = audience.audience.experimentID
        audiences.append(audience.audience)
        experiments.append(
          sampler.add(id, first: scenario.campaigns.experiments[ExactName(id)] ?? audience))
      }
    }
    requirements =
      sampler.requirements
      + triggers.flatMap(\.audiences).compactMap { audience in
        if case .compiled(let filter) = audience.filter { filter.requirements } else { nil }
      }
    var offsets = [0]
    for audience in audiences { offsets.append((offsets.last ?? 0) + audience.variants.count) }
    matchedCounts = Array(repeating: 0, count: audiences.count)
    variantCounts = Array(repeating: 0, count: offsets.last ?? 0)
    variantOffsets = offsets
    unmatchedCounts = Array(repeating: 0, count: places.count)
    self.audiences = audiences
    self.experiments = experiments
    self.places = places
    self.sampler = sampler
    self.scenario = scenario
  }

  /// Whether some users can only be counted when their whole record is there.
  var needsRecords: Bool { places.contains(where: \.needsRecord) }

  /// Counts a user whose context was read with a reader for ``requirements``.
  ///
  /// - Parameters:
  ///   - context: The attributes that the filters read, derived ones included.
  ///   - hasSpecialParameters: Whether the parameters have to be sanitized.
  ///   - record: The user's whole record, where ``needsRecords``.
  ///   - identity: The identity that was drawn for the user.
  mutating func count(
    _ context: Context, hasSpecialParameters: Bool, record: UserRecord?, _ identity: RandomIdentity
  ) {
    users += 1
    for number in places.indices {
      if places[number].needsRecord, let record {
        count(record, identity, at: number)
        continue
      }
      var own = context
      if let evaluation = places[number].evaluation {
        own = context.replacing(hostState: evaluation)
      }
      if places[number].readsStandardParameters || hasSpecialParameters {
        own = withParameters(own, at: number)
      }
      tally(firstMatch(own, places[number].trigger), context, at: number)
    }
  }

  /// Counts a user whose record is known as a whole.
  mutating func count(_ record: UserRecord, _ identity: RandomIdentity) {
    users += 1
    for number in places.indices { count(record, identity, at: number) }
  }

  /// The first audience that a user without any history is in.
  private func firstMatch(_ context: Context, _ trigger: CompiledTrigger) -> Int? {
    var start = 0
    // Without legacy keys nothing is asked that could fail.
    while let index = try? trigger.firstTrue(from: start, context, contextOf: { _ in context }) {
      guard trigger.audiences[index].limit?.isClosedToAll(at: scenario.now) ?? false else {
        return index
      }
      start = index + 1
    }
    return nil
  }

  /// Tries a whole record, as a matcher does.
  private mutating func count(_ record: UserRecord, _ identity: RandomIdentity, at number: Int) {
    let trigger = places[number].trigger
    var situation = scenario.situation(
      identity, roots: record.roots, assignments: AssignmentTable())
    situation.history = scenario.history(with: trigger.trigger.placement)
    // A history in memory cannot fail.
    guard
      var walk = try? AudienceWalk(
        scenario.campaigns, trigger, record.request(trigger.trigger.placement), situation),
      let match = try? walk.firstMatch()
    else {
      unmatchedCounts[number] += 1
      return
    }
    // The walk makes only what filters read, and the id of the unit may be something else.
    let user = scenario.campaigns.sanitizer.merged(
      situation.attributes.user, under: record.user)
    tally(match, walk.context.replacing(user: Context.Layer(user)), at: number)
  }

  /// Notes which audience of a placement is the first that matches.
  private mutating func tally(_ match: Int?, _ context: Context, at number: Int) {
    guard let match else {
      unmatchedCounts[number] += 1
      return
    }
    let audience = places[number].range.lowerBound + match
    matchedCounts[audience] += 1
    guard let variant = sampler.draw(experiments[audience], user: users, context),
      let index = audiences[audience].variants.firstIndex(where: { $0.id.isExactly(variant.id) })
    else { return }
    variantCounts[variantOffsets[audience] + index] += 1
  }

  /// The context with the parameters of a placement.
  private func withParameters(_ context: Context, at number: Int) -> Context {
    let place = places[number]
    var request = MatchRequest(
      place.placement, parameters: context.snapshot()["params"]?.object ?? [:])
    request.isStandardEvent = place.isStandardEvent
    let parameters = scenario.campaigns.sanitizer.parameters(
      of: request, sessionID: scenario.sessionID, names: nil)
    return context.replacing(params: Context.Layer(parameters))
  }

  // MARK: Results

  var unmatched: [Simulation.UnmatchedTally] {
    zip(places, unmatchedCounts).map {
      Simulation.UnmatchedTally(placement: $0.placement, count: $1)
    }
  }

  var tallies: [Simulation.AudienceTally] {
    var tallies: [Simulation.AudienceTally] = []
    for place in places {
      // Whoever matched no audience before is tried at the next one.
      var tried = users
      for index in place.range {
        let audience = audiences[index]
        let counts = variantCounts[variantOffsets[index]..<variantOffsets[index + 1]]
        tallies.append(
          Simulation.AudienceTally(
            placement: place.placement, index: index - place.range.lowerBound,
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
