public import CampaignCore
import CampaignHost
public import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import PaywallLogic

/// Runs a story of `corpus/paywall/stories`: with a matcher, a host, and a screen and a store that do what
/// the story says.
///
/// The text has the form of a ``CampaignCase``; `corpus/paywall/README.md` lists settings and steps.
public final class PaywallScriptRunner {
  private let script: CampaignCase
  private let clock: ManualClock
  private let readFile: CampaignCaseRunner.ReadFile
  private let timeline = ScriptTimeline()
  private let screen: ScriptScreen
  private let store: ScriptStore
  private let makeHost: () throws(StoreError) -> PaywallHost
  private var host: PaywallHost
  private var world: ScriptWorld
  /// The products whose introductory offer the App Store refuses.
  private let refused = Locked(Set<String>())
  /// The last request, whose parameters `evaluate` reads.
  private var lastRequest = MatchRequest("")
  /// Whether there will be no config, so that nothing waits for one.
  private var hasNoConfig = false

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - script: The script.
  ///   - openStore: Opens the matcher's store, which must be empty.
  ///   - readFile: Reads a file beside the script.
  /// - Throws: `CampaignCaseError` when a setting cannot be read or the store cannot be opened.
  public init(
    _ script: CampaignCase, openStore: CampaignCaseRunner.OpenStore,
    readFile: @escaping CampaignCaseRunner.ReadFile
  ) throws(CampaignCaseError) {
    self.script = script
    self.readFile = readFile
    var world = ScriptWorld { _, _ in "" }
    for setting in script.settings where !CaseSettings.isName(setting.name) {
      do throws(CaseProblem) {
        // `product monthly: {…}` is `product: monthly {…}` in a case without a matcher.
        if setting.name.hasPrefix("product ") {
          try world.set("product", "\(setting.name.dropFirst(8)) \(setting.value)")
        } else {
          try world.set(setting.name, setting.value)
        }
      } catch {
        throw CampaignCaseError(line: setting.line, problem: error.description)
      }
    }
    let options = try CaseSettings.options(
      script.settings.filter { CaseSettings.isName($0.name) })
    clock = ManualClock(try CaseSettings.clock(script))
    let timeline = timeline
    screen = ScriptScreen(timeline)
    store = ScriptStore(timeline)
    var configuration = PaywallHost.Configuration()
    configuration.session = world.options
    configuration.products = world.products.values.sorted { $0.id < $1.id }
    configuration.isDrainedByHand = true
    configuration.callbacks = .host
    let refused = refused
    configuration.isEligibleForOffer = { product in
      !refused.withLock { $0.contains(product.id) }
    }
    screen.setProducts(configuration.products)
    if world.options.purchases.hasPurchaseController { configuration.purchaseController = store }
    let zone = try CaseSettings.zone(script)
    do throws(StoreError) {
      var matching = Matcher.Configuration(
        store: try openStore(), options: options, clock: clock, zone: zone,
        random: SeededRandomSource(seed: 1))
      let (screen, store, complete) = (screen, store, configuration)
      var launches: UInt64 = 0
      makeHost = { () throws(StoreError) -> PaywallHost in
        launches += 1
        matching.random = SeededRandomSource(seed: launches)
        let host = PaywallHost(
          matcher: try Matcher(matching), presenter: screen, store: store,
          configuration: complete)
        host.outlet.observe { timeline.note($0) }
        return host
      }
      host = try makeHost()
    } catch {
      throw CampaignCaseError(line: 1, problem: error.description)
    }
    self.world = world
  }

  /// Runs all steps.
  ///
  /// - Throws: `CampaignCaseError` when a step cannot be understood.
  public func run() async throws(CampaignCaseError) -> [StepOutcome] {
    var outcomes: [StepOutcome] = []
    for step in script.steps {
      let instant = clock.now()
      let lines: [String]
      do throws(CaseProblem) {
        lines = try await perform(step)
      } catch {
        lines = try error.lines(of: step)
      }
      outcomes.append(StepOutcome(step: step, instant: instant, lines: lines))
    }
    return outcomes
  }

