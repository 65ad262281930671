/// A way to end evaluations before they have a value: at a deadline, by ``cancel()``, or both.
///
/// One object may serve any number of evaluations on any threads.
///
/// ```swift
/// let stop = EvaluationStop(deadline: .now + .milliseconds(20))
/// let value = try filter.evaluate(context, unless: stop)
/// ```
///
/// It is read when an evaluation starts, after every 1,024 steps of the budget
/// ``EvaluationLimits/steps``, and before each host function. A filter without loops is not slower
/// for it. A host function is not interrupted, nor is a single comparison or library function,
/// whose work the budgets bound.
public final class EvaluationStop: Sendable {
  /// The number of steps between two looks at the deadline.
  static let interval = 1_024

  /// 0, or 1 after ``cancel()``.
  private let words = AtomicWords(count: 1)
  #if !hasFeature(Embedded)
    private let isOverdue: (@Sendable () -> Bool)?

    /// Creates a stop that has not been requested.
    public init() { isOverdue = nil }

    /// Creates a stop that has not been requested, with a check of a deadline.
    @usableFromInline
    init(isOverdue: @escaping @Sendable () -> Bool) { self.isOverdue = isOverdue }

    // Compiled into its callers: without deadlines, a static executable is 0.7 MB smaller, because
    // it does not contain Swift's concurrency library.

    /// Creates a stop that has not been requested, with a deadline.
    ///
    /// - Parameter deadline: The time from which on evaluations end with
    ///   `DiagnosticID.deadlineExceeded`.
    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @_alwaysEmitIntoClient
    public convenience init(deadline: ContinuousClock.Instant) {
      self.init(isOverdue: { deadline <= .now })
    }
  #else
    /// Creates a stop that has not been requested.
    public init() {}
  #endif

  deinit { words.destroy() }

  /// Ends all evaluations that were given this object, now and in the future, with
  /// `DiagnosticID.evaluationCancelled`.
  ///
  /// It may be called from any thread, any number of times.
  public func cancel() { words.store(1, at: 0) }

  /// Whether ``cancel()`` has been called.
  public var isCancelled: Bool { words.load(0) != 0 }

  /// The reason to end an evaluation now, or `nil`.
  var reason: FailureCode? {
    if isCancelled { return .cancelled }
    #if !hasFeature(Embedded)
      if let isOverdue, isOverdue() { return .deadlineExceeded }
    #endif
    return nil
  }
}
