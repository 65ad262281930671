import AudienceFilters
package import ExpressionEngine

/// A filter of a workload that does not compile.
package struct WorkloadError: Error {
  /// The position of the filter, from 0.
  package let index: Int
  package let error: FilterError
}

/// A set of filters, with the time and the memory that creating it took.
///
/// All code that depends on how sets are created and changed is in this file.
package struct WorkloadSet: Sendable {
  package let set: FilterSet
  /// Nanoseconds per filter from the texts to a set.
  package let load: Double
  /// Nanoseconds per filter from the texts to a set that has evaluated two contexts.
  package let build: Double
  /// The growth of the heap per filter: the set and everything that it retains.
  package let bytes: Double?

  /// Creates a set of filters and evaluates two contexts, in case it defers work to its first ones.
  package init(
    _ texts: [String], _ environment: FilterEnvironment, meeting contexts: some Sequence<Context>
  ) throws(WorkloadError) {
    let bytesBefore = ProcessClock.heapBytes
    let start = ProcessClock.now
    do throws(FilterError) {
      set = try FilterSet(texts: texts, environment: environment)
    } catch {
      // The error does not say which text it concerns; compiling them one by one does.
      _ = try Self.compile(texts, environment)
      throw WorkloadError(index: 0, error: error)
    }
    let loaded = ProcessClock.now
    for context in contexts.prefix(2) { _ = set.matchingIndices(context) }
    let ready = ProcessClock.now
    let count = Double(max(texts.count, 1))
    load = (loaded - start) / count
    build = (ready - start) / count
    bytes = bytesBefore.flatMap { before in
      ProcessClock.heapBytes.map { Double(max(0, $0 - before)) / count }
    }
  }

  /// Compiles each filter by itself.
  package static func compile(
    _ texts: some Collection<String>, _ environment: FilterEnvironment
  ) throws(WorkloadError) -> [Filter] {
    var filters: [Filter] = []
    filters.reserveCapacity(texts.count)
    for (index, text) in texts.enumerated() {
      do throws(FilterError) {
        filters.append(try Filter(text, environment: environment))
      } catch {
        throw WorkloadError(index: index, error: error)
      }
    }
    return filters
  }

  /// The number of filters that are inserted and removed to measure it.
  private static let changeCount = 1_000

  /// Returns the nanoseconds that inserting one compiled filter into a set and removing one takes.
  ///
  /// The set is evaluated after every ten changes, in case it defers their work; the time of the
  /// evaluations by themselves is subtracted.
  ///
  /// - Returns: `nil` for an empty set.
  package static func changes(
    of set: FilterSet, _ texts: [String], _ environment: FilterEnvironment, _ context: Context
  ) throws(WorkloadError) -> (insert: Double, remove: Double)? {
    guard !texts.isEmpty else { return nil }
    let filters = try compile(texts.prefix(changeCount), environment)
    var changed = set
    let first = changed.count
    let start = ProcessClock.now
    for (index, filter) in filters.enumerated() {
      changed.append(filter)
      if index.isMultiple(of: 10) { _ = changed.matchingIndices(context) }
    }
    let inserted = ProcessClock.now
    for index in filters.indices {
      changed.remove(at: first + index)
      if index.isMultiple(of: 10) { _ = changed.matchingIndices(context) }
    }
    let removed = ProcessClock.now
    let count = Double(filters.count)
    // The evaluations are part of the workload but not of the change.
    let evaluations = ProcessClock.now
    for _ in 0..<(filters.count / 10) { _ = set.matchingIndices(context) }
    let evaluation = ProcessClock.now - evaluations
    return (
      max(0, inserted - start - evaluation) / count, max(0, removed - inserted - evaluation) / count
    )
  }
}
