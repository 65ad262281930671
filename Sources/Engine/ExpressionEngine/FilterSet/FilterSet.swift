import ExpressionSyntax

/// A set of filters that are evaluated together over one context.
///
/// Use a set to match one context against many filters. The results, including errors, are exactly
/// those of evaluating each filter separately, but every attribute is looked up once, every
/// condition that several filters share is evaluated once, and filters that the context cannot make
/// true are not visited.
///
/// ```swift
/// let audiences = FilterSet([
///   try Filter("user.plan == \"free\" && user.age >= 18"),
///   try Filter("user.plan == \"pro\""),
/// ])
/// let indices = audiences.matchingIndices(Context(user: ["plan": "pro", "age": 30]))  // [1]
/// ```
///
/// The set builds a graph when filters are added, so the first evaluation is as fast as any other.
/// Filters that are added later get graphs of their own, which are merged when they have grown to
/// the same size; the newest few are evaluated one by one. A set may be shared between threads.
/// Changing a copy does not affect other copies.
public struct FilterSet: Sendable {
  private(set) var sources = FilterSources()
  /// The graphs in the order of their filters, oldest first.
  private(set) var graphs: [FilterGraph] = []
  /// The index of the first filter that is not in a graph.
  private(set) var firstSingle = 0
  /// The removed filters, as bits.
  private(set) var removed: [UInt64] = []
  /// The ids of the filters, in the order of the results; empty if they have none.
  public internal(set) var ids: [String] = []

  /// The thresholds of a set, which tests change to reach every code path.
  struct Tuning: Sendable {
    /// The minimum number of filters for a graph. Fewer are evaluated one by one, which takes less
    /// time than a graph's fixed work.
    var minimumGraph = 48
    /// The number of new filters that become a graph.
    var maximumSingles = 32
    /// Whether formulas may be bit rows.
    var usesBitmaps = true
  }

  private let tuning: Tuning

  /// Creates an empty set.
  public init() { self.init(tuning: Tuning()) }

  init(tuning: Tuning) { self.tuning = tuning }

  /// Creates a set of compiled filters.
  ///
  /// - Parameter filters: The filters, in the order of the results.
  /// - Complexity: O(n log n) in the number of conditions.
  public init(_ filters: some Sequence<Filter>) {
    self.init(filters, tuning: Tuning())
  }

  init(_ filters: some Sequence<Filter>, tuning: Tuning) {
    self.tuning = tuning
    for filter in filters { sources.append(filter) }
    if count >= tuning.minimumGraph { addGraph() }
  }

  /// Creates a set of filters from their texts.
  ///
  /// This takes less time and a fraction of the memory of compiled filters: a filter is compiled
  /// only when part of it must be evaluated separately.
  ///
  /// - Parameters:
  ///   - texts: The expressions, in the order of the results.
  ///   - environment: The dialect, the host functions and the limits; the superscript dialect by
  ///     default.
  /// - Throws: ``FilterError`` with everything that is wrong with the first text that is not a
  ///   valid filter, and its ``FilterError/index``.
  /// - Complexity: O(n log n) in the length of the texts.
  public init(
    texts: [String], environment: FilterEnvironment = .standard
  ) throws(FilterError) {
    try self.init(texts: texts, environment: environment, tuning: Tuning())
  }

  init(texts: [String], environment: FilterEnvironment, tuning: Tuning) throws(FilterError) {
    self.tuning = tuning
    guard texts.count >= tuning.minimumGraph else {
      for (index, text) in texts.enumerated() {
        do throws(FilterError) {
          try append(text: text, environment: environment)
        } catch {
          throw error.inSet(at: index)
        }
      }
      return
    }
    sources.reserve(texts.count, bytes: texts.reduce(0) { $0 + $1.utf8.count })
    for text in texts { sources.append(text.utf8, environment) }
    graphs = [try makeGraph(0..<texts.count, checks: true)]
    firstSingle = texts.count
  }

  // MARK: Filters

  /// The number of filters, including removed ones.
  public var count: Int { sources.count }

  /// The filters, in the order of the results. A removed filter is `false`.
  ///
  /// - Complexity: O(n). Texts are compiled.
  public var filters: [Filter] { (0..<count).map { self[$0] } }

  /// Accesses the filter at an index. A removed filter is `false`. A text is compiled.
  public subscript(number: Int) -> Filter {
    precondition(number >= 0 && number < count, "there is no filter with that number")
    return Self.again { () throws(FilterError) in
      if isRemoved(number) {
        return try Filter(SourceText("false"), environment: sources.environment(number))
      }
      return try sources.filter(number)
    }
  }

