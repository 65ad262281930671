// One filter over many contexts.

extension Filter {
  /// Whether the filter is true for each context, in their order.
  ///
  /// The results are those that the contexts get one by one. Nothing is allocated for any of them.
  public func matches(_ contexts: some Sequence<Context>) -> [Bool] { compiled.matches(contexts) }

  /// For how many contexts the filter is true.
  public func countMatches(in contexts: some Sequence<Context>) -> Int {
    compiled.countMatches(in: contexts)
  }

  /// Calls `body` with the number of each context that the filter is true for, in their order.
  ///
  /// Contexts of a sequence are made as they are needed and not kept, so that there may be more of
  /// them than fit the memory.
  ///
  /// - Parameters:
  ///   - contexts: The contexts.
  ///   - body: Gets the position of a context in the sequence, from 0.
  public func forEachMatch(in contexts: some Sequence<Context>, _ body: (Int) -> Void) {
    compiled.forEachMatch(in: contexts, body)
  }

  /// Whether the filter is true for each context, in their order, found out by several tasks at once.
  ///
  /// - Parameters:
  ///   - contexts: The contexts.
  ///   - taskCount: How many tasks work at most; how many of them run at once is up to the executor.
  ///     Fewer contexts than a few thousand are one task.
  @_alwaysEmitIntoClient
  public func concurrentMatches(_ contexts: [Context], taskCount: Int = 32) async -> [Bool] {
    await compiled.concurrentMatches(contexts, taskCount: taskCount)
  }

  /// For how many contexts the filter is true, found out by several tasks at once.
  ///
  /// - Parameters:
  ///   - contexts: The contexts.
  ///   - taskCount: How many tasks work at most; how many of them run at once is up to the executor.
  ///     Fewer contexts than a few thousand are one task.
  @_alwaysEmitIntoClient
  public func concurrentMatchCount(in contexts: [Context], taskCount: Int = 32) async -> Int {
    await compiled.concurrentMatchCount(in: contexts, taskCount: taskCount)
  }
}