  /// Carries out a step, and whatever it leads to.
  private func perform(_ step: CampaignCase.Step) async throws(CaseProblem) -> [String] {
    let text = step.argument
    var first: [String] = []
    switch step.command {
    case "register": try await register(text)
    case "getPaywall":
      lastRequest = try Self.request(text)
      lastRequest.kind = .getPaywall
      await host.postGetPaywall(lastRequest)
    case "result":
      let request = try Self.request(text)
      // Only a later step could end the waiting, or move the clock that limits it.
      let isReady = hasNoConfig || host.matcher.isReady(for: request.asPreview)
      first = [isReady ? try await presentationResult(request) : "waits"]
    case "link":
      first = ["returns \(await host.handle(deepLink: text))"]
    case "adapty": try await adapty(text)
    case "evaluate": first = [try evaluate(text)]
    case "entitlements": first = await entitlements()
    case "variants": first = try variants()
    case "wait":
      clock.advance(byMilliseconds: try CaseCommand.milliseconds(text))
      await host.drain()
    case "the": try arrange(text)
    case "relaunch": try await relaunch()
    default:
      if try await appStep(step.command, text) { break }
      try await sessionStep(step.command, text)
    }
    await host.drain()
    let lines = first + timeline.take()
    // Only what asks for a paywall can have to wait.
    let asks = ["register", "getPaywall", "install", "launch"].contains(step.command)
    return asks && lines.isEmpty ? ["waits"] : lines
  }
}

// Steps of the app.
extension PaywallScriptRunner {
  /// The app ends and is launched again, with the same store.
  private func relaunch() async throws(CaseProblem) {
    do throws(StoreError) {
      host = try makeHost()
      hasNoConfig = false
    } catch {
      throw .store(error)
    }
    await host.drain()
  }

  private func appStep(_ name: String, _ text: String) async throws(CaseProblem) -> Bool {
    let matcher = host.matcher
    switch (name, text) {
    case ("install", ""): try Self.store { () throws(StoreError) in try matcher.app.didInstall() }
    case ("launch", ""):
      try Self.store { () throws(StoreError) in _ = try matcher.app.didBecomeActive() }
    case ("leave", ""):
      try Self.store { () throws(StoreError) in try matcher.app.willResignActive() }
    case ("load", _): try await load(text)
    case ("no", "config"):
      hasNoConfig = true
      matcher.configUnavailable()
    case ("identify", _):
      try Self.store { () throws(StoreError) in _ = try matcher.user.identify(text) }
    case ("reset", ""): try Self.store { () throws(StoreError) in try matcher.user.reset() }
    case ("user", _):
      let attributes = try CaseCommand.object(text)
      try Self.store { () throws(StoreError) in try matcher.user.setAttributes(attributes) }
    case ("phone", _): matcher.device.set(values: try CaseCommand.object(text))
    default: return false
    }
    return true
  }

  private func load(_ name: String) async throws(CaseProblem) {
    guard let text = readFile(name) else { throw .input("there is no file `\(name)`") }
    do {
      try await host.load(try ConfigDocument(json: text))
      hasNoConfig = false
    } catch {
      throw .input("\(name): \(error)")
    }
  }

  /// `PLACEMENT {"key": "value"} with primary=other`.
  private func register(_ text: String) async throws(CaseProblem) {
    let (request, settings) = text.parts(around: " with ")
    lastRequest = try Self.request(request)
    var overrides: [String: String]?
    if let settings {
      overrides = try world.pairs(settings)
    }
    await host.post(lastRequest, HostRequest(handler: handler(), overrides: overrides))
  }

  private static func request(_ text: String) throws(CaseProblem) -> MatchRequest {
    let (name, parameters) = try CaseCommand.nameAndObject(text)
    return MatchRequest(name, parameters: parameters)
  }

  /// The handler of a registration: its answers to callbacks are those that the script has set.
  private func handler() -> PresentationHandler {
    var handler = PresentationHandler {}
    guard world.hasHandler else { return handler }
    handler.onCustomCallback { [timeline, screen] callback in
      let answer = screen.answer(to: callback.name)
      timeline.note("the app answers \(answer.value.jsonText())")
      return answer
    }
    return handler
  }

  private func presentationResult(_ request: MatchRequest) async throws(CaseProblem) -> String {
    do throws(StoreError) {
      switch try await host.presentationResult(request.placement, parameters: request.parameters) {
      case .placementNotFound: return "placementNotFound"
      case .noAudienceMatch: return "noAudienceMatch"
      case .paywall(let experiment): return "paywall (\(experiment))"
      case .holdout(let experiment): return "holdout (\(experiment))"
      case .error(let error): return "error \(error.code)"
      }
    } catch {
      throw .store(error)
    }
  }