  /// Reads or compiles filters again. Adding them has done so, with the same environments.
  static func again<Result: ~Copyable>(
    _ body: () throws(FilterError) -> Result
  ) -> Result {
    do throws(FilterError) {
      return try body()
    } catch {
      preconditionFailure("the text was a filter when it was added: \(error.diagnostics)")
    }
  }

  /// The approximate number of bytes that the set occupies: the filters' texts or programs, and the
  /// graphs that evaluate them together.
  ///
  /// - Complexity: O(n) in the number of compiled filters.
  public var approximateByteCount: Int {
    sources.byteCount + graphs.reduce(0) { $0 + $1.byteCount } + removed.count * 8
  }

  func isRemoved(_ number: Int) -> Bool {
    number >> 6 < removed.count && removed[number >> 6] >> UInt64(number & 63) & 1 != 0
  }

  // MARK: Changing

  /// Adds a filter at the end. Its index is the previous ``count``.
  ///
  /// - Complexity: Amortized O(log n) reads of a filter.
  public mutating func append(_ filter: Filter) {
    if !ids.isEmpty { ids.append(String(count)) }
    sources.append(filter)
    mergeGraphs()
  }

  /// Adds a filter at the end.
  ///
  /// - Throws: ``FilterError`` with everything that is wrong with the text. The set is then
  ///   unchanged.
  /// - Complexity: Amortized O(log n) reads of a filter.
  public mutating func append(
    text: String, environment: FilterEnvironment = .standard
  ) throws(FilterError) {
    append(try Filter(SourceText(text), environment: environment))
  }

  /// Removes a filter, which is never true again. All other filters keep their indices.
  ///
  /// - Complexity: Amortized O(log n) reads of a filter.
  public mutating func remove(at number: Int) {
    precondition(number >= 0 && number < count, "there is no filter with that number")
    guard !isRemoved(number) else { return }
    while removed.count <= number >> 6 { removed.append(0) }
    removed[number >> 6] |= 1 << UInt64(number & 63)
    // A graph is rebuilt when half of its filters have been removed.
    guard let index = graphs.firstIndex(where: { $0.filters.contains(number) }) else { return }
    let range = graphs[index].filters
    let remaining = range.count { !isRemoved($0) }
    if remaining * 2 < graphs[index].liveCount { graphs[index] = graph(range) }
  }

  /// Builds a graph of the filters that are in no graph, merging it with preceding graphs that are
  /// not twice as large.
  private mutating func mergeGraphs() {
    if count - firstSingle >= tuning.maximumSingles { addGraph() }
  }

  private mutating func addGraph() {
    var first = firstSingle
    while let last = graphs.last, last.filters.count < 2 * (count - first) {
      first = last.filters.lowerBound
      graphs.removeLast()
    }
    graphs.append(graph(first..<count))
    firstSingle = count
  }

  /// Returns the graph of filters that have been read before.
  private func graph(_ filters: Range<Int>) -> FilterGraph {
    Self.again { () throws(FilterError) in try makeGraph(filters, checks: false) }
  }

  /// Reads filters and builds their graph.
  ///
  /// - Parameter checks: Whether to compile texts that may be too large for a program.
  private func makeGraph(
    _ filters: Range<Int>, checks: Bool
  ) throws(FilterError) -> FilterGraph {
    var checked: [FilterGraph.CheckedFilter] = []
    let builder = try read(filters, checks: checks, checked: &checked)
    return FilterGraph(builder, checked: checked, usesBitmaps: tuning.usesBitmaps)
  }

  /// Reads filters as formulas over conditions.
  ///
  /// - Parameters:
  ///   - checks: Whether to compile texts that may be too large for a program.
  ///   - guardsMissing: See ``FilterReader/guardsMissing``.
  ///   - checked: The filters that must be evaluated when their formulas are true.
  func read(
    _ filters: Range<Int>, checks: Bool, guardsMissing: Bool = false,
    checked: inout [FilterGraph.CheckedFilter]
  ) throws(FilterError) -> FilterGraphBuilder {
    var reader = FilterReader(guardsMissing: guardsMissing)
    for number in filters {
      guard !isRemoved(number) else {
        reader.readNothing()
        continue
      }
      do throws(FilterError) {
        let lowered = try sources.lowered(number)
        reader.read(lowered.ir)
        // Only large filters can exceed the limits of a program.
        if checks, lowered.ir.nodes.count > 1 << 13 { _ = try sources.filter(number) }
        if reader.coverage.last?.isChecked == true {
          checked.append(
            FilterGraph.CheckedFilter(
              number: number, filter: try sources.filter(number, rest: reader.lastRest)))
        }
      } catch {
        throw error.inSet(at: number)
      }
    }
    return FilterGraphBuilder(
      reader, firstFilter: UInt32(truncatingIfNeeded: filters.lowerBound))
  }
}
