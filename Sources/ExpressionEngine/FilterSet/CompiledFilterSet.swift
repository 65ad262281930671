import ExpressionSyntax

/// Filters that are evaluated together over one context.
///
/// The answers are those that each filter gives by itself, errors included; what is saved is work. The
/// set is a graph, which is made when filters are put in, and not when contexts come: every
/// attribute is looked up once, every condition that several filters have is answered once, and
/// filters that a context cannot make true are not touched. What a graph does not say of a filter, the
/// filter does by itself.
///
/// Filters that are added later stand in graphs of their own, which are joined when they have grown to
/// the same size; the newest few are evaluated by themselves.
public struct CompiledFilterSet: Sendable {
  private(set) var sources = FilterSources()
  /// The graphs, in the order of their filters, the oldest first.
  private(set) var graphs: [FilterGraph] = []
  /// The number of the first filter that is in no graph.
  private(set) var firstSingle = 0
  /// The filters that were removed, as bits.
  private(set) var removed: [UInt64] = []

  /// What a set does when, for tests that must reach every way.
  struct Tuning: Sendable {
    /// Fewer filters are evaluated one by one, which takes less time than a graph's fixed work.
    var minimumGraph = 48
    /// So many new filters become a graph.
    var maximumSingles = 32
    /// Whether formulas may be rows of bits.
    var usesBitmaps = true
  }

  private let tuning: Tuning

  /// Creates an empty set.
  public init() { self.init(tuning: Tuning()) }

  init(tuning: Tuning) { self.tuning = tuning }

  /// Puts compiled filters together.
  ///
  /// - Parameter filters: The filters.
  /// - Complexity: O(n log n) in the number of conditions.
  public init(_ filters: some Sequence<CompiledFilter>) {
    self.init(filters, tuning: Tuning())
  }

  init(_ filters: some Sequence<CompiledFilter>, tuning: Tuning) {
    self.tuning = tuning
    for filter in filters { sources.append(filter) }
    if count >= tuning.minimumGraph { addGraph() }
  }

  /// Puts filters together that are not compiled: what the set needs of them takes less time and a
  /// fraction of the memory.
  ///
  /// - Parameters:
  ///   - texts: The expressions.
  ///   - environment: The dialect, the host's functions and the limits.
  /// - Throws: ``FilterError`` with everything that is wrong with the first text that is no filter.
  /// - Complexity: O(n log n) in the length of the texts.
  public init(texts: [String], environment: Environment) throws(FilterError) {
    try self.init(texts: texts, environment: environment, tuning: Tuning())
  }

  init(texts: [String], environment: Environment, tuning: Tuning) throws(FilterError) {
    self.tuning = tuning
    guard texts.count >= tuning.minimumGraph else {
      for text in texts { try append(text: text, environment: environment) }
      return
    }
    sources.reserve(texts.count, bytes: texts.reduce(0) { $0 + $1.utf8.count })
    for text in texts { sources.append(text.utf8, environment) }
    graphs = [try makeGraph(0..<texts.count, checks: true)]
    firstSingle = texts.count
  }

  // MARK: Filters

  /// The number of filters, those included that were removed.
  public var count: Int { sources.count }

  /// The filter with a number; one that was removed is `false`. A text is compiled.
  public func filter(at number: Int) -> CompiledFilter {
    precondition(number >= 0 && number < count, "there is no filter with that number")
    do throws(FilterError) {
      if isRemoved(number) {
        return try CompiledFilter(Source("false"), environment: sources.environment(number))
      }
      return try sources.filter(number)
    } catch {
      preconditionFailure("the text was a filter when it was added: \(error.diagnostics)")
    }
  }

  /// The number of bytes that the set occupies, roughly: the filters' texts or programs, and what
  /// evaluates them together.
  ///
  /// - Complexity: O(n) in the number of compiled filters.
  public var approximateByteCount: Int {
    sources.byteCount + graphs.reduce(0) { $0 + $1.byteCount } + removed.count * 8
  }

  func isRemoved(_ number: Int) -> Bool {
    number >> 6 < removed.count && removed[number >> 6] >> UInt64(number & 63) & 1 != 0
  }

  // MARK: Changing

  /// Adds a filter at the end.
  ///
  /// - Complexity: Amortised O(log n) readings of a filter.
  public mutating func append(_ filter: CompiledFilter) {
    sources.append(filter)
    mergeGraphs()
  }

  /// Adds a filter at the end.
  ///
  /// - Throws: ``FilterError`` with everything that is wrong with the text; the set is unchanged then.
  /// - Complexity: Amortised O(log n) readings of a filter.
  public mutating func append(
    text: String, environment: Environment
  ) throws(FilterError) {
    append(try CompiledFilter(Source(text), environment: environment))
  }

  /// Removes a filter: it is never true again. All other filters keep their numbers.
  ///
  /// - Complexity: Amortised O(log n) readings of a filter.
  public mutating func remove(at number: Int) {
    precondition(number >= 0 && number < count, "there is no filter with that number")
    guard !isRemoved(number) else { return }
    while removed.count <= number >> 6 { removed.append(0) }
    removed[number >> 6] |= 1 << UInt64(number & 63)
    // A graph of which half is gone is made anew.
    guard let index = graphs.firstIndex(where: { $0.filters.contains(number) }) else { return }
    let range = graphs[index].filters
    let remaining = range.count { !isRemoved($0) }
    if remaining * 2 < graphs[index].liveCount { graphs[index] = graph(range) }
  }

  /// Makes a graph of the filters that are in none, and joins it with those before it that are not
  /// twice as large.
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

  /// The graph of filters that have been read before.
  private func graph(_ filters: Range<Int>) -> FilterGraph {
    do throws(FilterError) {
      return try makeGraph(filters, checks: false)
    } catch {
      preconditionFailure("the text was a filter when it was added: \(error.diagnostics)")
    }
  }

  /// Reads filters and makes their graph.
  ///
  /// - Parameter checks: Whether texts that may be too large for a program are compiled.
  private func makeGraph(
    _ filters: Range<Int>, checks: Bool
  ) throws(FilterError) -> FilterGraph {
    var reader = FilterReader()
    var checked: [FilterGraph.CheckedFilter] = []
    for number in filters {
      guard !isRemoved(number) else {
        reader.readNothing()
        continue
      }
      let lowered = try sources.lowered(number)
      reader.read(lowered.ir)
      // Only large filters can be too large.
      if checks, lowered.ir.nodes.count > 1 << 13 { _ = try sources.filter(number) }
      if reader.isChecked.last == true {
        checked.append(
          FilterGraph.CheckedFilter(
            number: number, filter: try sources.filter(number, rest: reader.lastRest)))
      }
    }
    return FilterGraph(
      FilterGraphBuilder(reader, firstFilter: UInt32(truncatingIfNeeded: filters.lowerBound)),
      checked: checked, usesBitmaps: tuning.usesBitmaps)
  }
}
