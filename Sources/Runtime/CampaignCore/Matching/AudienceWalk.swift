import AudienceFilters
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax

/// Tries the audiences of a placement in order until one matches (docs/spec/campaigns.md §2.1 step 7,
/// §2.2).
///
/// Everything it reads is fixed when it is made. It cannot be copied: copying its references would cost
/// as much as evaluating a filter.
struct AudienceWalk: ~Copyable {
  let campaigns: CompiledCampaigns
  let trigger: CompiledTrigger
  let situation: MatchSituation
  private(set) var placement: String?
  private(set) var recordedAt: WallTime?
  /// The context of every audience without legacy keys.
  let context: Context
  /// The `device` layer, to which legacy keys are added per audience; empty where nobody needs it.
  private let device: [String: Value]
  private let reader: HistoryReader
  /// The state that history functions need; `nil` when no filter calls one.
  private let evaluation: EvaluationState?
  /// Whether the context cannot be encoded, so that no filter is true (§6.6).
  private(set) var failsEveryFilter = false
  private var detail = ReportDetail.result
  /// The audiences whose filter is true but whose limit is reached.
  private var limited: [Int] = []
  private(set) var reports: [AudienceReport] = []

  /// Why no filter is tried when ``failsEveryFilter`` is set (§6.6).
  static let nonFiniteProblem =
    "a parameter is not a finite number, so no context can be encoded"

  /// Creates the walk for a request.
  init(
    _ campaigns: CompiledCampaigns, _ trigger: CompiledTrigger, _ request: borrowing MatchRequest,
    _ situation: consuming MatchSituation
  ) throws(StoreError) {
    let layers = ContextLayers(
      campaigns, trigger, isWhole: request.detail == .full)
    let user = layers.user(request, situation)
    let device = try layers.device(request.device, situation)
    let parameters = layers.parameters(request, situation)
    self.init(campaigns, trigger, situation, user: user, device: device, parameters: parameters)
    placement = request.placement
    recordedAt = request.recordedAt
    detail = request.detail
    failsEveryFilter = campaigns.sanitizer.failsEveryFilter(request)
  }

  /// Creates the walk for preloading, where there is no placement and every parameter is missing.
  init(
    _ campaigns: CompiledCampaigns, _ trigger: CompiledTrigger,
    _ situation: consuming MatchSituation
  ) throws(StoreError) {
    let layers = ContextLayers(campaigns, trigger, isWhole: false)
    let device = try layers.device([:], situation)
    self.init(campaigns, trigger, situation, user: nil, device: device, parameters: nil)
  }

  private init(
    _ campaigns: CompiledCampaigns, _ trigger: CompiledTrigger,
    _ situation: consuming MatchSituation, user: [String: Value]?, device: [String: Value]?,
    parameters: [String: Value]?
  ) {
    let reader = HistoryReader(
      now: situation.now, zone: situation.zone, options: campaigns.options)
    evaluation =
      trigger.needs.asksHistory
      ? EvaluationState(
        reader: reader, history: situation.history, substitutes: situation.historySubstitutes)
      : nil
    context = situation.attributes.context.replacing(
      user: user.map(Context.Layer.init), device: device.map(Context.Layer.init),
      params: parameters.map(Context.Layer.init), hostState: evaluation)
    self.reader = reader
    self.campaigns = campaigns
    self.trigger = trigger
    self.situation = situation
    self.device = device ?? [:]
  }

  /// Lets go of the history, which must happen before its transaction ends.
  func end() { evaluation?.end() }

  /// The position of the first audience that matches.
  mutating func firstMatch() throws(StoreError) -> Int? {
    if detail == .full { return try firstMatchWithReports() }
    var start = 0
    while let index = try firstTrue(from: start) {
      let audience = trigger.audiences[index]
      guard let limit = audience.limit, try count(of: limit) >= limit.maximum else {
        return index
      }
      limited.append(index)
      start = index + 1
    }
    return nil
  }

  /// The audiences that did not match, after ``firstMatch()`` has returned `nil`.
  var unmatched: [UnmatchedAudience] {
    trigger.audiences.enumerated().map { index, audience in
      UnmatchedAudience(
        experimentID: audience.audience.experimentID,
        source: limited.contains(index) ? .occurrence : .expression)
    }
  }

