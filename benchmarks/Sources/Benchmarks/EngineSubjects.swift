import AllocationCount
import AudienceFilters
import ExpressionEngine
import Harness

/// Everything the benchmarks ask of the engine, one filter and one context at a time. Only the
/// files named `Engine…` know its interface.
struct EngineSubjects {
  let user: [String: Any]
  let device: [String: Any]
  let params: [String: Any]
  let context: Context

  init(_ data: FilterCases) {
    user = data.native("user")
    device = data.native("device")
    params = data.native("params")
    // An app has its filters before its contexts. A layer that is older than a filter looks the
    // filter's attributes up by name once it was renewed a few times.
    for filter in data.filters { _ = try? Filter(filter.expression) }
    context = Context(user: user, device: device, params: params)
  }

  /// A compiled filter over the realistic context: as `evaluate` gives its value, as `matches`, and
  /// over eight and over 64 contexts in turn, each of which has another set of keys.
  func evaluate(_ filter: FilterCases.Case) throws -> [any Subject] {
    let compiled = try Filter(filter.expression)
    let shaped = try Filter(filter.expression)
    let fewShapes = contextsOfManyShapes(count: 8)
    let changing = try Filter(filter.expression)
    let manyShapes = contextsOfManyShapes(count: 64)
    let expected: UInt64 = filter.expected ? 1 : 0
    return [
      ClosureSubject(name: "engine", expectedSum: expected) { iterations in
        repeatEvaluate(compiled, context, count: iterations)
      },
      ClosureSubject(name: "engine-matches", expectedSum: expected) { iterations in
        repeatMatches(compiled, context, count: iterations)
      },
      ClosureSubject(name: "engine-shapes", expectedSum: expected) { iterations in
        repeatMatches(shaped, fewShapes, count: iterations)
      },
      ClosureSubject(name: "engine-unshaped", expectedSum: expected) { iterations in
        repeatMatches(changing, manyShapes, count: iterations)
      },
    ]
  }

  /// The realistic context again and again, each with an attribute more that the others lack.
  private func contextsOfManyShapes(count: Int) -> [Context] {
    (0..<count).map { number in
      var user = user
      user["only\(number)"] = number
      return Context(user: user, device: device, params: params)
    }
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

  /// The bytes of heap that one compiled filter holds, the mean over a thousand of them; nil where
  /// the C library does not say.
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

  /// Calls of host functions: nothing, a constant argument, and one of many conditions.
  func hostCalls() throws -> [BenchmarkCase] {
    let environment = FilterEnvironment(deviceFunctions: [
      "daysSince": { arguments, _ in
        guard case .string(let event)? = arguments.first else { return .null }
        return .int(Int64(event.utf8.count))
      },
      "seven": { _, _ in .int(7) },
    ])
    let context = context
    return try [
      ("no argument", "device.seven() == 7"),
      ("one argument", "device.daysSince(\"app_open\") == 8"),
      ("among conditions", "user.age >= 18 && device.seven() == 7 && device.platform == \"iOS\""),
    ].map { name, source in
      let filter = try Filter(source, environment: environment)
      return BenchmarkCase(
        name: name,
        subjects: [
          ClosureSubject(name: "engine", expectedSum: 1) { iterations in
            repeatMatches(filter, context, count: iterations)
          }
        ])
    }
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
private func repeatMatches(_ filter: Filter, _ contexts: [Context], count: Int) -> UInt64 {
  var matches: UInt64 = 0
  var next = 0
  for _ in 0..<count {
    if filter.matches(contexts[next]) { matches &+= 1 }
    next &+= 1
    if next == contexts.count { next = 0 }
  }
  return matches
}

@inline(never)
private func repeatCompile(_ source: String, count: Int) -> UInt64 {
  var compiled: UInt64 = 0
  for _ in 0..<count where (try? Filter(source)) != nil { compiled &+= 1 }
  return compiled
}
