import CampaignAnalysis
public import CampaignCore
public import CampaignMatcher
import ExpressionEngine

/// Runs a ``CampaignCase`` on a store of the caller's choice.
public final class CampaignCaseRunner {
  /// Opens the store of a case; called again after a `restart`, when it must remember.
  public typealias OpenStore = () throws(StoreError) -> any MatcherStore
  /// Reads a file beside the case.
  public typealias ReadFile = (_ name: String) -> String?

  let clock: ManualClock
  let zone: ZoneRules
  let options: MatchingOptions
  let random = CaseRandomSource()
  let events = CollectedEvents()
  private let campaignCase: CampaignCase
  private let openStore: OpenStore
  let readFile: ReadFile
  private(set) var matcher: Matcher
  var presentation: Presentation?
  var device: [String: Value] = [:]
  /// Registrations that waited, or did not have to, with their placements.
  private let ended = Locked<[(placement: String, result: Result<MatchOutcome?, StoreError>)]>([])
  /// Whether the case has set a subscription status.
  var hasToldStatus = false

  /// Prepares a run.
  /// - Parameters:
  ///   - campaignCase: The case.
  ///   - openStore: Opens the store; it must be empty at first.
  ///   - readFile: Reads a file beside the case.
  /// - Throws: ``CampaignCaseError`` when a setting cannot be read or the store cannot be opened.
  public init(
    _ campaignCase: CampaignCase, openStore: @escaping OpenStore, readFile: @escaping ReadFile
  ) throws(CampaignCaseError) {
    self.campaignCase = campaignCase
    self.openStore = openStore
    self.readFile = readFile
    options = try CaseSettings.options(campaignCase.settings)
    zone = try CaseSettings.zone(campaignCase)
    clock = ManualClock(try CaseSettings.clock(campaignCase))
    matcher = try Self.matcher(
      openStore, options: options, clock: clock, zone: zone, random: random, events: events)
    listen()
  }

  /// Notes what follows from the life of the app.
  private func listen() {
    matcher.events.onImplicitRegistration { [ended] registration in
      ended.withLock { $0.append((registration.placement, .success(registration))) }
    }
  }

  private static func matcher(
    _ openStore: OpenStore, options: MatchingOptions, clock: ManualClock, zone: ZoneRules,
    random: CaseRandomSource, events: CollectedEvents
  ) throws(CampaignCaseError) -> Matcher {
    do throws(StoreError) {
      let matcher = try Matcher(
        Matcher.Configuration(
          store: try openStore(), options: options, clock: clock, zone: zone, random: random,
          includesVersionFunctions: true, explain: FilterExplanation.init(of:in:)))
      matcher.events.onEvent { event in
        // The reference has no warnings.
        if case .warning = event.event { return }
        events.append(event)
      }
      return matcher
    } catch {
      throw CampaignCaseError(line: 1, problem: error.description)
    }
  }

  /// Begins anew with the same store, as after a launch.
  func restart() throws(CampaignCaseError) {
    presentation = nil
    matcher = try Self.matcher(
      openStore, options: options, clock: clock, zone: zone, random: random, events: events)
    matcher.device.set(values: device)
    listen()
  }

  /// Runs all steps.
  ///
  /// - Throws: ``CampaignCaseError`` when a command cannot be understood.
  public func run() throws(CampaignCaseError) -> [StepOutcome] {
    var outcomes: [StepOutcome] = []
    for step in campaignCase.steps {
      let instant = clock.now()
      outcomes.append(StepOutcome(step: step, instant: instant, lines: try lines(of: step)))
    }
    return outcomes
  }

  /// Returns the outcome of a step, as the lines that would be expected of it.
  private func lines(of step: CampaignCase.Step) throws(CampaignCaseError) -> [String] {
    do throws(CaseProblem) {
      guard let command = CaseCommand.all[step.command] else {
        throw .input("unknown command `\(step.command)`")
      }
      return try command(self, step.argument) + takeEnded()
    } catch {
      return try error.lines(of: step)
    }
  }
}

extension CampaignCaseRunner {
  /// Puts a request in line: the result, or `waiting`. In the latter case the result follows under the
  /// step that ends the waiting.
  func submit(_ request: MatchRequest, _ event: BuiltInEvent? = nil) -> [String] {
    // A paywall of which the case says nothing more counts as failed.
    if presentation?.isPending ?? false { presentation = nil }
    let placement = request.placement
    let isOver = Locked(false)
    matcher.submit(request, event) { [ended] result in
      isOver.withLock { $0 = true }
      ended.withLock { $0.append((placement, result)) }
    }
    let lines = takeEnded()
    guard isOver.withLock({ $0 }) else { return lines + ["waiting"] }
    return lines.isEmpty ? ["nothing"] : lines
  }

  /// Tracks an event of the SDK: at once when the matcher is ready, and else in line. A status of which
  /// the case never speaks is not waited for.
  func fire(_ event: BuiltInEvent, _ made: MatchRequest) throws(CaseProblem) -> [String] {
    var request = made
    request.waitsForStatus = hasToldStatus
    guard matcher.isReady(for: request) || !event.canTrigger && event != .customPlacement else {
      return submit(request, event)
    }
    let registration = try CaseCommand.store { () throws(StoreError) in
      try matcher.handleNow(event, parameters: made.parameters, request: made)
    }
    guard let registration else { return ["nothing"] }
    if let next = registration.presentation { presentation = next }
    return [CaseText.line(registration.result)]
  }

  /// The registrations that have ended since they were last asked for.
  private func takeEnded() -> [String] {
    let all = ended.withLock { ended in
      defer { ended = [] }
      return ended
    }
    return all.compactMap { placement, result in
      switch result {
      case .success(let registration?):
        if let next = registration.presentation { presentation = next }
        return "\(placement): \(CaseText.line(registration.result))"
      case .success(nil): return nil
      case .failure(let error): return "\(placement): store error: \(error.description)"
      }
    }
  }
}

/// Chance under the control of a case: `draw` says the next numbers; without them, and for the
/// octets of identifiers, a seeded sequence goes on.
final class CaseRandomSource: RandomSource {
  private let drawn = Locked<[UInt64]>([])
  private let seeded = SeededRandomSource(seed: 1)

  func append(_ numbers: [UInt64]) { drawn.withLock { $0 += numbers } }

  func uniform(below bound: UInt64) -> UInt64 {
    if bound != 256, let number = drawn.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      return number % max(bound, 1)
    }
    return seeded.uniform(below: bound)
  }
}

/// The events since they were last asked for.
final class CollectedEvents: Sendable {
  private let events = Locked<[TrackedEvent]>([])

  func append(_ event: TrackedEvent) { events.withLock { $0.append(event) } }

  func take() -> [TrackedEvent] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
