import ExpressionSyntax

/// The filters of a set: compiled filters, and texts that are compiled only when they must be
/// evaluated separately.
struct FilterSources: Sendable {
  /// The UTF-8 of the texts, one after the other, and the end of each of them. Compiled filters
  /// have their own texts.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// The compiled filters; empty if there are only texts.
  private var compiled: [Filter?] = []
  /// The environments, each with the first filter that uses it.
  private var environments: [(first: Int, environment: FilterEnvironment)] = []
  /// The filters compiled from texts.
  private var cache = Cache()

  private final class Cache: Sendable {
    let filters = Locked<[Int: Filter]>([:])
  }

  var count: Int { ends.count }

  /// The size in bytes of the texts, and of the filters that were compiled for evaluations.
  var byteCount: Int {
    bytes.count + ends.count * MemoryLayout<Int>.stride
      + compiled.count * MemoryLayout<Filter?>.stride
      + compiled.reduce(0) { $0 + ($1?.approximateByteCount ?? 0) }
      + cache.filters.withLock { $0.values.reduce(0) { $0 + $1.approximateByteCount } }
  }

  // MARK: Changing

  mutating func append(_ filter: Filter) {
    note(filter.environment)
    if compiled.isEmpty { compiled = Array(repeating: nil, count: count) }
    compiled.append(filter)
    ends.append(bytes.count)
  }

  mutating func append(_ text: some Sequence<UInt8>, _ environment: FilterEnvironment) {
    note(environment)
    if !compiled.isEmpty { compiled.append(nil) }
    bytes.append(contentsOf: text)
    ends.append(bytes.count)
    // A copy of the set may have a different filter with that number.
    if !isKnownUniquelyReferenced(&cache) { cache = Cache() }
  }

  mutating func reserve(_ filters: Int, bytes size: Int) {
    ends.reserveCapacity(filters)
    bytes.reserveCapacity(size)
  }

  private mutating func note(_ environment: FilterEnvironment) {
    if let last = environments.last, last.environment.isIdentical(to: environment) { return }
    environments.append((count, environment))
  }

  // MARK: Reading

  func environment(_ number: Int) -> FilterEnvironment {
    var (low, high) = (0, environments.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if environments[middle].first <= number { low = middle } else { high = middle }
    }
    return environments[low].environment
  }

  func source(_ number: Int) -> SourceText {
    if !compiled.isEmpty, let filter = compiled[number] { return filter.source }
    return SourceText(
      bytes: Array(bytes[(number == 0 ? 0 : ends[number - 1])..<ends[number]]))
  }

  /// Parses and lowers a filter.
  func lowered(_ number: Int) throws(FilterError) -> LoweredFilter {
    let environment = environment(number)
    let source = source(number)
    let tree: SyntaxTree
    do {
      tree = try parse(source, dialect: environment.dialect, limits: environment.parserLimits)
    } catch {
      throw FilterError(source: source, diagnostics: error.diagnostics)
    }
    return try Lowering.lower(tree, environment: environment)
  }

  /// Returns the compiled filter. A text is compiled only once.
  func filter(_ number: Int) throws(FilterError) -> Filter {
    if !compiled.isEmpty, let filter = compiled[number] { return filter }
    if let filter = cache.filters.withLock({ $0[number] }) { return filter }
    let filter = try Filter(source(number), environment: environment(number))
    cache.filters.withLock { $0[number] = filter }
    return filter
  }

  /// Returns a filter for frequent evaluation: the rest as a filter of its own, or the whole
  /// filter.
  func filter(_ number: Int, rest: SourceSpan?) throws(FilterError) -> Filter {
    let whole = source(number)
    if let rest {
      let part = SourceText(bytes: Array(whole.bytes(of: rest)))
      if let filter = try? Filter(part, environment: environment(number)) { return filter }
    }
    if !compiled.isEmpty, let filter = compiled[number] { return filter }
    return try Filter(whole, environment: environment(number))
  }

  /// Returns whether a filter is true, evaluated separately. A text too large for a program is not
  /// true.
  func matches(_ number: Int, _ context: Context) -> Bool {
    if !compiled.isEmpty, let isMatch = compiled[number]?.matches(context) { return isMatch }
    return (try? filter(number))?.matches(context) ?? false
  }
}
