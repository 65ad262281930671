import AudienceFilters
import Dispatch
import ExpressionEngine
import Harness
import Synchronization

extension EngineSubjects {
  /// Many filters over the realistic context: one by one, and as a set.
  func evaluateMany(_ sources: [String]) throws -> [any Subject] {
    let context = context
    let filters = try sources.map { source in try Filter(source) }
    let set = FilterSet(filters)
    var expected: UInt64 = 0
    for filter in filters where filter.matches(context) { expected += 1 }
    let count = filters.count
    func subject(_ name: String, _ once: @escaping () -> UInt64) -> ClosureSubject {
      ClosureSubject(name: name, expectedSum: expected, evaluationsPerIteration: count) {
        repeatCounting(count: $0, once)
      }
    }
    return [
      subject("engine-each") { countMatches(of: filters, over: context) },
      subject("engine-set-indices") { UInt64(set.matchingIndices(context).count) },
      subject("engine-set-bools") {
        var sum: UInt64 = 0
        for matches in set.matches(context) where matches { sum &+= 1 }
        return sum
      },
    ]
  }

  /// One filter over contexts that differ in their user: one by one, as a batch, and by several
  /// tasks.
  func evaluate(_ source: String, overUsers users: [[String: Any]]) throws -> [any Subject] {
    let filter = try Filter(source)
    let device = Context.Layer(dictionary: device)
    let params = Context.Layer(dictionary: params)
    let contexts = users.map { user in
      Context(user: Context.Layer(dictionary: user), device: device, params: params)
    }
    var expected: UInt64 = 0
    for context in contexts where filter.matches(context) { expected += 1 }
    let count = contexts.count
    func subject(_ name: String, _ once: @escaping () -> UInt64) -> ClosureSubject {
      ClosureSubject(name: name, expectedSum: expected, evaluationsPerIteration: count) {
        repeatCounting(count: $0, once)
      }
    }
    return [
      subject("engine-each") { countMatches(of: filter, over: contexts) },
      subject("engine-batch") { UInt64(filter.countMatches(in: contexts)) },
      subject("engine-bools") {
        var sum: UInt64 = 0
        for matches in filter.matches(contexts) where matches { sum &+= 1 }
        return sum
      },
      ClosureSubject(
        name: "engine-tasks", expectedSum: expected, evaluationsPerIteration: count
      ) { iterations in
        // One wait for all of them: waking the harness is no part of the work.
        UInt64(
          waiting {
            var sum = 0
            for _ in 0..<iterations {
              sum &+= await filter.concurrentMatchCount(in: contexts)
            }
            return sum
          })
      },
    ]
  }
}

@inline(never)
private func repeatCounting(count: Int, _ once: () -> UInt64) -> UInt64 {
  var sum: UInt64 = 0
  for _ in 0..<count { sum &+= once() }
  return sum
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

/// What asynchronous work answers, for the harness, which is synchronous.
private func waiting(_ work: @escaping @Sendable () async -> Int) -> Int {
  let answer = Answer()
  Task {
    answer.value.store(await work(), ordering: .releasing)
    answer.isThere.signal()
  }
  answer.isThere.wait()
  return answer.value.load(ordering: .acquiring)
}

private final class Answer: Sendable {
  let value = Atomic<Int>(0)
  let isThere = DispatchSemaphore(value: 0)
}