  private func adapty(_ text: String) async throws(CaseProblem) {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    do throws(AdaptyDecodingError) {
      let event = try AdaptyEvent(
        name: words.first ?? "", json: words.count > 1 ? words[1] : "{}")
      await host.handle(event)
    } catch {
      throw .input("\(error)")
    }
  }

  /// `screen fails CODE`, `screen works`; `store answers RESULT`; `app answers NAME STATUS JSON`.
  private func arrange(_ text: String) throws(CaseProblem) {
    let words = text.split(separator: " ", maxSplits: 3).map(String.init)
    switch (words.first, words.dropFirst().first) {
    case ("screen", "works"): screen.fail(nil)
    case ("screen", "loads"):
      // `the screen loads paywalls without monthly,annual`
      let missing = (words.dropFirst(3).first ?? "").split(separator: " ").dropFirst().first ?? ""
      screen.setLoads(true, missing: missing.split(separator: ",").map(String.init))
    case ("screen", "has"): screen.setLoads(false)
    case ("screen", "fails"):
      guard let code = words.last.flatMap(Int.init),
        let error = MatchError.coded.first(where: { $0.code == code && $0 != .noAssignment })
      else { throw .input("the screen fails with a code such as 103") }
      screen.fail(error)
    case ("store", "refuses"):
      refused.withLock {
        $0 = Set(words.dropFirst(2).joined().split(separator: ",").map(String.init))
      }
    case ("store", "answers"):
      let rest = words.dropFirst(2).joined(separator: " ")
      guard let answer = ScriptStore.Answer(rest) else {
        throw .input("`\(rest)` is not a result of a store")
      }
      store.answer(answer)
    case ("user", "answers"): screen.setSurveyAnswer(words.dropFirst(2).first)
    case ("app", "answers") where words.count >= 3:
      let rest = words[2...].joined(separator: " ").split(separator: " ", maxSplits: 2)
      guard rest.count >= 2, let status = PaywallCallbackResult.Status(rawValue: String(rest[1]))
      else { throw .input("an answer of the app is `the app answers NAME STATUS JSON`") }
      let data = try rest.count > 2 ? CaseCommand.object(String(rest[2])) : nil
      screen.setAnswer(
        to: String(rest[0]), status == .success ? .success(data: data) : .failure(data: data))
    default: throw .input("`the \(text)` means nothing here")
    }
  }

  /// Any other step is an event of the state machines.
  private func sessionStep(_ name: String, _ text: String) async throws(CaseProblem) {
    world.session = await host.session
    world.now = clock.now()
    switch try world.event(name, text) {
    case nil: throw .input("there is no step `\(name)`")
    case .registered, .presentation(.presented), .presentation(.disappeared),
      .presentation(.loaded), .presentation(.makeRoom), .presentation(.decided),
      .presentation(.exitOffer), .presentation(.replaced), .presentation(.surveyFinished),
      .purchase(.purchaseFinished), .purchase(.purchaseRestored), .restoreReturned:
      throw .input("the screen and the store of the script report `\(name) \(text)` themselves")
    case let event?: await host.send(event)
    }
  }
}

// Questions, which change nothing.
extension PaywallScriptRunner {
  private func evaluate(_ filter: String) throws(CaseProblem) -> String {
    let (matcher, request) = (host.matcher, lastRequest)
    return try CaseCommand.store { () throws(StoreError) in
      CaseText.line(try matcher.evaluate(filter, for: request))
    }
  }

  private func entitlements() async -> [String] {
    let book = await host.session.entitlements
    return ["status \(book.status)", "all [\(book.all.map(\.identifier).joined(separator: " "))]"]
  }

  private func variants() throws(CaseProblem) -> [String] {
    let matcher = host.matcher
    return try CaseCommand.store { () throws(StoreError) in
      try matcher.assignments.all().map { "experiment \($0.experimentID) variant \($0.variant.id)" }
    }
  }

  private static func store(_ body: () throws(StoreError) -> Void) throws(CaseProblem) {
    try CaseCommand.store { () throws(StoreError) in try body() }
  }
}
