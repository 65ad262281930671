// Evaluation of one filter over many contexts, in several tasks.
//
// Asynchronous functions are compiled into the modules that call them (`@export(implementation)` in
// Swift 6.3): static executables that evaluate without tasks are half a megabyte smaller without
// the runtime for them.

extension Filter {
  /// Returns whether the filter is true for each context, in order, using several concurrent tasks.
  ///
  /// - Parameters:
  ///   - contexts: The contexts.
  ///   - taskCount: The maximum number of tasks; the executor decides how many run at once. Fewer
  ///     than a few thousand contexts are handled by one task.
  @_alwaysEmitIntoClient
  public func concurrentMatches(_ contexts: [Context], taskCount: Int = 32) async -> [Bool] {
    await concurrently(contexts, taskCount: taskCount) { filter, slice in
      filter.matches(slice)
    }.reduce(into: []) { $0 += $1 }
  }

  /// Returns the number of contexts for which the filter is true, using several concurrent tasks.
  ///
  /// - Parameters:
  ///   - contexts: The contexts.
  ///   - taskCount: The maximum number of tasks; see ``concurrentMatches(_:taskCount:)``.
  @_alwaysEmitIntoClient
  public func concurrentMatchCount(in contexts: [Context], taskCount: Int = 32) async -> Int {
    await concurrently(contexts, taskCount: taskCount) { filter, slice in
      filter.countMatches(in: slice)
    }.reduce(0, +)
  }

  /// Returns the results of `body` for parts of the contexts, in order.
  ///
  /// The calling task does its share of the work, so it does not just wait for the others to wake
  /// up.
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

/// The remaining contexts of a batch. Each task takes the next share when it is free, so that all
/// tasks end at about the same time.
@usableFromInline
final class BatchShares: Sendable {
  /// Small enough for tasks to end together, large enough to make the cost of taking a share
  /// negligible.
  private static let size = 1024

  /// The position of the first context that no task has taken.
  private let next = AtomicWords(count: 1)
  private let count: Int

  @usableFromInline
  init(of count: Int) { self.count = count }

  deinit { next.destroy() }

  /// More tasks than this would hardly find any work.
  @usableFromInline
  var worthwhileTaskCount: Int { count / (2 * Self.size) }

  /// Returns the next contexts, or `nil` when all are taken.
  @usableFromInline
  func take() -> Range<Int>? {
    let start = Int(bitPattern: next.add(UInt(Self.size), at: 0))
    return start < count ? start..<min(start + Self.size, count) : nil
  }
}
