// One filter over many contexts.
//
// What is asynchronous is compiled into the modules that call it (`@export(implementation)` in Swift 6.3):
// static executables that evaluate without tasks are half a megabyte smaller without their runtime.

import Synchronization

extension Filter {
  /// Whether the filter is true for each context, in their order.
  ///
  /// Nothing is allocated for any of them.
  public func matches(_ contexts: some Sequence<Context>) -> [Bool] { contexts.map { matches($0) } }

  /// The number of contexts that the filter is true for.
  public func countMatches(in contexts: some Sequence<Context>) -> Int {
    var result = 0
    for context in contexts where matches(context) { result &+= 1 }
    return result
  }

  /// Calls `body` with the number of each context that the filter is true for, in their order.
  public func forEachMatch(in contexts: some Sequence<Context>, _ body: (Int) -> Void) {
    var number = 0
    for context in contexts {
      if matches(context) { body(number) }
      number &+= 1
    }
  }

  /// Whether the filter is true for each context, in their order, found out by several tasks at once.
  ///
  /// - Parameters:
  ///   - contexts: The contexts.
  ///   - taskCount: How many tasks work at most; how many of them run at once is up to the executor.
  ///     Fewer contexts than a few thousand are one task.
  @_alwaysEmitIntoClient
  public func concurrentMatches(_ contexts: [Context], taskCount: Int = 32) async -> [Bool] {
    await concurrently(contexts, taskCount: taskCount) { filter, slice in
      filter.matches(slice)
    }.reduce(into: []) { $0 += $1 }
  }

  /// For how many contexts the filter is true, found out by several tasks at once.
  ///
  /// - Parameters:
  ///   - contexts: The contexts.
  ///   - taskCount: See ``concurrentMatches(_:taskCount:)``.
  @_alwaysEmitIntoClient
  public func concurrentMatchCount(in contexts: [Context], taskCount: Int = 32) async -> Int {
    await concurrently(contexts, taskCount: taskCount) { filter, slice in
      filter.countMatches(in: slice)
    }.reduce(0, +)
  }

  /// What `body` answers for shares of the contexts, in their order.
  ///
  /// The calling task takes its part of the work, so that nothing waits for the others to wake up.
  @_alwaysEmitIntoClient
  private func concurrently<Answer: Sendable>(
    _ contexts: [Context], taskCount: Int,
    _ body: @escaping @Sendable (Filter, ArraySlice<Context>) -> Answer
  ) async -> [Answer] {
    let shares = BatchShares(of: contexts.count)
    let work: @Sendable () -> [(start: Int, answer: Answer)] = {
      var answers: [(start: Int, answer: Answer)] = []
      while let share = shares.take() {
        answers.append((share.lowerBound, body(self, contexts[share])))
      }
      return answers
    }
    return await withTaskGroup(of: [(start: Int, answer: Answer)].self) { group in
      let taskCount = max(1, min(taskCount, shares.worthwhileTaskCount))
      for _ in 1..<taskCount { group.addTask { work() } }
      var answers = work()
      for await others in group { answers += others }
      return answers.sorted { $0.start < $1.start }.map(\.answer)
    }
  }
}

/// The contexts of a batch that nobody has taken yet. Whoever has time takes the next of them, so that
/// all end at the same time.
@usableFromInline
final class BatchShares: Sendable {
  /// Small enough to end together, large enough that taking one costs nothing beside the work.
  private static let size = 1024

  private let next = Atomic(0)
  private let count: Int

  @usableFromInline
  init(of count: Int) { self.count = count }

  /// More tasks than this would hardly find anything to do.
  @usableFromInline
  var worthwhileTaskCount: Int { count / (2 * Self.size) }

  /// The next contexts, or `nil` when all are taken.
  @usableFromInline
  func take() -> Range<Int>? {
    let start = next.wrappingAdd(Self.size, ordering: .relaxed).oldValue
    return start < count ? start..<min(start + Self.size, count) : nil
  }
}
