import FloorSubjects
import Harness

/// The thirteen filters: every hand-written floor and the engine, compiled beforehand.
struct EvaluateSuite: Suite {
  let name = "evaluate"
  let summary = "Nanoseconds per evaluation of a compiled filter over one realistic context."
  let baseline: String? = floorBaseline

  let data: FilterCases
  let floors: FloorSubjects
  let engine: EngineSubjects

  func cases(filters: [String]) throws -> [BenchmarkCase] {
    try data.cases(named: filters).map { filter in
      BenchmarkCase(
        name: filter.name,
        subjects: [floors.empty()] + floors.subjects(for: filter)
          + (try engine.evaluate(filter)))
    }
  }
}

/// SourceText to compiled filter.
struct CompileSuite: Suite {
  let name = "compile"
  let summary = "Nanoseconds per compilation, from source text to a filter ready to run."
  let baseline: String? = nil

  let data: FilterCases
  let engine: EngineSubjects

  func cases(filters: [String]) throws -> [BenchmarkCase] {
    var rows: [BenchmarkCase] = try data.cases(named: filters).map { filter in
      BenchmarkCase(name: filter.name, subjects: try engine.compile(filter.expression))
    }
    guard filters.isEmpty else { return rows }
    // The figures of these three are per source byte; they must not grow from row to row.
    for kilobytes in [64, 256, 1024] {
      let source = FilterGenerator.longConjunction(bytes: kilobytes * 1024)
      rows.append(
        BenchmarkCase(
          name: "\(kilobytes) KiB, per byte",
          subjects: try engine.compile(source, perByte: true)))
    }
    return rows
  }
}

/// Host dictionaries to a context ready to be read.
struct FreezeSuite: Suite {
  let name = "freeze"
  let summary = "Nanoseconds to make the realistic context from what a host has."
  let baseline: String? = nil

  let data: FilterCases
  let engine: EngineSubjects

  func cases(filters: [String]) throws -> [BenchmarkCase] { try engine.freeze() }
}

/// Filters that call functions of the host.
struct HostCallSuite: Suite {
  let name = "host-calls"
  let summary = "Nanoseconds per evaluation of a filter with one call of a host function."
  let baseline: String? = nil

  let engine: EngineSubjects

  func cases(filters: [String]) throws -> [BenchmarkCase] { try engine.hostCalls() }
}

/// Requests, configs and simulated users.
struct MatcherSuite: Suite {
  let name = "matcher"
  let summary =
    "Nanoseconds per request, per config and per user: placements of the sample campaign, generated "
    + "campaigns."
  let baseline: String? = nil

  let sample: MatcherSubjects
  let generated = GeneratedCampaigns()

  func cases(filters: [String]) throws -> [BenchmarkCase] {
    try sample.cases() + [generated.requests(), generated.loading(), generated.simulation()]
  }
}

/// Many filters over one context, per filter.
struct ManyFiltersSuite: Suite {
  let name = "many-filters"
  let summary = "Nanoseconds per filter: generated audience filters over one context."
  let baseline: String? = "engine-each"

  let engine: EngineSubjects

  func cases(filters: [String]) throws -> [BenchmarkCase] {
    try [1_000, 10_000, 100_000].map { count in
      var generator = FilterGenerator(seed: 20_261_121)
      let sources = (0..<count).map { _ in generator.nextFilter(segments: count / 10) }
      return BenchmarkCase(name: "\(count) filters", subjects: try engine.evaluateMany(sources))
    }
  }
}

/// One filter over many contexts, per context.
struct ManyContextsSuite: Suite {
  let name = "many-contexts"
  let summary = "Nanoseconds per context: one filter over generated contexts."
  let baseline: String? = "engine-each"

  let data: FilterCases
  let engine: EngineSubjects

  func cases(filters: [String]) throws -> [BenchmarkCase] {
    let wanted = filters.isEmpty ? ["two_and", "wide_and"] : filters
    return try data.cases(named: wanted).flatMap { filter in
      var generator = FilterGenerator(seed: 20_261_121)
      let user = data.native("user")
      // A million whole users would fill the memory of a small machine.
      let small = user.filter {
        ["age", "plan", "sessions", "purchases", "isTrial"].contains($0.key)
      }
      return try [(10_000, user), (1_000_000, small)].map { count, user in
        let users = (0..<count).map { _ in generator.nextUser(like: user) }
        return BenchmarkCase(
          name: "\(filter.name), \(count) contexts",
          subjects: try engine.evaluate(filter.expression, overUsers: users))
      }
    }
  }
}

extension FilterCases {
  /// The filters of these names, all when there are none.
  ///
  /// - Throws: `OptionsError` when a name is not in the data file.
  func cases(named names: [String]) throws(OptionsError) -> [Case] {
    for name in names where !filters.contains(where: { $0.name == name }) {
      throw OptionsError(description: "there is no filter \(name) in the data file")
    }
    return filters.filter { names.isEmpty || names.contains($0.name) }
  }
}
