import AudienceFilters
public import ExpressionEngine

extension CompiledCampaigns {
  /// Evaluates an expression as a filter of a placement would be evaluated.
  ///
  /// - Parameters:
  ///   - expression: The text of a filter.
  ///   - request: The placement and its parameters.
  ///   - situation: Everything else that the filter can see.
  /// - Throws: ``StoreError`` when the history cannot be read.
  public func evaluate(
    _ expression: String, for request: MatchRequest, in situation: MatchSituation
  ) throws(StoreError) -> FilterAnswer {
    let filter = AudienceFilter(expression, environment: environment)
    if case .invalid(let flaw) = filter { return .invalid(flaw.message) }
    let audience = Audience(campaignID: "", experimentID: "", variants: [])
    let trigger = CompiledTrigger(
      trigger: CampaignTrigger(placement: request.placement, audiences: [audience]),
      audiences: [CompiledAudience(audience: audience, filter: filter)])
    var request = request
    request.detail = .full
    var walk = try AudienceWalk(self, trigger, request, situation)
    defer { walk.end() }
    _ = try walk.firstMatch()
    return walk.reports.first?.answer ?? .value(.bool(true))
  }

  /// The context that a filter sees without a placement, by layer.
  ///
  /// - Throws: ``StoreError`` when the history cannot be read.
  public func contextSnapshot(in situation: MatchSituation) throws(StoreError) -> [String: Value] {
    let everything = CompiledTrigger(
      trigger: CampaignTrigger(placement: "", audiences: []),
      audiences: [
        CompiledAudience(
          audience: Audience(campaignID: "", experimentID: "", variants: []),
          filter: AudienceFilter("device == null", environment: environment))
      ])
    let walk = try AudienceWalk(self, everything, situation)
    defer { walk.end() }
    return walk.context.snapshot()
  }
}
