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
    /// The time from which on evaluations end, if there is one.
    public let deadline: ContinuousClock.Instant?

    /// Creates a stop that has not been requested.
    ///
    /// - Parameter deadline: The time from which on evaluations end with
    ///   `DiagnosticID.deadlineExceeded`; none by default.
    public init(deadline: ContinuousClock.Instant? = nil) { self.deadline = deadline }
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
      if let deadline, deadline <= .now { return .deadlineExceeded }
    #endif
    return nil
  }
}
