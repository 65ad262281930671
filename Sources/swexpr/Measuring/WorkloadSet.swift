import AudienceFilters
import ExpressionEngine

/// A filter of a workload that does not compile.
struct WorkloadError: Error {
  /// The position of the filter, from 0.
  let index: Int
  let error: FilterError
}

/// A set of filters, and the time and the memory that it took to make it.
///
/// Everything that depends on how sets are made and changed is in this file.
struct WorkloadSet: Sendable {
  let set: FilterSet
  /// Nanoseconds per filter from the texts to a set.
  let load: Double
  /// Nanoseconds per filter from compiled filters to a set that has met two contexts.
  let build: Double
  /// The growth of the resident memory per filter: the set and everything that it keeps.
  let bytes: Double?

  /// Makes a set of filters. It meets two contexts, since a set may leave work for its first ones.
  init(
    _ texts: [String], _ environment: Environment, meeting contexts: some Sequence<Context>
  ) throws(WorkloadError) {
    let bytesBefore = ProcessClock.residentBytes
    let start = ProcessClock.now
    let filters = try Self.compile(texts, environment)
    let compiled = ProcessClock.now
    set = FilterSet(filters)
    let loaded = ProcessClock.now
    for context in contexts.prefix(2) { _ = set.matchingIndices(context) }
    let ready = ProcessClock.now
    let count = Double(max(texts.count, 1))
    load = (loaded - start) / count
    build = (ready - compiled) / count
    bytes = bytesBefore.flatMap { before in
      ProcessClock.residentBytes.map { Double(max(0, $0 - before)) / count }
    }
  }

  /// Compiles each filter by itself.
  static func compile(
    _ texts: some Collection<String>, _ environment: Environment
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

  /// The nanoseconds that it takes to insert one filter into a set and to remove one; `nil` as long as
  /// sets cannot change.
  static func changes(
    of set: FilterSet, _ texts: [String], _ environment: Environment
  ) -> (insert: Double, remove: Double)? { nil }
}
