/// Filters that are evaluated together over one context.
///
/// Use a set where one context meets many filters. The answers are exactly those of each filter by
/// itself, errors included, but every attribute is looked up once, every condition that several filters
/// have is answered once, and filters that the context cannot make true are not touched.
///
/// ```swift
/// let audiences = FilterSet([
///   try Filter("user.plan == \"free\" && user.age >= 18"),
///   try Filter("user.plan == \"pro\""),
/// ])
/// let indices = audiences.matchingIndices(Context(user: ["plan": "pro", "age": 30]))  // [1]
/// ```
///
/// Everything is prepared when filters are put in: the first evaluation is as fast as any other, over
/// contexts with whatever attributes. A set may be shared between threads; a copy that is changed does
/// not change the others.
public struct FilterSet: Sendable {
  private var compiled: CompiledFilterSet

  /// Creates an empty set.
  public init() { compiled = CompiledFilterSet() }

  /// Puts filters together.
  ///
  /// - Parameter filters: The filters, in the order of the answers.
  /// - Complexity: O(n log n) in the number of conditions.
  public init(_ filters: [Filter]) {
    compiled = CompiledFilterSet(filters.lazy.map(\.compiled))
  }

  /// Puts filters together that need not be compiled one by one.
  ///
  /// It takes less time and a fraction of the memory of filters: one is compiled only when something
  /// about it must be computed that the set does not compute for all.
  ///
  /// - Parameters:
  ///   - texts: The expressions, in the order of the answers.
  ///   - environment: The dialect, host functions and limits; the superscript dialect by default.
  /// - Throws: `FilterError` with everything that is wrong with the first text that is no filter.
  /// - Complexity: O(n log n) in the length of the texts.
  public init(texts: [String], environment: Environment = .standard) throws(FilterError) {
    compiled = try CompiledFilterSet(texts: texts, environment: environment)
  }

  /// The number of filters, those included that were removed.
  public var count: Int { compiled.count }

  /// The filters, in the order of the answers. One that was removed is `false`.
  ///
  /// - Complexity: O(n); texts are compiled.
  public var filters: [Filter] { (0..<count).map { self[$0] } }

  /// The filter with a number, which is `false` if it was removed. A text is compiled.
  public subscript(number: Int) -> Filter {
    Filter(compiled: compiled.filter(at: number))
  }

  /// The number of bytes that the set occupies, roughly, with its filters.
  ///
  /// - Complexity: O(n) in the number of compiled filters.
  public var approximateByteCount: Int { compiled.approximateByteCount }

  // MARK: Changing

  /// Adds a filter at the end. Its number is the ``count`` before.
  ///
  /// - Complexity: Amortised O(log n) times what putting one filter in costs.
  public mutating func append(_ filter: Filter) {
    compiled.append(filter.compiled)
  }

  /// Removes a filter: it is no match any more, and its value is false. All others keep their numbers.
  ///
  /// - Complexity: Amortised O(log n) times what putting one filter in costs.
  public mutating func remove(at number: Int) { compiled.remove(at: number) }

  // MARK: Evaluating

  /// Whether each filter is true for a context, in the order of ``filters``.
  public func matches(_ context: Context) -> [Bool] { compiled.matches(context) }

  /// The numbers of the filters that are true for a context, in ascending order.
  ///
  /// With selective filters it takes much less than a step per filter, which ``matches(_:)`` cannot.
  public func matchingIndices(_ context: Context) -> [Int] { compiled.matchingIndices(context) }

  /// The number of the first filter that is true for a context.
  ///
  /// Host functions of filters behind it are not called.
  public func firstMatch(_ context: Context) -> Int? { compiled.firstMatch(context) }

  /// The value of each filter for a context, or its error, in the order of ``filters``.
  public func evaluate(_ context: Context) -> [Result<Value, EvaluationError>] {
    compiled.evaluate(context)
  }
}