  /// The filters of the audiences up to the one that matched that have no value.
  ///
  /// - Parameter match: The audience that matched; `nil` if none did.
  func failures(before match: CompiledAudience?) throws(StoreError) -> [FilterFailure] {
    guard !failsEveryFilter else { return [] }
    var failures: [FilterFailure] = []
    for audience in trigger.audiences.prefix(while: { $0 !== match }) {
      guard case .compiled(let filter) = audience.filter else { continue }
      let context = try context(of: audience)
      do throws(EvaluationError) {
        _ = try filter.evaluate(context)
      } catch {
        failures.append(
          FilterFailure(
            experimentID: audience.audience.experimentID, id: error.id, message: error.message))
      }
    }
    try throwFailure()
    return failures
  }

  private func firstTrue(from start: Int) throws(StoreError) -> Int? {
    guard !failsEveryFilter else {
      return trigger.audiences[start...].firstIndex {
        if case .everyone = $0.filter { true } else { false }
      }
    }
    let first = try trigger.firstTrue(from: start, context) { audience throws(StoreError) in
      try context(of: audience)
    }
    if let failure = evaluation?.failure { throw failure }
    return first
  }

  /// Whether an audience matches by itself.
  func matches(_ audience: CompiledAudience) throws(StoreError) -> Bool {
    guard try isTrue(audience, try context(of: audience)) else { return false }
    guard let limit = audience.limit else { return true }
    return try count(of: limit) < limit.maximum
  }

  func isTrue(_ audience: CompiledAudience, _ context: Context) throws(StoreError) -> Bool {
    switch audience.filter {
    case .everyone: return true
    case .invalid: return false
    case .compiled(let filter):
      let result = !failsEveryFilter && filter.matches(context)
      if let failure = evaluation?.failure { throw failure }
      return result
    }
  }

  /// Returns the context of an audience's filter: with its legacy keys (§5.1).
  func context(of audience: CompiledAudience) throws(StoreError) -> Context {
    guard audience.hasComputedProperties else { return context }
    var device = device
    var hasKeys = false
    for property in audience.audience.computedProperties {
      if let entry = try reader.legacyEntry(
        for: property, placement: placement, recordedAt: recordedAt, in: situation.history)
      {
        device[entry.key] = entry.value
        hasKeys = true
      }
    }
    return hasKeys ? context.replacing(device: Context.Layer(device)) : context
  }

  func count(of limit: OccurrenceLimit) throws(StoreError) -> Int64 {
    let held = situation.heldOccurrences[ExactName(limit.key)] ?? 0
    return Int64(try limit.count(in: situation.occurrences, held: held, at: situation.now))
  }

  func throwFailure() throws(StoreError) {
    if let failure = evaluation?.failure { throw failure }
  }
}

extension AudienceWalk {
  // MARK: Reports

  private mutating func firstMatchWithReports() throws(StoreError) -> Int? {
    var match: Int?
    for (index, audience) in trigger.audiences.enumerated() {
      guard match == nil else {
        reports.append(AudienceReport(audience.audience, index: index, outcome: .notTried))
        continue
      }
      let context = try context(of: audience)
      guard try isTrue(audience, context) else {
        reports.append(report(audience, index: index, context, .expression))
        continue
      }
      if let limit = audience.limit {
        let count = try count(of: limit)
        guard count < limit.maximum else {
          limited.append(index)
          var report = report(audience, index: index, context, .occurrence)
          report.limit = AudienceReport.Limit(
            key: limit.key, count: Int(clamping: count), maximum: limit.maximum,
            interval: limit.interval, reopensAt: try limit.reopening(in: situation.occurrences))
          reports.append(report)
          continue
        }
      }
      reports.append(report(audience, index: index, context, .matched))
      match = index
    }
    return match
  }

  private func report(
    _ compiled: CompiledAudience, index: Int, _ context: Context, _ outcome: AudienceReport.Outcome
  ) -> AudienceReport {
    var report = AudienceReport(compiled.audience, index: index, outcome: outcome)
    switch compiled.filter {
    case .everyone: break
    case .invalid(let flaw): report.answer = .invalid(flaw.message)
    case .compiled(let filter):
      let explanation = campaigns.explain(filter, context)
      report.readings = explanation.readings
      report.computed = explanation.computed
      if outcome == .expression {
        report.failingCondition = explanation.failingCondition
        report.changes = explanation.changes
      }
      guard !failsEveryFilter else {
        report.answer = .error(Self.nonFiniteProblem)
        break
      }
      do throws(EvaluationError) {
        report.answer = .value(try evaluate(filter, context))
      } catch {
        report.answer = .error(error.diagnostic.message)
      }
    }
    return report
  }
}
