import AudienceFilters
import ExpressionEngine
import ExpressionSyntax

/// Tries users at the audiences of some placements and counts.
struct SimulationCounter: ~Copyable {
  /// A placement.
  ///
  /// It is a class, because a copy for each user costs as much as a filter.
  final class Place {
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

    init(
      _ trigger: CompiledTrigger, _ scenario: NewUserScenario, firstAudience: Int,
      common: [String: Value]
    ) {
      let placement = trigger.trigger.placement
      self.trigger = trigger
      isStandardEvent = BuiltInEvent.isStandard(placement)
      range = firstAudience..<firstAudience + trigger.audiences.count
      readsStandardParameters =
        trigger.parameterNames?.contains(where: StandardParameters.names.contains) ?? true
      let readsCopies =
        trigger.parameterNames?.contains {
          !SanitationRules.acceptsName($0) && !StandardParameters.names.contains($0)
        } ?? true
      let reader = HistoryReader(
        now: scenario.now, zone: scenario.zone, options: scenario.campaigns.options)
      evaluation =
        trigger.needs.asksHistory
        ? EvaluationState(reader: reader, history: scenario.history(with: placement)) : nil
      needsRecord =
        scenario.hasLegacyEntries(at: trigger) || isStandardEvent && readsCopies
        || scenario.device(at: trigger).contains { common[$0.key] != $0.value }
    }
  }

  /// An audience of a placement.
  struct Entry {
    let audience: CompiledAudience
    /// Whether its limit leaves room for nobody.
    let isClosed: Bool
    /// Its experiment's number in the sampler.
    let experiment: Int
    /// Where its variants are in ``variantCounts``.
    let counts: Range<Int>
    /// For each variant of the experiment the place of its count; `nil` for one that the audience does
    /// not have.
    let places: [Int?]
  }

  /// The attributes that the filters read.
  let requirements: [Requirements]
  var users = 0
  let scenario: NewUserScenario
  let places: [Place]
  let entries: [Entry]
  var sampler: VariantSampler
  var matchedCounts: [Int]
  /// The variants of all audiences in a row.
  var variantCounts: [Int]
  var unmatchedCounts: [Int]

  /// - Parameters:
  ///   - triggers: The placements.
  ///   - sampler: Chooses variants.
  ///   - scenario: The users.
  ///   - common: The device attributes that hold wherever a record does not say otherwise.
  init(
    _ triggers: [CompiledTrigger], _ sampler: VariantSampler, _ scenario: NewUserScenario,
    common: [String: Value]
  ) {
    var places: [Place] = []
    var entries: [Entry] = []
    var sampler = sampler
    var end = 0
    for trigger in triggers {
      places.append(Place(trigger, scenario, firstAudience: entries.count, common: common))
      for audience in trigger.audiences {
        let id = audience.audience.experimentID
        let experiment = sampler.add(
          id, first: scenario.campaigns.experiments[ExactName(id)] ?? audience)
        let variants = audience.audience.variants
        let counts = end..<end + variants.count
        entries.append(
          Entry(
            audience: audience,
            isClosed: audience.limit?.isClosedToAll(at: scenario.now) ?? false,
            experiment: experiment, counts: counts,
            places: sampler.variants(of: experiment).map { drawn in
              variants.firstIndex { $0.id.isExactly(drawn.id) }.map { counts.lowerBound + $0 }
            }))
        end = counts.upperBound
      }
    }
    requirements =
      sampler.requirements
      + triggers.flatMap(\.audiences).compactMap { audience in
        if case .compiled(let filter) = audience.filter { filter.requirements } else { nil }
      }
    matchedCounts = Array(repeating: 0, count: entries.count)
    variantCounts = Array(repeating: 0, count: end)
    unmatchedCounts = Array(repeating: 0, count: places.count)
    self.places = places
    self.entries = entries
    self.sampler = sampler
    self.scenario = scenario
  }

  /// Whether some users can only be counted when their whole record is there.
  var needsRecords: Bool { places.contains(where: \.needsRecord) }

  /// Counts a user whose context was read with a reader for ``requirements``.
  ///
  /// - Parameters:
  ///   - context: The attributes that the filters read, derived ones included.
  ///   - hasAllParameters: Whether the context has all parameters, which have to be sanitized.
  ///   - record: The user's whole record, where ``needsRecords``.
  ///   - identity: The identity that was drawn for the user.
  mutating func count(
    _ context: Context, hasAllParameters: Bool, record: UserRecord?, _ identity: RandomIdentity
  ) {
    users += 1
    for (number, place) in places.enumerated() {
      if place.needsRecord, let record {
        count(record, identity, at: number)
        continue
      }
      var own = context
      if let evaluation = place.evaluation { own = context.replacing(hostState: evaluation) }
      if place.readsStandardParameters || hasAllParameters {
        own = withParameters(own, at: place)
      }
      tally(firstMatch(own, place), context, at: number)
    }
  }

  /// Counts a user whose record is known as a whole.
  mutating func count(_ record: UserRecord, _ identity: RandomIdentity) {
    users += 1
    for number in places.indices { count(record, identity, at: number) }
  }

  /// The first audience that a user without any history is in.
  private func firstMatch(_ context: Context, _ place: Place) -> Int? {
    var start = 0
    // Without legacy keys nothing is asked that could fail.
    while let index = try? place.trigger.firstTrue(
      from: start, context, contextOf: { _ in context })
    {
      guard entries[place.range.lowerBound + index].isClosed else { return index }
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
    let index = places[number].range.lowerBound + match
    matchedCounts[index] += 1
    draw(index, user: users) { sampler in sampler.unit(in: context) }
  }

  /// Notes the variant that a user gets at an audience that matches.
  ///
  /// - Parameter unit: Returns the unit of bucketing.
  mutating func draw(
    _ index: Int, user: Int, unit: (borrowing VariantSampler) -> String
  ) {
    let entry = entries[index]
    if let variant = sampler.draw(entry.experiment, user: user, unit: unit),
      let place = entry.places[variant]
    {
      variantCounts[place] += 1
    }
  }

  /// The context with the parameters of a placement.
  private func withParameters(_ context: Context, at place: Place) -> Context {
    var request = MatchRequest(
      place.trigger.trigger.placement, parameters: context.snapshot()["params"]?.objectValue ?? [:])
    request.isStandardEvent = place.isStandardEvent
    let parameters = scenario.campaigns.sanitizer.parameters(
      of: request, sessionID: scenario.sessionID, names: nil)
    return context.replacing(params: Context.Layer(parameters))
  }

  // MARK: Results

  /// Begins again with no user.
  mutating func removeAll() {
    users = 0
    matchedCounts = matchedCounts.map { _ in 0 }
    variantCounts = variantCounts.map { _ in 0 }
    unmatchedCounts = unmatchedCounts.map { _ in 0 }
    sampler.removeAll()
  }

  var unmatched: [Simulation.UnmatchedTally] {
    zip(places, unmatchedCounts).map { place, count in
      Simulation.UnmatchedTally(placement: place.trigger.trigger.placement, count: count)
    }
  }

  var tallies: [Simulation.AudienceTally] {
    var tallies: [Simulation.AudienceTally] = []
    for place in places {
      // Those who matched no audience before are tried at the next one.
      var tried = users
      for index in place.range {
        let audience = entries[index].audience.audience
        let counts = variantCounts[entries[index].counts]
        tallies.append(
          Simulation.AudienceTally(
            placement: place.trigger.trigger.placement, index: index - place.range.lowerBound,
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
