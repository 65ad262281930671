import AudienceFilters
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax

/// Walks the audiences of a trigger in order until one matches (docs/spec/campaigns.md §2.1 step 7,
/// §2.2).
///
/// Everything it reads is fixed when it is made: one context, one clock reading, one transaction.
struct AudienceWalk {
  /// The audience that matched.
  struct Match {
    let audience: Audience
    /// The unit to count when it is presented or held out.
    let limitKey: String?
  }

  let context: Context
  /// The `device` layer, to which legacy keys are added per audience.
  let device: [String: Value]
  let placement: String?
  /// When the placement was recorded, if that was before now.
  let recordedAt: Instant?
  let reader: HistoryReader
  let transaction: any StoreTransaction
  let evaluation: EvaluationState
  let reserved: [ExactName: Int]
  let detail: ReportDetail
  /// Whether the context cannot be encoded, so that no filter is true (§6.6).
  let failsEveryFilter: Bool
  let explain: Explainer

  private(set) var unmatched: [UnmatchedAudience] = []
  private(set) var reports: [AudienceReport] = []

  init(
    context: Context, device: [String: Value], placement: String?, recordedAt: Instant?,
    reader: HistoryReader, transaction: any StoreTransaction, reserved: [ExactName: Int],
    detail: ReportDetail,
    failsEveryFilter: Bool, historyAnswers: [String: Value] = [:], explain: @escaping Explainer
  ) {
    let evaluation = EvaluationState(
      reader: reader, transaction: transaction, standIns: historyAnswers)
    self.context = context.replacing(hostState: evaluation)
    self.device = device
    self.placement = placement
    self.recordedAt = recordedAt
    self.reader = reader
    self.transaction = transaction
    self.evaluation = evaluation
    self.reserved = reserved
    self.detail = detail
    self.failsEveryFilter = failsEveryFilter
    self.explain = explain
  }

  /// Why no filter is asked when `failsEveryFilter` is set (§6.6).
  static let nonFiniteProblem =
    "a parameter is not a finite number, so no context can be encoded"

  /// The first audience that matches. It ends the walk: contexts ask the history no more.
  mutating func firstMatch(in audiences: [CompiledAudience]) throws(StoreError) -> Match? {
    defer { evaluation.end() }
    unmatched.reserveCapacity(audiences.count)
    for index in audiences.indices {
      guard let match = try match(audiences[index], index: index) else { continue }
      if detail == .full {
        for later in audiences.indices.dropFirst(index + 1) {
          reports.append(
            AudienceReport(audiences[later].audience, index: later, outcome: .notTried))
        }
      }
      return match
    }
    return nil
  }

  /// Tries one audience.
  mutating func match(
    _ compiled: CompiledAudience, index: Int
  ) throws(StoreError) -> Match? {
    try match(compiled, index: index, context(for: compiled))
  }

  /// What the filter of an audience sees.
  func context(for compiled: CompiledAudience) throws(StoreError) -> Context {
    compiled.hasComputedProperties ? try contextWithLegacyKeys(of: compiled.audience) : context
  }

  private mutating func match(
    _ compiled: CompiledAudience, index: Int, _ context: Context
  ) throws(StoreError) -> Match? {
    let isIn =
      switch compiled.filter {
      case .everyone: true
      case .invalid: false
      case .compiled(let filter): !failsEveryFilter && filter.matches(context)
      }
    if let failure = evaluation.failure { throw failure }
    guard isIn else {
      note(compiled, index: index, context, source: .expression)
      return nil
    }
    if let limit = compiled.limit {
      let count = try count(of: limit)
      guard Int64(count) < limit.maximum else {
        note(compiled, index: index, context, source: .occurrence)
        if detail == .full { try addLimit(limit, count: count) }
        return nil
      }
    }
    if detail == .full { report(compiled, index: index, context, source: nil) }
    return Match(audience: compiled.audience, limitKey: compiled.limit?.key)
  }

  /// The context with the legacy keys of the audience (§5.1).
  private func contextWithLegacyKeys(of audience: Audience) throws(StoreError) -> Context {
    var device = device
    for property in audience.computedProperties {
      if let entry = try reader.legacyEntry(
        for: property, placement: placement, recordedAt: recordedAt, in: transaction)
      {
        device[entry.key] = entry.value
      }
    }
    return context.replacing(device: Context.Layer(device))
  }

  /// How often the audience matched in its window, with the units that presentations under way hold.
  /// The count stops at the maximum; a window that cannot be computed counts as full (§3.1).
  func count(of limit: OccurrenceLimit) throws(StoreError) -> Int {
    guard limit.maximum > 0 else { return 0 }
    let maximum = Int(clamping: limit.maximum)
    guard !limit.isClosedToAll(at: reader.now) else { return maximum }
    let start = limit.windowStart(at: reader.now)
    let stored = try transaction.occurrenceCount(key: limit.key, since: start, limit: maximum)
    return min(stored + (reserved[ExactName(limit.key)] ?? 0), maximum)
  }

  // MARK: Reporting

  private mutating func note(
    _ compiled: CompiledAudience, index: Int, _ context: Context, source: UnmatchedAudience.Source
  ) {
    unmatched.append(
      UnmatchedAudience(experimentID: compiled.audience.experimentID, source: source))
    if detail == .full { report(compiled, index: index, context, source: source) }
  }

  private mutating func report(
    _ compiled: CompiledAudience, index: Int, _ context: Context, source: UnmatchedAudience.Source?
  ) {
    let outcome: AudienceReport.Outcome =
      switch source {
      case .expression: .expression
      case .occurrence: .occurrence
      case nil: .matched
      }
    var report = AudienceReport(compiled.audience, index: index, outcome: outcome)
    switch compiled.filter {
    case .everyone: break
    case .invalid(let flaw): report.answer = .invalid(flaw.message)
    case .compiled(let shared):
      let filter = shared.filter
      let explanation = explain(filter, context)
      report.readings = explanation.readings
      report.computed = explanation.computed
      if source == .expression {
        report.failingCondition = explanation.failingCondition
        report.changes = explanation.changes
      }
      if failsEveryFilter {
        report.answer = .error(Self.nonFiniteProblem)
      } else {
        do throws(EvaluationError) {
          report.answer = .value(try evaluate(filter, context))
        } catch {
          report.answer = .error(error.diagnostic.message)
        }
      }
    }
    reports.append(report)
  }

  private mutating func addLimit(_ limit: OccurrenceLimit, count: Int) throws(StoreError) {
    var state = AudienceReport.Limit(
      key: limit.key, count: count, maximum: limit.maximum, interval: limit.interval)
    if case .minutes(let minutes) = limit.interval, limit.maximum > 0 {
      // A unit is free as soon as the oldest of the newest `maximum` occurrences has left the
      // inclusive window.
      let newest = try transaction.newestOccurrences(
        key: limit.key, limit: Int(clamping: limit.maximum))
      let (span, overflow) = minutes.multipliedReportingOverflow(by: 60_000)
      if newest.count == limit.maximum, let oldest = newest.last, !overflow {
        state.reopensAt = oldest.advanced(byMilliseconds: span).advanced(byMilliseconds: 1)
      }
    }
    reports[reports.count - 1].limit = state
  }
}
