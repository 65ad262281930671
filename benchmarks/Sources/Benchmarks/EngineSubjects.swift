import AllocationCount
import AudienceFilters
import Harness

/// Everything the benchmarks ask of the engine. The only file that knows its API.
struct EngineSubjects {
  private let user: [String: Any]
  private let device: [String: Any]
  private let params: [String: Any]
  private let context: Context

  init(_ data: FilterCases) {
    user = data.native("user")
    device = data.native("device")
    params = data.native("params")
    context = Context(user: user, device: device, params: params)
  }

  /// A compiled filter over the realistic context: as `evaluate` gives its value, and as `matches`.
  func evaluate(_ filter: FilterCases.Case) throws -> [any Subject] {
    let context = context
    let compiled = try Filter(filter.expression)
    let expected: UInt64 = filter.expected ? 1 : 0
    return [
      ClosureSubject(name: "engine", expectedSum: expected) { iterations in
        repeatEvaluate(compiled, context, count: iterations)
      },
      ClosureSubject(name: "engine-matches", expectedSum: expected) { iterations in
        repeatMatches(compiled, context, count: iterations)
      },
    ]
  }

  /// Compiling a source; figures per compilation, or per byte of the source.
  func compile(_ source: String, perByte: Bool = false) throws -> [any Subject] {
    _ = try Filter(source)
    return [
      ClosureSubject(
        name: "engine", expectedSum: 1,
        evaluationsPerIteration: perByte ? source.utf8.count : 1
      ) { iterations in
        repeatCompile(source, count: iterations)
      }
    ]
  }

  /// The bytes of heap that one compiled filter holds, the mean over a thousand of them; nil where the C
  /// library does not say.
  func compiledBytes(_ source: String) throws -> Double? {
    let count = 1_000
    // The first compilation fills caches that all filters share.
    _ = try Filter(source)
    var filters: [Filter] = []
    filters.reserveCapacity(count)
    let before = allocation_bytes_in_use()
    for _ in 0..<count { filters.append(try Filter(source)) }
    let after = allocation_bytes_in_use()
    guard before >= 0, after >= 0, filters.count == count else { return nil }
    return withExtendedLifetime(filters) { Double(after - before) / Double(count) }
  }

  /// Making contexts from Swift dictionaries.
  func freeze() -> [BenchmarkCase] {
    let (user, device, params) = (user, device, params)
    return [
      BenchmarkCase(
        name: "all, from dictionaries",
        subjects: [
          ClosureSubject(name: "engine", expectedSum: 1) { iterations in
            repeatFreeze(user: user, device: device, params: params, count: iterations)
          }
        ])
    ]
  }

  /// Many filters over the realistic context, each evaluated by itself.
  func evaluateEach(of sources: [String]) throws -> [any Subject] {
    let context = context
    let filters = try sources.map { source in try Filter(source) }
    var expected: UInt64 = 0
    for filter in filters where filter.matches(context) { expected += 1 }
    return [
      ClosureSubject(
        name: "engine-each", expectedSum: expected, evaluationsPerIteration: filters.count
      ) { iterations in
        var sum: UInt64 = 0
        for _ in 0..<iterations { sum &+= countMatches(of: filters, over: context) }
        return sum
      }
    ]
  }

  /// One filter over contexts that differ in their user.
  func evaluate(_ source: String, overUsers users: [[String: Any]]) throws -> [any Subject] {
    let filter = try Filter(source)
    let (device, params) = (device, params)
    let contexts = users.map { Context(user: $0, device: device, params: params) }
    var expected: UInt64 = 0
    for context in contexts where filter.matches(context) { expected += 1 }
    return [
      ClosureSubject(
        name: "engine-each", expectedSum: expected, evaluationsPerIteration: contexts.count
      ) { iterations in
        var sum: UInt64 = 0
        for _ in 0..<iterations { sum &+= countMatches(of: filter, over: contexts) }
        return sum
      }
    ]
  }
}

// The loops are functions of their own: outside any actor, and nothing to capture.

@inline(never)
private func repeatEvaluate(_ filter: Filter, _ context: Context, count: Int) -> UInt64 {
  var matches: UInt64 = 0
  for _ in 0..<count {
    if case .bool(true)? = try? evaluate(filter, context) { matches &+= 1 }
  }
  return matches
}

@inline(never)
private func repeatMatches(_ filter: Filter, _ context: Context, count: Int) -> UInt64 {
  var matches: UInt64 = 0
  for _ in 0..<count where filter.matches(context) { matches &+= 1 }
  return matches
}

@inline(never)
private func repeatCompile(_ source: String, count: Int) -> UInt64 {
  var compiled: UInt64 = 0
  for _ in 0..<count where (try? Filter(source)) != nil { compiled &+= 1 }
  return compiled
}

/// Keeps the optimiser from dropping a value that nobody reads.
@inline(never)
private func consume(_ context: borrowing Context) -> UInt64 { 1 }

@inline(never)
private func repeatFreeze(
  user: [String: Any], device: [String: Any], params: [String: Any], count: Int
) -> UInt64 {
  var made: UInt64 = 0
  for _ in 0..<count {
    made &+= consume(Context(user: user, device: device, params: params))
  }
  return made
}

@inline(never)
private func countMatches(of filters: [Filter], over context: Context) -> UInt64 {
  var matches: UInt64 = 0
  for filter in filters where filter.matches(context) { matches &+= 1 }
  return matches
}

@inline(never)
private func countMatches(of filter: Filter, over contexts: [Context]) -> UInt64 {
  var matches: UInt64 = 0
  for context in contexts where filter.matches(context) { matches &+= 1 }
  return matches
}
