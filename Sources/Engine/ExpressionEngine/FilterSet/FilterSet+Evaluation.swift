extension FilterSet {
  /// Returns whether each filter is true, in the order of the filters. Any other value and any
  /// error count as no match.
  ///
  /// - Complexity: That of ``matchingIndices(_:)``, plus a step for each filter.
  public func matches(_ context: Context) -> [Bool] {
    withMatches(context) { matches in
      [Bool](unsafeUninitializedCapacity: count) { result, initialized in
        for number in 0..<count {
          let isMatch = matches[number >> 6] >> UInt64(truncatingIfNeeded: number & 63) & 1 != 0
          result.initializeElement(at: number, to: isMatch)
        }
        initialized = count
      }
    }
  }

  /// Returns the indices of the filters that are true, in ascending order.
  ///
  /// - Complexity: O(attributes of the context + conditions and nodes that they make true), plus a
  ///   byte for each node and a bit for each filter.
  public func matchingIndices(_ context: Context) -> [Int] {
    withMatches(context) { matches in
      let total = matches.reduce(0) { $0 &+ $1.nonzeroBitCount }
      guard total > 0 else { return [] }
      return [Int](unsafeUninitializedCapacity: total) { result, initialized in
        for word in matches.indices {
          var bits = matches[word]
          while bits != 0 {
            result.initializeElement(
              at: initialized, to: word &* 64 &+ bits.trailingZeroBitCount)
            initialized &+= 1
            bits &= bits &- 1
          }
        }
      }
    }
  }

  /// Returns the index of the first filter that is true, or `nil` if no filter is.
  ///
  /// Host functions of later filters are not called.
  public func indexOfFirstMatch(_ context: Context) -> Int? {
    withWords { matches in
      for graph in graphs {
        let outcome = evaluate(graph, context, matches)
        let words = (graph.filters.lowerBound >> 6)..<((graph.filters.upperBound &+ 63) >> 6)
        let certain = words.first { matches[$0] != 0 }.map {
          $0 &* 64 &+ matches[$0].trailingZeroBitCount
        }
        for (number, check) in outcome.pending.sorted(by: { $0.number < $1.number })
        where number < certain ?? .max {
          if isMatch(number, check, of: graph, context) { return number }
        }
        if let certain { return certain }
      }
      return (firstSingle..<count).first { !isRemoved($0) && sources.matches($0, context) }
    }
  }

  /// Returns the value of each filter or its error, in the order of the filters. The value of a
  /// removed filter is false.
  ///
  /// - Complexity: That of ``matches(_:)`` if no condition fails; otherwise that of evaluating each
  ///   filter separately.
  public func evaluate(_ context: Context) -> [Result<Value, EvaluationError>] {
    var results = [Result<Value, EvaluationError>](
      repeating: .success(.bool(false)), count: count)
    withWords { matches in
      for graph in graphs {
        let outcome = evaluate(graph, context, matches)
        let hasFailed = outcome.hasFailed || graph.failsForMissing(context.storage)
        for number in graph.filters where !isRemoved(number) {
          if matches[number >> 6] >> UInt64(truncatingIfNeeded: number & 63) & 1 != 0 {
            results[number] = .success(.bool(true))
          } else if hasFailed || !graph.isExact[number &- graph.filters.lowerBound] {
            results[number] = self[number].result(context)
          }
        }
      }
    }
    for number in firstSingle..<count where !isRemoved(number) {
      results[number] = self[number].result(context)
    }
    return results
  }

  // MARK: Parts

  /// The filters that the graph leaves undecided.
  private struct Outcome {
    /// Filters that must be evaluated, each once, in no particular order, with the part to evaluate
    /// as an index in ``FilterGraph/checked``, or -1 for the whole filter.
    var pending: [(number: Int, check: Int)] = []
    /// Whether a condition failed.
    var hasFailed = false
  }

  /// Calls `body` with a zero bit for each filter.
  @inline(__always)
  private func withWords<Result>(
    _ body: (UnsafeMutableBufferPointer<UInt64>) -> Result
  ) -> Result {
    let words = (count &+ 63) >> 6
    // Stack memory of fixed size costs nothing.
    if words <= 32 {
      return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 32) { memory in
        let matches = UnsafeMutableBufferPointer(rebasing: memory[0..<words])
        matches.initialize(repeating: 0)
        return body(matches)
      }
    }
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { matches in
      matches.initialize(repeating: 0)
      return body(matches)
    }
  }

  /// Calls `body` with a bit for each filter that is set if the filter is true.
  @inline(__always)
  private func withMatches<Result>(
    _ context: Context, _ body: (UnsafeMutableBufferPointer<UInt64>) -> Result
  ) -> Result {
    withWords { matches in
      for graph in graphs {
        for (number, check) in evaluate(graph, context, matches).pending
        where isMatch(number, check, of: graph, context) {
          matches[number >> 6] |= 1 << UInt64(truncatingIfNeeded: number & 63)
        }
      }
      for number in firstSingle..<count
      where !isRemoved(number) && sources.matches(number, context) {
        matches[number >> 6] |= 1 << UInt64(truncatingIfNeeded: number & 63)
      }
      return body(matches)
    }
  }

  /// Sets the bits of a graph's filters that are certainly true.
  @inline(__always)
  private func evaluate(
    _ graph: FilterGraph, _ context: Context, _ matches: UnsafeMutableBufferPointer<UInt64>
  ) -> Outcome {
    if graph.readsDottedNames, context.hasDottedNames {
      return Outcome(
        pending: graph.filters.filter { !isRemoved($0) }.map { ($0, -1) }, hasFailed: true)
    }
    return graph.pool.withMemory { memory in
      var scratch = FilterGraphScratch(memory, graph.scratchSizes)
      if let words = matches.baseAddress { graph.evaluate(context.storage, &scratch, words) }
      if !removed.isEmpty {
        for word in removed.indices { matches[word] &= ~removed[word] }
      }
      return Outcome(
        pending: pending(scratch, graph, matches), hasFailed: scratch.hasFailed)
    }
  }

  /// Clears the bits of the filters that must be evaluated, and returns these filters.
  @inline(__always)
  private func pending(
    _ scratch: FilterGraphScratch, _ graph: FilterGraph,
    _ matches: UnsafeMutableBufferPointer<UInt64>
  ) -> [(number: Int, check: Int)] {
    if scratch.checkedCount == 0, scratch.guarded.isEmpty { return [] }
    var pending: [(number: Int, check: Int)] = []
    pending.reserveCapacity(scratch.checkedCount &+ scratch.guarded.count)
    let guarded = Set(scratch.guarded)
    for index in 0..<scratch.checkedCount {
      let check = Int(scratch.checked[index])
      let number = graph.checked[check].number
      if isRemoved(number) { continue }
      if !guarded.isEmpty, guarded.contains(UInt32(truncatingIfNeeded: number)) { continue }
      pending.append((number, check))
    }
    for number in guarded where !isRemoved(Int(number)) {
      matches[Int(number >> 6)] &= ~(1 << UInt64(number & 63))
      pending.append((Int(number), -1))
    }
    return pending
  }

  /// Returns whether a filter that must be evaluated is true.
  @inline(__always)
  private func isMatch(
    _ number: Int, _ check: Int, of graph: FilterGraph, _ context: Context
  ) -> Bool {
    check < 0 ? sources.matches(number, context) : graph.matches(check, context)
  }
}

extension Filter {
  fileprivate func result(_ context: Context) -> Result<Value, EvaluationError> {
    do throws(EvaluationError) {
      return .success(try evaluate(context))
    } catch {
      return .failure(error)
    }
  }
}

extension Context {
  /// Whether a variable may be what the cel dialect reads as an attribute: its name contains a dot,
  /// or is that of a layer.
  fileprivate var hasDottedNames: Bool {
    guard let table = storage.layers.other?.storage.map.table else { return false }
    return (0..<table.count).contains { entry in
      let key = table.key(entry)
      return key.isA(.string)
        && (key.byteBuffer.contains(UInt8(ascii: "."))
          || Root(layerNamed: key.byteBuffer) != nil)
    }
  }
}
