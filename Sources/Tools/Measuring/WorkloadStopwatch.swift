import AudienceFilters
package import ExpressionEngine

/// One figure of a workload.
package struct WorkloadFigure: Sendable {
  /// The name, which is a key of the JSON document.
  package let name: String
  /// Nanoseconds of processor time, the median over the rounds.
  package let nanoseconds: Double
  /// The number of matches in one round, the same for every engine; `nil` if the figure has none.
  package var matches: Int?
}

/// The figures of a workload.
package struct WorkloadMeasurement: Sendable {
  package var figures: [WorkloadFigure] = []
  /// The resident memory of the set per filter; `nil` if it cannot be measured.
  package var bytes: Double?
  /// The number of filters that each of the first 20 events matches; only for events.
  package var firstEvents: [Int]?

  /// Returns the number of matches of the figure with a name.
  package func matches(_ name: String) -> Int? { figures.first { $0.name == name }?.matches }
}

/// Measures filters the way an app evaluates them: many filters over contexts that are all new.
///
/// The loops are plain nonisolated functions that contain only the call.
package struct WorkloadStopwatch: Sendable {
  package private(set) var workload: Workload
  package let environment: FilterEnvironment
  /// The number of rounds; `nil` for 9 over all contexts and 21 over one.
  package let rounds: Int?
  /// The processor time for the rounds of one figure, in nanoseconds. At least one round runs in
  /// any case.
  package var budget = 20e9

  /// Creates a stopwatch.
  package init(workload: Workload, environment: FilterEnvironment, rounds: Int?) {
    self.workload = workload
    self.environment = environment
    self.rounds = rounds
  }

  /// The largest number of filters that are also measured one by one.
  package static let mostSingleFilters = 20_000

  private var contexts: [Context] { workload.contexts }

  /// Measures everything.
  ///
  /// - Parameter progress: Called with the name of each figure before it is measured.
  package func measure(progress: (String) -> Void) throws(WorkloadError) -> WorkloadMeasurement {
    var result = WorkloadMeasurement()
    progress("load")
    // This comes first, while the heap has no holes that the set could fill unnoticed.
    let loaded = try load(into: &result)
    var stopwatch = self
    stopwatch.workload = workload.remakingContexts()
    try stopwatch.measure(loaded, into: &result, progress: progress)
    result.figures.sort { Self.position($0.name) < Self.position($1.name) }
    return result
  }

  private func measure(
    _ loaded: WorkloadSet, into result: inout WorkloadMeasurement, progress: (String) -> Void
  ) throws(WorkloadError) {
    if workload.filters.count <= Self.mostSingleFilters {
      let filters = try WorkloadSet.compile(workload.filters, environment)
      for count in [20, 200] where count <= filters.count {
        progress("each\(count)")
        result.figures.append(each(Array(filters.prefix(count)), "each\(count)"))
      }
      progress("once")
      result.figures.append(once(filters))
    }
    for count in [20, 200] where count <= workload.filters.count {
      progress("set\(count)")
      let texts = workload.filters.prefix(count)
      let set = try WorkloadSet(Array(texts), environment, meeting: []).set
      result.figures.append(each(set, "set\(count)"))
    }
    progress("set_once")
    switch workload.form {
    case .app: result.figures.append(once(loaded.set))
    case .set: events(loaded.set, &result)
    }
    progress("context_json")
    result.figures.append(freezing())
    if let context = contexts.first,
      let changes = try WorkloadSet.changes(
        of: loaded.set, workload.filters, environment, context)
    {
      result.figures.append(WorkloadFigure(name: "insert", nanoseconds: changes.insert))
      result.figures.append(WorkloadFigure(name: "remove", nanoseconds: changes.remove))
    }
  }

  private static let names = [
    "each20", "each200", "once", "set20", "set200", "set_once", "context_json", "load", "build",
    "insert", "remove",
  ]

  private static func position(_ name: String) -> Int { names.firstIndex(of: name) ?? names.count }

  // MARK: Figures

  /// Loads the set several times if that takes little time, and returns the first.
  private func load(into result: inout WorkloadMeasurement) throws(WorkloadError) -> WorkloadSet {
    let start = ProcessClock.now
    let first = try WorkloadSet(workload.filters, environment, meeting: contexts)
    var loads = [first.load]
    var builds = [first.build]
    while loads.count < rounds ?? 9, ProcessClock.now - start < budget / 8 {
      let again = try WorkloadSet(workload.filters, environment, meeting: contexts)
      loads.append(again.load)
      builds.append(again.build)
    }
    result.bytes = first.bytes
    result.figures.append(
      WorkloadFigure(
        name: "load", nanoseconds: Stopwatch.median(loads), matches: workload.filters.count))
    result.figures.append(WorkloadFigure(name: "build", nanoseconds: Stopwatch.median(builds)))
    return first
  }

  private func each(_ filters: [Filter], _ name: String) -> WorkloadFigure {
    let work = filters.count * contexts.count
    let (times, matches) = times(rounds ?? 9) { _ in
      Self.countMatches(of: filters, in: contexts)
    }
    return WorkloadFigure(
      name: name, nanoseconds: Stopwatch.median(times) / Double(work), matches: matches)
  }

  private func each(_ set: FilterSet, _ name: String) -> WorkloadFigure {
    let work = set.count * contexts.count
    let (times, matches) = times(rounds ?? 9) { _ in Self.countMatches(of: set, in: contexts) }
    return WorkloadFigure(
      name: name, nanoseconds: Stopwatch.median(times) / Double(work), matches: matches)
  }

  private func once(_ filters: [Filter]) -> WorkloadFigure {
    let (times, matches) = times(rounds ?? 21) { round in
      Self.countMatches(of: filters, in: contexts[round % contexts.count])
    }
    return WorkloadFigure(
      name: "once", nanoseconds: Stopwatch.median(times) / Double(filters.count), matches: matches)
  }

  private func once(_ set: FilterSet) -> WorkloadFigure {
    let (times, matches) = times(rounds ?? 21) { round in
      set.matchingIndices(contexts[round % contexts.count]).count
    }
    return WorkloadFigure(
      name: "set_once", nanoseconds: Stopwatch.median(times) / Double(set.count), matches: matches)
  }

  /// Evaluates all events in turn; those after the first 20 only while the budget lasts.
  private func events(_ set: FilterSet, _ result: inout WorkloadMeasurement) {
    var times: [Double] = []
    var firstEvents: [Int] = []
    var spent = 0.0
    for (index, event) in contexts.enumerated() {
      guard index < 20 || spent < budget else { break }
      let start = ProcessClock.now
      let matches = set.matchingIndices(event).count
      let time = ProcessClock.now - start
      times.append(time)
      spent += time
      if index < 20 { firstEvents.append(matches) }
    }
    result.figures.append(
      WorkloadFigure(
        name: "set_once", nanoseconds: Stopwatch.median(times) / Double(set.count),
        matches: firstEvents.first))
    result.firstEvents = firstEvents
  }

  private func freezing() -> WorkloadFigure {
    let texts = workload.contextTexts
    let (times, _) = times(rounds ?? 9) { _ in Self.countContexts(texts) }
    return WorkloadFigure(
      name: "context_json", nanoseconds: Stopwatch.median(times) / Double(texts.count),
      matches: workload.attributeCount)
  }

  // MARK: Loops

  /// Returns the time of each round, and the count of the first round.
  private func times(_ rounds: Int, _ body: (Int) -> Int) -> (times: [Double], count: Int) {
    var times: [Double] = []
    var first = 0
    var spent = 0.0
    for round in 0..<rounds where round == 0 || spent < budget {
      let start = ProcessClock.now
      let count = body(round)
      let time = ProcessClock.now - start
      times.append(time)
      spent += time
      if round == 0 { first = count }
    }
    return (times, first)
  }

  @inline(never)
  private static func countMatches(of filters: [Filter], in contexts: [Context]) -> Int {
    var matches = 0
    for context in contexts {
      for filter in filters where filter.matches(context) { matches &+= 1 }
    }
    return matches
  }

  @inline(never)
  private static func countMatches(of filters: [Filter], in context: Context) -> Int {
    var matches = 0
    for filter in filters where filter.matches(context) { matches &+= 1 }
    return matches
  }

  @inline(never)
  private static func countMatches(of set: FilterSet, in contexts: [Context]) -> Int {
    var matches = 0
    for context in contexts { matches &+= set.matchingIndices(context).count }
    return matches
  }

  @inline(never)
  private static func countContexts(_ texts: [String]) -> Int {
    var contexts = 0
    for text in texts {
      do throws(JSONError) {
        _ = try Context(json: text)
        contexts &+= 1
      } catch {}
    }
    return contexts
  }
}
