import CampaignCore
import ExpressionCoding
import ExpressionEngine
import Testing

@testable import CampaignMatcher

/// The line of waiting requests and the units of a limit that tokens hold, in every order in which
/// actors can take their steps. Each step is atomic in the matcher, so that every run of threads is
/// one of these orders.
@Suite("Every order of steps keeps the line and the limits")
struct InterleavingTests {
  @Test("requests that wait, and what they wait for")
  func line() throws {
    let actors: [Actor] = [.request(.waits), .request(.waits), .config, .status, .timeout]
    try explore(actors, maximum: 1)
  }

  @Test("requests that wait and requests that do not, with one unit of a limit")
  func tokens() throws {
    let actors: [Actor] = [
      .request(.waits), .request(.waits), .request(.goesAhead), .request(.goesAhead),
    ]
    try explore(actors, maximum: 1, isReady: true)
  }

  @Test("requests that are cancelled, and one that is forgotten in between")
  func cancellations() throws {
    let actors: [Actor] = [.request(.isCancelled), .request(.waits), .config, .status, .reset]
    try explore(actors, maximum: 2)
  }

  private func explore(_ actors: [Actor], maximum: Int, isReady: Bool = false) throws {
    var explorer = Explorer(actors: actors, maximum: maximum, isReady: isReady)
    try explorer.run()
    for mistake in explorer.mistakes.prefix(10) { Issue.record("\(mistake)") }
    print("\(explorer.states.count) states, \(explorer.steps) steps, \(explorer.ends) ends")
    // One order would be no exploration.
    #expect(explorer.states.count > 50 && explorer.steps > explorer.states.count)
  }
}

/// Somebody who takes steps one after the other.
private enum Actor {
  enum Manner {
    /// Stands in line.
    case waits
    /// Takes what there is.
    case goesAhead
    /// Stands in line, and leaves it.
    case isCancelled
  }

  case request(Manner)
  /// Loads a config.
  case config
  /// Says what the subscription status is.
  case status
  /// Lets the time of whoever waits run out.
  case timeout
  /// Forgets the user.
  case reset
}

/// One step of an actor, with the choice that it has.
private struct Step: Hashable, CustomStringConvertible {
  let actor: Int
  /// 0, or the end of a presentation: 0 appears, 1 fails, 2 is let go.
  let choice: Int

  var description: String { choice == 0 ? "\(actor)" : "\(actor).\(choice)" }
}

/// Takes all steps in all orders. Orders that lead to the same state are continued once.
private struct Explorer {
  let actors: [Actor]
  let maximum: Int
  let isReady: Bool
  var steps = 0
  /// The states in which nobody can take a step.
  var ends = 0
  var states: Set<String> = []
  var mistakes: [String] = []

  init(actors: [Actor], maximum: Int, isReady: Bool) {
    self.actors = actors
    self.maximum = maximum
    self.isReady = isReady
  }

  mutating func run() throws {
    // Depth first, by repeating the steps that lead to a place: a matcher cannot be copied.
    var open: [[Step]] = [[]]
    while let path = open.popLast() {
      let world = try World(actors: actors, maximum: maximum, isReady: isReady)
      for step in path {
        try world.take(step)
        if let mistake = try world.mistake() {
          mistakes.append("\(path): \(mistake)")
          break
        }
      }
      steps += path.isEmpty ? 0 : 1
      guard states.insert(try world.state()).inserted else { continue }
      let next = world.possibleSteps()
      open += next.map { path + [$0] }
      guard next.isEmpty else { continue }
      ends += 1
      if let mistake = try world.finalMistake() { mistakes.append("\(path): \(mistake)") }
      if mistakes.count > 20 { return }
    }
  }
}

/// A matcher with its actors.
///
/// Unchecked `Sendable`: one thread takes all steps, and completions run on it.
private final class World: @unchecked Sendable {
  private let actors: [Actor]
  private let maximum: Int
  private let store = InMemoryStore()
  private let clock = ManualClock(WallTime(milliseconds: 1_000_000))
  private let matcher: Matcher
  private var stepsTaken: [Int]
  /// The requests in the order in which they came, by their actors.
  private var arrivals: [Int] = []
  private let outcomes: [Locked<[PlacementResult]>]
  private let presentations: [Locked<Presentation?>]
  private var shown = 0
  private var resets = 0
  private var numbers: [Int: UInt64] = [:]
  private let completed = Locked<[Int]>([])

  init(actors: [Actor], maximum: Int, isReady: Bool) throws {
    self.actors = actors
    self.maximum = maximum
    var options = MatchingOptions.iOS
    options.readinessLimits.subscriptionStatus = .seconds(5)
    matcher = try Matcher(.init(store: store, options: options, clock: clock, zone: .utc))
    stepsTaken = Array(repeating: 0, count: actors.count)
    outcomes = actors.map { _ in Locked([]) }
    presentations = actors.map { _ in Locked(nil) }
    if isReady {
      try load()
      try matcher.device.setSubscriptionStatus(.inactive)
    }
  }

  private func load() throws {
    let config = try Value(
      json: """
        {"build_id":"b","trigger_options":[{"event_name":"x","rules":[
        {"experiment_group_id":"1","experiment_id":"1","variants":[{"variant_type":"TREATMENT",
        "variant_id":"a","percentage":100,"paywall_identifier":"p"}],"occurrence":{"key":"k",
        "max_count":\(maximum),"interval":{"type":"INFINITY"}},"preload":{"behavior":"ALWAYS"}}]}],
        "paywall_responses":[],"log_level":10,"localization":{"locales":[]},
        "app_session_timeout_ms":3600000,"toggles":[],
        "disable_preload":{"all":false,"triggers":[]}}
        """)
    try matcher.load(config)
  }

