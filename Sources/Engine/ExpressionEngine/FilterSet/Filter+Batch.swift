// Evaluation of one filter over many contexts.
//
// Arrays and their slices have code of their own: the generic form allocates for each context.

extension Filter {
  /// Returns whether the filter is true for each context, in order.
  @specialized(where Contexts == [Context])
  @specialized(where Contexts == ArraySlice<Context>)
  public func matches<Contexts: Sequence<Context>>(_ contexts: Contexts) -> [Bool] {
    var result: [Bool] = []
    result.reserveCapacity(contexts.underestimatedCount)
    for context in contexts { result.append(matches(context)) }
    return result
  }

  /// Returns the number of contexts for which the filter is true.
  @specialized(where Contexts == [Context])
  @specialized(where Contexts == ArraySlice<Context>)
  public func countMatches<Contexts: Sequence<Context>>(in contexts: Contexts) -> Int {
    var result = 0
    for context in contexts where matches(context) { result &+= 1 }
    return result
  }

  /// Calls `body` with the index of each context for which the filter is true, in order.
  @specialized(where Contexts == [Context])
  @specialized(where Contexts == ArraySlice<Context>)
  public func forEachMatch<Contexts: Sequence<Context>>(
    in contexts: Contexts, _ body: (Int) -> Void
  ) {
    var number = 0
    for context in contexts {
      if matches(context) { body(number) }
      number &+= 1
    }
  }
}
