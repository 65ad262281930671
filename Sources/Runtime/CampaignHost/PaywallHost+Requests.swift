public import CampaignCore
public import CampaignMatcher
public import ExpressionEngine
public import PaywallLogic

/// The result for the caller of `getPaywall`.
typealias PaywallAnswer = Result<PaywallDetails, PaywallRefusal>

/// Why `getPaywall` returns no paywall.
public enum PaywallRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is a reason to show none.
  case skipped(SkipReason)
  /// The request failed.
  case failed(MatchError)
  /// The store failed.
  case store(StoreError)

  /// The reason as a line.
  public var description: String {
    switch self {
    case .skipped(let reason): "no paywall: \(reason)"
    case .failed(let error): error.description
    case .store(let error): error.description
    }
  }
}

extension PaywallHost {
  /// Puts a config in force: for the matcher, for entitlements, for links.
  ///
  /// - Returns: The diagnostics of the config.
  /// - Throws: `LoadError`; the config before it stays in force then.
  @discardableResult
  public func load(_ document: ConfigDocument) async throws(LoadError) -> [ConfigDiagnostic] {
    let diagnostics = try matcher.load(document)
    await configure()
    return diagnostics
  }

  /// Tells the state machines about the config in force.
  private func configure() async {
    guard let config = matcher.config else { return }
    let entitlements = config.entitlementsByProductID.mapValues { entitlements in
      entitlements.sorted { $0.identifier < $1.identifier }
    }
    session.areVerboseEventsDisabled = config.isEnabled(VerboseEvents.toggle)
    session.hasTransactionFailTrigger =
      config.trigger(of: BuiltInEvent.transactionFail.rawValue) != nil
    await send(.entitlements(.configured(entitlements)))
    let opensLinks = config.trigger(of: BuiltInEvent.deepLinkOpen.rawValue) != nil
    await send(.links(.configured(hasDeepLinkTrigger: opensLinks)))
  }

  /// Registers a placement. Returns when the paywall has appeared, or when there is none.
  ///
  /// When the task is cancelled while the registration waits, the registration leaves the line and ends
  /// with the error `MatchError.cancelled`. A paywall on its way to the screen appears all the same.
  ///
  /// - Parameters:
  ///   - placement: The placement.
  ///   - parameters: Its parameters.
  ///   - handler: Hears what becomes of the paywall, and runs the feature.
  ///   - overrides: Products by their name in the editor, which take the place of those of the paywall.
  /// - Returns: The result of the placement.
  /// - Throws: `StoreError` when the store cannot be written.
  @discardableResult
  public func register(
    _ placement: String, parameters: [String: Value] = [:],
    handler: PresentationHandler = PresentationHandler(), overrides: [String: String]? = nil
  ) async throws(StoreError) -> PlacementResult {
    let request = HostRequest(number: nextNumber(), handler: handler, overrides: overrides)
    awaited.insert(request.number)
    let place = matcher.nextNumber()
    let result = await withTaskCancellationHandler {
      await post(MatchRequest(placement, parameters: parameters), request, place: place)
      return await end(of: request.number)
    } onCancel: {
      matcher.cancel(place)
    }
    return try result.get()
  }

  /// The number of a request that is going to be made.
  func nextNumber() -> UInt64 {
    lastNumber &+= 1
    return lastNumber
  }

  /// Puts a request in line, and returns as soon as nothing more can be done now.
  ///
  /// - Parameter place: The number of the place in line; by default a new one.
  package func post(
    _ match: MatchRequest, _ request: HostRequest, event: BuiltInEvent? = nil, place: UInt64? = nil
  ) async {
    let inbox = inbox
    var match = match
    match.presentation = .whenLoaded
    if request.kind == .register { match.isFeatureGatable = request.handler.hasFeature }
    matcher.submit(match, event, number: place) { inbox.put(.decided(request, $0)) }
    await drain()
  }

  /// Asks for a paywall that the app presents, and returns as soon as nothing more can be done now.
  package func postGetPaywall(_ match: MatchRequest) async {
    var match = match
    match.kind = .getPaywall
    var request = HostRequest()
    request.kind = .getPaywall
    request.source = .getPaywall
    await post(match, request)
  }

  private func end(of number: UInt64) async -> Result<PlacementResult, StoreError> {
    defer { awaited.remove(number) }
    if let result = ended.removeValue(forKey: number) { return result }
    return await withCheckedContinuation { waiting[number] = $0 }
  }

  /// Turns the matcher's result of a request into a decision for the state machines.
  func decided(_ request: HostRequest, _ result: Result<MatchOutcome?, StoreError>) async {
    let outcome: MatchOutcome?
    switch result {
    case .success(let decided): outcome = decided
    case .failure(let error):
      outlet.log(error)
      waitingForPaywall.removeValue(forKey: request.number)?.resume(
        returning: .failure(.store(error)))
      return finish(request.number, .failure(error))
    }
    // Nothing follows from the event.
    guard let outcome else { return }
    let end = await conclude(request, outcome, continues: false)
    // Whatever the machines made of it, the caller of `getPaywall` gets an answer.
    give(.failure(.failed(.reservedPlacement)), to: request)
    finish(request.number, .success(end))
  }

