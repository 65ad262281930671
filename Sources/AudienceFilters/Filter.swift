@_exported public import ExpressionChecking
@_exported public import ExpressionCoding
@_exported public import ExpressionEngine
@_exported public import ExpressionPrinting
@_exported public import ExpressionSyntax

/// An audience filter, compiled once and evaluated many times.
///
/// A filter is immutable and may be kept, shared and evaluated from many threads at once.
///
/// ```swift
/// let filter = try Filter("user.age >= 18 && device.platform == \"iOS\"")
/// let context = Context(user: ["age": 25], device: ["platform": "iOS"])
/// let isMatch = filter.matches(context)  // true
/// ```
public struct Filter: Sendable {
  @usableFromInline let compiled: CompiledFilter

  /// The text of the filter.
  public var text: String { compiled.source.text }
  /// What the filter was compiled against.
  public var environment: Environment { compiled.environment }

  /// Compiles a filter.
  ///
  /// - Parameters:
  ///   - text: The expression.
  ///   - environment: The dialect, host functions and limits; the superscript dialect by default.
  /// - Throws: `FilterError` with everything that is wrong with the text.
  /// - Complexity: O(n) in the length of the text.
  public init(_ text: String, environment: Environment = .standard) throws(FilterError) {
    compiled = try CompiledFilter(Source(text), environment: environment)
  }

  init(compiled: CompiledFilter) { self.compiled = compiled }

  /// The attributes that the filter reads and the host functions that it calls.
  public var requirements: Requirements { compiled.requirements }

  /// Whether the filter is true for a context. Every other value and every error is no match.
  ///
  /// Allocates nothing unless the filter builds lists or texts.
  ///
  /// - Parameter context: The attributes.
  /// - Complexity: O(n) in the length of the filter, times the elements of lists that it walks; bounded by
  ///   `EvaluationLimits`.
  @inlinable
  public func matches(_ context: Context) -> Bool { compiled.matches(context) }

  /// Evaluates the filter on the machine alone, without its faster forms; for comparisons of the two.
  package func evaluateOnMachine(_ context: Context) throws(EvaluationError) -> Value {
    try compiled.evaluateOnMachine(context)
  }

  /// The number of bytes that the compiled filter occupies, roughly.
  public var footprint: Int { compiled.footprint }
}

/// Evaluates a filter over a context.
///
/// - Parameters:
///   - filter: The compiled filter.
///   - context: The attributes.
/// - Returns: The value of the filter, which need not be a bool.
/// - Throws: `EvaluationError` when the filter has no value for this context.
@inlinable
public func evaluate(_ filter: Filter, _ context: Context) throws(EvaluationError) -> Value {
  try filter.compiled.evaluate(context)
}
