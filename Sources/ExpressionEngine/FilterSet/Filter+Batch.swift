// Evaluation of one filter over many contexts.

extension Filter {
  /// Returns whether the filter is true for each context, in order.
  ///
  /// It allocates nothing for a context.
  public func matches(_ contexts: some Sequence<Context>) -> [Bool] { contexts.map { matches($0) } }

  /// Returns the number of contexts for which the filter is true.
  public func countMatches(in contexts: some Sequence<Context>) -> Int {
    var result = 0
    for context in contexts where matches(context) { result &+= 1 }
    return result
  }

  /// Calls `body` with the index of each context for which the filter is true, in order.
  public func forEachMatch(in contexts: some Sequence<Context>, _ body: (Int) -> Void) {
    var number = 0
    for context in contexts {
      if matches(context) { body(number) }
      number &+= 1
    }
  }
}
