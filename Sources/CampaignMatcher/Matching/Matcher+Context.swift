import AudienceFilters
import ExpressionCoding
import ExpressionEngine

extension Matcher {
  /// The user and device layers at an instant. They are kept until something they were made from
  /// changes; derived attributes are only made when a filter reads them.
  func base(
    _ state: inout MatcherState, _ transaction: any StoreTransaction, at now: Instant
  ) throws(StoreError) -> MatcherState.Base {
    let revision = try transaction.revision()
    if let base = state.base, base.revision == revision, base.generation == state.generation,
      base.instant.map({ $0 == now }) ?? true
    {
      return base
    }
    guard let identity = try transaction.identity() else {
      throw StoreError(operation: "read identity", reason: "the store has none")
    }
    let installation = try transaction.installation()
    var user = sanitizer.contextValues(try transaction.userAttributes())
    for name in Identity.ownedAttributes { user[name] = nil }
    user.merge(identity.userAttributes(installation)) { _, own in own }
    let derived = state.compiled?.derived ?? []
    let source = DerivedAttributeSource(
      now: now, zone: zone, platform: options.platform, identity: identity,
      installation: installation)
    var device = try source.deviceAttributes(derived, in: transaction)
    device.merge(state.ownDevice) { _, own in own }
    device.merge(state.enrichment) { own, _ in own }
    if options.stripsDollarSigns {
      user = sanitizer.contextValues(user)
      device = sanitizer.contextValues(device)
    }
    let base = MatcherState.Base(
      revision: revision, generation: state.generation, instant: derived.isEmpty ? nil : now,
      identity: identity, installation: installation, user: user, device: device,
      context: Context(user: Context.Layer(user), device: Context.Layer(device)))
    // The history has no revision.
    state.base = derived.contains(where: \.followsFromHistory) ? nil : base
    return base
  }

  /// Prepares the walk through the audiences of a request.
  func walk(
    for request: MatchRequest, in trigger: CompiledTrigger, _ state: inout MatcherState,
    _ transaction: any StoreTransaction, at now: Instant, historyAnswers: [String: Value] = [:]
  ) throws(StoreError) -> AudienceWalk {
    let base = try base(&state, transaction, at: now)
    var context = base.context
    var names = trigger.parameterNames
    if request.detail == .full
      || state.compiled?.config.isEnabled(ToggleName.expressionParameters) ?? false
    {
      names = nil
    }
    if names?.isEmpty != true {
      let parameters = sanitizer.parameters(of: request, sessionID: state.sessionID, names: names)
      context = context.replacing(params: Context.Layer(parameters))
    }
    if !request.user.isEmpty {
      let user = sanitizer.merged(base.user, under: request.user)
      context = context.replacing(user: Context.Layer(user))
    }
    let device = sanitizer.merged(base.device, under: request.device)
    if !request.device.isEmpty { context = context.replacing(device: Context.Layer(device)) }
    return AudienceWalk(
      context: context, device: device, placement: request.placement,
      recordedAt: request.recordedAt,
      reader: HistoryReader(now: now, zone: zone, options: options), transaction: transaction,
      reserved: state.reserved, detail: request.detail,
      failsEveryFilter: sanitizer.failsEveryFilter(request), historyAnswers: historyAnswers,
      explain: explain)
  }

  /// Evaluates an expression as a filter of a placement would be evaluated now, without any effect.
  ///
  /// - Parameters:
  ///   - expression: the text of a filter.
  ///   - request: the placement and its parameters.
  /// - Throws: ``StoreError`` when the store cannot be read.
  public func evaluate(
    _ expression: String, for request: MatchRequest
  ) throws(StoreError) -> FilterAnswer {
    let audience = Audience(campaignID: "", experimentID: "", variants: [])
    let filter = AudienceFilter(expression, environment: environment)
    let trigger = CompiledTrigger(
      trigger: Trigger(placement: request.placement, audiences: []),
      audiences: [CompiledAudience(audience: audience, filter: filter)], parameterNames: nil)
    guard case .compiled(let compiled) = filter else {
      if case .invalid(let flaw) = filter { return .invalid(flaw.message) }
      return .value(.bool(true))
    }
    var request = request
    request.detail = .full
    let derived = FilterNeeds(compiled.filter.requirements.attributes).derived
    return try state.withLock { state throws(StoreError) in
      try store.read { transaction throws(StoreError) in
        let now = clock.now()
        // Derived attributes are only made when the config asks for them; this expression may ask
        // for others.
        let base = try base(&state, transaction, at: now)
        let source = DerivedAttributeSource(
          now: now, zone: zone, platform: options.platform, identity: base.identity,
          installation: base.installation)
        for attribute in derived {
          let name = attribute.name(on: options.platform)
          // What the server knows of the device never wins (§6.4).
          guard state.ownDevice[name] == nil, request.device[name] == nil else { continue }
          request.device[name] = try source.value(attribute, in: transaction)
        }
        var walk = try walk(for: request, in: trigger, &state, transaction, at: now)
        _ = try walk.firstMatch(in: trigger.audiences)
        return walk.reports.first?.answer ?? .value(.bool(true))
      }
    }
  }

  /// The whole context of the last walk as JSON text, for `expression_params` (§1.6).
  func expressionParameters(of context: Context) -> String {
    Value(object: context.snapshot()).jsonText()
  }
}
