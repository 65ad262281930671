import ExpressionCoding
public import ExpressionEngine

/// The decision about a placement: its result, its effects, and the reports that explain it.
public struct CampaignDecision: Sendable, Equatable {
  /// The result.
  public var result: PlacementResult
  /// The effects that have to happen now, in order. A caller that only wants the result ignores
  /// them.
  public var effects: [MatchEffect] = []
  /// The reports about the audiences, when ``ReportDetail/full`` was asked for.
  public var audiences: [AudienceReport] = []
  /// The audiences that were tried and whose filters have no value for the user, when
  /// more than ``ReportDetail/result`` was asked for.
  public var failures: [FilterFailure] = []

  /// Creates a decision without effects.
  public init(result: PlacementResult) { self.result = result }
}

/// Something that follows from a decision (docs/spec/campaigns.md §2.5).
public enum MatchEffect: Sendable, Equatable {
  /// The placement enters the history. The decision has counted it already.
  case record(placement: String, parameters: [String: Value])
  /// `trigger_fire` is tracked.
  case fireTrigger(TriggerFire)
  /// `paywallPresentationRequest` is tracked.
  case trackRequest(PresentationRequest)
  /// The assignment was reached, and the server should hear of it.
  case confirm(VariantAssignment)
  /// A holdout adds an occurrence to a limit.
  case countOccurrence(key: String)
  /// A paywall is presented; when it has appeared, an occurrence is added to the limit.
  case present(CampaignExperiment, gating: FeatureGating, limitKey: String?)
}

extension CompiledCampaigns {
  /// Decides what a placement leads to (docs/spec/campaigns.md §2.1).
  ///
  /// - Parameters:
  ///   - request: The placement, its parameters, and the kind of request, which selects the effects.
  ///   - situation: Everything else that the decision depends on.
  /// - Returns: The result with its reasons and effects. Nothing has happened yet.
  /// - Throws: ``StoreError`` when the history, the occurrences or the assignments cannot be read.
  /// - Complexity: One evaluation for each audience that is tried; placements with many audiences try
  ///   all filters at once.
  public func decide(
    _ request: MatchRequest, in situation: consuming MatchSituation
  ) throws(StoreError) -> CampaignDecision {
    let effects = RequestEffects(kind: request.kind, options: options)
    if request.isRefused(options) { return CampaignDecision(result: .error(.reservedPlacement)) }
    if effects.isRefusedOnScreen, options.allowsOnePaywallOnly, situation.isPaywallOnScreen,
      !request.replacesPaywall
    {
      return CampaignDecision(request, .error(.paywallAlreadyPresented), options: options)
    }
    guard let trigger = trigger(of: request.placement) else {
      return CampaignDecision(request, .placementNotFound, options: options)
    }
    guard effects.savesPlacement, request.recordedAt == nil, trigger.readsHistory else {
      return try decide(request, at: trigger, situation)
    }
    // The placement counts although it has not been written yet (§2.1 step 3).
    situation.history = HistoryOverlay(
      base: situation.history, name: request.placement, instant: situation.now)
    return try decide(request, at: trigger, situation)
  }

  private func decide(
    _ request: borrowing MatchRequest, at trigger: CompiledTrigger,
    _ situation: consuming MatchSituation
  ) throws(StoreError) -> CampaignDecision {
    var walk = try AudienceWalk(self, trigger, request, situation)
    defer { walk.end() }
    let match = try walk.firstMatch().map { trigger.audiences[$0] }
    var reached: Reached?
    if let match { reached = try reach(match, walk.situation.assignments) }
    var decision = CampaignDecision(
      request, reached?.result ?? .noAudienceMatch(walk.unmatched), options: options,
      assignment: reached?.assignment, limitKey: match?.limit?.key,
      gating: reached?.gating ?? .nonGated,
      context: config.isEnabled(ToggleName.expressionParameters) ? walk.context : nil)
    decision.audiences = walk.reports
    if request.detail != .result { decision.failures = try walk.failures(before: match) }
    return decision
  }

  /// The consequences of reaching an audience.
  private struct Reached {
    var result: PlacementResult
    var assignment: VariantAssignment?
    var gating = FeatureGating.nonGated
  }

  /// Returns the consequences of reaching an audience (§2.1 steps 9 and 10).
  private func reach(
    _ audience: CompiledAudience, _ assignments: any AssignmentLookup
  ) throws(StoreError) -> Reached {
    let id = audience.audience.experimentID
    guard let assignment = try assignments.assignment(of: id) else {
      return Reached(result: .error(.noAssignment))
    }
    var variant = assignment.variant
    if options.resolvesVariantFromConfig,
      var current = audience.audience.variants.first(where: { $0.id.isExactly(variant.id) })
    {
      current.percentage = 0
      variant = current
    }
    let experiment = CampaignExperiment(
      id: id, campaignID: audience.audience.campaignID, variant: variant)
    return switch variant.kind {
    case .holdout: Reached(result: .holdout(experiment), assignment: assignment)
    case .treatment:
      Reached(
        result: .paywall(experiment), assignment: assignment, gating: gating(of: variant))
    }
  }
}

extension CampaignDecision {
  /// The decision with the effects that a result has for a kind of request (§2.5).
  ///
  /// - Parameter context: The context for `expression_params`, when the config asks for it (§1.6).
  package init(
    _ request: borrowing MatchRequest, _ result: PlacementResult, options: MatchingOptions,
    assignment: VariantAssignment? = nil, limitKey: String? = nil,
    gating: FeatureGating = .nonGated, context: Context? = nil
  ) {
    self.init(result: result)
    let wanted = RequestEffects(kind: request.kind, options: options)
    guard wanted.hasAny else { return }
    if wanted.savesPlacement, request.recordedAt == nil {
      effects.append(.record(placement: request.placement, parameters: request.parameters))
    }
    if wanted.firesTrigger(for: result) {
      effects.append(.fireTrigger(TriggerFire(placement: request.placement, result: result)))
    }
    if wanted.tracksRequest(for: result) {
      let reason = result.statusReason
      effects.append(
        .trackRequest(
          PresentationRequest(
            placement: request.placement, kind: request.kind,
            status: reason == nil ? .presentation : .noPresentation, reason: reason,
            expressionParameters: context.map { Value(object: $0.snapshot()).jsonText() })))
    }
    switch result {
    case .placementNotFound, .noAudienceMatch, .error: break
    case .holdout:
      if wanted.confirmsHoldout { confirm(assignment) }
      if wanted.countsHoldout, let limitKey { effects.append(.countOccurrence(key: limitKey)) }
    case .paywall(let experiment):
      if wanted.confirmsPaywall { confirm(assignment) }
      guard wanted.presents else { break }
      effects.append(
        .present(experiment, gating: request.inheritedGating ?? gating, limitKey: limitKey))
    }
  }

  /// The decision while no config is in force.
  package init(
    withoutConfig request: MatchRequest, isPaywallOnScreen: Bool, options: MatchingOptions
  ) {
    guard !request.isRefused(options) else {
      self.init(result: .error(.reservedPlacement))
      return
    }
    let isRefused =
      RequestEffects(kind: request.kind, options: options).isRefusedOnScreen
      && options.allowsOnePaywallOnly && isPaywallOnScreen && !request.replacesPaywall
    self.init(
      request, .error(isRefused ? .paywallAlreadyPresented : .noConfig), options: options)
  }

  private mutating func confirm(_ assignment: VariantAssignment?) {
    guard let assignment, !assignment.isSent else { return }
    effects.append(.confirm(assignment))
  }
}