  // MARK: Steps

  func possibleSteps() -> [Step] {
    actors.indices.flatMap { actor -> [Step] in
      guard case .request(let manner) = actors[actor] else {
        return stepsTaken[actor] == 0 ? [Step(actor: actor, choice: 0)] : []
      }
      switch stepsTaken[actor] {
      case 0: return [Step(actor: actor, choice: 0)]
      case 1 where presentations[actor].withLock({ $0 != nil }):
        return (0..<3).map { Step(actor: actor, choice: $0) }
      case 1 where manner == .isCancelled && outcomes[actor].withLock({ $0.isEmpty }):
        return [Step(actor: actor, choice: 0)]
      case 2 where presentations[actor].withLock({ $0 != nil }):
        return [Step(actor: actor, choice: 0)]
      default: return []
      }
    }
  }

  func take(_ step: Step) throws {
    defer { stepsTaken[step.actor] += 1 }
    switch actors[step.actor] {
    case .config: try load()
    case .status: try matcher.device.setSubscriptionStatus(.inactive)
    case .timeout: clock.advance(byMilliseconds: 6_000)
    case .reset:
      resets += 1
      shown = 0
      try matcher.user.reset()
    case .request(let manner):
      if stepsTaken[step.actor] == 0 { return try begin(step.actor, manner) }
      try proceed(step)
    }
  }

  private func begin(_ actor: Int, _ manner: Actor.Manner) throws {
    let request = MatchRequest("x")
    if manner == .goesAhead {
      return note(actor, try matcher.registerNow(request))
    }
    arrivals.append(actor)
    let number = matcher.state.withLock { $0.line.nextNumber() }
    numbers[actor] = number
    matcher.submit(request, number: number) { [weak self] result in
      if case .success(let outcome?) = result { self?.note(actor, outcome) }
    }
  }

  private func note(_ actor: Int, _ outcome: MatchOutcome) {
    outcomes[actor].withLock { $0.append(outcome.result) }
    completed.withLock { $0.append(actor) }
    presentations[actor].withLock { $0 = outcome.presentation }
  }

  /// What becomes of a paywall, or the end of waiting.
  private func proceed(_ step: Step) throws {
    guard let presentation = presentations[step.actor].withLock({ $0 }) else {
      guard let number = numbers[step.actor] else { return }
      if let waiting = matcher.state.withLock({ $0.line.remove(number) }) {
        waiting.completion(.success(matcher.refusal(of: waiting.request, .cancelled)))
        matcher.serveLine()
      }
      return
    }
    if stepsTaken[step.actor] == 2 {
      _ = try presentation.didDismiss(.declined)
      return presentations[step.actor].withLock { $0 = nil }
    }
    switch step.choice {
    case 0:
      let before = try counted()
      try presentation.didPresent()
      if try counted() > before { shown += 1 }
    case 1:
      presentations[step.actor].withLock { $0 = nil }
      presentation.didFail()
    default:
      // Letting go of the last reference takes the matcher's lock, so it is done outside of this
      // one.
      let last = Locked<Presentation?>(nil)
      presentations[step.actor].withLock { presentation in
        let held = presentation
        last.withLock { $0 = held }
        presentation = nil
      }
    }
  }

  // MARK: What must hold

  private func counted() throws -> Int {
    try store.read { transaction throws(StoreError) in
      try transaction.occurrenceCount(key: "k", since: nil, limit: .max)
    }
  }

  /// What is wrong now.
  func mistake() throws -> String? {
    let count = try counted()
    if count > maximum { return "\(count) occurrences of at most \(maximum)" }
    if count != shown { return "\(count) occurrences of \(shown) paywalls" }
    for actor in actors.indices where outcomes[actor].withLock({ $0.count }) > 1 {
      return "request \(actor) has two outcomes"
    }
    if resets == 0 {
      let pending = actors.indices.count { actor in
        presentations[actor].withLock { $0?.isPending ?? false }
      }
      if pending + count > maximum { return "\(pending) tokens and \(count) occurrences" }
    }
    // Whoever came later and stands in line is not served before.
    let order = completed.withLock { $0 }
    let served = order.filter { arrivals.contains($0) && !isCancelled($0) }
    let expected = arrivals.filter { served.contains($0) }
    if served != expected { return "served \(served), arrived \(arrivals)" }
    let isAhead = arrivals.firstIndex { !order.contains($0) }.map { first in
      arrivals[(first + 1)...].contains { served.contains($0) }
    }
    return isAhead == true ? "somebody was served before the first in line" : nil
  }

  private func isCancelled(_ actor: Int) -> Bool {
    outcomes[actor].withLock { $0 == [.error(.cancelled)] }
  }

  /// What is wrong when nobody can take a step any more.
  func finalMistake() throws -> String? {
    for actor in arrivals where outcomes[actor].withLock({ $0.isEmpty }) {
      return "request \(actor) waits for nothing"
    }
    if matcher.state.withLock({ !$0.line.requests.isEmpty || $0.line.presenting != nil }) {
      return "the line is not empty"
    }
    return nil
  }

  /// Everything that matters to what can happen from here on, as a text.
  func state() throws -> String {
    let results = outcomes.map { $0.withLock { $0.map { "\($0)" }.joined(separator: "+") } }
    let tokens = presentations.map { $0.withLock { $0.map { $0.isPending ? "p" : "s" } ?? "-" } }
    let line = matcher.state.withLock { state in
      state.line.requests.map { "\($0.number)\($0.hasBegun ? "b" : "")\($0.stage)" }
    }
    let order = completed.withLock { $0 }
    return "\(stepsTaken) \(results) \(tokens) \(line) \(arrivals) \(order) \(try counted())"
  }
}
