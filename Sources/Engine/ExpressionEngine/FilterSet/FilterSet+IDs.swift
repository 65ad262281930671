// Filters by id. The ids are beside the filters, so that evaluating a set does not touch them.

extension FilterSet {
  /// Creates a set of filters from their texts, each with an id.
  ///
  /// ```swift
  /// let segments = try FilterSet(["adults": "user.age >= 18", "pro": "user.plan == \"pro\""])
  /// let ids = segments.matchingIDs(Context(user: ["age": 30]))  // ["adults"]
  /// ```
  ///
  /// - Parameters:
  ///   - texts: The expressions by id. The results have the order of the ids.
  ///   - environment: The dialect, the host functions and the limits; the superscript dialect by
  ///     default.
  /// - Throws: ``FilterError`` with everything that is wrong with the first text that is not a
  ///   valid filter, and its ``FilterError/id``.
  /// - Complexity: O(n log n) in the length of the texts.
  public init(
    _ texts: [String: String], environment: FilterEnvironment = .standard
  ) throws(FilterError) {
    let named = Self.ordered(texts)
    do throws(FilterError) {
      try self.init(texts: named.map { $0.value }, environment: environment)
    } catch {
      throw error.inSet(at: error.index ?? 0, filterID: named[error.index ?? 0].key)
    }
    ids = named.map { $0.key }
  }

  /// Creates a set of compiled filters, each with an id.
  ///
  /// - Parameter filters: The filters by id. The results have the order of the ids.
  /// - Complexity: O(n log n) in the number of conditions.
  public init(_ filters: [String: Filter]) {
    let named = Self.ordered(filters)
    self.init(named.map { $0.value })
    ids = named.map { $0.key }
  }

  private static func ordered<Element>(
    _ elements: [String: Element]
  ) -> [(key: String, value: Element)] {
    elements.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  /// The filter of an id, or `nil` if there is none.
  ///
  /// - Complexity: O(n) in the number of filters.
  public subscript(id: String) -> Filter? { ids.firstIndex(of: id).map { self[$0] } }

  /// Returns the ids of the filters that are true, in the order of ``ids``. A filter without an id
  /// has its index as one.
  ///
  /// - Complexity: That of ``matchingIndices(_:)``.
  public func matchingIDs(_ context: Context) -> [String] {
    matchingIndices(context).map { ids.isEmpty ? String($0) : ids[$0] }
  }

  /// Returns the filters that are true, in the order of the results.
  ///
  /// - Complexity: That of ``matchingIndices(_:)``. A text is compiled once.
  public func matchingFilters(_ context: Context) -> [Filter] {
    matchingIndices(context).map { self[$0] }
  }

  /// Adds a filter with an id at the end. Earlier filters without an id have their index as one.
  ///
  /// - Complexity: Amortized O(log n) reads of a filter.
  public mutating func append(_ filter: Filter, id: String) {
    let earlier = ids.isEmpty ? (0..<count).map { String($0) } : ids
    append(filter)
    ids = earlier + [id]
  }
}