  /// Takes an outcome of the matcher to the state machines. A paywall has to load and needs a view before it
  /// counts as decided.
  ///
  /// - Parameter continues: Whether the paywall takes the place of another one in the same course.
  /// - Returns: The result of the request.
  func conclude(
    _ request: HostRequest, _ outcome: MatchOutcome, continues: Bool
  ) async -> PlacementResult {
    guard case .paywall(let experiment) = outcome.result, let token = outcome.presentation else {
      outlet.note(.decision(outcome))
      await pass(decision(about: outcome, request), request, nil, continues: continues)
      return outcome.result
    }
    var info = info(of: experiment, outcome, request)
    var continues = continues
    loadFault = nil
    do throws(MatchError) {
      if await !presenter.isLoaded(info) {
        guard let loaded = try await load(info, request, token, continues: continues) else {
          token.didFail()
          return .error(.paywallAlreadyPresented)
        }
        info = loaded
        continues = true
      }
      try await presenter.findView(for: info)
    } catch {
      remember { () throws(StoreError) in try token.didFail(error) }
      outlet.note(.decision(outcome.failing(with: error)))
      // The course of a paywall that did not load goes on with its failure.
      await pass(.failed(error), request, nil, continues: continues || loadFault != nil)
      return .error(error)
    }
    for product in info.products { await askForOffer(of: product.id) }
    info.isFreeTrialAvailable = offersTrial(info)
    remember { () throws(StoreError) in try token.willPresent() }
    outlet.note(.decision(outcome))
    await pass(.paywall(info), request, token, continues: continues)
    return outcome.result
  }

  /// Tells the state machines a decision.
  private func pass(
    _ decision: PresentationFlow.Decision, _ request: HostRequest, _ token: Presentation?,
    continues: Bool
  ) async {
    let event: PaywallSession.Event =
      continues
      ? .presentation(.decided(decision))
      : .registered(
        request.kind, decision, hasHandler: request.handler.handlesCallbacks,
        overrides: request.overrides)
    await handle(event, decided: request, presentation: token)
  }

  /// Loads a paywall.
  ///
  /// - Returns: The paywall as it has loaded; `nil` if the state machines refused it or have gone on.
  /// - Throws: The reason why it has not loaded.
  private func load(
    _ info: PaywallDetails, _ request: HostRequest, _ token: Presentation, continues: Bool
  ) async throws(MatchError) -> PaywallDetails? {
    await pass(.unloaded(info), request, token, continues: continues)
    if let loadFault { throw loadFault }
    guard case .loaded(let loaded) = session.presentation.phase,
      loaded.presentationID == info.presentationID
    else { return nil }
    return loaded
  }

  /// Asks the App Store whether it grants the introductory offer of a product.
  func askForOffer(of product: PaywallProduct) async {
    guard product.store == .appStore, product.trial != nil else { return }
    if await configuration.isEligibleForOffer(product) {
      session.productsWithOffer.insert(product.id)
    } else {
      session.productsWithOffer.remove(product.id)
    }
  }

  private func askForOffer(of id: String) async {
    if let product = session.products[id] { await askForOffer(of: product) }
  }

  private func offersTrial(_ info: PaywallDetails) -> Bool {
    info.products.contains { named in
      guard let product = session.products[named.id] else { return false }
      return info.offerEligibility.offersTrial(
        of: product, isEligibleInStore: session.productsWithOffer.contains(product.id),
        customer: session.entitlements.customerInfo,
        override: session.testMode.settings.trialOverride)
    }
  }

  private func finish(_ number: UInt64, _ result: Result<PlacementResult, StoreError>) {
    if let continuation = waiting.removeValue(forKey: number) {
      continuation.resume(returning: result)
    } else if awaited.contains(number) {
      ended[number] = result
    }
  }
}

extension PaywallHost {
  /// Returns the decision that the state machines take from a result of the matcher.
  func decision(
    about outcome: MatchOutcome, _ request: HostRequest
  ) -> PresentationFlow.Decision {
    switch outcome.result {
    case .placementNotFound: .skip(.placementNotFound)
    case .noAudienceMatch: .skip(.noAudienceMatch)
    case .holdout(let experiment): .skip(.holdout(experiment))
    case .error(let error): .failed(error)
    case .paywall(let experiment): .paywall(info(of: experiment, outcome, request))
    }
  }

  private func info(
    of experiment: CampaignExperiment, _ outcome: MatchOutcome, _ request: HostRequest
  ) -> PaywallDetails {
    let paywall = matcher.config?.paywalls.first {
      $0.identifier == experiment.variant.paywallIdentifier
    }
    var info = PaywallDetails(
      experiment, paywall: paywall, placement: outcome.placement, at: outcome.instant,
      source: request.source)
    info.presentationID = matcher.random.uuid()
    // A paywall that follows another one has inherited its gating.
    info.featureGating = outcome.presentation?.featureGating ?? paywall?.featureGating ?? .nonGated
    return info
  }
}
